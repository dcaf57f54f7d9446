/** The allowed values of a column, chosen by its name. Pure. */
import { plainName } from '@tributary/contract/sheet-headings'

export interface AllowedValues {
  /** Name of the list in messages. */
  readonly title: string
  /** Values in their own spelling, by plain name. */
  readonly values: ReadonlyMap<string, string>
}

/** Keeps the first of several values with the same plain name. */
export function byPlainName(values: readonly (string | null)[]): AllowedValues['values'] {
  const written = new Map<string, string>()
  for (const value of values) if (value !== null && !written.has(plainName(value))) written.set(plainName(value), value)
  return written
}
