/** Messages between the fake Office.js and the fake Excel page. */

/** One step of a batch. Both sides identify objects of the workbook by number; 0 is the workbook. */
export type BatchStep =
  | {
      readonly kind: 'get'
      readonly on: number
      readonly name: string
      readonly args: readonly BatchArgument[]
      readonly made: number
    }
  | { readonly kind: 'set'; readonly on: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'load'; readonly on: number; readonly names: readonly string[] }

/** An object by number, an event handler of the pane by number, or a plain value. */
export type BatchArgument = { readonly object: number } | { readonly handler: number } | { readonly value: unknown }

export type HostRequest =
  | { readonly type: 'start' }
  | { readonly type: 'sync'; readonly steps: readonly BatchStep[] }
  | { readonly type: 'saveSettings'; readonly settings: Readonly<Record<string, unknown>> }

export interface LoadedProperties {
  readonly object: number
  readonly values: Readonly<Record<string, unknown>>
}

export type HostResponse =
  | { readonly settings: Readonly<Record<string, unknown>> }
  | { readonly loaded: readonly LoadedProperties[] }
  | { readonly failed: { readonly code: string; readonly message: string } }
