/** Writes the rows of a table of a lake as a file, in the order of the call. */
import { decimalSize } from '@tributary/engine/databases/iceberg/format/column-types'
import type { OrderTerm } from '@tributary/engine/databases/iceberg/reading/best-rows'
import type { PageRequest as LakePageRequest } from '@tributary/engine/databases/iceberg/reading/read-page'
import type { TableName } from '../../../access/query/table-model.ts'
import type { AppServices } from '../../../app-services.ts'
import { badField } from '../../../kernel/http/api-fault.ts'
import type { ExportedColumn, ExportFormat } from '../exports/exported-table.ts'
import { type FileDestination, writeFile } from '../exports/write-file.ts'
import type { DataRequest } from '../list-sources.ts'
import { type FilterClock, toExpression } from '../table-filters.ts'
import type { RowsRequest } from '../table-rows.ts'
import { compileLakeFilter } from './lake-filter.ts'
import { cellsOf, orderOf } from './lake-rows.ts'
import { type OpenedLakeTable, withExportedLakeTable } from './open-lake.ts'

export interface LakeExportRequest extends DataRequest {
  readonly name: TableName
  readonly rows: RowsRequest
  readonly clock: FilterClock
  readonly format: ExportFormat
}

/** Throws `badField` for an order that the table is too large for, and the faults of `withLakeTable`. */
export async function writeLakeFile(
  services: AppServices,
  { name, rows, clock, format, ...request }: LakeExportRequest,
  { out, signal }: FileDestination,
): Promise<void> {
  await withExportedLakeTable(services, { ...request, signal }, name, async (table) => {
    const { model } = table
    assertOrderIsPossible(table, rows)
    const job = { format, table: model, columns: model.columns.map(toExportedColumn) }
    await writeFile(job, readChunks(table, rows, clock), { out, signal })
  })
}

/**
 * Rows are read in the order of the key by the bounds of the files. In any other order, every part of the file needs a look at all rows, so that
 * the work grows with the square of their number.
 */
const sortedRowsMax = 200_000
const partRows = 25_000

function assertOrderIsPossible({ model: { key }, reader }: OpenedLakeTable, { sort, descending }: RowsRequest): void {
  const isByKey = key.length > 0 && (sort === undefined || sort === key[0])
  const isUnordered = key.length === 0 && sort === undefined && descending !== true
  const rowsMax = key.length > 0 ? sortedRowsMax : partRows
  if (isByKey || isUnordered || reader.rows <= rowsMax) return
  const order = key.length > 0 ? 'in the order of the key' : 'without an order'
  throw badField(
    'sort',
    `is possible in files of Iceberg tables up to ${rowsMax.toLocaleString('en')} rows only. Download this one ${order}`,
  )
}

/** Lines of JSON, as `writeFile` takes them. */
async function* readChunks(table: OpenedLakeTable, rows: RowsRequest, clock: FilterClock): AsyncGenerator<Buffer> {
  const { model, reader } = table
  const toCells = cellsOf(model, reader.fields)
  for await (const batch of readBatches(table, rows, clock))
    for (let start = 0; start < batch.length; start += chunkRows)
      yield Buffer.from(
        batch
          .slice(start, start + chunkRows)
          .map((row) => `${JSON.stringify(toCells(row))}\n`)
          .join(''),
      )
}

/** Other calls are served between two chunks. */
const chunkRows = 1_000

function readBatches(
  { model, reader }: OpenedLakeTable,
  { filters = [], ...request }: RowsRequest,
  clock: FilterClock,
) {
  const { fields, rows } = reader
  const { sort, descending = false } = request
  const filter = compileLakeFilter(fields, toExpression(model, filters, clock))
  const order = orderOf(model, fields, { sort, descending })
  if (model.key.length > 0 || rows <= partRows) return readParts(reader, { filter, order })
  return reader.scanRows({ filter, fields: fields.map((_, at) => at) })
}

/** Each part begins after the last row of the one before, so that it needs no memory for the others. */
async function* readParts(
  { readPage, rows: all, bytes }: OpenedLakeTable['reader'],
  request: Pick<LakePageRequest, 'filter' | 'order'>,
) {
  const limit = Math.max(1, Math.min(partRows, Math.floor((partBytes * all) / Math.max(bytes, 1))))
  let after: LakePageRequest['after'] = null
  for (;;) {
    const { rows, hasMore } = await readPage({ ...request, after, limit: request.order.length > 0 ? limit : partRows })
    yield rows
    const last = rows.at(-1)
    if (!hasMore || last === undefined) return
    after = request.order.map(({ at }: OrderTerm) => last[at] ?? null)
  }
}

/** Of the compressed files. */
const partBytes = 8 * 1_048_576

/** With the names of PostgreSQL's types, which the writers of files know. */
function toExportedColumn({ name, kind, sqlType }: ExportedColumn): ExportedColumn {
  const decimal = decimalSize(sqlType)
  if (decimal !== null) return { name, kind, sqlType: `numeric(${decimal.precision},${decimal.scale})` }
  return { name, kind, sqlType: sqlType === 'long' ? 'bigint' : sqlType }
}
