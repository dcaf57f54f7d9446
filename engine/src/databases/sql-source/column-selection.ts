/** Columns that are left out of a source's tables: their values are never asked for. */
import { Fault } from '../../ports/faults.ts'

interface Named {
  readonly name: string
}

export interface ChoosingTable<Column extends Named> {
  /** As people may write it: `schema.table` and `table`. */
  readonly names: readonly string[]
  readonly columns: readonly Column[]
  /** Names of its key columns. */
  readonly key: readonly string[]
}

export class ColumnChoice {
  readonly #leftOut: ReadonlySet<string>
  #unknown: readonly string[] = []

  /** @param leftOut `schema.table.column` or `table.column` */
  constructor(leftOut: readonly string[]) {
    this.#leftOut = new Set(leftOut)
  }

  /** The columns that are read. Throws a `settings` Fault where rows could not be told apart without the others, or none is left. */
  choose<Column extends Named>({ names, columns, key }: ChoosingTable<Column>): readonly Column[] {
    const isOut = ({ name }: Named): boolean => names.some((table) => this.#leftOut.has(`${table}.${name}`))
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

  /** Remembers what on the list is no column of any table. @param tables all there are, chosen or not */
  meet(tables: readonly Omit<ChoosingTable<Named>, 'key'>[]): void {
    if (this.#leftOut.size === 0) return
    const known = new Set(
      tables.flatMap(({ names, columns }) => names.flatMap((table) => columns.map(({ name }) => `${table}.${name}`))),
    )
    this.#unknown = [...this.#leftOut].filter((name) => !known.has(name))
  }

  /** Once after each `meet`. */
  tellUnknown(tell: (line: string) => void): void {
    if (this.#unknown.length === 0) return
    tell(
      `To be left out, but no column of the source: ${this.#unknown.join(', ')}. Take it off the list, or check its spelling.`,
    )
    this.#unknown = []
  }
}

/** The names of the columns that were not chosen. */
export function leftOutOf(every: readonly Named[], chosen: readonly Named[]): readonly string[] {
  return every.filter((column) => !chosen.some(({ name }) => name === column.name)).map(({ name }) => name)
}

function refused(sentence: string): Fault {
  return new Fault('settings', {
    code: 'source.column_needed',
    notice: `‘Columns left out’ cannot be followed. ${sentence}`,
    field: 'source.connectionString.leftOut',
  })
}
