/** Writes all rows of a table again for columns whose type Iceberg cannot promote: numbers that became text, for example. */
import type { LoadedTable } from '../catalog/catalog.ts'
import type { TableMetadata } from '../catalog/metadata.ts'
import { type Cell, formatterOf } from '../format/cells.ts'
import { logicalType } from '../format/column-types.ts'
import type { DataFile } from '../format/manifest.ts'
import { readRowGroups } from '../format/parquet-reader.ts'
import { primitiveFields, type TableField } from '../format/parquet-schema.ts'
import { parserFor } from '../load/row-decoder.ts'
import { openRowWriter } from '../table/partitioned-writer.ts'
import { schemaOf } from '../table/snapshot-writer.ts'

export interface RowConversion {
  readonly table: LoadedTable
  readonly files: readonly DataFile[]
  /** With the new columns. */
  readonly evolved: TableMetadata
  readonly nextPath: () => string
}

export async function convertRows({ table, files, evolved, nextPath }: RowConversion): Promise<readonly DataFile[]> {
  const before = primitiveFields(schemaOf(table.metadata).fields)
  const after = primitiveFields(schemaOf(evolved).fields)
  const converters = after.map((field) => converterOf(before, field))
  const sources = after.map(({ name }) => before.findIndex((field) => field.name === name))
  const writer = openRowWriter({ table: { ...table, metadata: evolved }, fields: after, sortedBy: [], nextPath })
  for (const file of files)
    for await (const group of readRowGroups(table.storage, file, before))
      for (let row = 0; row < group.rows; row++)
        await writer.add(converters.map((convert, at) => convert(group.columns[sources[at] ?? -1]?.[row] ?? null)))
  return await writer.finish()
}

function converterOf(before: readonly TableField[], field: TableField): (cell: Cell) => Cell {
  const former = before.find(({ name }) => name === field.name)
  if (former === undefined || former.id === field.id) return (cell) => cell
  const format = formatterOf(former.type)
  const parse = parserFor(logicalType(former.type) ?? { kind: 'text' }, field.type, { count: 0 })
  return (cell) => (cell === null ? null : (parse(format(cell)) ?? null))
}
