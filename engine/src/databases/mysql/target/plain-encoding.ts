/** What the encoding `plain` means for the columns that its values go into. */
import type { LogicalType } from '../../../ports/model.ts'
import type { Placement } from './tables.ts'
import { isText } from './send.ts'

/** A column of text keeps the canonical text, so a table with one for booleans or instants needs them as they are. */
export function canBePlain(placements: readonly Placement[]): boolean {
  return placements.every(({ columns }) =>
    columns.every(({ type, values }) => plainType(values) === values || !isText(type)),
  )
}

/** Written plainly, a boolean is a number and an instant a stamp without zone. */
export function asPlain(placement: Placement): Placement {
  return { ...placement, columns: placement.columns.map((column) => ({ ...column, values: plainType(column.values) })) }
}

function plainType(type: LogicalType): LogicalType {
  if (type.kind === 'boolean') return { kind: 'integer', bytes: 2 }
  if (type.kind === 'instant') return { kind: 'localTimestamp', digits: type.digits }
  return type
}
