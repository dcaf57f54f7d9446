/** Finds, creates and changes the tables of a stream, and claims them for the writer. */
import { randomUUID } from 'node:crypto'
import { Fault } from '../../../ports/faults.ts'
import type { Table } from '../../../ports/model.ts'
import { keepOriginOnly } from '../../../ports/origin.ts'
import type { Stream } from '../../../ports/source.ts'
import type { PlannedSchemaChange, TargetSchemaChange } from '../../../ports/target.ts'
import { marked } from '../../sql-target/names.ts'
import { emptyState } from '../../sql-target/stored-state.ts'
import { listChanges, listPlannedChanges, needsBackfill, type StreamTables } from '../../sql-target/table-layout.ts'
import type { LoadedTable, NewTable } from '../catalog/catalog.ts'
import type { Properties } from '../catalog/metadata.ts'
import { compression } from '../format/parquet-file.ts'
import { snapshotUpdates } from '../load/load-changes.ts'
import { commitChange, type TableChange } from '../table/commit-loop.ts'
import { createUnlessExists } from '../table/create-table.ts'
import { filePrefix, identify, type LakeContext, signature } from '../table/lake-context.ts'
import { firstSpec, partitionColumn, withKeptPartitions } from '../table/partitions.ts'
import { writeSnapshot } from '../table/snapshot-writer.ts'
import { liveFiles, livePaths, snapshotOf } from '../table/table-files.ts'
import {
  fenceProperties,
  holdsFence,
  propertyNames,
  readProperty,
  readStreamState,
  stateProperties,
} from '../table/table-properties.ts'
import { type ClaimedTable, claimingSnapshot, type ConnectorTable } from './connector-table.ts'
import { convertRows } from './convert-rows.ts'
import { facts, tableName } from './facts.ts'
import { removeOrphans } from './orphans.ts'
import { evolveSchema, type LakeTablePlan, newSchema, planTable } from './plan-table.ts'

export interface PrepareContext {
  readonly context: LakeContext
  readonly connector: ConnectorTable
}

export interface PreparedLakeStream {
  readonly tables: StreamTables
  readonly changes: readonly TargetSchemaChange[]
}

export async function prepareStream(prepare: PrepareContext, stream: Stream): Promise<PreparedLakeStream> {
  // Children first: what a former writer has committed of them before is read again with the state of the main table.
  const children: LakeTablePlan[] = []
  for (const table of stream.children) children.push(await prepareTable(prepare, stream, table))
  const main = await prepareTable(prepare, stream, stream.table)
  const plans = [main, ...children]
  if (children.some(forgets)) await forgetState(prepare.context, main.target.name)
  return {
    tables: [main.target, ...children.map(({ target }) => target)],
    changes: plans.flatMap(listChanges),
  }
}

/** What `prepareStream` would change. */
export async function previewChanges(prepare: PrepareContext, stream: Stream): Promise<readonly PlannedSchemaChange[]> {
  const changes: PlannedSchemaChange[] = []
  for (const table of [stream.table, ...stream.children]) {
    const found = await findTable(prepare, stream, table)
    changes.push(...listPlannedChanges(planTable({ table, ...found })))
  }
  return changes
}

interface FoundTable {
  readonly name: string
  readonly isClaimed: boolean
  readonly loaded: LoadedTable | null
}

async function findTable({ context, connector }: PrepareContext, stream: Stream, table: Table): Promise<FoundTable> {
  const { catalog, writer } = context
  const claims = await connector.listTables()
  const claimed = claims.find((claim) => claim.stream === stream.name && claim.sourceName === table.name)
  if (claimed !== undefined)
    return { name: claimed.name, isClaimed: true, loaded: await catalog.loadTable(identify(context, claimed.name)) }
  const plain = tableName(table.name)
  const isOwn = claims.some(({ name }) => name === plain)
  const name = isOwn ? marked(plain, facts.identifierMax, `${stream.name}\t${table.name}`) : plain
  const loaded = await catalog.loadTable(identify(context, name))
  if (loaded === null) return { name, isClaimed: false, loaded }
  const isSame =
    readProperty(loaded, 'connector') === writer.connectorId &&
    readProperty(loaded, 'stream') === stream.name &&
    readProperty(loaded, 'sourceTable') === table.name
  if (isSame) return { name, isClaimed: false, loaded }
  const owner = readProperty(loaded, 'connector') === null ? 'another program' : 'another connector'
  throw new Fault('settings', {
    code: 'iceberg.table_taken',
    notice: `The namespace has a table ‘${name}’ of ${owner} already. Rename or drop it, or choose another namespace for this connector.`,
  })
}

async function prepareTable(prepare: PrepareContext, stream: Stream, table: Table): Promise<LakeTablePlan> {
  const { context, connector } = prepare
  const found = await findTable(prepare, stream, table)
  const plan = planTable({ table, ...found })
  if (!found.isClaimed) await connector.changeTables((claims) => withClaim(claims, plan, stream))
  const isCreated = found.loaded === null && (await createTable(context, stream, plan))
  if (!isCreated) await changeTable(context, { table, name: plan.target.name })
  return plan
}

function withClaim(
  claims: readonly ClaimedTable[],
  { target: { name, table } }: LakeTablePlan,
  { name: stream }: Stream,
): readonly ClaimedTable[] {
  return [...claims.filter((claim) => claim.name !== name), { name, stream, sourceName: table.name }]
}

