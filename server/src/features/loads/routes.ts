/** Routes of loads. Only the user who began a load continues it; administrators see and undo all loads. */
import { loads } from '@tributary/contract/loads'
import type { Actor } from '../../kernel/http/actor.ts'
import { setFileNameHeader, setTotalCountHeader } from '../../kernel/http/bind.ts'
import { csvLine, csvStart } from '../../kernel/text/csv.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { beginLoad } from './begin-load.ts'
import { planLoad } from './check-load.ts'
import { commitLoad } from './commit-load.ts'
import { loadEnded } from './load-ended.ts'
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
import { type LoadTableReference, withTableIfUnlocked, withLockedTable } from './load-table.ts'
import { undoLoad } from './undo-load.ts'

const beginLimit = { kind: 'load', free: 300, waitMs: 5_000, waitMaxMs: 600_000, windowMs: 3_600_000, isShared: true }
/** A separate limit, because a template reads its value lists from the organisation's database. */
const templateLimit = { ...beginLimit, kind: 'load template' }
/** A load is validated as a whole, so it must fit into memory. */
const chunksMax = 256
const pageSizeDefault = 50

export function loadRoutes(app: AppRoutes, warehouseTarget: WarehouseTarget): void {
  fileRoutes(app)
  uploadRoutes(app)
  writeRoutes(app, warehouseTarget)
  readRoutes(app, warehouseTarget)
  templateRoutes(app, warehouseTarget)
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

  app.bind(loads.begin, async ({ store, organisationId, actor, body }) => {
    await services.throttle.attempt(beginLimit, actor.userId)
    return await store.within(organisationId, async (db) => {
      const id = await beginLoad(db, organisationId, { userId: actor.userId, input: body })
      return toLoad(await readReceipt(db, organisationId, id), [])
    })
  })

  app.bind(loads.chunk, ({ store, organisationId, actor, params: { loadId, number }, body: { rows } }) => {
    if (number > chunksMax)
      throw badField('number', `must be at most ${chunksMax}, as many chunks as a load has; load the sheet in parts`)
    return store.within(organisationId, async (db) => {
      const load = await findLoad(db, organisationId, loadId, 'locked')
      requireOwnLoad(load, actor)
      requireReceiving(load)
      if (load.fileId !== null)
        throw badField('number', 'is for loads that are sent in chunks; this one takes its rows from a file')
      return { rows: await storeLoadChunk(db, organisationId, { load, number, rows }) }
    })
  })

  app.bindWithin(loads.cancel, async (db, { organisationId, actor, params: { loadId } }) => {
    const load = await findLoad(db, organisationId, loadId, 'locked')
    requireOwnLoad(load, actor)
    requireReceiving(load)
    await endLoad(db, organisationId, loadId, 'CANCELLED')
    await deleteLoadRows(db, organisationId, loadId)
  })
}

