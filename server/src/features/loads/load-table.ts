/**
 * The table that a load writes in the organisation's database, and the slice table that records who loaded which
 * slice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { asFault } from '@tributary/engine/ports/faults'
import type { Column, Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'
import { FencedError, type PlannedSchemaChange, type OpenTarget } from '@tributary/engine/ports/target'
import { detailedFault } from '../../kernel/http/api-fault.ts'
import { describeTarget, openTarget, type TargetLocation } from '../../connections/databases/open-target.ts'
import { findOrganisationTables } from '../../planning/tables/organisation-database.ts'
import { storeTablePlace } from '../../planning/tables/table-place.ts'
import type { AppServices } from '../../app-services.ts'
import { helperTable, type PlannedTable, versionTable } from '../../planning/tables/planned-tables.ts'
import {
  beginLeasedWrite,
  withTableLease,
  acquireTableLease,
  type TableLease,
} from '../../planning/tables/table-lock.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { withCurrentName, sliceTableName } from '../../planning/tables/table-names.ts'
import { toSettingsWrong } from '../../connections/databases/database-fault.ts'
import { engineColumn, type OwnColumn } from './sheet/column-values.ts'
import { type LoadRecord, readOwnColumns } from './queries.ts'
import { partTitles } from './slices.ts'

export interface LoadTableServices extends Pick<AppServices, 'clock' | 'network' | 'secrets' | 'store'> {
  readonly warehouseTarget: WarehouseTarget
}

export interface LoadTableReference {
  readonly organisationId: string
  readonly record: LoadRecord
}

/** An open table whose lock the caller holds. */
export interface OpenTable {
  readonly target: OpenTarget
  readonly record: LoadRecord
  /** The columns that earlier loads created. */
  readonly known: readonly OwnColumn[]
  /** The planned table, under its logical name. */
  readonly table: Table
  /** The name in the database. */
  readonly name: string
}

/** Upper limit of one write. */
const writeTimeoutMs = 5 * 60_000
const lockWaitMaxMs = 60_000
const lockPollMs = 50

/**
 * Waits for the table lock. Throws `settingsWrong` with the database's message, and `loadRefused` if the lock stays
 * taken.
 */
export async function withLockedTable<T>(
  services: LoadTableServices,
  of: LoadTableReference,
  work: (table: OpenTable) => Promise<T>,
): Promise<T> {
  const lease = await waitForLock(services, of.organisationId)
  if (lease === undefined)
    throw detailedFault('loadRefused', 'Another load is writing the tables. Try again in a minute.')
  return await openLocked(services, { of, lease }, work)
}

/** Like `withLockedTable`, but returns undefined at once if the lock is taken. */
export async function withTableIfUnlocked<T>(
  services: LoadTableServices,
  of: LoadTableReference,
  work: (table: OpenTable) => Promise<T>,
): Promise<T | undefined> {
  const lease = await services.store.within(of.organisationId, (db) => acquireTableLease(db, of.organisationId))
  return lease === undefined ? undefined : await openLocked(services, { of, lease }, work)
}

async function waitForLock(
  { store }: Pick<AppServices, 'store'>,
  organisationId: string,
): Promise<TableLease | undefined> {
  for (let waited = 0; waited < lockWaitMaxMs; waited += lockPollMs) {
    const lease = await store.within(organisationId, (db) => acquireTableLease(db, organisationId))
    if (lease !== undefined) return lease
    await sleep(lockPollMs)
  }
  return undefined
}

function openLocked<T>(
  services: LoadTableServices,
  { of, lease }: { readonly of: LoadTableReference; readonly lease: TableLease },
  work: (table: OpenTable) => Promise<T>,
): Promise<T> {
  const { organisationId, record } = of
  return withTableLease(services.store, organisationId, lease, async () => {
    try {
      const known = await services.store.within(organisationId, (db) => readOwnColumns(db, organisationId, record))
      const location = await findLocation(services, organisationId)
      await using target = await openDatabase(services, location)
      await beginLeasedWrite(services.store, organisationId, lease, target)
      const table = await openTable(target, record, known)
      const written = { recordIds: [record.id], place: describeTarget(location) }
      await services.store.within(organisationId, (db) => storeTablePlace(db, organisationId, written))
      return await work(table)
    } catch (error) {
      throw toApiFault(error)
    }
  })
}

