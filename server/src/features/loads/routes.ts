/** The calls about loads. Whoever began a load goes on with it; administrators see, and take back, everybody's. */
import { loads } from '@tributary/contract/loads'
import type { Actor } from '../../kernel/http/actor.ts'
import { setFileNameHeader, setTotalCountHeader } from '../../kernel/http/bind.ts'
import { csvLine, csvStart } from '../../kernel/text/csv.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { App, AppServices } from '../../app-services.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { beginLoad } from './begin-load.ts'
import { planLoad } from './check-load.ts'
import { commitLoad } from './commit-load.ts'
import { loadEnded } from './load-ended.ts'
import { fileRoutes } from './files/uploaded-files.ts'
import {
  dropRows,
  endLoad,
  findLoad,
  findRecord,
  keepChunk,
  listOwnColumns,
  listRecords,
  type LoadRow,
} from './queries.ts'
import { listChanges, listLoads, listUnsettled, readReceipt } from './receipt-queries.ts'
import { readRights } from './rights/read-load-rights.ts'
import { settleLeftOver } from './recover-unfinished-loads.ts'
import { changeFields, changeHeadings, shownChange, shownCheck, shownLoad, shownTable } from './replies.ts'
import { listSlices } from './slice-queries.ts'
import { buildTemplate } from './template/load-template.ts'
import { type TableOf, withFreeTable, withTable } from './load-table.ts'
import { undoLoad } from './undo-load.ts'

const beginLimit = { kind: 'load', free: 300, waitMs: 5_000, waitMaxMs: 600_000, windowMs: 3_600_000, isShared: true }
/** Its lists are read from the organisation's database. */
const templateLimit = { ...beginLimit, kind: 'load template' }
/** A load is judged in whole, so it must fit into memory. */
const chunksMax = 256
const pageSizeUsual = 50

export function loadRoutes(app: App, warehouseTarget: WarehouseTarget): void {
  fileRoutes(app)
  receivingRoutes(app)
  writingRoutes(app, warehouseTarget)
  readingRoutes(app, warehouseTarget)
  templateRoutes(app, warehouseTarget)
}

function receivingRoutes(app: App): void {
  const { services } = app

  app.bind(loads.tables, ({ store, organisationId, actor: { userId } }) =>
    store.within(organisationId, async (db) => {
      const rights = await readRights(db, organisationId, userId)
      const own = await listOwnColumns(db, organisationId)
      return (await listRecords(db, organisationId)).flatMap(
        (record) => shownTable(record, rights, own.get(record.id) ?? []) ?? [],
      )
    }),
  )

  app.bind(loads.begin, async ({ store, organisationId, actor, body }) => {
    await services.throttle.attempt(beginLimit, actor.userId)
    return await store.within(organisationId, async (db) => {
      const id = await beginLoad(db, organisationId, { userId: actor.userId, input: body })
      return shownLoad(await readReceipt(db, organisationId, id), [])
    })
  })

  app.bind(loads.chunk, ({ store, organisationId, actor, params: { loadId, number }, body: { rows } }) => {
    if (number > chunksMax)
      throw badField('number', `must be at most ${chunksMax}, as many chunks as a load has; load the sheet in parts`)
    return store.within(organisationId, async (db) => {
      const load = await findLoad(db, organisationId, loadId, 'locked')
      requireOwn(load, actor)
      requireReceiving(load)
      if (load.fileId !== null)
        throw badField('number', 'is for loads that are sent in chunks; this one takes its rows from a file')
      return { rows: await keepChunk(db, organisationId, { load, number, rows }) }
    })
  })

  app.bind(loads.cancel, ({ store, organisationId, actor, params: { loadId } }) =>
    store.within(organisationId, async (db) => {
      const load = await findLoad(db, organisationId, loadId, 'locked')
      requireOwn(load, actor)
      requireReceiving(load)
      await endLoad(db, organisationId, loadId, 'CANCELLED')
      await dropRows(db, organisationId, loadId)
    }),
  )
}

