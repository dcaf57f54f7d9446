/** The position between two slices of a verification, as JSON. */
import type { ComparedTable } from './compared-table.ts'
import type { RowKey } from './key-ranges.ts'

/** Where the next slice begins. A slice that could not decide about its rows leaves the verdict on the table open. */
export interface SliceCursor {
  readonly key: RowKey
  readonly hasPending: boolean
}

export function parseCursor(cursor: string | undefined, { key: columns }: ComparedTable): SliceCursor | null {
  if (cursor === undefined) return null
  const { key, hasPending } = JSON.parse(cursor) as { readonly key?: unknown; readonly hasPending?: unknown }
  const isKey = Array.isArray(key) && key.length === columns.length && key.every((each) => typeof each === 'string')
  return isKey ? { key, hasPending: hasPending === true } : null
}
