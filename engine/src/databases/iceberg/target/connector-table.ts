/**
 * The connector's own table in the lake: a row for each run, for people, and in its properties the fence of the newest writer and the names
 * that the connector's tables have.
 */
import { randomUUID } from 'node:crypto'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { IcebergSchema } from '../catalog/metadata.ts'
import type { Cell } from '../format/cells.ts'
import { primitiveFields } from '../format/parquet-schema.ts'
import { compression } from '../format/parquet-file.ts'
import { toChange } from '../load/load-changes.ts'
import { visitRows } from '../load/visit-rows.ts'
import { commitChange } from '../table/commit-loop.ts'
import { createUnlessExists } from '../table/create-table.ts'
import type { CellRow } from '../table/data-writer.ts'
import { expireSnapshots, runRetention } from '../table/expire-snapshots.ts'
import { filePrefix, identify, type LakeContext, loadTable, signature } from '../table/lake-context.ts'
import { openRowWriter } from '../table/partitioned-writer.ts'
import { schemaOf, writeSnapshot } from '../table/snapshot-writer.ts'
import { liveFiles, livePaths, snapshotOf } from '../table/table-files.ts'
import { assertMayClaim, fenceProperties, holdsFence, propertyNames, readProperty } from '../table/table-properties.ts'
import { removeOrphans } from './orphans.ts'

/** The name of a table that was created for a stream. */
export interface ClaimedTable {
  readonly name: string
  readonly stream: string
  readonly sourceName: string
  /** Set while the table is being renamed. */
  readonly renamedTo?: { readonly name: string; readonly sourceName: string }
}

const columns = [
  ['run_id', 'string'],
  ['status', 'string'],
  ['started_at', 'timestamptz'],
  ['ended_at', 'timestamptz'],
  ['rows_read', 'long'],
  ['rows_written', 'long'],
  ['rows_updated', 'long'],
  ['rows_deleted', 'long'],
  ['rows_rejected', 'long'],
  ['notice', 'string'],
] as const

export type RunColumn = (typeof columns)[number][0]
export type RunRow = { readonly [column in RunColumn]: Cell }

const schema: IcebergSchema = {
  type: 'struct',
  'schema-id': 0,
  fields: columns.map(([name, type], at) => ({ id: at + 1, name, required: false, type })),
}

export function connectorTableName(connectorId: string): string {
  return `tributary_run_${connectorId.toLowerCase().replace(/[^a-z0-9]+/gu, '_')}`
}

export class ConnectorTable {
  readonly #context: LakeContext
  readonly #name: string
  #turn: Promise<unknown> = Promise.resolve()

  constructor(context: LakeContext) {
    this.#context = context
    this.#name = connectorTableName(context.writer.connectorId)
  }

  /** Makes the writer the newest. @throws FencedError if a newer one has been here */
  async claim(): Promise<void> {
    const found = await this.#context.catalog.loadTable(identify(this.#context, this.#name))
    if (found === null && (await this.#create())) return
    let isTakenOver = false
    const table = await commitChange(this.#context, {
      name: this.#name,
      fence: 'claim',
      build: async (loaded) => {
        isTakenOver = !holdsFence(loaded, this.#context.writer)
        return isTakenOver ? await claimingSnapshot(this.#context, loaded) : null
      },
    })
    if (!isTakenOver) return
    await removeOrphans(this.#context, table, 0)
    await expireSnapshots(this.#context, this.#name, runRetention)
  }

  #create(): Promise<boolean> {
    const { writer } = this.#context
    const properties = {
      ...compression,
      ...fenceProperties(writer),
      [propertyNames.connector]: writer.connectorId,
    }
    return createUnlessExists(this.#context, this.#name, { schema, properties })
  }

  async listTables(): Promise<readonly ClaimedTable[]> {
    return claimsIn(await loadTable(this.#context, this.#name))
  }

  /** Commits the names that `change` returns. */
  changeTables(change: (claims: readonly ClaimedTable[]) => readonly ClaimedTable[]): Promise<void> {
    return this.#inTurn(async () => {
      await commitChange(this.#context, {
        name: this.#name,
        fence: 'hold',
        build: async (table) => ({
          updates: [],
          properties: { [propertyNames.tables]: JSON.stringify(change(claimsIn(table))) },
          written: [],
        }),
      })
    })
  }

  async readRuns(): Promise<readonly RunRow[]> {
    return await readRuns(this.#context, await loadTable(this.#context, this.#name))
  }

  changeRuns(change: (runs: readonly RunRow[]) => readonly RunRow[]): Promise<void> {
    return this.#inTurn(async () => {
      await commitChange(this.#context, {
        name: this.#name,
        fence: 'hold',
        build: async (table) => {
          const rows = change(await readRuns(this.#context, table)).map((run) => columns.map(([name]) => run[name]))
          const listed = await this.#context.manifests.readAll(table.storage, snapshotOf(table))
          const added = await writeRows(this.#context, table, rows)
          const removed = livePaths(listed)
          const written = await writeSnapshot(table, {
            listed,
            branch: 'main',
            added,
            removed,
            summary: {},
            ...signature(this.#context),
          })
          const committed = toChange(written, 'main')
          return { ...committed, written: [...committed.written, ...added.map(({ path }) => path)] }
        },
      })
    })
  }

  /** Commits of this process wait for each other instead of conflicting. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work)
    this.#turn = result.catch(() => undefined)
    return result
  }
}

/** A snapshot with the same files: a commit that a former writer has prepared fails, because its base is no longer the newest. */
export async function claimingSnapshot(context: LakeContext, table: LoadedTable): Promise<ReturnType<typeof toChange>> {
  assertMayClaim(table, context.writer)
  const listed = await context.manifests.readListed(table.storage, snapshotOf(table))
  const none = { added: [], removed: new Set<string>(), summary: { operation: 'replace' } }
  const written = await writeSnapshot(table, {
    listed,
    branch: 'main',
    ...none,
    ...signature(context),
  })
  return toChange(written, 'main')
}

function claimsIn(table: LoadedTable): readonly ClaimedTable[] {
  return JSON.parse(readProperty(table, 'tables') ?? '[]') as readonly ClaimedTable[]
}

async function readRuns({ manifests }: LakeContext, table: LoadedTable): Promise<readonly RunRow[]> {
  const fields = primitiveFields(schemaOf(table.metadata).fields)
  const runs: RunRow[] = []
  const files = liveFiles(await manifests.readAll(table.storage, snapshotOf(table)))
  await visitRows({ storage: table.storage, files, fields }, (row) => {
    runs.push(Object.fromEntries(fields.map(({ name }, at) => [name, row[at] ?? null])) as unknown as RunRow)
    return undefined
  })
  return runs
}

async function writeRows({ writer }: Pick<LakeContext, 'writer'>, table: LoadedTable, rows: readonly CellRow[]) {
  const fields = primitiveFields(schemaOf(table.metadata).fields)
  const nextPath = (): string => `${table.metadata.location}/data/${filePrefix(writer)}${randomUUID()}.parquet`
  const output = openRowWriter({ table, fields, sortedBy: [], nextPath })
  for (const row of rows) await output.add(row)
  return await output.finish()
}
