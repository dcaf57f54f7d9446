/** Lists the tables that a person may read, by source. The database decides which ones: it shows each login its own. */
import type { DataSource, DataTable, DataTableSummary } from '@tributary/contract/data'
import type { Camel } from '@tributary/contract/wire'
import type { PoolClient } from 'pg'
import { describeModel, readDictionary, type TableDictionary } from '../../access/dictionary/describe-tables.ts'
import { type OwnedTable, readOwners } from '../../access/dictionary/table-owners.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import { listReadableTables, type ReadableTables } from '../../access/query/readable-tables.ts'
import { readTableModels } from '../../access/query/read-table-models.ts'
import { keyOf, type TableModel, type TableName } from '../../access/query/table-model.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import {
  listStreamVerifications,
  type StreamVerificationRow,
  toTableVerification,
} from '../../connections/verifications/source-verification.ts'
import type { WarehouseHistory } from '../../access/warehouse/warehouse-histories.ts'
import type { AppServices } from '../../app-services.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { type ConnectorRow, listConnectors, listLastLoads, listStreams, type StreamRow } from './queries.ts'
import { describeLakeTable, type LakeTable, listLakeTables } from './lake/lake-tables.ts'
import { readSizes, type TableSize } from './warehouse-facts.ts'

export interface DataRequest {
  readonly organisationId: string
  readonly actor: Actor
  readonly signal: AbortSignal
}

type SourceFacts = Camel<DataTable>['source']

/** A table with its source. */
export interface ReadableTable {
  readonly model: TableModel
  readonly source: SourceFacts
  readonly summary: Omit<Camel<DataTableSummary>, 'columns'>
}

/** Connectors by name, then versions, helper tables and the others. Empty if the person may read nothing. */
export async function listSources(services: AppServices, request: DataRequest): Promise<Camel<DataSource>[]> {
  const tables = await listTables(services, request)
  const bySource = Map.groupBy(tables, ({ source }) => source)
  return [...bySource].map(([source, own]) => ({ ...source, tables: own.map(toSummary) }))
}

function toSummary({ model, summary }: ReadableTable): Camel<DataTableSummary> {
  return { ...summary, columns: model.columns.map(({ name, description }) => ({ name, description })) }
}

/**
 * @param wanted reads the sizes of this table only
 * @param work runs with the person's connection
 */
export async function listTables(
  services: AppServices,
  request: DataRequest,
  { wanted, work }: { readonly wanted?: TableName; readonly work?: (client: PoolClient) => Promise<void> } = {},
): Promise<readonly ReadableTable[]> {
  const { organisationId, actor } = request
  const { warehouse, readable, lakeTables } = await services.store.within(organisationId, async (db) => {
    const granted = await listReadableTables(db, organisationId, actor)
    return {
      warehouse: await findWarehouse(db, organisationId),
      readable: granted,
      lakeTables: await listLakeTables(db, organisationId, granted),
    }
  })
  if (!readable.mayRead) return []
  const stored = { readable, lakeTables, ...(await readStore(services, organisationId, readable)) }
  if (warehouse === undefined) return arrange(noTables, { owners: new Map(), ...stored })
  const found = await withPersonConnection(services, request, async (client) => {
    const models = await readTableModels(client)
    await work?.(client)
    const measured = wanted === undefined ? models : models.filter((model) => keyOf(model) === keyOf(wanted))
    return { models, sizes: await readSizes(client, measured) }
  })
  const owners = await readOwners(services, organisationId, warehouse)
  return arrange(found, { owners, ...stored })
}

interface FoundTables {
  readonly models: readonly TableModel[]
  readonly sizes: ReadonlyMap<string, TableSize>
}

const noTables: FoundTables = { models: [], sizes: new Map() }

interface StoreFacts {
  readonly connectors: readonly ConnectorRow[]
  readonly streams: readonly StreamRow[]
  readonly lastLoads: ReadonlyMap<string, string>
  readonly verifications: readonly StreamVerificationRow[]
  readonly dictionary: TableDictionary
}

function readStore(
  { clock, store }: AppServices,
  organisationId: string,
  { connectors }: ReadableTables,
): Promise<StoreFacts> {
  return store.within(organisationId, async (db) => ({
    connectors: await listConnectors(db, organisationId, new Date(clock.now())),
    streams: await listStreams(db, organisationId),
    lastLoads: await listLastLoads(db, organisationId),
    verifications: await listStreamVerifications(db, organisationId),
    dictionary: await readDictionary(db, organisationId, connectors),
  }))
}

interface TableFacts extends StoreFacts {
  readonly owners: ReadonlyMap<string, OwnedTable>
  readonly readable: ReadableTables
  readonly lakeTables: readonly LakeTable[]
}

const noConnector = { connectorId: null, type: null, state: null }

