/** A lake in a local folder, for the conformance suite and the tests of failures: what readers find in it. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IcebergCatalog, type LoadedTable } from '@tributary/engine/databases/iceberg/catalog/catalog'
import { FolderCatalog } from '@tributary/engine/databases/iceberg/catalog/folder-catalog'
import { type Cell, formatterOf } from '@tributary/engine/databases/iceberg/format/cells'
import { readRowGroups } from '@tributary/engine/databases/iceberg/format/parquet-reader'
import { primitiveFields } from '@tributary/engine/databases/iceberg/format/parquet-schema'
import { fenceOfFile } from '@tributary/engine/databases/iceberg/table/lake-context'
import { schemaOf } from '@tributary/engine/databases/iceberg/table/snapshot-writer'
import type { PositionDeletionRule } from '@tributary/engine/databases/iceberg/table/position-deletions'
import { liveFiles, ManifestCache, snapshotOf } from '@tributary/engine/databases/iceberg/table/table-files'
import { columnNames, tableName } from '@tributary/engine/databases/iceberg/target/facts'
import { connectorTableName } from '@tributary/engine/databases/iceberg/target/connector-table'
import { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import type { Clock } from '@tributary/engine/ports/clock'
import type { Table } from '@tributary/engine/ports/model'
import type { TargetUnderTest } from '../../conformance/target/target-bench.ts'
import type { RowFields } from '../sync/fixtures.ts'
import { connectionContext, realClock } from '../sync/source-context.ts'

const namespace = ['sales'] as const
/** Also in small files, and for every row. */
export const alwaysByPosition: PositionDeletionRule = { bytesMin: 0, shareMax: 1 }
/** A folder in memory, where there is one: the tests wait for many files to be on disk. */
const memory = '/dev/shm'

export class LakeUnderTest implements TargetUnderTest {
  readonly secrets: readonly string[] = []
  readonly folder: string
  /** Columns whose months partition the tables of targets that are opened from now on. */
  partitionBy: readonly string[] = []
  /** When such targets delete rows by their positions. */
  deletionRule: PositionDeletionRule | null = null
  readonly catalog: IcebergCatalog

  static async make(): Promise<LakeUnderTest> {
    const folder = await mkdtemp(join(existsSync(memory) ? memory : tmpdir(), 'tributary-lake-'))
    return new LakeUnderTest(folder, await FolderCatalog.open(folder, realClock))
  }

  private constructor(folder: string, catalog: IcebergCatalog) {
    this.folder = folder
    this.catalog = catalog
  }

  /** @param wrap for tests that make calls fail @param clock for tests of days */
  open(
    signal?: AbortSignal,
    wrap = (catalog: IcebergCatalog): IcebergCatalog => catalog,
    clock: Pick<Clock, 'now'> = realClock,
  ): Promise<OpenLakeTarget> {
    const openCatalog = async (): Promise<IcebergCatalog> => wrap(await FolderCatalog.open(this.folder, clock))
    return OpenLakeTarget.open(
      {
        namespace,
        unknownValues: 'reject',
        partitionBy: this.partitionBy,
        ...(this.deletionRule !== null && { deletionRule: this.deletionRule }),
        openCatalog,
        check: () => Promise.resolve([]),
      },
      { ...connectionContext(signal), clock: { ...realClock, now: () => clock.now() } },
    )
  }

  /** The table that was created for a table of a source. */
  async find(source: Pick<Table, 'name'>): Promise<LoadedTable | null> {
    const isIt = (table: LoadedTable | null) => table?.metadata.properties?.['tributary.source-table'] === source.name
    const plain = await this.catalog.loadTable({ namespace, name: tableName(source.name) })
    if (isIt(plain)) return plain
    for (const name of await this.catalog.listTables(namespace)) {
      const table = await this.catalog.loadTable({ namespace, name })
      if (isIt(table)) return table
    }
    return null
  }

