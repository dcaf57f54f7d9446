/** The ledger of a source without one: a table with dated rows, as an administrator describes it. */
import type { ClosedPeriodDefinition, DatedTable } from '../ports/closed-periods.ts'
import { Fault } from '../ports/faults.ts'
import type { Column } from '../ports/model.ts'
import type { OpenTarget } from '../ports/target.ts'
import type { Stream } from '../ports/source.ts'

const field = 'closedPeriods.table'

/** The type that stores any text, by kind of target. */
const textTypes: Readonly<Record<string, string>> = { postgres: 'text', mysql: 'char', sqlserver: 'nvarchar(max)' }

/** @throws Fault `settings` if the table cannot be compared like this. Requires `prepare` of the stream. */
export function describeDatedTable(
  target: Pick<OpenTarget, 'facts' | 'preparedTables'>,
  stream: Stream,
  dated: DatedTable,
): ClosedPeriodDefinition {
  const columns = new TargetColumns(target, stream)
  const { key } = stream.table
  const { dateColumn, numberColumn, accountColumn, amountColumn } = dated
  const date = columns.find(dateColumn)
  if (!['date', 'localTimestamp', 'instant'].includes(date.column.type.kind))
    throw settingsFault(`The column ‘${dateColumn}’ holds no dates. Choose a column with a date.`)
  const amount = amountColumn === null ? null : columns.find(amountColumn)
  if (amount !== null && !['integer', 'decimal'].includes(amount.column.type.kind))
    throw settingsFault(
      `The column ‘${amountColumn}’ holds no exact amounts. Choose a column with whole or decimal numbers.`,
    )
  if (key.length === 0 && numberColumn === null)
    throw settingsFault(`The table ‘${dated.stream}’ has no key. Name the column with the document number.`)
  const number = numberColumn === null ? null : columns.find(numberColumn)
  const account = accountColumn === null ? null : columns.find(accountColumn)
  const compared = stream.table.columns.map(({ name }, index) => ({
    found: columns.find(name),
    as: `compared_${index}`,
  }))
  const rowKey = key.map((name) => columns.asText(columns.find(name)))
  const rowId = rowKey.length > 1 ? `CONCAT(${rowKey.join(`, ' / ', `)})` : (rowKey[0] ?? `''`)
  return {
    requiredStreams: [stream.name],
    ledger: () => ({
      streams: [stream.name],
      compares: 'rows',
      compared: compared.map(({ as }) => as),
      postings: (
        names,
      ) => `SELECT CAST(${date.expression} AS date) AS date, ${number === null ? `'Row'` : `'Document'`} AS kind,
          ${number === null ? rowId : `COALESCE(${columns.asText(number)}, ${rowId})`} AS document_id,
          ${number === null ? nullText : columns.asText(number)} AS document_number, ${nullText} AS contact,
          ${account === null ? `'none'` : `COALESCE(${columns.asText(account)}, 'none')`} AS account_id,
          ${account === null ? nullText : columns.asText(account)} AS account_code, ${nullText} AS account_name,
          ${amount === null ? '0' : `COALESCE(${amount.expression}, 0)`} AS amount,
          ${compared.map(({ found, as }) => `${columns.comparable(found)} AS ${as}`).join(', ')}
        FROM ${names.table(stream.table.name)} AS t WHERE ${date.expression} IS NOT NULL`,
    }),
    addressOf: () => null,
  }
}

const nullText = `NULLIF('', '')`

interface TargetColumn {
  readonly column: Column
  /** The quoted name in the target, of the table `t`. */
  readonly expression: string
}

/** The columns of the stream's main table, by their names in the source. */
class TargetColumns {
  readonly #columns: ReadonlyMap<string, TargetColumn>
  readonly #textType: string
  readonly #table: string

  constructor(target: Pick<OpenTarget, 'facts' | 'preparedTables'>, stream: Stream) {
    const { facts } = target
    const [main] = target.preparedTables(stream)
    this.#table = stream.name
    this.#textType = textTypes[facts.kind] ?? 'text'
    this.#columns = new Map(
      stream.table.columns.flatMap((column, index) => {
        const name = main?.columns[index]?.name
        return name === undefined ? [] : [[column.name, { column, expression: `t.${facts.quote(name)}` }]]
      }),
    )
  }

  find(name: string): TargetColumn {
    const found = this.#columns.get(name)
    if (found === undefined)
      throw settingsFault(
        `The table ‘${this.#table}’ has no column ‘${name}’, or it is not moved. Choose another column.`,
      )
    return found
  }

  asText({ expression }: TargetColumn): string {
    return `CAST(${expression} AS ${this.#textType})`
  }

  /** Some types have no equality: JSON, and the database's own types such as XML and points. */
  comparable(column: TargetColumn): string {
    const { type } = column.column
    const isOpaque = type.kind === 'json' || (type.kind === 'text' && type.native !== undefined)
    return isOpaque ? this.asText(column) : column.expression
  }
}

export function settingsFault(notice: string): Fault {
  return new Fault('settings', { code: 'closed_periods.table', notice: `Closed periods: ${notice}`, field })
}
