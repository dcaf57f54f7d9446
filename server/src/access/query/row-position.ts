/**
 * Where a page of rows ended, so that the next page can continue there without reading the earlier rows again.
 *
 * A position holds the values of the last row's order terms. The key of the table comes last in every order, so that no two
 * rows have the same position; rows that are added, changed or replaced meanwhile neither repeat nor hide others. A table
 * without a key continues by the physical place of its rows (`ctid`). That place is valid while the row is there: after a
 * refresh or an update of the row, `isRowStillThere` is false, and the reader has to start again. A view without a key
 * has no positions, so it is read in one page.
 */
import type { ClientBase } from 'pg'
import { joinSql, sql, type SqlText, withParameters } from './sql-text.ts'

/** The values as text, in the order of the terms. */
export type RowPosition = readonly (string | null)[]

export interface PositionTerm {
  readonly sql: SqlText
  /** The SQL type to which a value of a position is cast. */
  readonly sqlType: string
  readonly descending: boolean
  readonly nulls: 'first' | 'last' | 'never'
}

export function orderSql(terms: readonly PositionTerm[]): SqlText {
  return joinSql(
    terms.map(({ sql: text, descending, nulls }) => {
      const isDefault = nulls === 'never' || (nulls === 'first') === descending
      return sql`${text}${descending ? ' DESC' : ''}${isDefault ? '' : ` NULLS ${nulls.toUpperCase()}`}`
    }),
    ', ',
  )
}

/** The condition that a row comes after the position. */
export function afterSql(terms: readonly PositionTerm[], position: RowPosition): SqlText {
  const [first] = terms
  if (first === undefined) return ['true']
  const values = terms.map(({ sqlType }, at) => typed(position[at] ?? null, sqlType))
  const isUniform = terms.every(({ descending, nulls }) => nulls === 'never' && descending === first.descending)
  if (isUniform && values.every((value) => value !== null)) {
    const left = joinSql(
      terms.map(({ sql: text }) => text),
      ', ',
    )
    return sql`(${left}) ${first.descending ? '<' : '>'} (${joinSql(
      values.map((value) => [value]),
      ', ',
    )})`
  }
  return sql`(${
    terms.reduceRight<SqlText | null>((rest, term, at) => {
      const value = values[at] ?? null
      const after = afterTerm(term, value)
      if (rest === null) return after
      const equal = value === null ? sql`${term.sql} IS NULL` : sql`${term.sql} = ${value}`
      return sql`(${after} OR (${equal} AND ${rest}))`
    }, null) ?? ['true']
  })`
}

function typed(value: string | null, type: string) {
  return value === null ? null : { value, type }
}

function afterTerm({ sql: text, descending, nulls }: PositionTerm, value: { value: string; type: string } | null) {
  if (value === null) return nulls === 'first' ? sql`${text} IS NOT NULL` : ['false']
  const beyond = sql`${text} ${descending ? '<' : '>'} ${value}`
  return nulls === 'last' ? sql`(${beyond} OR ${text} IS NULL)` : beyond
}

/** Whether the row at a physical place is the one that was read there: it has neither changed nor been replaced. */
export async function isRowStillThere(client: ClientBase, table: string, position: RowPosition): Promise<boolean> {
  const [place, transaction] = position.slice(-2)
  const { text, values } = withParameters(
    sql`SELECT FROM ${table} WHERE ctid = ${{ value: place ?? '', type: 'tid' }} AND xmin = ${{ value: transaction ?? '', type: 'xid' }}`,
  )
  return (await client.query(text, [...values])).rowCount === 1
}