  async rows(source: Table): Promise<readonly RowFields[]> {
    const table = await this.find(source)
    if (table === null) throw new Error(`There is no table of ${source.name}.`)
    const names = columnNames(source.columns)
    return sorted(
      await readTexts(
        table,
        source.columns.map(({ name }) => names.get(name) ?? name),
      ),
    )
  }

  async report(
    which: 'run' | 'freshness',
    connectorId: string,
  ): Promise<readonly { readonly [column: string]: string | null }[]> {
    const own = await this.catalog.loadTable({ namespace, name: connectorTableName(connectorId) })
    if (own === null) return []
    return which === 'run' ? await readRuns(own) : await this.#freshness(own)
  }

  async #freshness(own: LoadedTable): Promise<readonly { readonly [column: string]: string | null }[]> {
    const claims = JSON.parse(own.metadata.properties?.['tributary.tables'] ?? '[]') as { readonly name: string }[]
    const rows = []
    for (const { name } of claims) {
      const table = await this.catalog.loadTable({ namespace, name })
      const properties = table?.metadata.properties ?? {}
      const read = (property: string): string | null => properties[`tributary.${property}`] ?? null
      if (read('fresh-at') === null) continue
      rows.push({
        table_name: read('source-table'),
        stream: read('stream'),
        run_id: read('run-id'),
        rows_moved: read('rows-moved'),
        fresh_at: read('fresh-at')?.replace('Z', '') ?? null,
        compared_at: read('compared-at')?.replace('Z', '') ?? null,
      })
    }
    return rows
  }

  async drop(source: Table): Promise<void> {
    await this.catalog.dropTable({ namespace, name: tableName(source.name) }, { purge: true })
  }

  asOf(): Promise<readonly string[]> {
    return Promise.reject(new Error('A lake keeps no history that Tributary reads.'))
  }

  /** The files that Tributary has written to a table and no snapshot refers to. */
  async findOrphans(source: Table): Promise<readonly string[]> {
    const table = await this.find(source)
    return table === null ? [] : await listOrphans(table)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.catalog[Symbol.asyncDispose]()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** The files that Tributary has written to the table and no snapshot refers to. */
export async function listOrphans({ metadata, storage }: LoadedTable): Promise<readonly string[]> {
  const files = new Set<string>()
  for await (const { location } of storage.list(`${metadata.location}/`))
    if (fenceOfFile(location) !== null) files.add(location)
  for (const snapshot of metadata.snapshots ?? [])
    for (const path of await new ManifestCache().listPaths(storage, snapshot)) files.delete(path)
  return [...files]
}

async function readRuns(own: LoadedTable): Promise<readonly { readonly [column: string]: string | null }[]> {
  const names = schemaOf(own.metadata).fields.map(({ name }) => name)
  const rows = await readTexts(own, names)
  return rows
    .map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
    .sort((left, right) => String(left['started_at']).localeCompare(String(right['started_at'])))
}

/** Rows in canonical text. */
export async function readTexts(table: LoadedTable, columns: readonly string[]): Promise<RowFields[]> {
  const all = primitiveFields(schemaOf(table.metadata).fields)
  const fields = columns.flatMap((name) => all.find((field) => field.name.toLowerCase() === name.toLowerCase()) ?? [])
  const formatters = fields.map(({ type }) => formatterOf(type))
  const toText = (cell: Cell, at: number): string | null => (cell === null ? null : (formatters[at]?.(cell) ?? null))
  const rows: RowFields[] = []
  for (const file of liveFiles(await new ManifestCache().readAll(table.storage, snapshotOf(table))))
    for await (const group of readRowGroups(table.storage, file, fields))
      for (let row = 0; row < group.rows; row++)
        rows.push(group.columns.map((cells, at) => toText(cells[row] ?? null, at)))
  return rows
}

function sorted(rows: readonly RowFields[]): readonly RowFields[] {
  return rows.toSorted(
    (a, b) =>
      Number(a[0]) - Number(b[0]) ||
      String(a[0]).localeCompare(String(b[0])) ||
      String(a[1]).localeCompare(String(b[1])),
  )
}
