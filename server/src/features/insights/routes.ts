/** What runs now, and which organisation needs help, for the provider. */
import { insights } from '@tributary/contract/insights'
import type { AppRoutes } from '../../app-services.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import { listInsightPageEverywhere } from './organisation-insights.ts'
import { listRunningEverywhere } from './queries.ts'

export function insightRoutes(app: AppRoutes): void {
  const { clock } = app.services
  // Across, both: only the two provider roles may ask, and they see every organisation.
  app.bind(insights.list, ({ store }) => store.across(listRunningEverywhere))
  app.bind(insights.organisations, async ({ store, query, reply }) => {
    const page = await store.across((db) => listInsightPageEverywhere(db, query, new Date(clock.now())))
    setTotalCountHeader(reply, page.total)
    return page.insights
  })
}
