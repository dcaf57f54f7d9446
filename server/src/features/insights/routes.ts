/** What runs now, in every organisation that the caller may see. */
import { insights } from '@tributary/contract/insights'
import type { AppRoutes } from '../../app-services.ts'
import { listRunningEverywhere } from './queries.ts'

export function insightRoutes(app: AppRoutes): void {
  // Across: only the two provider roles may ask, and they see every organisation.
  app.bind(insights.list, ({ store }) => store.across(listRunningEverywhere))
}
