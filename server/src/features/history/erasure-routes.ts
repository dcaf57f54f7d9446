/** Routes that erase a person in history. The value that identifies the person is neither logged nor kept. */
import { type ErasurePreview, historyErasures } from '@tributary/contract/history-erasures'
import type { Camel } from '@tributary/contract/wire'
import type * as z from 'zod'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { bindVisibleConnector, requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { type ConnectorLocation, decryptSettings } from '../../connections/connectors/connector-settings.ts'
import { startManualRun } from '../../connections/connectors/start-run.ts'
import { applyDefaultTarget, chooseSchema } from '../../connections/databases/database-credentials.ts'
import { toSettingsWrong } from '../../connections/databases/database-fault.ts'
import { openTarget } from '../../connections/databases/open-target.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { countPerson } from '../../connections/history/count-person.ts'
import { insertErasure } from '../../connections/history/history-erasures.ts'
import { listMarks } from '../../connections/history/shown-marks.ts'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type ErasableStream, planErasure, toSearches } from './erasure-plan.ts'
import { listErasures, listHistoryStructures } from './erasure-queries.ts'

type Person = z.output<typeof historyErasures.preview.body>
type ErasureServices = Pick<AppServices, 'clock' | 'network' | 'secrets' | 'store'>

/** Longer than a scan of a large history; a person waits for it. */
const previewTimeoutMs = 2 * 60_000

export function erasureRoutes(app: AppRoutes, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  bindVisibleConnector(app, historyErasures.list, (db, connector) => listErasures(db, connector))

  app.bind(historyErasures.preview, async ({ organisationId, actor, params, body, signal }) => {
    const connector = { organisationId, connectorId: params.connectorId }
    await services.store.within(organisationId, (db) => requireVisibleConnector(db, actor, connector))
    return previewErasure({ ...services, warehouseTarget }, connector, { ...body, signal })
  })

  bindVisibleConnector(app, historyErasures.start, async (db, connector, { actor, auditContext, body }) => {
    const { stream, column, value, columns } = body
    const erasable = await getErasable(db, connector, { stream, column })
    const cleared = new Map(Object.entries(columns))
    requireErasable(erasable, cleared)
    const start = { auditContext, connectorId: connector.connectorId }
    const searches = toSearches(erasable, cleared)
    const onlyStreams = searches.map((search) => search.stream)
    const runId = await startManualRun(db, services, start, { mode: 'erase', onlyStreams })
    const table = erasable[0]?.tables[0]?.table ?? stream
    const erasure = { runId, table, column, value, searches, requestedBy: actor.userId }
    await insertErasure(db, services.secrets, connector, erasure)
    const object = { type: 'connector', id: connector.connectorId }
    const detail = { runId, table, column }
    await services.audit.record(db, auditContext, { action: 'connector.erasure_started', object, detail })
    const [started] = await listErasures(db, connector, runId)
    if (started === undefined) throw notFound()
    return started
  })
}

/** @throws `badInput` for a stream without history, or a column that its main table does not have */
async function getErasable(
  db: Db,
  connector: ConnectorLocation,
  person: Pick<Person, 'stream' | 'column'>,
): Promise<readonly ErasableStream[]> {
  const streams = await listHistoryStructures(db, connector)
  const main = streams.find(({ stream }) => stream === person.stream)?.structure[0]
  if (main === undefined) throw badField('stream', 'must be a table that keeps history, or has kept it')
  const known = main.columns.map(({ name }) => name)
  if (!known.includes(person.column))
    throw badField('column', `must be one of the columns of the table: ${known.join(', ')}`)
  const erasable = planErasure(streams, person)
  if (erasable === undefined)
    throw badField('stream', 'needs a run of the connector first, because it was last run by an earlier version')
  return erasable
}

function requireErasable(streams: readonly ErasableStream[], cleared: ReadonlyMap<string, readonly string[]>): void {
  const tables = streams.flatMap((each) => each.tables)
  for (const [table, names] of cleared) {
    const known = tables.find((each) => each.table === table)?.columns.map(({ name }) => name)
    if (known === undefined) throw badField('columns', `contains ${table}, which is not a table of this erasure`)
    const unknown = names.find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw badField(
        'columns',
        `contains ${table}.${unknown}, which cannot be cleared: only columns with text that are neither keys nor references can`,
      )
  }
}

async function previewErasure(
  services: ErasureServices & { readonly warehouseTarget: WarehouseTarget },
  connector: ConnectorLocation,
  { stream, column, value, signal }: Person & { readonly signal: AbortSignal },
): Promise<Camel<ErasurePreview>> {
  const { organisationId, connectorId } = connector
  const { settings, schema, erasable, marks } = await services.store.within(organisationId, (db) =>
    readPreviewInputs(db, services, connector, { stream, column }),
  )
  const context = {
    network: services.network,
    clock: services.clock,
    signal: AbortSignal.any([signal, AbortSignal.timeout(previewTimeoutMs)]),
  }
  try {
    await using target = await openTarget({ organisationId, settings, schema }, context, services.warehouseTarget)
    const searches = toSearches(erasable, new Map()).map((search) => ({ ...search, connectorId, value }))
    const counted = await countPerson(target, searches, marks)
    const found = counted.tables.filter((each) => each.stream === stream || each.versions > 0)
    return {
      tables: found.map(({ table, name, versions }) => ({
        table,
        name,
        versions,
        columns: columnsOf(erasable, table),
      })),
      current: counted.current,
      marks: counted.marks.map(({ mark, versions }) => ({ id: mark.id, name: mark.name, versions })),
    }
  } catch (error) {
    throw toSettingsWrong(error)
  }
}

function columnsOf(streams: readonly ErasableStream[], name: string) {
  return [...(streams.flatMap(({ tables }) => tables).find(({ table }) => table === name)?.columns ?? [])]
}

async function readPreviewInputs(
  db: Db,
  { secrets }: Pick<ErasureServices, 'secrets'>,
  connector: ConnectorLocation,
  { stream, column }: Pick<Person, 'stream' | 'column'>,
) {
  const { type, key: connectorKey } = await db
    .selectFrom('connector')
    .select(['type', 'key'])
    .where('organisationId', '=', connector.organisationId)
    .where('id', '=', connector.connectorId)
    .executeTakeFirstOrThrow(notFound)
  const own = await decryptSettings(db, secrets, connector)
  const settings = await applyDefaultTarget(db, secrets, { ...connector, connectorKey }, own)
  return {
    settings,
    schema: chooseSchema(settings, connectorKey),
    erasable: await getErasable(db, connector, { stream, column }),
    marks: await listMarks(db, connector, type),
  }
}
