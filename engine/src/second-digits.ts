/**
 * Fractions of a second that are finer than a target keeps are cut off before it sees them. A database would round them by
 * itself, and the last moment of one year would become the first of the next.
 */
import type { LogicalType } from './model.ts'

interface Stamped {
  /** Of the values that come. */
  readonly values: LogicalType | undefined
  /** Whether the column keeps text, which takes every digit. */
  readonly isText: boolean
}

/** What cuts whole rows of COPY text; null where no column is as fine as that. */
export function secondsCutter(columns: readonly Stamped[], digitsMax: number): ((rows: Buffer) => Buffer) | null {
  const places = columns.flatMap(({ values, isText }, at) =>
    values !== undefined && 'digits' in values && values.digits > digitsMax && !isText ? [at] : [],
  )
  if (places.length === 0) return null
  const tooFine = new RegExp(`(\\.\\d{${digitsMax}})\\d+`)
  const cutLine = (line: string): string => {
    const fields = line.split('\t')
    for (const at of places) fields[at] = fields[at]?.replace(tooFine, '$1') ?? ''
    return fields.join('\t')
  }
  // One character a byte: whatever else is in the rows comes out as it went in.
  return (rows) => {
    const lines = rows.toString('latin1').split('\n')
    const rest = lines.pop() ?? ''
    return Buffer.from([...lines.map(cutLine), rest].join('\n'), 'latin1')
  }
}
