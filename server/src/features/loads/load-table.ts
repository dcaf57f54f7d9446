/** The table that a load writes, in the organisation's database, and beside it the table that says who loaded which slice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { asFault, Fault } from '@tributary/engine/ports/faults'
import type { Column, Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'
import { FencedError, type PlannedSchemaChange, type OpenTarget } from '@tributary/engine/ports/target'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { openTarget } from '../../connections/databases/open-target.ts'
import { placeOf } from '../../planning/tables/organisation-database.ts'
import type { AppServices } from '../../app-services.ts'
import { helperTable, type PlannedTable, versionTable } from '../../planning/tables/planned-tables.ts'
import { openCredentials } from '../../connections/databases/stored-credentials.ts'
import { beginTurn, inTurn, takeTurn, type Turn } from '../../planning/tables/table-lock.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { asItIs, sliceTableName } from '../../planning/tables/table-names.ts'
import { engineColumn, type OwnColumn } from './sheet/column-values.ts'
import { type LoadRecord, readOwnColumns } from './queries.ts'

export type LoadTableServices = Pick<AppServices, 'clock' | 'network' | 'secrets' | 'store'>

export interface TableOf {
  readonly organisationId: string
  readonly record: LoadRecord
  readonly warehouseTarget: WarehouseTarget
}

/** Open for the only writer that there is. */
export interface OpenTable {
  readonly target: OpenTarget
  readonly record: LoadRecord
  /** The sheets' columns that it has. */
  readonly known: readonly OwnColumn[]
  /** As it was made, under the name that it has for us. */
  readonly table: Table
  /** As the database calls it. */
  readonly name: string
}

/** Nobody writes for longer. */
const workMs = 5 * 60_000
const waitMaxMs = 60_000
const pauseMs = 50

/** Throws `settingsWrong` with what the database said, and `loadRefused` while somebody else has been writing for too long. */
export async function withTable<T>(
  services: LoadTableServices,
  of: TableOf,
  work: (table: OpenTable) => Promise<T>,
): Promise<T> {
  const turn = await waitForTurn(services, of.organisationId)
  if (turn === undefined)
    throw new ApiFault('loadRefused', {
      values: { detail: 'The tables are being written by somebody else. Try again in a minute.' },
    })
  return await openInTurn(services, { of, turn }, work)
}

/** The same where it is nobody's turn; else undefined, at once. */
export async function withFreeTable<T>(
  services: LoadTableServices,
  of: TableOf,
  work: (table: OpenTable) => Promise<T>,
): Promise<T | undefined> {
  const turn = await services.store.within(of.organisationId, (db) => takeTurn(db, of.organisationId))
  return turn === undefined ? undefined : await openInTurn(services, { of, turn }, work)
}

async function waitForTurn({ store }: Pick<AppServices, 'store'>, organisationId: string): Promise<Turn | undefined> {
  for (let waited = 0; waited < waitMaxMs; waited += pauseMs) {
    const turn = await store.within(organisationId, (db) => takeTurn(db, organisationId))
    if (turn !== undefined) return turn
    await sleep(pauseMs)
  }
  return undefined
}

function openInTurn<T>(
  services: LoadTableServices,
  { of, turn }: { readonly of: TableOf; readonly turn: Turn },
  work: (table: OpenTable) => Promise<T>,
): Promise<T> {
  const { organisationId, record, warehouseTarget } = of
  return inTurn(services.store, { organisationId, turn }, async () => {
    try {
      const known = await services.store.within(organisationId, (db) => readOwnColumns(db, organisationId, record))
      await using target = await openDatabase(services, { organisationId, warehouseTarget })
      await beginTurn(services.store, target, { organisationId, turn })
      return await work(await openTable(target, record, known))
    } catch (error) {
      throw told(error)
    }
  })
}

/** The database that holds the organisation's tables. */
async function openDatabase(
  services: LoadTableServices,
  { organisationId, warehouseTarget }: Omit<TableOf, 'record'>,
): Promise<OpenTarget> {
  const place = await services.store.within(organisationId, async (db) =>
    placeOf(organisationId, (await openCredentials(db, services.secrets, { organisationId })) ?? null),
  )
  // Whoever asked may go away: what has begun is brought to its end.
  const around = { network: services.network, clock: services.clock, signal: AbortSignal.timeout(workMs) }
  return await openTarget(place, around, warehouseTarget)
}

/**
 * For reading only: waits for no turn, and neither makes nor changes the table. Undefined for a table that is not there, or that still has
 * its former name because it was not synchronised since. Throws `settingsWrong` with what the database said.
 */
export async function withTableToRead<T>(
  services: LoadTableServices,
  of: TableOf,
  work: (table: OpenTable) => Promise<T>,
): Promise<T | undefined> {
  const { organisationId, record } = of
  try {
    const known = await services.store.within(organisationId, (db) => readOwnColumns(db, organisationId, record))
    await using target = await openDatabase(services, of)
    const { table } = plannedTable(record).stream
    return await work({ target, record, known, table, name: table.name })
  } catch (error) {
    if (asFault(error).code.endsWith('.changed')) return undefined
    throw told(error)
  }
}

/** Makes it where it is not there. */
export async function openTable(
  target: OpenTarget,
  record: LoadRecord,
  known: readonly OwnColumn[],
): Promise<OpenTable> {
  const { stream } = await asItIs(target, plannedTable(record))
  const wanted = loadStream({ record, table: stream.table }, known)
  requireOwnTypes(stream.table.name, await target.previewChanges(wanted))
  await target.prepare(wanted)
  const made = await target.listTables(stream.name)
  const name = made.find(({ sourceName }) => sourceName === stream.table.name)?.name ?? stream.table.name
  return { target, record, known, table: stream.table, name }
}

/** The column of a planning table has the type that its organisation gave it: it must not become text. */
function requireOwnTypes(table: string, changes: readonly PlannedSchemaChange[]): void {
  const other = changes.find(({ isRetyped }) => isRetyped === true)
  if (other === undefined) return
  const detail = `Somebody changed the type of the column ‘${other.sourceName.column}’ in the table ‘${table}’. Change it back in the database, or rename that column there.`
  throw new ApiFault('settingsWrong', { values: { detail } })
}

function told(error: unknown): unknown {
  if (error instanceof FencedError)
    return new ApiFault('loadRefused', {
      values: { detail: 'Somebody else began to write the table meanwhile. Try again.' },
    })
  if (!(error instanceof Fault)) return error
  const { notice, kind } = asFault(error)
  return kind === 'bug' ? error : new ApiFault('settingsWrong', { values: { detail: notice }, cause: error })
}

/** What the table of a record is to be called. */
export function tableNameOf(record: LoadRecord): string {
  return plannedTable(record).stream.table.name
}

function plannedTable(record: LoadRecord): PlannedTable {
  return record.kind === 'version' ? versionTable(record) : helperTable(record)
}

const sliceIdColumn: Column = { name: 'SliceId', type: { kind: 'guid' }, nullable: false }

/** The rows are children of their slice, so that a slice's rows are replaced as a whole. */
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

const sliceColumns = ['Entity', 'Area', 'Subarea', 'Milestone'] as const

function sliceTable({ name }: Table): Table {
  const names = sliceColumns.map((part): Column => ({
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
