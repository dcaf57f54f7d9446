/** The table of the companies. */
import type { NamedCompany } from '../ports/companies.ts'

export interface ListedCompany extends NamedCompany {
  readonly country: string | null
  readonly currency: string | null
}

interface CompanyLists {
  readonly companies: readonly ListedCompany[]
  /** Companies that were taken off, and whose rows stay. */
  readonly kept: readonly ListedCompany[]
}

export function companyList({ companies, kept }: CompanyLists): readonly (string | null)[][] {
  return [...companies.map((one) => rowOf(one, 'current')), ...kept.map((one) => rowOf(one, 'former'))]
}

function rowOf({ id, name, country, currency }: ListedCompany, state: 'current' | 'former'): (string | null)[] {
  return [id, name.slice(0, 255), country, currency, state]
}
