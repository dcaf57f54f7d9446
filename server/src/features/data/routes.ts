/** The explorer: the tables of the warehouse that a person may read, and their rows, each with exactly their rights. */
import { data } from '@tributary/contract/data'
import { dataLimits } from '@tributary/contract/limits'
import type { PoolClient } from 'pg'
import { readOwners } from '../../access/dictionary/table-owners.ts'
import { tableAsOf } from '../../access/query/as-of.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import { keyOf, type TableModel, type TableName } from '../../access/query/table-model.ts'
import { findWarehouse, type WarehouseRow } from '../../access/warehouse/queries.ts'
import { readHistory } from '../../access/warehouse/read-history.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { resolveTimeZone } from '../../identity/people/organisations.ts'
import { ApiFault, notFound, requireFound } from '../../kernel/http/api-fault.ts'
import { setFileNameHeader } from '../../kernel/http/bind.ts'
import { exportRows, writeTableFile } from './exports/export-rows.ts'
import type { ExportFormat } from './exports/exported-table.ts'
import type { FileDestination } from './exports/write-file.ts'
import { writeLakeFile } from './lake/lake-export.ts'
import { profileLakeColumn } from './lake/lake-profile.ts'
import { readLakePage } from './lake/lake-rows.ts'
import { connectorOfSchema } from './lake/lake-tables.ts'
import { refuseLakeTable, requireLakeTable, withLakeTable } from './lake/open-lake.ts'
import { type DataRequest, listSources } from './list-sources.ts'
import { examplesSeconds, readExamples } from './read-examples.ts'
import { profileColumn } from './profile-column.ts'
import { readMoments } from './read-moments.ts'
import { readTable, requireTable } from './read-table.ts'
import { limitStatements, withStatementFaults } from './statement-faults.ts'
import type { FilterClock } from './table-filters.ts'
import { readPage, type RowsRequest, toTableQuery } from './table-rows.ts'

export function dataRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(data.tables, async (call) => withStatementFaults(call.signal, () => listSources(services, requestOf(call))))

  app.bind(data.table, async (call) =>
    withStatementFaults(call.signal, () => readTable(services, requestOf(call), nameOf(call.params))),
  )

  app.bind(data.rows, async (call) => {
    const { query } = call
    const clock = await readClock(services, call.organisationId, query.timeZone)
    const name = nameOf(call.params)
    if (isOfLake(name)) {
      if (query.asOf !== undefined) await refuseHistoryOfLake(services, call)
      return withLakeTable(services, requestOf(call), name, (table) => readLakePage(table, query, clock))
    }
    return withTable(services, { ...requestOf(call), asOf: query.asOf }, name, (client, table) =>
      readPage(client, table, query, clock),
    )
  })

  app.bind(data.moments, async (call) => {
    await refuseHistoryOfLake(services, call)
    return readMoments(services, requestOf(call), nameOf(call.params))
  })

  app.bind(data.csv, (call) => download(services, call, 'csv'))
  app.bind(data.xlsx, (call) => download(services, call, 'xlsx'))
  app.bind(data.parquet, (call) => download(services, call, 'parquet'))

  app.bind(data.profile, async (call) => {
    const { query } = call
    const clock = await readClock(services, call.organisationId, query.timeZone)
    const name = nameOf(call.params)
    if (isOfLake(name)) {
      if (query.asOf !== undefined) await refuseHistoryOfLake(services, call)
      return withLakeTable(services, requestOf(call), name, (table) => profileLakeColumn(table, query, clock))
    }
    return withTable(services, { ...requestOf(call), asOf: query.asOf }, name, (client, table) =>
      profileColumn(client, table, query, clock),
    )
  })

  app.bind(data.examples, async (call) => {
    const { connector } = call.query
    const name = nameOf(call.params)
    await refuseLakeTable(services, requestOf(call), name, 'examples')
    if (connector !== undefined) await requireTableOf(services, call.organisationId, { connector, name })
    return withTable(services, { ...requestOf(call), seconds: examplesSeconds }, name, readExamples)
  })
}

interface ExportCall extends DataRequest {
  readonly auditContext: Parameters<AppServices['audit']['record']>[1]
  readonly params: { readonly schema: string; readonly table: string }
  readonly query: RowsRequest & { readonly timeZone?: string | undefined; readonly asOf?: string | undefined }
  readonly reply: Parameters<typeof setFileNameHeader>[0]
}

