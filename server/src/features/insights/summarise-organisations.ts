/** Keeps the summaries that order the provider's list of organisations in a store with many. */
import type { AppServices } from '../../app-services.ts'
import { countNearLimit, highestShare, type Insight, listInsightsEverywhere } from './organisation-insights.ts'
import {
  addMissingSummariesEverywhere,
  claimOldestSummariesEverywhere,
  hasSummariesEverywhere,
  saveSummariesEverywhere,
} from './summary-queries.ts'

type SummaryServices = Pick<AppServices, 'clock' | 'store'>

/** With a poll a second, the summaries of 100,000 organisations are at most 17 minutes old. */
export const organisationsOfPoll = 100
/** Polls between two searches for organisations without a summary. */
const pollsPerSearch = 60
const searchedPerPoll = 1_000

export class OrganisationSummaries {
  #polls = 0
  /** Where the search for organisations without a summary continues. */
  #searchedTo: string | null = null

  /** Computes the oldest summaries again. Does nothing in a store in which requests look at all organisations. */
  async poll({ clock, store }: SummaryServices): Promise<void> {
    // Across, here and below: the summaries are of all organisations.
    if (!(await store.across(hasSummariesEverywhere))) return
    if (this.#searchedTo !== null || this.#polls % pollsPerSearch === 0)
      this.#searchedTo = await store.across((db) =>
        addMissingSummariesEverywhere(db, this.#searchedTo, searchedPerPoll),
      )
    this.#polls += 1
    await store.across(async (db) => {
      const ids = await claimOldestSummariesEverywhere(db, organisationsOfPoll)
      const insights = await listInsightsEverywhere(db, ids, new Date(clock.now()))
      await saveSummariesEverywhere(db, insights.map(summarise))
    })
  }
}

function summarise(insight: Insight) {
  const { id: organisationId, failing, late, neverConnected, rows } = insight
  const callShare = highestShare(insight)
  return { organisationId, failing, late, neverConnected, rows, callShare, nearLimit: countNearLimit(insight) }
}
