/** SELECTs over tables that several companies share, one company at a time. */
import type { StatementNames } from './view-names.ts'

export interface CompanyColumn {
  readonly column: string
  /** The companies with rows. */
  readonly ids: readonly string[]
}

/** The same tables with the rows of one company only. */
export function ofCompany(names: StatementNames, column: string, id: string): StatementNames {
  const filtered = (table: string): string =>
    `(SELECT * FROM ${table} AS shared WHERE shared.${names.quote(column)} = ${literal(id)})`
  return {
    ...names,
    table: (name) => filtered(names.table(name)),
    view: (name) => filtered(names.view(name)),
    asOf: (moment) => ofCompany(names.asOf(moment), column, id),
  }
}

/** The rows that a SELECT gives for each company, after a column with the company. */
export function selectByCompany(
  names: StatementNames,
  { column, ids }: CompanyColumn,
  select: (names: StatementNames) => string,
): string {
  return ids
    .map(
      (id) =>
        `SELECT ${literal(id)} AS ${names.quote(column)}, own.* FROM (${select(ofCompany(names, column, id))}) AS own`,
    )
    .join(' UNION ALL ')
}

/** Ids that are safe within a statement of any database, and within its keys. */
const idForm = /^[\w.:-]{1,100}$/u

export function isCompanyId(id: string): boolean {
  return idForm.test(id)
}

function literal(id: string): string {
  if (!isCompanyId(id)) throw new Error('This is not the id of a company.')
  return `'${id}'`
}
