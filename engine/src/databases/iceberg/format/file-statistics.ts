/** Sizes, counts and bounds of the columns of a data file, from the row groups that were written. */
import type { RowGroup as ParquetRowGroup } from 'hyparquet'
import { type Cell, compareCells } from './cells.ts'
import type { TableField } from './parquet-schema.ts'

interface ColumnStatistics {
  readonly field: TableField
  size: bigint
  values: bigint
  nulls: bigint
  nans: bigint
  least: Exclude<Cell, null> | undefined
  greatest: Exclude<Cell, null> | undefined
}

/** As a type, so that it is a record of Avro. */
type CountOfField = { readonly key: number; readonly value: bigint }

export interface FieldBounds {
  readonly id: number
  readonly type: string
  readonly least: Exclude<Cell, null>
  readonly greatest: Exclude<Cell, null>
}

export class FileStatistics {
  readonly #columns: readonly ColumnStatistics[]

  constructor(fields: readonly TableField[]) {
    this.#columns = fields.map((field) => ({
      field,
      size: 0n,
      values: 0n,
      nulls: 0n,
      nans: 0n,
      least: undefined,
      greatest: undefined,
    }))
  }

  addGroup(group: ParquetRowGroup | undefined): void {
    for (const [at, column] of this.#columns.entries()) {
      const chunk = group?.columns[at]?.meta_data
      if (chunk === undefined) continue
      const { null_count: nulls = 0n, nan_count: nans = 0n } = (chunk.statistics ?? {}) as GroupStatistics
      column.size += chunk.total_compressed_size
      column.values += chunk.num_values
      column.nulls += nulls
      column.nans += nans
      extend(column, chunk.statistics as GroupStatistics | undefined)
    }
  }

  get columnSizes(): CountOfField[] {
    return this.#columns.map(({ field, size }) => ({ key: field.id, value: size }))
  }

  get valueCounts(): CountOfField[] {
    return this.#columns.map(({ field, values }) => ({ key: field.id, value: values }))
  }

  get nullCounts(): CountOfField[] {
    return this.#columns.map(({ field, nulls }) => ({ key: field.id, value: nulls }))
  }

  get nanCounts(): CountOfField[] {
    return this.#columns.flatMap(({ field, nans }) => (field.type === 'double' ? [{ key: field.id, value: nans }] : []))
  }

  get bounds(): readonly FieldBounds[] {
    return this.#columns.flatMap(({ field: { id, type }, least, greatest }) =>
      least === undefined || greatest === undefined ? [] : [{ id, type, least, greatest }],
    )
  }
}

interface GroupStatistics {
  readonly min_value?: Cell
  readonly max_value?: Cell
  readonly null_count?: bigint
  readonly nan_count?: bigint
}

function extend(column: ColumnStatistics, statistics: GroupStatistics | undefined): void {
  const { min_value: least, max_value: greatest } = statistics ?? {}
  if (least === undefined || least === null || greatest === undefined || greatest === null) return
  if (column.least === undefined || compareCells(least, column.least) < 0) column.least = least
  if (column.greatest === undefined || compareCells(greatest, column.greatest) > 0) column.greatest = greatest
}
