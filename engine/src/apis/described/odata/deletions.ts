/** Rows that a service keeps with a mark after they were deleted. */
import type { JsonObject } from '../../http/exact-json.ts'
import { readMember } from '../../http/fields.ts'
import type { EntitySetDescription } from '../description/schema-odata.ts'

export function deletionTestOf({ deletes }: EntitySetDescription): (row: JsonObject) => boolean {
  if (deletes?.kind !== 'status') return () => false
  const { property, equals } = deletes
  return (row) => {
    const value = readMember(row, property)
    return value !== null && equals.some((wanted) => String(wanted) === String(value))
  }
}