function writingRoutes(app: App, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bind(loads.check, async ({ store, organisationId, actor, params: { loadId } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireOwn(load, actor)
    requireReceiving(load)
    const of = await requireTable(store, { organisationId, load, warehouseTarget })
    return await withTable(services, of, async (table) => {
      await settleLeftOver(services, organisationId, table)
      return shownCheck(await planLoad(services, { of, table, load }), load)
    })
  })

  app.bind(loads.commit, async ({ store, organisationId, actor, auditContext, params: { loadId }, body: { seen } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireOwn(load, actor)
    requireReceiving(load)
    const of = await requireTable(store, { organisationId, load, warehouseTarget })
    await commitLoad(services, { of, loadId, by: actor.emailAddress, auditContext, seen })
    return await readShown(store, organisationId, loadId)
  })

  app.bind(loads.undo, async ({ store, organisationId, actor, auditContext, params: { loadId }, body: { source } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireSeen(load, actor)
    const of = await requireTable(store, { organisationId, load, warehouseTarget })
    const { userId, emailAddress: by } = actor
    const id = await undoLoad(services, { of, loadId, userId, by, auditContext, source })
    return await readShown(store, organisationId, id)
  })
}

function readingRoutes(app: App, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bind(
    loads.list,
    async ({ store, organisationId, actor, query: { page = 1, pageSize = pageSizeUsual, ...query }, reply }) => {
      await settleAll(services, organisationId, warehouseTarget)
      return await store.within(organisationId, async (db) => {
        const { userId } = actor
        const { total, rows } = await listLoads(db, organisationId, {
          ...query,
          userId,
          whose: whoseOf(actor),
          page,
          pageSize,
        })
        setTotalCountHeader(reply, total)
        const ids = rows.map(({ id }) => id)
        const slices = await listSlices(db, organisationId, ids)
        return rows.map((row) => shownLoad(row, slices))
      })
    },
  )

  app.bind(loads.read, async ({ store, organisationId, actor, params: { loadId } }) => {
    const load = await store.within(organisationId, (db) => findLoad(db, organisationId, loadId))
    requireSeen(load, actor)
    await settleAll(services, organisationId, warehouseTarget)
    return await readShown(store, organisationId, loadId)
  })

  app.bind(
    loads.changes,
    ({ store, organisationId, actor, params: { loadId }, query: { page = 1, pageSize = pageSizeUsual }, reply }) =>
      store.within(organisationId, async (db) => {
        const load = await findLoad(db, organisationId, loadId)
        requireSeen(load, actor)
        setTotalCountHeader(reply, load.status === 'LOADED' || load.status === 'UNDONE' ? load.changes : 0)
        const rows = await listChanges(db, organisationId, { loadId, limit: pageSize, offset: (page - 1) * pageSize })
        return rows.map(shownChange)
      }),
  )

  app.bind(loads.changesFile, async ({ store, organisationId, actor, auditContext, params: { loadId }, reply }) => {
    await store.within(organisationId, async (db) => {
      requireSeen(await findLoad(db, organisationId, loadId), actor)
      const object = { type: 'load', id: loadId }
      await services.audit.record(db, auditContext, {
        action: 'data.export_downloaded',
        outcome: 'success',
        object,
      })
    })
    setFileNameHeader(reply, `changes-${loadId}.csv`)
    return changeLines(store, organisationId, loadId)
  })
}

function templateRoutes({ bind, services }: App, warehouseTarget: WarehouseTarget): void {
  bind(loads.template, async ({ store, organisationId, actor: { userId }, auditContext, query: table, reply }) => {
    await services.throttle.attempt(templateLimit, userId)
    const { record, bytes } = await buildTemplate(services, { organisationId, userId, table, warehouseTarget })
    const object = { type: record.kind, id: record.id }
    const action = 'data.export_downloaded'
    await store.within(organisationId, (db) =>
      services.audit.record(db, auditContext, { action, outcome: 'success', object }),
    )
    setFileNameHeader(reply, `template-${record.id}.xlsx`)
    return bytes
  })
}

const linesAtOnce = 2_000

async function* changeLines(store: Store, organisationId: string, loadId: string): AsyncGenerator<string> {
  yield csvStart + csvLine(changeHeadings)
  for (let offset = 0; ; offset += linesAtOnce) {
    const rows = await store.within(organisationId, (db) =>
      listChanges(db, organisationId, { loadId, limit: linesAtOnce, offset }),
    )
    if (rows.length > 0) yield rows.map((row) => csvLine(changeFields(row))).join('')
    if (rows.length < linesAtOnce) return
  }
}

function readShown(store: Store, organisationId: string, loadId: string) {
  return store.within(organisationId, async (db) =>
    shownLoad(await readReceipt(db, organisationId, loadId), await listSlices(db, organisationId, [loadId])),
  )
}

/** While a table cannot be asked, its receipts are shown as they stand. */
async function settleAll(
  services: AppServices,
  organisationId: string,
  warehouseTarget: WarehouseTarget,
): Promise<void> {
  const left = await services.store.within(organisationId, (db) => listUnsettled(db, organisationId))
  for (const load of left) {
    try {
      const of = await requireTable(services.store, { organisationId, load, warehouseTarget })
      await withFreeTable(services, of, (table) => settleLeftOver(services, organisationId, table))
    } catch (error) {
      services.log.warn('what a load has come to could not be told', { organisationId, error })
    }
  }
}

const administrator = 2

function whoseOf({ roleLevel }: Actor): 'everybody' | 'own' {
  return roleLevel <= administrator ? 'everybody' : 'own'
}

/** What was begun and is not in yet is its owner's alone. */
function requireSeen(load: LoadRow | undefined, actor: Actor): asserts load is LoadRow {
  if (load?.userId === actor.userId) return
  if (load === undefined || load.status === 'RECEIVING' || whoseOf(actor) === 'own') throw new ApiFault('notFound')
}

function requireOwn(load: LoadRow | undefined, { userId }: Actor): asserts load is LoadRow {
  if (load?.userId !== userId) throw new ApiFault('notFound')
}

function requireReceiving({ status }: LoadRow): void {
  if (status !== 'RECEIVING') throw loadEnded(status)
}

interface Asked {
  readonly organisationId: string
  readonly load: Pick<LoadRow, 'versionId' | 'helperTableId' | 'recordName'>
  readonly warehouseTarget: WarehouseTarget
}

async function requireTable(store: Store, { organisationId, load, warehouseTarget }: Asked): Promise<TableOf> {
  const record = await store.within(organisationId, (db) => findRecord(db, organisationId, load))
  if (record !== undefined) return { organisationId, record, warehouseTarget }
  const detail = `‘${load.recordName}’ was archived or deleted. Choose another table.`
  throw new ApiFault('loadRefused', { values: { detail } })
}
