/** Rows as they were: a SELECT over the history of a table. */
import type { Moment } from '../../../ports/view-names.ts'
import type { SqlDialect } from '../dialect.ts'
import type { HistoryTable } from './history-table.ts'

type AsOfSql = Pick<SqlDialect, 'facts' | 'qualified' | 'momentLiteral'>

/** A subquery in brackets, with the columns of the table. */
export function selectAsOf(dialect: AsOfSql, history: HistoryTable, moment: Moment): string {
  const at = 'at' in moment ? dialect.momentLiteral(moment.at) : moment.expression
  return `(SELECT ${asOfColumns(dialect, history)} FROM ${dialect.qualified(history.name)} h WHERE ${isValidAt(dialect, history, at)})`
}

export function asOfColumns({ facts }: AsOfSql, { of, columns }: HistoryTable): string {
  return of.columns
    .map(({ name }, at) => {
      const inHistory = columns[at] ?? name
      return inHistory === name ? `h.${facts.quote(name)}` : `h.${facts.quote(inHistory)} AS ${facts.quote(name)}`
    })
    .join(', ')
}

/** @param at an expression of the type of `valid_from` */
export function isValidAt({ facts }: AsOfSql, { names }: HistoryTable, at: string): string {
  const [from, to] = [names.validFrom, names.validTo].map((name) => `h.${facts.quote(name)}`)
  return `${from} <= ${at} AND (${to} IS NULL OR ${to} > ${at})`
}
