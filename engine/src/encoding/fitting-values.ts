/**
 * Values that a target's column takes only in another form, rewritten before it sees them. Fractions of a second that are finer than it
 * keeps are cut off: a database would round them by itself, and the last moment of one year would become the first of the next. A yes or no
 * that goes into a column of numbers is 1 or 0.
 */
import type { LogicalType } from '../ports/model.ts'

export interface FittedColumn {
  /** Of the values that come. */
  readonly values: LogicalType | undefined
  readonly holds: 'text' | 'numbers' | 'other'
}

type Rewrite = (value: string) => string

/** What rewrites whole rows of COPY text; null where every column takes its values as they come. */
export function fittingValues(
  columns: readonly FittedColumn[],
  secondDigits: number,
): ((rows: Buffer) => Buffer) | null {
  const rewrites = columns.flatMap((column, at) => {
    const rewrite = rewriteFor(column, secondDigits)
    return rewrite === null ? [] : [[at, rewrite] as const]
  })
  if (rewrites.length === 0) return null
  const rewriteLine = (line: string): string => {
    const fields = line.split('\t')
    for (const [at, rewrite] of rewrites) fields[at] = rewrite(fields[at] ?? '')
    return fields.join('\t')
  }
  // One character a byte: whatever else is in the rows comes out as it went in.
  return (rows) => {
    const lines = rows.toString('latin1').split('\n')
    const rest = lines.pop() ?? ''
    return Buffer.from([...lines.map(rewriteLine), rest].join('\n'), 'latin1')
  }
}

function rewriteFor({ values, holds }: FittedColumn, secondDigits: number): Rewrite | null {
  if (values === undefined || holds === 'text') return null
  if (values.kind === 'boolean' && holds === 'numbers') return (value) => ({ t: '1', f: '0' })[value] ?? value
  if (!('digits' in values) || values.digits <= secondDigits) return null
  const tooFine = new RegExp(`(\\.\\d{${secondDigits}})\\d+`)
  return (value) => value.replace(tooFine, '$1')
}
