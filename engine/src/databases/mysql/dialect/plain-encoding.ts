/** The encoding `plain` in MySQL: booleans are numbers, instants are timestamps without time zone. */
import type { LogicalType } from '../../../ports/model.ts'
import type { TargetColumn, TargetTable } from '../../sql-target/table-layout.ts'
import { isText } from './row-sender.ts'

/** A text column stores the canonical text, so a table with one for booleans or instants cannot take them plain. */
export function canBePlain(tables: readonly TargetTable[]): boolean {
  return tables.every(({ columns }) =>
    columns.every(({ type, values }) => plainType(values) === values || !isText(type)),
  )
}

export function withPlainValues(columns: readonly TargetColumn[]): readonly TargetColumn[] {
  return columns.map((column) => ({ ...column, values: plainType(column.values) }))
}

function plainType(type: LogicalType): LogicalType {
  if (type.kind === 'boolean') return { kind: 'integer', bytes: 2 }
  if (type.kind === 'instant') return { kind: 'localTimestamp', digits: type.digits }
  return type
}
