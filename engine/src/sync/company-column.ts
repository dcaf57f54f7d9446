import type { CompanyColumn } from '../ports/company-names.ts'
import type { OpenSource } from '../ports/source.ts'

/** The column of the companies and those with rows in the target; null if the tables belong to one company. */
export function companyColumnOf({ companies }: Pick<OpenSource, 'companies'>): CompanyColumn | null {
  if (companies === undefined) return null
  return { column: companies.column, ids: [...companies.chosen.map(({ id }) => id), ...companies.kept] }
}
