/**
 * Opens a table of a lake for a person. A lake has no login of the person as the warehouse has, so what the person may read is decided
 * here: the tables of the connectors that they are assigned to, and all of the organisation's for its administrators.
 */
import { may } from '@tributary/contract/capabilities'
import { dataLimits } from '@tributary/contract/limits'
import { type LakeTableReader, openLakeTable } from '@tributary/engine/databases/iceberg/reading/open-lake-table'
import { Fault } from '@tributary/engine/ports/faults'
import { listReadableTables } from '../../../access/query/readable-tables.ts'
import { keyOf, type TableModel, type TableName } from '../../../access/query/table-model.ts'
import type { AppServices } from '../../../app-services.ts'
import { decryptSettings } from '../../../connections/connectors/connector-settings.ts'
import { lakeFolderOf } from '../../../connections/databases/lake-folder.ts'
import { limitConcurrency } from '../../../kernel/concurrency-limit.ts'
import { ApiFault, requireFound } from '../../../kernel/http/api-fault.ts'
import type { DataRequest } from '../list-sources.ts'
import { exportSeconds } from '../exports/write-file.ts'
import { connectorOfSchema, listLakeTables } from './lake-tables.ts'

export interface OpenedLakeTable {
  readonly model: TableModel
  readonly reader: LakeTableReader
}

/** Files are decompressed in this process, so more at once would delay its other calls. */
const limited = limitConcurrency(2, 40)

/** Throws `notFound` for a table that does not exist or that the person may not read, `queryTooLong`, and `lakeUnreadable` with the reason. */
export function withLakeTable<T>(
  services: AppServices,
  request: DataRequest,
  name: TableName,
  work: (table: OpenedLakeTable) => Promise<T>,
): Promise<T> {
  return openWithin(services, { ...request, name, seconds: dataLimits.querySeconds, queue: limited }, work)
}

/** The same for a file of all rows, which has its own limit of concurrent downloads and more time. */
export function withExportedLakeTable<T>(
  services: AppServices,
  request: DataRequest,
  name: TableName,
  work: (table: OpenedLakeTable) => Promise<T>,
): Promise<T> {
  return openWithin(services, { ...request, name, seconds: exportSeconds, queue: (run) => run() }, work)
}

interface LakeRequest extends DataRequest {
  readonly name: TableName
  readonly seconds: number
  readonly queue: <T>(run: () => Promise<T>) => Promise<T>
}

async function openWithin<T>(
  services: AppServices,
  { name, seconds, queue, ...request }: LakeRequest,
  work: (table: OpenedLakeTable) => Promise<T>,
): Promise<T> {
  const { model, settings } = await findTable(services, request, name)
  const timeout = AbortSignal.timeout(seconds * 1_000)
  const signal = AbortSignal.any([request.signal, timeout])
  const { network, clock, config } = services
  const context = { network, clock, signal, lakeFolder: lakeFolderOf(config, request.organisationId) }
  try {
    return await queue(async () => {
      signal.throwIfAborted()
      await using reader = await openLakeTable(settings, name.name, context)
      if (reader === null) throw new ApiFault('lakeUnreadable', { values: { detail: missing } })
      return await work({ model, reader })
    })
  } catch (cause) {
    if (request.signal.aborted) throw new ApiFault('queryCancelled', { cause })
    if (timeout.aborted) throw new ApiFault('queryTooLong', { cause, values: { seconds } })
    throw cause instanceof Fault ? toApiFault(cause, request) : cause
  }
}

/** Throws `notFound` as `withLakeTable` does. Reads the store only. */
export async function requireLakeTable(services: AppServices, request: DataRequest, name: TableName): Promise<void> {
  await findTable(services, request, name)
}

/** Throws `targetTablesOnly` if it is a table of a lake, and `notFound` if the person may not read it. */
export async function refuseLakeTable(
  services: AppServices,
  request: DataRequest,
  name: TableName,
  feature: string,
): Promise<void> {
  if (connectorOfSchema(name.schema) === null) return
  await requireLakeTable(services, request, name)
  throw new ApiFault('targetTablesOnly', { values: { feature } })
}

const missing = 'The catalog has no such table any more. Run the connector; it creates the table and fills it.'

/** The notice may name servers, which only those learn who may edit the connector. */
function toApiFault(cause: Fault, { actor }: DataRequest): ApiFault {
  const detail = may(actor.roleLevel, 'editConnector') ? cause.notice : 'Ask an administrator of your organisation.'
  return new ApiFault('lakeUnreadable', { cause, values: { detail } })
}

function findTable({ store, secrets }: AppServices, { organisationId, actor }: DataRequest, name: TableName) {
  return store.within(organisationId, async (db) => {
    const readable = await listReadableTables(db, organisationId, actor)
    const tables = await listLakeTables(db, organisationId, readable)
    const { model, connectorId } = requireFound(tables.find((one) => keyOf(one.model) === keyOf(name)))
    return { model, settings: await decryptSettings(db, secrets, { organisationId, connectorId }) }
  })
}
