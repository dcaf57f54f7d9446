/** Makes the organisation's tables what its planning structure says, and writes who may see what. */
import type { SyncedTable, TableSync } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import { asFault, Fault } from '@tributary/engine/ports/faults'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { createOrWidenTable } from '../../planning/tables/create-table.ts'
import { describeTarget, openTarget } from '../../connections/databases/open-target.ts'
import type { AppServices } from '../../app-services.ts'
import type { Store } from '../../kernel/store/store.ts'
import { decryptCredentials } from '../../connections/databases/stored-credentials.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { locateOrganisationTables } from '../../planning/tables/organisation-database.ts'
import {
  helperTable,
  rightTables,
  type RightTable,
  rowRightsQuery,
  rowRightView,
  versionTable,
} from '../../planning/tables/planned-tables.ts'
import { renameTables } from '../../planning/tables/table-names.ts'
import {
  beginLeasedWrite,
  withTableLease,
  acquireTableLease,
  type TableLease,
} from '../../planning/tables/table-lock.ts'
import { keepOutcome, listPlanned, readRights, type TableNames } from './queries.ts'

type TableSyncServices = Pick<AppServices, 'audit' | 'clock' | 'network' | 'secrets' | 'store'>

export interface TableSyncRequest {
  readonly auditContext: AuditContext<string>
  readonly signal: AbortSignal
  readonly warehouseTarget: WarehouseTarget
  /** Gives the slices of a version's table the names that they have today; answers how many had others. */
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

/** No synchronisation goes on for longer. */
export const syncTimeMs = 10 * 60_000

/** Throws `settingsWrong` with what the database said, and `syncUnderWay` while another one is at it. */
export async function synchronise(services: TableSyncServices, request: TableSyncRequest): Promise<Camel<TableSync>> {
  const { organisationId } = request.auditContext
  const lease = await services.store.within(organisationId, (db) => acquireTableLease(db, organisationId))
  if (lease === undefined) throw new ApiFault('syncUnderWay')
  return withTableLease(services.store, { organisationId, lease }, async () => {
    try {
      return await finished(services, request, await makeAll(services, request, lease))
    } catch (error) {
      throw told(error)
    }
  })
}

async function makeAll(
  services: TableSyncServices,
  request: TableSyncRequest,
  lease: TableLease,
): Promise<TableSyncResult> {
  const { organisationId } = request.auditContext
  const { versions, helperTables, place } = await services.store.within(organisationId, async (db) => ({
    ...(await listPlanned(db, organisationId)),
    place: locateOrganisationTables(
      organisationId,
      (await decryptCredentials(db, services.secrets, { organisationId })) ?? null,
    ),
  }))
  const { network, clock } = services
  await using target = await openTarget(place, { network, clock, signal: request.signal }, request.warehouseTarget)
  await beginLeasedWrite(services.store, target, { organisationId, lease })
  const tables: Camel<SyncedTable>[] = []
  const names = new Map<string, string>()
  const planned = [...versions.map(versionTable), ...helperTables.map(helperTable)]
  const renamed = await renameTables(target, planned)
  for (const wanted of planned) {
    const id = wanted.stream.name
    const { planned: { stream, kind } = wanted, notice } = renamed.get(id) ?? {}
    const made = await createOrWidenTable(target, stream, kind)
    names.set(id, target.tableNameOf(stream))
    const version = versions.find((each) => each.id === id)
    const moved = version === undefined ? 0 : await request.relabel({ target, organisationId, version })
    tables.push(changedBy(made, [notice, moved === 0 ? undefined : `${counted(moved, 'slice')} under new names`]))
  }
  for (const table of Object.keys(rightTables) as RightTable[])
    tables.push(await writeRights(target, services.store, { organisationId, table, names }))
  await target.defineView(rowRightView, rowRightsQuery)
  return {
    place: describeTarget(place),
    tables: [...tables, { table: rowRightView, kind: 'view', outcome: 'written', notice: null }],
  }
}

/** Together with what was done to it beside. */
function changedBy(made: Camel<SyncedTable>, notices: readonly (string | undefined)[]): Camel<SyncedTable> {
  const told = notices.filter((notice) => notice !== undefined)
  if (told.length === 0) return made
  return { ...made, outcome: 'changed', notice: [...told, ...(made.notice === null ? [] : [made.notice])].join('; ') }
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count.toLocaleString('en-GB')} ${word}s`
}

interface Writing {
  readonly organisationId: string
  readonly table: RightTable
  readonly names: TableNames
}

/** All of them anew beside the former ones, then swapped: a report never sees half. */
async function writeRights(target: OpenTarget, store: Store, writing: Writing): Promise<Camel<SyncedTable>> {
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
    notice: counted(written, 'row'),
  }
}

interface TableSyncResult {
  readonly place: string
  readonly tables: readonly Camel<SyncedTable>[]
}

async function finished(
  services: TableSyncServices,
  { auditContext }: TableSyncRequest,
  done: TableSyncResult,
): Promise<Camel<TableSync>> {
  const { organisationId, actor } = auditContext
  const userId = actor?.userId ?? null
  const by = await services.store.within(organisationId, async (db) => {
    await keepOutcome(db, organisationId, { by: userId, ...done })
    const detail = { place: done.place, tables: done.tables.length }
    await services.audit.record(db, auditContext, {
      action: 'tables.synchronised',
      outcome: 'success',
      detail,
    })
    const person =
      userId === null
        ? undefined
        : db.selectFrom('portalUser').select(['firstName', 'lastName']).where('id', '=', userId)
    const found = await person?.executeTakeFirst()
    return found === undefined ? null : `${found.firstName} ${found.lastName}`
  })
  return { atUtc: new Date(services.clock.now()).toISOString(), by, place: done.place, tables: [...done.tables] }
}

function told(error: unknown): unknown {
  if (error instanceof FencedError) return new ApiFault('syncUnderWay')
  if (!(error instanceof Fault)) return error
  const { notice, kind } = asFault(error)
  return kind === 'bug' ? error : new ApiFault('settingsWrong', { values: { detail: notice }, cause: error })
}
