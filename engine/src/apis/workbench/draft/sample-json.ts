/** Parses a sample reply and keeps the digits of its numbers as they are written: 12.50 is no whole number, and neither is 1.0. */

export class WrittenNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type SampleValue = null | boolean | string | WrittenNumber | readonly SampleValue[] | SampleObject
export interface SampleObject {
  readonly [member: string]: SampleValue
}

type SourceReviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown

/** @throws SyntaxError if the text is not JSON */
export function parseSample(text: string): SampleValue {
  const revive: SourceReviver = (_, value, { source }) =>
    typeof value === 'number' ? new WrittenNumber(source ?? String(value)) : value
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as SampleValue
}

export function isSampleObject(value: SampleValue | undefined): value is SampleObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber)
}

export function isSampleList(value: SampleValue | undefined): value is readonly SampleValue[] {
  return Array.isArray(value)
}
