/** Orders of the provider's list of organisations. */
import type { OrganisationInsight } from '@tributary/contract/insights'
import { compareNames } from '../../ui/formats.ts'

export const orderLabels = {
  need: 'Who needs help first',
  size: 'Largest first',
  calls: 'Nearest to a limit first',
  name: 'Name',
} as const
export type OrganisationOrder = keyof typeof orderLabels

type SourceCalls = OrganisationInsight['Calls'][number]

const minutesPerDay = 1_440

/** The share of a day's calls that is used. */
export function callShare({ Used, Limit, Per }: SourceCalls): number {
  return Used / (Per === 'day' ? Limit : Limit * minutesPerDay)
}

/** `need` is the order of the server. */
export function sortOrganisations(
  organisations: readonly OrganisationInsight[],
  order: OrganisationOrder,
): readonly OrganisationInsight[] {
  switch (order) {
    case 'need':
      return organisations
    case 'size':
      return organisations.toSorted((one, other) => other.Rows - one.Rows)
    case 'calls':
      return organisations.toSorted((one, other) => highestShare(other) - highestShare(one))
    case 'name':
      return organisations.toSorted((one, other) => compareNames(one.CompanyName, other.CompanyName))
  }
}

function highestShare({ Calls }: OrganisationInsight): number {
  return Math.max(0, ...Calls.map(callShare))
}
