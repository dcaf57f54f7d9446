/** Slices keep their names in the table until they are loaded again; where one of them was renamed meanwhile, it is written anew. */
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { AppServices } from '../../app-services.ts'
import { type LoadRecord, readOwnColumns } from './queries.ts'
import { listSliceNames } from './slice-queries.ts'
import { sliceParts } from './slices.ts'
import { type LoadedSlice, readSlices, readTableRows, writeSlices } from './load-table-rows.ts'
import { type OpenTable, openTable } from './load-table.ts'

/** Written by one transaction. */
const atOnce = 100

export interface Relabelling {
  readonly target: OpenTarget
  readonly organisationId: string
  readonly version: { readonly id: string; readonly name: string }
}

/** In one's turn. Rows, who loaded them, when and in which load stay as they are. Answers how many slices have got new names. */
export async function relabelSlices(
  { store }: Pick<AppServices, 'store'>,
  { target, organisationId, version }: Relabelling,
): Promise<number> {
  const record: LoadRecord = { kind: 'version', ...version, inputTableName: '' }
  const { names, known } = await store.within(organisationId, async (db) => ({
    names: await listSliceNames(db, organisationId, record.id),
    known: await readOwnColumns(db, organisationId, record),
  }))
  // What was never loaded has no slices, and is not to get a table for them.
  if (names.size === 0) return 0
  const table = await openTable(target, record, known)
  const there = await readSlices(table, [...names.keys()])
  const renamed = [...there.values()].flatMap((slice) => {
    const now = names.get(slice.sliceId) ?? slice.names
    return sliceParts.some((part) => slice.names[part] !== now[part]) ? [{ ...slice, names: now }] : []
  })
  for (let at = 0; at < renamed.length; at += atOnce) await writeAgain(table, renamed.slice(at, at + atOnce))
  return renamed.length
}

async function writeAgain(table: OpenTable, slices: readonly LoadedSlice[]): Promise<void> {
  const ids = slices.map(({ sliceId }) => sliceId)
  const rows = await readTableRows(table, ids)
  await writeSlices(table, {
    own: table.known,
    slices: slices.map((slice) => ({ ...slice, rows: rows.get(slice.sliceId) ?? [] })),
  })
}
