/** Routes of loads. Only the user who began a load continues it; administrators see and undo all loads. */
import { loads } from '@tributary/contract/loads'
import type { Actor } from '../../kernel/http/actor.ts'
import { setFileNameHeader, setTotalCountHeader, type RouteMount } from '../../kernel/http/bind.ts'
import { csvLine, csvStart } from '../../kernel/text/csv.ts'
import { ApiFault, badField, detailedFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { Store, Db } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { pageOf } from '../../kernel/http/paging.ts'
import { beginLoad } from './begin-load.ts'
import { planLoad } from './check-load.ts'
import { commitLoad } from './commit-load.ts'
import { loadEnded } from './load-faults.ts'
import { fileRoutes } from './files/uploaded-files.ts'
import {
  deleteLoadRows,
  endLoad,
  findLoad,
  findRecord,
  storeLoadChunk,
  listOwnColumns,
  listRecords,
  type LoadRow,
} from './queries.ts'
import { listChanges, listLoads, listUnfinishedTables, readReceipt } from './receipt-queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { recoverUnfinishedLoads } from './recover-unfinished-loads.ts'
import { toCsvFields, csvHeadings, toLoadChange, toLoadCheck, toLoad, toLoadTable } from './replies.ts'
import { listSlices } from './slice-queries.ts'
import { buildTemplate } from './template/load-template.ts'
import { type LoadTableReference, withTableIfUnlocked, withLockedTable, type LoadTableServices } from './load-table.ts'
import { undoLoad } from './undo-load.ts'

const beginLimit = { kind: 'load', free: 300, waitMs: 5_000, waitMaxMs: 600_000, windowMs: 3_600_000, isShared: true }
/** A separate limit, because a template reads its value lists from the organisation's database. */
const templateLimit = { ...beginLimit, kind: 'load template' }
/** A load is validated as a whole, so it must fit into memory. */
const chunksMax = 256

interface LoadRoutes extends RouteMount {
  readonly services: AppServices & LoadTableServices
}

export function loadRoutes({ services, ...mount }: AppRoutes, warehouseTarget: WarehouseTarget): void {
  const app = { ...mount, services: { ...services, warehouseTarget } }
  fileRoutes(app)
  uploadRoutes(app)
  writeRoutes(app)
  readRoutes(app)
  templateRoutes(app)
}

function uploadRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(loads.tables, async (db, { organisationId, actor: { userId } }) => {
    const rights = await readRights(db, organisationId, userId)
    const own = await listOwnColumns(db, organisationId)
    return (await listRecords(db, organisationId)).flatMap(
      (record) => toLoadTable(record, rights, own.get(record.id) ?? []) ?? [],
    )
  })

  app.bind(loads.begin, async ({ store, organisationId, actor: { userId }, body: input }) => {
    await services.throttle.attempt(beginLimit, userId)
    return await store.within(organisationId, async (db) => {
      const { id } = await beginLoad(db, organisationId, { userId, input })
      return toLoad(await readReceipt(db, organisationId, id), [])
    })
  })

  app.bind(loads.chunk, async (call) => {
    const { number } = call.params
    if (number > chunksMax)
      throw badField('number', `must be at most ${chunksMax}, as many chunks as a load has; load the sheet in parts`)
    return call.store.within(call.organisationId, async (db) => {
      const load = await getReceivingLoad(db, call, 'locked')
      if (load.fileId !== null)
        throw badField('number', 'is for loads that are sent in chunks; this one takes its rows from a file')
      return { rows: await storeLoadChunk(db, call.organisationId, { load, number, rows: call.body.rows }) }
    })
  })

  app.bindWithin(loads.cancel, async (db, call) => {
    const { id } = await getReceivingLoad(db, call, 'locked')
    await endLoad(db, call.organisationId, id, 'CANCELLED')
    await deleteLoadRows(db, call.organisationId, id)
  })
}

function writeRoutes({ bind, services }: LoadRoutes): void {
  bind(loads.check, async (call) => {
    const { store, organisationId } = call
    const load = await store.within(organisationId, (db) => getReceivingLoad(db, call))
    const of = await requireLoadTable(store, organisationId, load)
    return await withLockedTable(services, of, async (table) => {
      await recoverUnfinishedLoads(services, organisationId, table)
      return toLoadCheck(await planLoad(services, { of, table, load }), load)
    })
  })

  bind(loads.commit, async (call) => {
    const { store, organisationId, actor, auditContext, body } = call
    const load = await store.within(organisationId, (db) => getReceivingLoad(db, call))
    const of = await requireLoadTable(store, organisationId, load)
    await commitLoad(services, { of, loadId: load.id, by: actor.emailAddress, auditContext, seen: body.seen })
    return await readLoad(store, organisationId, load.id)
  })

  bind(loads.undo, async (call) => {
    const { store, organisationId, auditContext, body } = call
    const load = await store.within(organisationId, (db) => getVisibleLoad(db, call))
    const of = await requireLoadTable(store, organisationId, load)
    const { userId, emailAddress: by } = call.actor
    const id = await undoLoad(services, { of, loadId: load.id, userId, by, auditContext, source: body.source })
    return await readLoad(store, organisationId, id)
  })
}

