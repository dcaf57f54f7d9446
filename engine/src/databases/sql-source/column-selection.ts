/** Columns that users leave out of a source's tables: their values are never read. */
import { Fault } from '../../ports/faults.ts'

interface NamedColumn {
  readonly name: string
}

export interface TableColumns<Column extends NamedColumn> {
  /** The names that users may enter: `schema.table` and `table`. */
  readonly names: readonly string[]
  readonly columns: readonly Column[]
  /** Names of its key columns. */
  readonly key: readonly string[]
}

export class ColumnSelection {
  readonly #leftOut: ReadonlySet<string>
  #unknown: readonly string[] = []

  /** @param leftOut `schema.table.column` or `table.column` */
  constructor(leftOut: readonly string[]) {
    this.#leftOut = new Set(leftOut)
  }

  /** Returns the columns to read. Throws a `settings` Fault if a key column is left out, or every column. */
  select<Column extends NamedColumn>({ names, columns, key }: TableColumns<Column>): readonly Column[] {
    const isOut = ({ name }: NamedColumn): boolean => names.some((table) => this.#leftOut.has(`${table}.${name}`))
    const { out = [], kept = [] } = Object.groupBy(columns, (column) => (isOut(column) ? 'out' : 'kept'))
    const [table = ''] = names
    const ofKey = out.find(({ name }) => key.includes(name))
    if (ofKey !== undefined)
      throw refused(
        `${table}.${ofKey.name} belongs to the key of its table: without it no row could be found again. Take it off the list.`,
      )
    if (kept.length === 0 && out.length > 0)
      throw refused(`No column of ${table} would be left. Take the table off the list of tables instead.`)
    return kept
  }

  /** Remembers the names that are no column of any table. @param tables all tables, selected or not */
  rememberUnknown(tables: readonly Omit<TableColumns<NamedColumn>, 'key'>[]): void {
    if (this.#leftOut.size === 0) return
    const known = new Set(
      tables.flatMap(({ names, columns }) => names.flatMap((table) => columns.map(({ name }) => `${table}.${name}`))),
    )
    this.#unknown = [...this.#leftOut].filter((name) => !known.has(name))
  }

  /** Reports them once after each `rememberUnknown`. */
  reportUnknown(tell: (line: string) => void): void {
    if (this.#unknown.length === 0) return
    tell(
      `To be left out, but no column of the source: ${this.#unknown.join(', ')}. Take it off the list, or check its spelling.`,
    )
    this.#unknown = []
  }
}

/** Names of the columns that are not read. */
export function leftOutOf(every: readonly NamedColumn[], chosen: readonly NamedColumn[]): readonly string[] {
  return every.filter((column) => !chosen.some(({ name }) => name === column.name)).map(({ name }) => name)
}

function refused(sentence: string): Fault {
  return new Fault('settings', {
    code: 'source.column_needed',
    notice: `‘Columns left out’ cannot be followed. ${sentence}`,
    field: 'source.connectionString.leftOut',
  })
}
