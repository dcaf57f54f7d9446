/** Creates and updates the organisation's tables from its planning structure, and writes the rights of its users. */
import type { SyncedTable, TableSync } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import { Fault } from '@tributary/engine/ports/faults'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createOrWidenTable } from '../../planning/tables/create-table.ts'
import { describeTarget, openTarget } from '../../connections/databases/open-target.ts'
import type { AppServices } from '../../app-services.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { findOrganisationTables } from '../../planning/tables/organisation-database.ts'
import {
  helperTable,
  rightTables,
  type RightTable,
  rowRightsQuery,
  rowRightView,
  versionTable,
} from '../../planning/tables/planned-tables.ts'
import { storeTablePlace } from '../../planning/tables/table-place.ts'
import { renameTables } from '../../planning/tables/table-names.ts'
import {
  beginLeasedWrite,
  withTableLease,
  acquireTableLease,
  type TableLease,
} from '../../planning/tables/table-lock.ts'
import { toSettingsWrong } from '../../connections/databases/database-fault.ts'
import { storeResult, listPlanned, readRights, type TableNames } from './queries.ts'

type TableSyncServices = Pick<AppServices, 'audit' | 'clock' | 'network' | 'secrets' | 'store'>

export interface TableSyncRequest {
  readonly auditContext: OrganisationContext
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
  /** Updates the slices of a version's table to the current names of their records. Returns the number of updated slices. */
  readonly relabel: (of: {
    readonly target: OpenTarget
    readonly organisationId: string
    readonly version: SyncedVersion
  }) => Promise<number>
}

interface SyncedVersion {
  readonly id: string
  readonly name: string
}

/** The time limit of a synchronisation, in ms. */
export const syncTimeMs = 10 * 60_000

/** Throws `settingsWrong` with the notice of the database, and `syncUnderWay` during another synchronisation. */
export async function synchronise(services: TableSyncServices, request: TableSyncRequest): Promise<Camel<TableSync>> {
  const { organisationId } = request.auditContext
  const lease = await services.store.within(organisationId, (db) => acquireTableLease(db, organisationId))
  if (lease === undefined) throw new ApiFault('syncUnderWay')
  return withTableLease(services.store, organisationId, lease, async () => {
    try {
      return await storeAndAudit(services, request, await syncAllTables(services, request, lease))
    } catch (error) {
      throw toApiFault(error)
    }
  })
}

async function syncAllTables(
  services: TableSyncServices,
  request: TableSyncRequest,
  lease: TableLease,
): Promise<TableSyncResult> {
  const { organisationId } = request.auditContext
  const { versions, helperTables, location } = await services.store.within(organisationId, async (db) => ({
    ...(await listPlanned(db, organisationId)),
    location: await findOrganisationTables(db, services, organisationId),
  }))
  const { network, clock } = services
  await using target = await openTarget(location, { network, clock, signal: request.signal }, request.warehouseTarget)
  await beginLeasedWrite(services.store, organisationId, lease, target)
  const tables: Camel<SyncedTable>[] = []
  const names = new Map<string, string>()
  const planned = [...versions.map(versionTable), ...helperTables.map(helperTable)]
  const renamed = await renameTables(target, planned)
  for (const definition of planned) {
    const id = definition.stream.name
    const { planned: { stream, kind } = definition, notice } = renamed.get(id) ?? {}
    const table = await createOrWidenTable(target, stream, kind)
    names.set(id, target.tableNameOf(stream))
    const version = versions.find((each) => each.id === id)
    const relabelled = version === undefined ? 0 : await request.relabel({ target, organisationId, version })
    tables.push(
      withNotices(table, [
        notice,
        relabelled === 0 ? undefined : `${formatCount(relabelled, 'slice')} under new names`,
      ]),
    )
  }
  for (const table of Object.keys(rightTables) as RightTable[])
    tables.push(await writeRights(target, services.store, { organisationId, table, names }))
  await target.defineView(rowRightView, rowRightsQuery)
  return {
    place: describeTarget(location),
    recordIds: planned.map(({ stream }) => stream.name),
    tables: [...tables, { table: rowRightView, kind: 'view', outcome: 'written', notice: null }],
  }
}

/** Adds notices about further changes to the table's outcome. */
function withNotices(table: Camel<SyncedTable>, notices: readonly (string | undefined)[]): Camel<SyncedTable> {
  const present = notices.filter((notice) => notice !== undefined)
  if (present.length === 0) return table
  return {
    ...table,
    outcome: 'changed',
    notice: [...present, ...(table.notice === null ? [] : [table.notice])].join('; '),
  }
}

function formatCount(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count.toLocaleString('en-GB')} ${word}s`
}

interface RightsWrite {
  readonly organisationId: string
  readonly table: RightTable
  readonly names: TableNames
}

/** Loads all rights into a shadow table, which then replaces the former one. Reports never see a partial state. */
async function writeRights(target: OpenTarget, store: Store, writing: RightsWrite): Promise<Camel<SyncedTable>> {
  const stream = rightTables[writing.table]
  await target.prepare(stream)
  await using load = await target.load(stream, { kind: 'replace', resume: false })
  let written = 0
  await store.within(writing.organisationId, async (db) => {
    for await (const rows of readRights(db, writing)) {
      await load.write({ table: stream.table.name, bytes: encodeRows(rows), rows: rows.length })
      written += rows.length
    }
  })
  await load.finish(null)
  const [rejected] = load.rejected
  if (rejected !== undefined)
    throw new Fault('data', { code: 'tables.rights_rejected', notice: `${stream.table.name}: ${rejected.reason}` })
  return {
    table: target.tableNameOf(stream),
    kind: 'rights',
    outcome: 'written',
    notice: formatCount(written, 'row'),
  }
}

interface TableSyncResult {
  readonly place: string
  /** Versions and helper tables whose tables exist now. */
  readonly recordIds: readonly string[]
  readonly tables: readonly Camel<SyncedTable>[]
}

async function storeAndAudit(
  services: TableSyncServices,
  { auditContext }: TableSyncRequest,
  result: TableSyncResult,
): Promise<Camel<TableSync>> {
  const { organisationId, actor } = auditContext
  const userId = actor?.userId ?? null
  const by = await services.store.within(organisationId, async (db) => {
    await storeResult(db, organisationId, { by: userId, ...result })
    await storeTablePlace(db, organisationId, result)
    const detail = { place: result.place, tables: result.tables.length }
    await services.audit.record(db, auditContext, { action: 'tables.synchronised', detail })
    const person =
      userId === null
        ? undefined
        : db.selectFrom('portalUser').select(['firstName', 'lastName']).where('id', '=', userId)
    const found = await person?.executeTakeFirst()
    return found === undefined ? null : `${found.firstName} ${found.lastName}`
  })
  return { atUtc: new Date(services.clock.now()).toISOString(), by, place: result.place, tables: [...result.tables] }
}

function toApiFault(error: unknown): unknown {
  if (error instanceof FencedError) return new ApiFault('syncUnderWay')
  return toSettingsWrong(error)
}