function findLocation(services: LoadTableServices, organisationId: string): Promise<TargetLocation> {
  return services.store.within(organisationId, (db) => findOrganisationTables(db, services, organisationId))
}

/** The database that holds the organisation's tables. */
async function openDatabase(services: LoadTableServices, location: TargetLocation): Promise<OpenTarget> {
  // Independent of the caller's signal: a write that has begun completes even if the client disconnects.
  const around = { network: services.network, clock: services.clock, signal: AbortSignal.timeout(writeTimeoutMs) }
  return await openTarget(location, around, services.warehouseTarget)
}

/**
 * Opens the table read-only: takes no lock and creates or changes nothing. Undefined if the table does not exist or
 * is not renamed
 * yet. Throws `settingsWrong` with the database's message.
 */
export async function withTableForReading<T>(
  services: LoadTableServices,
  of: LoadTableReference,
  work: (table: OpenTable) => Promise<T>,
): Promise<T | undefined> {
  const { organisationId, record } = of
  try {
    const known = await services.store.within(organisationId, (db) => readOwnColumns(db, organisationId, record))
    await using target = await openDatabase(services, await findLocation(services, organisationId))
    const { table } = plannedTable(record).stream
    return await work({ target, record, known, table, name: table.name })
  } catch (error) {
    if (asFault(error).code.endsWith('.changed')) return undefined
    throw toApiFault(error)
  }
}

/** Creates the table if it does not exist. */
export async function openTable(
  target: OpenTarget,
  record: LoadRecord,
  known: readonly OwnColumn[],
): Promise<OpenTable> {
  const { stream } = await withCurrentName(target, plannedTable(record))
  const wanted = loadStream({ record, table: stream.table }, known)
  requireOwnTypes(stream.table.name, await target.previewChanges(wanted))
  await target.prepare(wanted, 'on')
  const existing = await target.listTables(stream.name)
  const name = existing.find(({ sourceName }) => sourceName === stream.table.name)?.name ?? stream.table.name
  return { target, record, known, table: stream.table, name }
}

/** Refuses a column whose type was changed in the database: the column must not be converted to text. */
function requireOwnTypes(table: string, changes: readonly PlannedSchemaChange[]): void {
  const other = changes.find(({ isRetyped }) => isRetyped === true)
  if (other === undefined) return
  throw detailedFault(
    'settingsWrong',
    `The type of the column ‘${other.sourceName.column}’ in the table ‘${table}’ was changed in the database. Nothing was loaded. Change it back in the database, or rename that column there.`,
  )
}

function toApiFault(error: unknown): unknown {
  if (error instanceof FencedError)
    return detailedFault('loadRefused', 'Another load began to write the table meanwhile. Try again.')
  return toSettingsWrong(error)
}

/** The planned table name of a record. */
export function tableNameOf(record: LoadRecord): string {
  return plannedTable(record).stream.table.name
}

function plannedTable(record: LoadRecord): PlannedTable {
  return record.kind === 'version' ? versionTable(record) : helperTable(record)
}

const sliceIdColumn: Column = { name: 'SliceId', type: { kind: 'guid' }, nullable: false }

/** Rows are children of their slice, so that a slice is replaced as a whole. */
export function loadStream({ record, table }: Pick<OpenTable, 'record' | 'table'>, own: readonly OwnColumn[]) {
  const rows = { ...table, columns: [...table.columns, ...own.map(engineColumn)], parentKey: [sliceIdColumn.name] }
  return {
    name: record.id,
    table: sliceTable(table),
    children: [rows],
    reads: 'whole',
    hasDistinctKeys: true,
  } as const satisfies Stream
}

function sliceTable({ name }: Table): Table {
  const names = Object.values(partTitles).map((part): Column => ({
    name: part,
    type: { kind: 'text', maxLength: 200 },
    nullable: true,
  }))
  const others: readonly Column[] = [
    { name: 'Rows', type: { kind: 'integer', bytes: 4 }, nullable: true },
    { name: 'LoadId', type: { kind: 'guid' }, nullable: true },
    { name: 'LoadedBy', type: { kind: 'text', maxLength: 320 }, nullable: true },
    { name: 'LoadedAtUtc', type: { kind: 'instant', digits: 3 }, nullable: true },
  ]
  return { name: sliceTableName(name), columns: [sliceIdColumn, ...names, ...others], key: [sliceIdColumn.name] }
}
