/** Orders of the provider's list of organisations. */
import type { OrganisationInsight, OrganisationOrder } from '@tributary/contract/insights'

export const orderLabels: Readonly<Record<OrganisationOrder, string>> = {
  need: 'Who needs help first',
  size: 'Largest first',
  calls: 'Nearest to a limit first',
  name: 'Name',
}

type SourceCalls = OrganisationInsight['Calls'][number]

const minutesPerDay = 1_440

/** The share of a day's calls that is used. */
export function callShare({ Used, Limit, Per }: SourceCalls): number {
  return Used / (Per === 'day' ? Limit : Limit * minutesPerDay)
}