function readRoutes({ bind, bindWithin, services }: LoadRoutes): void {
  bind(loads.list, async ({ store, organisationId, actor, query, reply }) => {
    await recoverAllTables(services, organisationId)
    return await store.within(organisationId, async (db) => {
      const { total, rows } = await listLoads(db, organisationId, {
        ...query,
        ...pageOf(query),
        userId: actor.userId,
        whose: listScopeOf(actor),
      })
      setTotalCountHeader(reply, total)
      const slices = await listSlices(
        db,
        organisationId,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => toLoad(row, slices))
    })
  })

  bind(loads.read, async (call) => {
    const { store, organisationId } = call
    const { id } = await store.within(organisationId, (db) => getVisibleLoad(db, call))
    await recoverAllTables(services, organisationId)
    return await readLoad(store, organisationId, id)
  })

  bindWithin(loads.changes, async (db, call) => {
    const { id, status, changes } = await getVisibleLoad(db, call)
    setTotalCountHeader(call.reply, status === 'LOADED' || status === 'UNDONE' ? changes : 0)
    const rows = await listChanges(db, call.organisationId, { loadId: id, ...pageOf(call.query) })
    return rows.map(toLoadChange)
  })

  bind(loads.changesFile, async (call) => {
    const { store, organisationId, auditContext, params, reply } = call
    await store.within(organisationId, async (db) => {
      const { id } = await getVisibleLoad(db, call)
      await services.audit.record(db, auditContext, { action: 'data.export_downloaded', object: { type: 'load', id } })
    })
    setFileNameHeader(reply, `changes-${params.loadId}.csv`)
    return changeLines(store, organisationId, params.loadId)
  })
}

function templateRoutes({ bind, services }: LoadRoutes): void {
  bind(loads.template, async ({ store, organisationId, actor: { userId }, auditContext, query: table, reply }) => {
    await services.throttle.attempt(templateLimit, userId)
    const { record, bytes } = await buildTemplate(services, organisationId, { userId, table })
    const object = { type: record.kind, id: record.id }
    await store.within(organisationId, (db) =>
      services.audit.record(db, auditContext, { action: 'data.export_downloaded', object }),
    )
    setFileNameHeader(reply, `template-${record.id}.xlsx`)
    return bytes
  })
}

const exportBatchSize = 2_000

async function* changeLines(store: Store, organisationId: string, loadId: string): AsyncGenerator<string> {
  yield csvStart + csvLine(csvHeadings)
  for (let offset = 0; ; offset += exportBatchSize) {
    const rows = await store.within(organisationId, (db) =>
      listChanges(db, organisationId, { loadId, limit: exportBatchSize, offset }),
    )
    if (rows.length > 0) yield rows.map((row) => csvLine(toCsvFields(row))).join('')
    if (rows.length < exportBatchSize) return
  }
}

function readLoad(store: Store, organisationId: string, loadId: string) {
  return store.within(organisationId, async (db) =>
    toLoad(await readReceipt(db, organisationId, loadId), await listSlices(db, organisationId, [loadId])),
  )
}

/** Recovers unfinished loads. If a table is unreachable, its receipts stay as they are. */
async function recoverAllTables(services: LoadRoutes['services'], organisationId: string): Promise<void> {
  const unfinished = await services.store.within(organisationId, (db) => listUnfinishedTables(db, organisationId))
  for (const load of unfinished) {
    try {
      const of = await requireLoadTable(services.store, organisationId, load)
      await withTableIfUnlocked(services, of, (table) => recoverUnfinishedLoads(services, organisationId, table))
    } catch (error) {
      services.log.warn('an unfinished load could not be recovered', { organisationId, error })
    }
  }
}

const administrator = 2

function listScopeOf({ roleLevel }: Actor): 'all' | 'own' {
  return roleLevel <= administrator ? 'all' : 'own'
}

/** The part of a bound call that names a load. */
interface LoadCall {
  readonly organisationId: string
  readonly actor: Actor
  readonly params: { readonly loadId: string }
}

/** Loads that are still being received are visible to their owner only. */
async function getVisibleLoad(db: Db, { organisationId, actor, params: { loadId } }: LoadCall): Promise<LoadRow> {
  const load = requireFound(await findLoad(db, organisationId, loadId))
  const isHidden = load.status === 'RECEIVING' || listScopeOf(actor) === 'own'
  if (load.userId !== actor.userId && isHidden) throw new ApiFault('notFound')
  return load
}

/** The caller's own load. Throws `loadEnded` if it is no longer being received. */
async function getReceivingLoad(
  db: Db,
  { organisationId, actor: { userId }, params: { loadId } }: LoadCall,
  mode?: 'locked',
): Promise<LoadRow> {
  const load = requireFound(await findLoad(db, organisationId, loadId, mode))
  if (load.userId !== userId) throw new ApiFault('notFound')
  if (load.status !== 'RECEIVING') throw loadEnded(load.status)
  return load
}

async function requireLoadTable(
  store: Store,
  organisationId: string,
  load: Pick<LoadRow, 'versionId' | 'helperTableId' | 'recordName'>,
): Promise<LoadTableReference> {
  const record = await store.within(organisationId, (db) => findRecord(db, organisationId, load))
  if (record !== undefined) return { organisationId, record }
  throw detailedFault('loadRefused', `‘${load.recordName}’ was archived or deleted. Choose another table.`)
}
