/** What runs now, in every organisation that the caller may see. */
import { connectors } from '@tributary/contract/connectors'
import type { App } from '../../app-services.ts'
import { listRunningEverywhere } from './queries.ts'

export function insightRoutes(app: App): void {
  // Across: only the two provider roles may ask, and they see every organisation.
  app.bind(connectors.insights, ({ store }) => store.across(listRunningEverywhere))
}
