/** SELECTs over tables that several companies share, one company at a time. */
import type { StatementNames } from './view-names.ts'

export interface CompanyColumn {
  readonly column: string
  /** The companies with rows. */
  readonly ids: readonly string[]
}

/** The same tables with the rows of one company only. */
export function ofCompany(names: StatementNames, column: string, id: string): StatementNames {
  return filterCompany(names, column, literal(id))
}

/** @param id an SQL expression */
function filterCompany(names: StatementNames, column: string, id: string): StatementNames {
  const filtered = (table: string): string =>
    `(SELECT * FROM ${table} AS shared WHERE shared.${names.quote(column)} = ${id})`
  return {
    ...names,
    table: (name) => filtered(names.table(name)),
    view: (name) => filtered(names.view(name)),
    asOf: (moment) => filterCompany(names.asOf(moment), column, id),
  }
}

/**
 * The rows that a SELECT gives for each company, after a column with the company. Where the database can, the SELECT is there once: a view is
 * written again whenever one of its tables is swapped, so its length counts.
 */
export function selectByCompany(
  names: StatementNames,
  { column, ids }: CompanyColumn,
  select: (names: StatementNames) => string,
): string {
  const { lateralJoin } = names
  if (lateralJoin !== undefined) {
    const own = select(filterCompany(names, column, 'one_company.id'))
    const list = ids.map((id) => `(${literal(id)})`).join(', ')
    return `SELECT one_company.id AS ${names.quote(column)}, own.* FROM (VALUES ${list}) AS one_company (id) ${lateralJoin} (${own}) AS own`
  }
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
