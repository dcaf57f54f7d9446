/** Rows as they were: a SELECT over the history of a table, and the function or procedure that runs it. */
import type { Moment } from '../../../ports/view-names.ts'
import type { SqlDialect, WriterSession } from '../dialect.ts'
import { fitName } from '../names.ts'
import { fencedTransaction } from '../state-store.ts'
import type { TableAddress } from '../table-layout.ts'
import type { HistoryColumn } from './history-sql.ts'
import type { HistoryTable, StoredHistory } from './history-table.ts'

/** What reading a history needs to know of it. */
export interface AsOfHistory extends Pick<HistoryTable, 'name' | 'columns' | 'types' | 'names' | 'since'> {
  readonly of: { readonly name: string; readonly columns: readonly Pick<HistoryColumn, 'name'>[] }
}

type AsOfSql = Pick<SqlDialect, 'facts' | 'qualified' | 'momentLiteral'>

/** A subquery in brackets, with the columns of the table. */
export function selectAsOf(dialect: AsOfSql, history: AsOfHistory, moment: Moment): string {
  return `(${asOfQuery(dialect, history, 'at' in moment ? dialect.momentLiteral(moment.at) : moment.expression)})`
}

/** @param at an expression of the type of `valid_from` */
function asOfQuery({ facts, qualified }: AsOfSql, { of, columns, name, names }: AsOfHistory, at: string): string {
  const list = of.columns.map((column, index) => {
    const inHistory = columns[index] ?? column.name
    return `h.${facts.quote(inHistory)}${inHistory === column.name ? '' : ` AS ${facts.quote(column.name)}`}`
  })
  const [from, to] = [names.validFrom, names.validTo].map((each) => `h.${facts.quote(each)}`)
  return `SELECT ${list.join(', ')} FROM ${qualified(name)} h WHERE ${from} <= ${at} AND (${to} IS NULL OR ${to} > ${at})`
}

/** Where the function of a table is. */
export function asOfAddress({ facts, schema }: Pick<SqlDialect, 'facts' | 'schema'>, table: string): TableAddress {
  return { schema, name: fitName(`${table}__as_of`, facts.identifierMax) }
}

/** Defines it again if the columns of the table or the beginning of its history have changed. */
export async function defineAsOf(
  context: WriterSession,
  history: HistoryTable,
  stored: readonly StoredHistory[],
): Promise<void> {
  const { dialect, session, writer } = context
  const known = stored.find(({ table, endedAt }) => table === history.of.name && endedAt === null)
  if (known?.asOfSelect === storedQuery(dialect, history)) return
  await fencedTransaction(dialect, session, writer, () => replaceAsOf(context, history))
}

/** Belongs in a transaction. */
export async function replaceAsOf({ dialect, session }: WriterSession, history: AsOfHistory): Promise<void> {
  const { of, since, types } = history
  await dialect.defineAsOf(session, {
    ...asOfAddress(dialect, of.name),
    table: of.name,
    columns: of.columns.map(({ name }, at) => ({ name, type: types[at] ?? '' })),
    select: (moment) => asOfQuery(dialect, history, moment),
    since,
  })
  const text = dialect.textLiteral
  await session.run(
    `UPDATE ${dialect.systemTables.histories} SET since = ${text(since)}, as_of_select = ${text(storedQuery(dialect, history))} WHERE table_name = ${text(of.name)}`,
  )
}

/** `?` stands for the moment. The comment changes whenever the function must. */
export function storedQuery(dialect: AsOfSql, history: AsOfHistory): string {
  return `${asOfQuery(dialect, history, '?')} -- ${history.types.join(', ')} since ${history.since}`
}
