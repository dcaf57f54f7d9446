/**
 * Commits a load in three phases: prepares it in the store, writes it to the target in one transaction, records the
 * receipt.
 */
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { sql } from 'kysely'
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { cellAddress } from '../../planning/sheet-files/sheet.ts'
import { type ValidatedLoad, planLoad } from './check-load.ts'
import { type OwnColumn, toSheetText, widenValue } from './sheet/column-values.ts'
import { type CellDifference, findDifferences } from './sheet/cell-differences.ts'
import { loadEnded } from './load-faults.ts'
import { compressRows } from './compressed-rows.ts'
import { findLoad, insertChanges, type StoredLoadChange, type LoadRow } from './queries.ts'
import {
  completeLoad,
  withRecovery,
  recoverUnfinishedLoads,
  type LoadRecoveryServices,
} from './recover-unfinished-loads.ts'
import { insertKnownSlices, insertSlices } from './slice-queries.ts'
import { describeSlice } from './slices.ts'
import { writeSlices } from './load-table-rows.ts'
import { type OpenTable, type LoadTableReference, withLockedTable } from './load-table.ts'

export interface CommitRequest {
  readonly of: LoadTableReference
  readonly loadId: string
  readonly by: string
  readonly auditContext: OrganisationContext
}

/**
 * Throws `sliceChanged` if a slice has changed since the check that returned `seen`, and `loadRefused` with the first
 * invalid cell.
 */
export async function commitLoad(
  services: LoadRecoveryServices,
  committing: CommitRequest & { readonly seen: string },
): Promise<void> {
  const { of, loadId } = committing
  const commit = () =>
    withLockedTable(services, of, async (table) => {
      await recoverUnfinishedLoads(services, of.organisationId, table)
      const load = await services.store.within(of.organisationId, (db) => findLoad(db, of.organisationId, loadId))
      if (load?.status !== 'RECEIVING') throw loadEnded(load?.status)
      const plan = await planLoad(services, { of, table, load })
      requireNoErrors(plan)
      if (plan.seen !== committing.seen) throw sliceChanged(plan)
      await writeLoad(services, { ...committing, table, load, plan })
    })
  await withRecovery(services, { of, load: { id: loadId } }, commit)
}

function requireNoErrors({ errors: [first], errorCount }: ValidatedLoad): void {
  if (first === undefined) return
  const others = errorCount > 1 ? ` And ${(errorCount - 1).toLocaleString('en-GB')} more.` : ''
  throw detailedFault(
    'loadRefused',
    `${first.cell === null ? '' : `${first.cell}: `}${first.message}${others} Nothing was loaded.`,
  )
}

function sliceChanged({ formerSlices, slices }: ValidatedLoad): ApiFault {
  const latest = [...formerSlices.values()].toSorted((one, other) => other.at.localeCompare(one.at))[0]
  const names = slices.find(({ sliceId }) => sliceId === latest?.sliceId)?.names
  const values = { who: latest?.by ?? 'Another user', slice: names === undefined ? 'the table' : describeSlice(names) }
  return new ApiFault('sliceChanged', { values })
}

export interface LoadWrite extends CommitRequest {
  readonly table: OpenTable
  readonly load: LoadRow
  readonly plan: ValidatedLoad
}

/** A crash between the two databases is recovered from the state of the target; see `recoverUnfinishedLoads`. */
export async function writeLoad(
  services: LoadRecoveryServices,
  { of, loadId, by, auditContext, table, load, plan }: LoadWrite,
): Promise<void> {
  const { organisationId } = of
  const atUtc = isoTime(services.clock.now())
  await services.store.within(organisationId, (db) => storePlan(db, organisationId, { load, table, plan }))
  const slices = plan.slices.map(({ sliceId, names, rows }) => {
    const values = rows.map((row) => row.values)
    return { sliceId, names, rows: values, loadId, by, at: atUtc }
  })
  await writeSlices(table, { own: plan.own, slices })
  const { undoes, tableName } = load
  const loaded = { id: loadId, undoes, tableName, rows: plan.rows, slices: plan.slices.length }
  await services.store.within(organisationId, (db) => completeLoad(db, services.audit, { auditContext, load: loaded }))
}

async function storePlan(
  db: Db,
  organisationId: string,
  { load, table, plan }: Pick<LoadWrite, 'load' | 'table' | 'plan'>,
): Promise<void> {
  const found = await findLoad(db, organisationId, load.id, 'locked')
  if (found?.status !== 'RECEIVING') throw loadEnded(found?.status)
  const changes = plan.slices.flatMap(({ sliceId, rows }) => {
    const former = (plan.formerRows.get(sliceId) ?? []).map((values) =>
      plan.own.map(({ type }, at) => widenValue(values[at] ?? null, type)),
    )
    return findDifferences({ columns: plan.own, former, now: rows }).map((each) => ({
      sliceId,
      ...toStoredChange(each, load, plan.own),
    }))
  })
  const kept = plan.slices.map(({ sliceId, names, rows }) => {
    const former = plan.formerSlices.get(sliceId)
    const formerRows = plan.formerRows.get(sliceId) ?? []
    const whose = { formerLoadId: former?.loadId ?? null, formerBy: former?.by ?? null, formerAt: former?.at ?? null }
    return {
      sliceId,
      names,
      rows: rows.length,
      formerRows: formerRows.length,
      ...whose,
      former: compressRows(table.known, formerRows),
    }
  })
  const known = plan.slices.flatMap(({ sliceId, ids }) => (ids === null ? [] : [{ sliceId, ids }]))
  await insertKnownSlices(db, organisationId, table.record.id, known)
  await insertSlices(db, organisationId, load.id, kept)
  await insertChanges(db, organisationId, load.id, changes)
  await db
    .updateTable('load')
    .set({
      status: 'COMMITTING',
      tableName: table.name,
      committingAt: sql<string>`now()`,
      rows: plan.rows,
      rowsBefore: kept.reduce((sum, { formerRows }) => sum + formerRows, 0),
      totals: JSON.stringify(plan.totals),
      types: JSON.stringify(plan.own),
      changes: changes.length,
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', load.id)
    .execute()
}

function toStoredChange(
  difference: CellDifference,
  load: LoadRow,
  own: readonly OwnColumn[],
): Omit<StoredLoadChange, 'sliceId'> {
  const { kind, row } = difference
  if (kind === 'changed') {
    const at = load.columns.findIndex((name) => name.toLowerCase() === difference.column.toLowerCase())
    const cell = row === null || at === -1 ? null : cellAddress(row, load.firstColumn + at)
    return { kind, cell, columnName: difference.column, old: difference.old, new: difference.new }
  }
  const values = JSON.stringify(
    Object.fromEntries(own.map(({ name, type }, at) => [name, toSheetText(difference.values[at] ?? null, type)])),
  )
  const cell = row === null ? null : cellAddress(row, load.firstColumn)
  return kind === 'added'
    ? { kind, cell, columnName: null, old: null, new: values }
    : { kind, cell: null, columnName: null, old: values, new: null }
}
