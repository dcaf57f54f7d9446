/** Opens one table of a lake for people to read: the rows of its newest snapshot. Nothing is written. */
import type { ConnectionContext, ConnectorProperties } from '../../../ports/source.ts'
import { primitiveFields, type TableField } from '../format/parquet-schema.ts'
import { openCatalog } from '../settings/open-catalog.ts'
import { parseSettings } from '../settings/settings.ts'
import { withKnownFormat } from '../table/lake-context.ts'
import { schemaOf } from '../table/snapshot-writer.ts'
import { countRows, liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'
import type { CellRow } from '../table/data-writer.ts'
import { type LakePage, type PageRequest, readPage } from './read-page.ts'
import { type ScanRequest, scanRows } from './scan-rows.ts'

export interface LakeTableReader extends AsyncDisposable {
  /** The columns of primitive types. */
  readonly fields: readonly TableField[]
  readonly rows: number
  readonly bytes: number
  /** Aborting the signal of the context ends it. */
  readPage(request: PageRequest): Promise<LakePage>
  /** All rows in batches, in the order of the files. */
  scanRows(request: ScanRequest): AsyncIterable<readonly CellRow[]>
}

/**
 * Null if the catalog has no such table. Throws the faults of the catalog and its storage, and one of the kind `settings` if another program
 * has deleted rows by delete files or upgraded the format of the table.
 */
export async function openLakeTable(
  properties: ConnectorProperties,
  name: string,
  context: ConnectionContext,
): Promise<LakeTableReader | null> {
  const settings = parseSettings(properties)
  await using opened = new AsyncDisposableStack()
  const catalog = opened.use(await openCatalog(settings, context))
  const loaded = await catalog.loadTable({ namespace: settings.namespace, name })
  if (loaded === null) return null
  const table = withKnownFormat(loaded, name)
  const { metadata, storage } = table
  const fields = primitiveFields(schemaOf(metadata).fields)
  const files = liveFiles(await new ManifestCache().readAll(storage, snapshotOf(table)))
  const source = { storage, files, fields, signal: context.signal }
  const kept = opened.move()
  return {
    fields,
    rows: countRows(files),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    readPage: (request) => readPage(source, request),
    scanRows: (request) => scanRows(source, request),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