async function createTable(context: LakeContext, stream: Stream, plan: LakeTablePlan): Promise<boolean> {
  const schema = newSchema(plan)
  const { target } = plan
  const key = schema.fields.filter(({ required }) => required)
  const sorted: Pick<NewTable, 'sortOrder'> =
    key.length === 0
      ? {}
      : {
          sortOrder: {
            'order-id': 1,
            fields: key.map(({ id }) => ({
              'source-id': id,
              transform: 'identity',
              direction: 'asc',
              'null-order': 'nulls-first',
            })),
          },
        }
  const properties = {
    ...compression,
    ...fenceProperties(context.writer),
    [propertyNames.connector]: context.writer.connectorId,
    [propertyNames.stream]: stream.name,
    [propertyNames.sourceTable]: target.table.name,
    [propertyNames.key]: JSON.stringify(target.key),
    [propertyNames.uncleanSince]: String(context.writer.fence),
  }
  const partitionSpec = firstSpec(schema, partitionColumn(schema, context.partitionBy))
  return await createUnlessExists(context, target.name, { schema, partitionSpec, ...sorted, properties })
}

/** Claims the table for the writer and changes its columns, in one commit. */
async function changeTable(
  context: LakeContext,
  { table, name }: { readonly table: Table; readonly name: string },
): Promise<void> {
  let uncleanSince: number | null = null
  const changed = await commitChange(context, {
    name,
    fence: 'claim',
    build: async (loaded) => {
      const plan = planTable({ table, name, isClaimed: true, loaded })
      const evolution = await evolveTable(context, loaded, plan)
      const isHeld = holdsFence(loaded, context.writer)
      if (isHeld && evolution === null && isSameKey(loaded, plan)) return null
      uncleanSince = isHeld ? null : readUncleanSince(loaded)
      const change = evolution ?? { updates: [], written: [] }
      const isClaimed = isHeld || change.updates.some(({ action }) => action === 'add-snapshot')
      const claim = isClaimed ? null : await claimingSnapshot(context, loaded)
      return {
        ...change,
        updates: [...change.updates, ...(claim?.updates ?? [])],
        written: [...change.written, ...(claim?.written ?? [])],
        properties: claimedProperties(context, loaded, plan),
      }
    },
  })
  if (uncleanSince !== null) await removeOrphans(context, changed, uncleanSince)
}

function readUncleanSince(loaded: LoadedTable): number | null {
  const fence = readProperty(loaded, 'uncleanSince')
  return fence === null ? null : Number(fence)
}

function claimedProperties({ writer }: LakeContext, loaded: LoadedTable, plan: LakeTablePlan): Properties {
  const isForgotten = forgets(plan) || !isSameKey(loaded, plan)
  return {
    [propertyNames.key]: JSON.stringify(plan.target.key),
    [propertyNames.uncleanSince]: readProperty(loaded, 'uncleanSince') ?? String(writer.fence),
    ...(isForgotten && forgottenState(loaded)),
  }
}

function isSameKey(loaded: LoadedTable, { target }: LakeTablePlan): boolean {
  const stored = readProperty(loaded, 'key')
  return (
    stored === null ||
    JSON.stringify((JSON.parse(stored) as string[]).toSorted()) === JSON.stringify(target.key.toSorted())
  )
}

/** Existing rows lack the values of a column, so the stream is read from its beginning. */
function forgets(plan: LakeTablePlan): boolean {
  return plan.existing.length === 0 || needsBackfill(plan)
}

function forgottenState(loaded: LoadedTable) {
  const { checkpoint } = readStreamState(loaded)
  return stateProperties({ ...emptyState, checkpoint: keepOriginOnly(checkpoint) })
}

async function forgetState(context: LakeContext, name: string): Promise<void> {
  await commitChange(context, {
    name,
    fence: 'hold',
    build: async (loaded) => ({ updates: [], written: [], properties: forgottenState(loaded) }),
  })
}

/** Null if the columns stay as they are. */
async function evolveTable(
  context: LakeContext,
  loaded: LoadedTable,
  plan: LakeTablePlan,
): Promise<TableChange | null> {
  const evolution = evolveSchema(loaded, plan)
  if (evolution === null) return null
  const { metadata } = loaded
  const schemas = [...metadata.schemas, evolution.schema]
  const evolved = { ...metadata, schemas, 'current-schema-id': evolution.schema['schema-id'] }
  const partitions = withKeptPartitions(metadata, evolved)
  const change: TableChange = {
    requirements: [
      { type: 'assert-current-schema-id', 'current-schema-id': metadata['current-schema-id'] },
      { type: 'assert-last-assigned-field-id', 'last-assigned-field-id': metadata['last-column-id'] },
    ],
    updates: [
      { action: 'add-schema', schema: evolution.schema },
      { action: 'set-current-schema', 'schema-id': -1 },
      ...partitions.updates,
    ],
    written: [],
  }
  const listed = await context.manifests.readAll(loaded.storage, snapshotOf(loaded))
  const files = liveFiles(listed)
  if (!evolution.rewrites || files.length === 0) return change
  const nextPath = (): string => `${metadata.location}/data/${filePrefix(context.writer)}${randomUUID()}.parquet`
  const added = await convertRows({ table: loaded, files, evolved: partitions.metadata, nextPath })
  const removed = livePaths(listed)
  const written = await writeSnapshot(
    { ...loaded, metadata: partitions.metadata },
    { listed, branch: 'main', added, removed, summary: {}, ...signature(context) },
  )
  return {
    ...change,
    updates: [...change.updates, ...snapshotUpdates(written, 'main')],
    written: [...written.paths, ...added.map(({ path }) => path)],
  }
}
