/** Commits of another program to a table of the lake: it appends a row, or compacts the files. It knows nothing of Tributary's properties. */
import { randomUUID } from 'node:crypto'
import type { IcebergCatalog, LoadedTable, TableIdentifier } from '@tributary/engine/databases/iceberg/catalog/catalog'
import { type Cell, parserOf } from '@tributary/engine/databases/iceberg/format/cells'
import { type DataFile, dataFile } from '@tributary/engine/databases/iceberg/format/manifest'
import { primitiveFields } from '@tributary/engine/databases/iceberg/format/parquet-schema'
import { visitRows } from '@tributary/engine/databases/iceberg/load/visit-rows'
import type { CellRow } from '@tributary/engine/databases/iceberg/table/data-writer'
import { openRowWriter, type RowWriter } from '@tributary/engine/databases/iceberg/table/partitioned-writer'
import { schemaOf, writeSnapshot } from '@tributary/engine/databases/iceberg/table/snapshot-writer'
import { liveFiles, ManifestCache, snapshotOf } from '@tributary/engine/databases/iceberg/table/table-files'

interface OpenTable {
  readonly table: LoadedTable
  readonly writer: RowWriter
  readonly files: readonly DataFile[]
}

async function open(catalog: IcebergCatalog, identifier: TableIdentifier): Promise<OpenTable> {
  const table = await catalog.loadTable(identifier)
  if (table === null) throw new Error(`There is no table ${identifier.name}.`)
  const fields = primitiveFields(schemaOf(table.metadata).fields)
  const nextPath = (): string => `${table.metadata.location}/data/other-${randomUUID()}.parquet`
  const files = liveFiles(await new ManifestCache().readAll(table.storage, snapshotOf(table)))
  return { table, files, writer: openRowWriter({ table, fields, sortedBy: [], nextPath }) }
}

async function commit(
  catalog: IcebergCatalog,
  identifier: TableIdentifier,
  { table, writer, files }: Omit<OpenTable, 'writer'> & { readonly writer: Pick<RowWriter, 'finish'> },
): Promise<void> {
  const current = snapshotOf(table)
  const listed = await new ManifestCache().readAll(table.storage, current)
  const { snapshot } = await writeSnapshot(table, {
    listed,
    branch: 'main',
    added: await writer.finish(),
    removed: new Set(files.map(({ path }) => path)),
    summary: {},
    filePrefix: 'other-',
    now: Date.now(),
  })
  await catalog.commitTable({
    identifier,
    requirements: [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': current?.['snapshot-id'] ?? null }],
    updates: [
      { action: 'add-snapshot', snapshot },
      { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': snapshot['snapshot-id'] },
    ],
  })
}

/** @param texts in the order of the table's columns */
export async function appendRow(
  catalog: IcebergCatalog,
  identifier: TableIdentifier,
  texts: readonly string[],
): Promise<void> {
  const opened = await open(catalog, identifier)
  const fields = primitiveFields(schemaOf(opened.table.metadata).fields)
  await opened.writer.add(fields.map(({ type }, at): Cell => parserOf(type)(texts[at] ?? '') ?? null))
  await commit(catalog, identifier, { ...opened, files: [] })
}

/** Deletes rows by a file of keys, of the first column, which Tributary does not read. */
export async function deleteByKey(
  catalog: IcebergCatalog,
  identifier: TableIdentifier,
  keys: readonly string[],
): Promise<void> {
  const opened = await open(catalog, identifier)
  const { table } = opened
  const [field] = primitiveFields(schemaOf(table.metadata).fields)
  if (field === undefined) throw new Error('The table has no columns.')
  const nextPath = (): string => `${table.metadata.location}/data/other-${randomUUID()}.parquet`
  const writer = openRowWriter({ table, fields: [field], sortedBy: [], nextPath })
  for (const key of keys) await writer.add([parserOf(field.type)(key) ?? null])
  const files = (await writer.finish()).map(({ record, specId }) =>
    dataFile({ ...record, content: 2, equality_ids: [field.id] }, specId),
  )
  await commit(catalog, identifier, { table, files: [], writer: { finish: async () => files } })
}

/** Writes all rows into one file, in another order. */
export async function compact(catalog: IcebergCatalog, identifier: TableIdentifier): Promise<void> {
  const opened = await open(catalog, identifier)
  const { table, files, writer } = opened
  if (files.length === 0) return
  const fields = primitiveFields(schemaOf(table.metadata).fields)
  await visitRows({ storage: table.storage, files: files.toReversed(), fields }, (row) => writer.add(row))
  await commit(catalog, identifier, opened)
}

/** Writes the rows into that many files of each partition. Each has rows from everywhere. */
export async function scatter(catalog: IcebergCatalog, identifier: TableIdentifier, parts: number): Promise<void> {
  const { table, files } = await open(catalog, identifier)
  const fields = primitiveFields(schemaOf(table.metadata).fields)
  const rows: CellRow[] = []
  await visitRows({ storage: table.storage, files, fields }, (row) => {
    rows.push(row)
    return undefined
  })
  const added: DataFile[] = []
  for (let part = 0; part < parts; part++) {
    const { writer } = await open(catalog, identifier)
    for (const row of rows.filter((_, at) => at % parts === part).toReversed()) await writer.add(row)
    added.push(...(await writer.finish()))
  }
  await commit(catalog, identifier, { table, files, writer: { finish: async () => added } })
}
