/** The values that a column may hold because of its name. Pure. */
import { plainName } from '@tributary/contract/sheet-headings'

export interface AllowedValues {
  /** Names the list for people. */
  readonly title: string
  /** The values as they are written, by plain name. */
  readonly values: ReadonlyMap<string, string>
}

/** Of values that read alike the first is kept. */
export function byPlainName(values: readonly (string | null)[]): AllowedValues['values'] {
  const written = new Map<string, string>()
  for (const value of values) if (value !== null && !written.has(plainName(value))) written.set(plainName(value), value)
  return written
}