/** The download is recorded once it has begun: what was refused was not downloaded. */
async function download(services: AppServices, call: ExportCall, format: ExportFormat) {
  const { organisationId, auditContext, params, query, reply } = call
  const request = requestOf(call)
  const file = await exportRows(services, { ...request, write: await fileWriter(services, call, { request, format }) })
  const { filters = [], sort = null } = query
  const detail = {
    schema: params.schema,
    table: params.table,
    format,
    filters: filters.length,
    sort,
    ...(query.asOf !== undefined && { asOf: query.asOf }),
  }
  await services.store.within(organisationId, (db) =>
    services.audit.record(db, auditContext, {
      action: 'data.export_downloaded',
      object: { type: 'table', id: `${params.schema}.${params.table}` },
      detail,
    }),
  )
  setFileNameHeader(reply, `${params.table.replaceAll(/[^A-Za-z0-9.-]+/gu, '-')}.${format}`)
  return file
}

interface FileRequest {
  readonly request: DataRequest
  readonly format: ExportFormat
}

/** Throws `notFound` without a warehouse, and for a table of a lake that the person may not read. */
async function fileWriter(
  services: AppServices,
  call: ExportCall,
  { request, format }: FileRequest,
): Promise<(destination: FileDestination) => Promise<void>> {
  const { organisationId, params, query } = call
  const clock = await readClock(services, organisationId, query.timeZone)
  const name = nameOf(params)
  if (isOfLake(name)) {
    if (query.asOf !== undefined) await refuseHistoryOfLake(services, call)
    return (destination) => writeLakeFile(services, { ...request, name, rows: query, clock, format }, destination)
  }
  const toQuery = (table: TableModel) => toTableQuery(table, query, clock)
  const atMoment = await findAsOf(services, { organisationId, asOf: query.asOf }, name)
  return (destination) => writeTableFile(services, { ...request, name, atMoment, toQuery, format }, destination)
}

/** One signal for each call: its getter creates one at each access. */
function requestOf({ organisationId, actor, signal }: DataRequest): DataRequest {
  return { organisationId, actor, signal }
}

function nameOf({ schema, table }: { readonly schema: string; readonly table: string }): TableName {
  return { schema, name: table }
}

/** Throws `noHistory` for a table of a lake. */
async function refuseHistoryOfLake(
  services: AppServices,
  call: DataRequest & { readonly params: Parameters<typeof nameOf>[0] },
): Promise<void> {
  const name = nameOf(call.params)
  if (!isOfLake(name)) return
  await requireLakeTable(services, requestOf(call), name)
  throw new ApiFault('noHistory', { values: { table: name.name } })
}

function isOfLake({ schema }: TableName): boolean {
  return connectorOfSchema(schema) !== null
}

async function readClock(
  { clock, store }: AppServices,
  organisationId: string,
  requested: string | undefined,
): Promise<FilterClock> {
  const timeZone = await store.within(organisationId, (db) => resolveTimeZone(db, organisationId, requested))
  return { now: new Date(clock.now()), timeZone }
}

/** Runs a query on a table with the person's connection, for a limited time. Throws `notFound` without the table. */
async function withTable<T>(
  services: AppServices,
  {
    seconds = dataLimits.querySeconds,
    asOf,
    ...request
  }: DataRequest & { readonly seconds?: number; readonly asOf?: string | undefined },
  name: TableName,
  work: (client: PoolClient, table: TableModel) => Promise<T>,
): Promise<T> {
  const atMoment = await findAsOf(services, { organisationId: request.organisationId, asOf }, name)
  return withStatementFaults(
    request.signal,
    () =>
      withPersonConnection(services, request, async (client) => {
        await limitStatements(client, seconds)
        return work(client, atMoment(await requireTable(client, name)))
      }),
    seconds,
  )
}

/** Throws `notFound` if another connector, or none, moves the table of this name in the warehouse. */
async function requireTableOf(
  services: AppServices,
  organisationId: string,
  { connector, name }: { readonly connector: string; readonly name: TableName },
): Promise<void> {
  const warehouse = await requireWarehouse(services, organisationId)
  const owner = (await readOwners(services, organisationId, warehouse)).get(keyOf(name))?.owner
  if (owner?.kind !== 'connector' || owner.connectorId !== connector) throw notFound()
}

/**
 * Turns a table into the one at the moment, if one is wanted. The result throws the faults of `tableAsOf`, and only for a table that the
 * person reads. Throws `notFound` before anything was loaded.
 */
async function findAsOf(
  services: AppServices,
  { organisationId, asOf }: { readonly organisationId: string; readonly asOf: string | undefined },
  name: TableName,
): Promise<(table: TableModel) => TableModel> {
  const warehouse = await requireWarehouse(services, organisationId)
  if (asOf === undefined) return (table) => table
  const history = await readHistory(services, warehouse, name)
  return (table) => tableAsOf(table, history, asOf, services.clock)
}

/** Throws `notFound` before anything was loaded. */
async function requireWarehouse({ store }: AppServices, organisationId: string): Promise<WarehouseRow> {
  return requireFound(await store.within(organisationId, (db) => findWarehouse(db, organisationId)))
}