function arrange({ models, sizes }: FoundTables, facts: TableFacts): readonly ReadableTable[] {
  const { connectors, owners, readable } = facts
  const sources: readonly SourceFacts[] = [
    ...connectors.map(({ id, ...connector }) => ({ kind: 'connector' as const, connectorId: id, ...connector })),
    { kind: 'versions', name: 'Versions', ...noConnector },
    { kind: 'helperTables', name: 'Helper tables', ...noConnector },
    { kind: 'others', name: 'Other tables', ...noConnector },
  ]
  const sourceOf = (model: TableModel) => sources.find((one) => isOwner(one, owners.get(keyOf(model))))
  const bySchema = new Map(
    models.map((model) => [model.schema, sourceOf(model)] as const).filter(([, source]) => source),
  )
  const tables = models.map((read): ReadableTable => {
    const owned = owners.get(keyOf(read))
    const model = describeModel(read, owned?.owner, facts.dictionary)
    // A view belongs to the tables of its schema.
    const ofSchema = model.kind === 'view' ? bySchema.get(model.schema) : undefined
    const source = sourceOf(model) ?? ofSchema ?? sources.at(-1)
    if (source === undefined) throw new Error('There is no source for other tables.')
    const isPartly = owned?.isLimitedByRows === true && readable.versions !== 'all'
    return { model, source, summary: summarise(model, { size: sizes.get(keyOf(model)), owned, isPartly, facts }) }
  })
  const ofLakes = facts.lakeTables.flatMap((table): readonly ReadableTable[] => {
    const source = sources.find(({ connectorId }) => connectorId === table.connectorId)
    return source === undefined ? [] : [toReadable(table, source, facts)]
  })
  return [...tables, ...ofLakes].toSorted((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source))
}

/** Only the main table of a stream has been counted. */
function toReadable(table: LakeTable, source: SourceFacts, facts: TableFacts): ReadableTable {
  const model = describeLakeTable(table, facts.dictionary)
  const { schema, name, kind, description } = model
  const origin = originOf(name, { kind: 'connector', ...table }, facts)
  const measure = { bytes: null, isEstimate: false }
  return {
    model,
    source,
    summary: { schema, name, kind, description, history: null, lake: table.namespace, ...measure, ...origin },
  }
}

function isOwner({ kind, connectorId }: SourceFacts, owned: OwnedTable | undefined): boolean {
  if (owned === undefined) return false
  const { owner } = owned
  if (owner.kind === 'connector') return kind === 'connector' && connectorId === owner.connectorId
  if (owner.kind === 'version') return kind === 'versions'
  return owner.kind === 'helperTable' && kind === 'helperTables'
}

interface SummaryFacts {
  readonly size: TableSize | undefined
  readonly owned: OwnedTable | undefined
  /** The person reads only some of the rows, so the size and an estimate would reveal how many others there are. */
  readonly isPartly: boolean
  readonly facts: StoreFacts
}

function summarise(
  { schema, name, kind, description }: TableModel,
  { size, owned, isPartly, facts }: SummaryFacts,
): ReadableTable['summary'] {
  const { rows, ...origin } = originOf(name, owned?.owner, facts)
  const history = toHistory(owned?.history)
  return { schema, name, kind, description, lake: null, history, ...measureOf(size, isPartly, rows), ...origin }
}

function toHistory(history: WarehouseHistory | undefined): ReadableTable['summary']['history'] {
  return history === undefined
    ? null
    : { name: history.historyName, sinceUtc: history.since, endedAtUtc: history.endedAt }
}

type TableMeasure = Pick<ReadableTable['summary'], 'bytes' | 'rows' | 'isEstimate'>

/** @param known the rows by the latest run, which are more exact than an estimate */
function measureOf(size: TableSize | undefined, isPartly: boolean, known: number | null): TableMeasure {
  if (size === undefined || (isPartly && size.isEstimate)) return { bytes: null, rows: null, isEstimate: false }
  const { bytes, rows, isEstimate } = size
  const isKnown = isEstimate && known !== null
  return { bytes: isPartly ? null : bytes, rows: isKnown ? known : rows, isEstimate: isEstimate && !isKnown }
}

/** What the latest run or load of a table has recorded. */
type TableOrigin = Pick<ReadableTable['summary'], 'rows' | 'freshAtUtc' | 'fault' | 'verification'>

const unknownOrigin: TableOrigin = { rows: null, freshAtUtc: null, fault: null, verification: null }

function originOf(name: string, owner: OwnedTable['owner'] | undefined, facts: StoreFacts): TableOrigin {
  if (owner?.kind === 'connector') {
    const stream = facts.streams.find((one) => one.connectorId === owner.connectorId && one.name === owner.stream)
    if (stream === undefined) return unknownOrigin
    const { tableName, rows, freshAt, fault } = stream
    const verified = facts.verifications.find(
      (one) => one.connectorId === owner.connectorId && one.stream === owner.stream,
    )
    const verification = verified === undefined ? null : toTableVerification(verified)
    return { rows: tableName === name ? rows : null, freshAtUtc: freshAt, fault, verification }
  }
  if (owner?.kind !== 'version' && owner?.kind !== 'helperTable') return unknownOrigin
  return { ...unknownOrigin, freshAtUtc: facts.lastLoads.get(owner.recordId) ?? null }
}
