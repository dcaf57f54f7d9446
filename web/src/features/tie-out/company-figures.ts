/** The figures of a month, company by company, where several companies share the tables. */
import type { TieOut, TieOutCompany, TieOutLine } from '@tributary/contract/tie-out'
import { formatDecimal } from '../../ui/formats.ts'

export interface CompanyFigures {
  readonly company: TieOutCompany
  /** Of the month. One that could not be compared has the state of its tie-out. */
  readonly state: TieOutCompany['State']
  readonly lines: readonly TieOutLine[]
}

export function figuresByCompany({ Companies }: TieOut, lines: readonly TieOutLine[]): readonly CompanyFigures[] {
  return Companies.map((company) => {
    const own = lines.filter(({ Company }) => Company === company.Id)
    const worst = (['red', 'amber'] as const).find((state) => own.some(({ State }) => State === state)) ?? 'green'
    return { company, state: company.Compared ? worst : company.State, lines: own }
  })
}

/** Those that tie out come last, company by company as the companies are listed. The others keep their order. */
export function sortByCompany({ Companies }: TieOut, lines: readonly TieOutLine[]): readonly TieOutLine[] {
  const places = new Map(Companies.map(({ Id }, index) => [Id, index]))
  const placeOf = ({ Company, State }: TieOutLine) =>
    State === 'green' ? (places.get(Company) ?? Companies.length) : -1
  return lines.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Returns the id itself for a company that is not known. */
export function companyName(companies: readonly TieOutCompany[], id: string): string {
  return companies.find(({ Id }) => Id === id)?.Name ?? id
}

/** 'Harbour Trading', or '3 companies'. */
export function describeCompanies({ Company, Companies }: Pick<TieOut, 'Companies' | 'Company'>): string {
  return Companies.length === 0 ? Company : `${Companies.length} companies`
}

/** A dash where the companies have several currencies. */
export function formatDifference(difference: string | null): string {
  return difference === null ? '–' : formatDecimal(difference, 2)
}

/** 'Harbour Trading, NZD'. */
export function formatCompany({ Name, Currency }: TieOutCompany): string {
  return Currency === null ? Name : `${Name}, ${Currency}`
}
