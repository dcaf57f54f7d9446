/** The provider's view of every organisation, those that need help first. */
import type { OrganisationInsight } from '@tributary/contract/insights'
import type { Camel } from '@tributary/contract/wire'
import { listBundles } from '../../connections/connectors/connector-licences.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'
import { countHealthEverywhere, countLicencesEverywhere, countRowsEverywhere, listCallsEverywhere } from './queries.ts'

type Insight = Camel<OrganisationInsight>
type UsedCalls = Insight['calls'][number]

export async function listOrganisationInsightsEverywhere(db: Db, now: Date): Promise<Insight[]> {
  const organisations = await countHealthEverywhere(db, now)
  const rows = new Map((await countRowsEverywhere(db)).map((one) => [one.organisationId, one.rows]))
  const calls = Map.groupBy(await listCallsEverywhere(db), ({ organisationId }) => organisationId)
  const licences = Map.groupBy(await countLicencesEverywhere(db), ({ organisationId }) => organisationId)
  return organisations
    .map((organisation) => ({
      ...organisation,
      rows: rows.get(organisation.id) ?? 0,
      calls: (calls.get(organisation.id) ?? [])
        .flatMap(withLimit)
        .toSorted((one, other) => shareOf(other) - shareOf(one)),
      licences: (licences.get(organisation.id) ?? []).map(({ type, licence, connectors }) => ({
        type,
        title: listBundles(type).find(({ id }) => id === licence)?.title ?? licence,
        connectors,
      })),
    }))
    .toSorted(compareNeed)
}

/** Empty if the source documents no limit. */
function withLimit({ type, connectorName, used }: Pick<UsedCalls, 'type' | 'connectorName' | 'used'>): UsedCalls[] {
  const limit = findSource(type)?.callLimit
  return limit === undefined ? [] : [{ type, connectorName, used, limit: limit.calls, per: limit.per }]
}

/** The share of a day's calls that is used. */
function shareOf({ used, limit, per }: UsedCalls): number {
  return used / (per === 'day' ? limit : limit * minutesPerDay)
}

const minutesPerDay = 1_440
/** From this share of its calls on, an organisation counts as one that needs help. */
const nearLimit = 0.8

/** Failing connectors count first, then late ones, then sources near their limit, then organisations without any. */
function compareNeed(one: Insight, other: Insight): number {
  const needs = (insight: Insight) => [
    insight.failing,
    insight.late,
    insight.calls.filter((calls) => shareOf(calls) >= nearLimit).length,
    insight.neverConnected ? 1 : 0,
  ]
  const [mine, theirs] = [needs(one), needs(other)]
  const differing = mine.findIndex((need, index) => need !== theirs[index])
  return differing === -1 ? 0 : (theirs[differing] ?? 0) - (mine[differing] ?? 0)
}
