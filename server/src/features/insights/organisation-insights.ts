/** The provider's view of every organisation, those that need help first. */
import type { OrganisationInsight, OrganisationInsightQuery, OrganisationOrder } from '@tributary/contract/insights'
import type { Camel } from '@tributary/contract/wire'
import { listBundles } from '../../connections/connectors/connector-licences.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import type { Db } from '../../kernel/store/store.ts'
import { pageOf } from '../../kernel/http/paging.ts'
import { findIdsEverywhere, findSummarisedEverywhere, hasSummariesEverywhere } from './summary-queries.ts'
import { countHealthEverywhere, countLicencesEverywhere, countRowsEverywhere, listCallsEverywhere } from './queries.ts'

export type Insight = Camel<OrganisationInsight>
type UsedCalls = Insight['calls'][number]

export interface InsightPage {
  readonly insights: readonly Insight[]
  readonly total: number
}

/** A page of the organisations. Their figures are those of now; in a store with many, the order is that of their summaries. */
export async function listInsightPageEverywhere(
  db: Db,
  { search, order = 'need', ...page }: OrganisationInsightQuery,
  now: Date,
): Promise<InsightPage> {
  const { limit, offset } = pageOf(page)
  if (await hasSummariesEverywhere(db)) {
    const { ids, total } = await findSummarisedEverywhere(db, { search, order, limit, offset })
    const places = new Map(ids.map((id, place) => [id, place]))
    const placeOf = ({ id }: Insight) => places.get(id) ?? 0
    const insights = await listInsightsEverywhere(db, ids, now)
    return { insights: insights.toSorted((one, other) => placeOf(one) - placeOf(other)), total }
  }
  const found = await listInsightsEverywhere(db, await findIdsEverywhere(db, search), now)
  return { insights: found.toSorted(comparisons[order]).slice(offset, offset + limit), total: found.length }
}

/** By name. */
export async function listInsightsEverywhere(db: Db, ids: readonly string[], now: Date): Promise<Insight[]> {
  const organisations = await countHealthEverywhere(db, ids, now)
  const rows = new Map((await countRowsEverywhere(db, ids)).map((one) => [one.organisationId, one.rows]))
  const calls = Map.groupBy(await listCallsEverywhere(db, ids), ({ organisationId }) => organisationId)
  const licences = Map.groupBy(await countLicencesEverywhere(db, ids), ({ organisationId }) => organisationId)
  return organisations.map((organisation) => ({
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
}

/** The highest share of a day's calls that a source has used. */
export function highestShare({ calls }: Insight): number {
  return Math.max(0, ...calls.map(shareOf))
}

/** Sources that have used most of their calls. */
export function countNearLimit({ calls }: Insight): number {
  return calls.filter((used) => shareOf(used) >= nearLimit).length
}

/** Applied to organisations by name. */
const comparisons: Readonly<Record<OrganisationOrder, (one: Insight, other: Insight) => number>> = {
  need: compareNeed,
  size: (one, other) => other.rows - one.rows,
  calls: (one, other) => highestShare(other) - highestShare(one),
  name: () => 0,
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
    countNearLimit(insight),
    insight.neverConnected ? 1 : 0,
  ]
  const [mine, theirs] = [needs(one), needs(other)]
  const differing = mine.findIndex((need, index) => need !== theirs[index])
  return differing === -1 ? 0 : (theirs[differing] ?? 0) - (mine[differing] ?? 0)
}
