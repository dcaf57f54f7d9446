/** Describes a column of a table of a lake in the figures that `profileColumn` has for those of the warehouse. */
import type { DataProfile } from '@tributary/contract/data'
import type { Camel } from '@tributary/contract/wire'
import { type Cell, formatterOf } from '@tributary/engine/databases/iceberg/format/cells'
import { compareCell } from '@tributary/engine/databases/iceberg/reading/best-rows'
import type { ValueKind } from '../../../access/query/table-model.ts'
import { badField } from '../../../kernel/http/api-fault.ts'
import { frequentMax, type ProfileRequest, sampledPercent, withoutExtremes } from '../profile-column.ts'
import { type FilterClock, toExpression } from '../table-filters.ts'
import { compileLakeFilter } from './lake-filter.ts'
import type { OpenedLakeTable } from './open-lake.ts'

export async function profileLakeColumn(
  { model, reader }: OpenedLakeTable,
  { column: name, filters = [] }: ProfileRequest,
  clock: FilterClock,
): Promise<Camel<DataProfile>> {
  const { fields } = reader
  const column = model.columns.find((one) => one.name === name)
  const at = fields.findIndex((field) => field.name === name)
  const field = fields[at]
  if (column === undefined || field === undefined) throw badField('column', 'must be a column of the table')
  const samplePercent = sampledPercent(reader.rows)
  const share = (samplePercent ?? 100) / 100
  const filter = compileLakeFilter(fields, toExpression(model, filters, clock))
  const figures = new ColumnFigures()
  for await (const rows of reader.scanRows({ filter, fields: [at] }))
    for (const row of rows) if (share === 1 || Math.random() < share) figures.add(row[at] ?? null)
  return { ...figures.toProfile(field.type, column.kind), samplePercent, sampleRows: null }
}

class ColumnFigures {
  #rows = 0
  #nulls = 0
  readonly #counts = new Map<Exclude<Cell, null>, number>()
  /** Equal bytes are different objects. */
  readonly #bytes = new Map<string, Uint8Array>()

  add(cell: Cell): void {
    this.#rows += 1
    if (cell === null) {
      this.#nulls += 1
      return
    }
    const value = cell instanceof Uint8Array ? this.#sameBytes(cell) : cell
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
  }

  toProfile(type: string, kind: ValueKind): Omit<Camel<DataProfile>, 'samplePercent' | 'sampleRows'> {
    const format = profileFormat(type)
    const values = [...this.#counts].sort(([left, one], [right, other]) => other - one || compareCell(left, right))
    const hasExtremes = !withoutExtremes.includes(kind) && values.length > 0
    const extreme = (isBetter: (compared: number) => boolean) =>
      hasExtremes
        ? format(
            values.map(([value]) => value).reduce((best, value) => (isBetter(compareCell(value, best)) ? value : best)),
          )
        : null
    return {
      rows: this.#rows,
      empty: this.#nulls + (kind === 'text' ? (this.#counts.get('') ?? 0) : 0),
      distinct: values.length,
      least: extreme((compared) => compared < 0),
      greatest: extreme((compared) => compared > 0),
      frequent: values.slice(0, frequentMax).map(([value, rows]) => ({ value: format(value), rows })),
    }
  }

  #sameBytes(bytes: Uint8Array): Uint8Array {
    const key = Buffer.from(bytes).toString('latin1')
    const known = this.#bytes.get(key)
    if (known === undefined) this.#bytes.set(key, bytes)
    return known ?? bytes
  }
}

/** As PostgreSQL writes values into JSON. */
function profileFormat(type: string): (value: Exclude<Cell, null>) => string {
  const format = formatterOf(type)
  if (type === 'boolean') return String
  if (type === 'timestamp') return (value) => format(value).replace(' ', 'T')
  if (type === 'timestamptz') return (value) => `${format(value).replace(' ', 'T')}:00`
  return format
}
