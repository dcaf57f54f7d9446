/** What a load would do to its table: judged as a whole, compared with what is there. */
import type { LedgerAccountServices } from './sheet/ledger-accounts.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import type { Value } from './sheet/column-values.ts'
import { decimalSize, sumOf } from './sheet/exact-decimals.ts'
import { firstColumnReader, readLists } from './sheet/value-lists.ts'
import { type LoadRow, readRows } from './queries.ts'
import { isMeasure } from './sheet/measure-columns.ts'
import { namesOfLoaders } from './receipt-queries.ts'
import { listKnownSlices } from './slice-queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { type ChosenTypes, choiceNotices } from './sheet/sheet-columns.ts'
import { seenOf } from './slices.ts'
import { type LoadedSlice, readSlices, readTableRows } from './load-table-rows.ts'
import type { OpenTable, TableOf } from './load-table.ts'
import { judge, type Judgement, type Sheet } from './sheet/validate-sheet.ts'

export interface Plan extends Judgement {
  readonly formerSlices: ReadonlyMap<string, LoadedSlice>
  readonly formerRows: ReadonlyMap<string, readonly (readonly Value[])[]>
  readonly totals: readonly Total[]
  readonly seen: string
  /** What a person should know though it does not stand in the way. */
  readonly notices: readonly string[]
}

function roundedNotice(rounded: number): readonly string[] {
  if (rounded === 0) return []
  const numbers = rounded === 1 ? 'One number has' : `${rounded.toLocaleString('en-GB')} numbers have`
  return [
    `${numbers} more than ${decimalSize.scale} digits after the point, as calculations leave them. They are rounded there.`,
  ]
}

export interface Total {
  readonly column: string
  readonly before: string
  readonly after: string
}

export async function planLoad(
  services: LedgerAccountServices,
  { of, table, load }: { readonly of: TableOf; readonly table: OpenTable; readonly load: LoadRow },
): Promise<Plan> {
  const { lists, notices } = await readLists(services, {
    of,
    columns: load.columns,
    readFirstColumn: firstColumnReader(services, of, table),
  })
  const { organisationId, record } = of
  const { rows, knownSlices, rights } = await services.store.within(organisationId, async (db) => ({
    rows: await readRows(db, organisationId, load),
    knownSlices: await listKnownSlices(db, organisationId, record.id),
    // Last, so that a lock or a right that has just gone counts.
    rights: await readRights(db, organisationId, load.userId),
  }))
  if (load.fileId !== null && rows.length === 0)
    throw new ApiFault('loadRefused', {
      values: { detail: 'There are no rows: files are kept for an hour. Choose the file again.' },
    })
  const { columns, firstRow, firstColumn } = load
  const chosen = load.chosenTypes as ChosenTypes
  const sheet = { columns, rows, firstRow, firstColumn, chosen, defaults: load.defaults as Sheet['defaults'] }
  const judgement = judge(sheet, {
    recordId: record.id,
    kind: record.kind,
    rights,
    known: table.known,
    knownSlices,
    lists,
  })
  const compared = await compare(services, { organisationId, table, coming: judgement })
  return {
    ...judgement,
    ...compared,
    notices: [...notices, ...choiceNotices(judgement.columns, chosen), ...roundedNotice(judgement.rounded)],
  }
}

type Compared = Omit<Plan, keyof Judgement | 'notices'>

interface Comparing {
  readonly organisationId: string
  readonly table: OpenTable
  /** With the ids of slices, and rows in the order of `own`. */
  readonly coming: Pick<Judgement, 'own' | 'slices'>
}

export async function compare(
  { store }: Pick<AppServices, 'store'>,
  { organisationId, table, coming: { own, slices } }: Comparing,
): Promise<Compared> {
  const ids = slices.map(({ sliceId }) => sliceId)
  const there = await readSlices(table, ids)
  const names = await store.within(organisationId, (db) =>
    namesOfLoaders(
      db,
      organisationId,
      [...there.values()].map(({ loadId }) => loadId),
    ),
  )
  // The table knows people by their addresses, for reports; people are told names.
  const formerSlices = new Map(
    [...there].map(([id, slice]) => [id, { ...slice, by: names.get(slice.loadId) ?? withoutReceipt(slice.by) }]),
  )
  const formerRows = await readTableRows(table, ids)
  const totals = own.flatMap(({ name, type }, at): readonly Total[] => {
    if (type !== 'number' || !isMeasure(name)) return []
    const before = formerRows.values().flatMap((rows) => rows.map((values) => values[at] ?? null))
    const after = slices.values().flatMap(({ rows }) => rows.map(({ values }) => values[at] ?? null))
    return [{ column: name, before: sumOf(before), after: sumOf(after) }]
  })
  const seen = seenOf(ids.map((sliceId) => ({ sliceId, loadId: formerSlices.get(sliceId)?.loadId ?? null })))
  return { formerSlices, formerRows, totals, seen }
}

/** A load that came after the backup this portal was restored from: its rows are in the table, and what it replaced is known no more. */
function withoutReceipt(by: string): string {
  return `${by} (in a load whose receipt was lost when the portal was restored from a backup)`
}