function writeRoutes(app: AppRoutes, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bind(loads.check, async ({ store, organisationId, actor, params: { loadId } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireOwnLoad(load, actor)
    requireReceiving(load)
    const of = await requireLoadTable(store, { organisationId, load, warehouseTarget })
    return await withLockedTable(services, of, async (table) => {
      await recoverUnfinishedLoads(services, organisationId, table)
      return toLoadCheck(await planLoad(services, { of, table, load }), load)
    })
  })

  app.bind(loads.commit, async ({ store, organisationId, actor, auditContext, params: { loadId }, body: { seen } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireOwnLoad(load, actor)
    requireReceiving(load)
    const of = await requireLoadTable(store, { organisationId, load, warehouseTarget })
    await commitLoad(services, { of, loadId, by: actor.emailAddress, auditContext, seen })
    return await readLoad(store, organisationId, loadId)
  })

  app.bind(loads.undo, async ({ store, organisationId, actor, auditContext, params: { loadId }, body: { source } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireVisibleLoad(load, actor)
    const of = await requireLoadTable(store, { organisationId, load, warehouseTarget })
    const { userId, emailAddress: by } = actor
    const id = await undoLoad(services, { of, loadId, userId, by, auditContext, source })
    return await readLoad(store, organisationId, id)
  })
}

function readRoutes(app: AppRoutes, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bind(
    loads.list,
    async ({ store, organisationId, actor, query: { page = 1, pageSize = pageSizeDefault, ...query }, reply }) => {
      await recoverAllTables(services, organisationId, warehouseTarget)
      return await store.within(organisationId, async (db) => {
        const { userId } = actor
        const { total, rows } = await listLoads(db, organisationId, {
          ...query,
          userId,
          whose: listScopeOf(actor),
          page,
          pageSize,
        })
        setTotalCountHeader(reply, total)
        const ids = rows.map(({ id }) => id)
        const slices = await listSlices(db, organisationId, ids)
        return rows.map((row) => toLoad(row, slices))
      })
    },
  )

  app.bind(loads.read, async ({ store, organisationId, actor, params: { loadId } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireVisibleLoad(load, actor)
    await recoverAllTables(services, organisationId, warehouseTarget)
    return await readLoad(store, organisationId, loadId)
  })

  app.bindWithin(
    loads.changes,
    async (
      db,
      { organisationId, actor, params: { loadId }, query: { page = 1, pageSize = pageSizeDefault }, reply },
    ) => {
      const load = await findLoad(db, organisationId, loadId)
      requireVisibleLoad(load, actor)
      setTotalCountHeader(reply, load.status === 'LOADED' || load.status === 'UNDONE' ? load.changes : 0)
      const rows = await listChanges(db, organisationId, { loadId, limit: pageSize, offset: (page - 1) * pageSize })
      return rows.map(toLoadChange)
    },
  )

  app.bind(loads.changesFile, async ({ store, organisationId, actor, auditContext, params: { loadId }, reply }) => {
    await store.within(organisationId, async (db) => {
      requireVisibleLoad(await findLoad(db, organisationId, loadId), actor)
      const object = { type: 'load', id: loadId }
      await services.audit.record(db, auditContext, { action: 'data.export_downloaded', object })
    })
    setFileNameHeader(reply, `changes-${loadId}.csv`)
    return changeLines(store, organisationId, loadId)
  })
}

function templateRoutes({ bind, services }: AppRoutes, warehouseTarget: WarehouseTarget): void {
  bind(loads.template, async ({ store, organisationId, actor: { userId }, auditContext, query: table, reply }) => {
    await services.throttle.attempt(templateLimit, userId)
    const { record, bytes } = await buildTemplate(services, { organisationId, userId, table, warehouseTarget })
    const object = { type: record.kind, id: record.id }
    const action = 'data.export_downloaded'
    await store.within(organisationId, (db) => services.audit.record(db, auditContext, { action, object }))
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
async function recoverAllTables(
  services: AppServices,
  organisationId: string,
  warehouseTarget: WarehouseTarget,
): Promise<void> {
  const unfinished = await services.store.within(organisationId, (db) => listUnfinishedTables(db, organisationId))
  for (const load of unfinished) {
    try {
      const of = await requireLoadTable(services.store, { organisationId, load, warehouseTarget })
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

/** Loads that are still being received are visible to their owner only. */
function requireVisibleLoad(load: LoadRow | undefined, actor: Actor): asserts load is LoadRow {
  if (load?.userId === actor.userId) return
  if (load === undefined || load.status === 'RECEIVING' || listScopeOf(actor) === 'own') throw new ApiFault('notFound')
}

function requireOwnLoad(load: LoadRow | undefined, { userId }: Actor): asserts load is LoadRow {
  if (load?.userId !== userId) throw new ApiFault('notFound')
}

function requireReceiving({ status }: LoadRow): void {
  if (status !== 'RECEIVING') throw loadEnded(status)
}

interface LoadTableRequest {
  readonly organisationId: string
  readonly load: Pick<LoadRow, 'versionId' | 'helperTableId' | 'recordName'>
  readonly warehouseTarget: WarehouseTarget
}

async function requireLoadTable(
  store: Store,
  { organisationId, load, warehouseTarget }: LoadTableRequest,
): Promise<LoadTableReference> {
  const record = await store.within(organisationId, (db) => findRecord(db, organisationId, load))
  if (record !== undefined) return { organisationId, record, warehouseTarget }
  const detail = `‘${load.recordName}’ was archived or deleted. Choose another table.`
  throw new ApiFault('loadRefused', { values: { detail } })
}
