/** Rewrites the slices of a version whose entity, area, subarea or milestone was renamed since they were loaded. */
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { AppServices } from '../../app-services.ts'
import { type LoadRecord, readOwnColumns } from './queries.ts'
import { listSliceNames } from './slice-queries.ts'
import { sliceParts } from './slices.ts'
import { type LoadedSlice, readSlices, readTableRows, writeSlices } from './load-table-rows.ts'
import { type OpenTable, openTable } from './load-table.ts'

/** Upper limit, to keep transactions small. */
const slicesPerTransaction = 100

export interface RelabelRequest {
  readonly target: OpenTarget
  readonly organisationId: string
  readonly version: { readonly id: string; readonly name: string }
}

/** The caller holds the table lock. Keeps rows, loader, time and load id. Returns how many slices were renamed. */
export async function relabelSlices(
  { store }: Pick<AppServices, 'store'>,
  { target, organisationId, version }: RelabelRequest,
): Promise<number> {
  const record: LoadRecord = { kind: 'version', ...version, inputTableName: '' }
  const { names, known } = await store.within(organisationId, async (db) => ({
    names: await listSliceNames(db, organisationId, record.id),
    known: await readOwnColumns(db, organisationId, record),
  }))
  // A version that was never loaded has no slices, and must not get a table.
  if (names.size === 0) return 0
  const table = await openTable(target, record, known)
  const there = await readSlices(table, [...names.keys()])
  const renamed = [...there.values()].flatMap((slice) => {
    const now = names.get(slice.sliceId) ?? slice.names
    return sliceParts.some((part) => slice.names[part] !== now[part]) ? [{ ...slice, names: now }] : []
  })
  for (let at = 0; at < renamed.length; at += slicesPerTransaction)
    await rewriteSlices(table, renamed.slice(at, at + slicesPerTransaction))
  return renamed.length
}

async function rewriteSlices(table: OpenTable, slices: readonly LoadedSlice[]): Promise<void> {
  const ids = slices.map(({ sliceId }) => sliceId)
  const rows = await readTableRows(table, ids)
  await writeSlices(table, {
    own: table.known,
    slices: slices.map((slice) => ({ ...slice, rows: rows.get(slice.sliceId) ?? [] })),
  })
}
