/**
 * Applies the rules of a stream to its table for verification. Databases cannot compute the hashes, and their comparisons may differ from
 * ours, so masked columns and the rows of a filter are decided in this process.
 */
import type { SourceTable, VerifiedColumn } from '../ports/verified-table.ts'
import { maskedColumn } from './masks.ts'
import type { ShapedStream } from './shaped-stream.ts'

export function shapeVerifiedTable({ original, rules, filter, masks }: ShapedStream, table: SourceTable): SourceTable {
  const own = masks.get(original.table.name)
  const columnOf = (name: string): VerifiedColumn | undefined => table.columns.find((column) => column.name === name)
  const columns = table.columns.map((column): VerifiedColumn => {
    const mask = own?.get(column.name)
    const rule = rules.masks.find((each) => each.table === original.table.name && each.column === column.name)
    const described = original.table.columns.find(({ name }) => name === column.name)
    if (mask === undefined || rule === undefined || described === undefined) return column
    return { ...column, type: maskedColumn(described, rule.method, '').type, forms: [], mask }
  })
  const decisive = filter?.columns.map(({ name }) => columnOf(name)) ?? []
  const missing = filter?.columns.filter((_, at) => decisive[at] === undefined).map(({ name }) => name) ?? []
  if (missing.length > 0)
    throw new Error(`The columns ${missing.join(', ')} of the filter cannot be read for verification.`)
  return {
    ...table,
    columns,
    notices: [...table.notices, ...noticesOf(own?.size ?? 0)],
    ...(filter !== null && {
      filter: {
        columns: decisive.flatMap((column) => (column === undefined ? [] : [column.canonical])),
        keeps: (values) => filter.keeps(values),
      },
    }),
  }
}

function noticesOf(masked: number): readonly string[] {
  return masked === 0 ? [] : ['Values of masked columns were masked in Tributary and compared there.']
}
