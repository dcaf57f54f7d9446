/** What the stand-in for Office.js and the page that stands in for Excel say to each other. */

/** One step of a batch. Objects of the workbook are known to both sides by numbers; 0 is the workbook. */
export type Step =
  | {
      readonly kind: 'get'
      readonly on: number
      readonly name: string
      readonly args: readonly Argument[]
      readonly made: number
    }
  | { readonly kind: 'set'; readonly on: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'load'; readonly on: number; readonly names: readonly string[] }

/** Another object by its number, a handler of the pane by its number, or a plain value. */
export type Argument = { readonly object: number } | { readonly handler: number } | { readonly value: unknown }

export type Asked =
  | { readonly asks: 'start' }
  | { readonly asks: 'sync'; readonly steps: readonly Step[] }
  | { readonly asks: 'keep'; readonly settings: Readonly<Record<string, unknown>> }

export interface Loaded {
  readonly object: number
  readonly values: Readonly<Record<string, unknown>>
}

export type Answer =
  | { readonly settings: Readonly<Record<string, unknown>> }
  | { readonly loaded: readonly Loaded[] }
  | { readonly failed: { readonly code: string; readonly message: string } }
