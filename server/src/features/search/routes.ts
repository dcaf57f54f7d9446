import { search } from '@tributary/contract/search'
import type { AppRoutes } from '../../app-services.ts'
import { findHits } from './find-hits.ts'

export function searchRoutes(app: AppRoutes): void {
  app.bind(search.find, ({ store, organisationId, actor, query }) =>
    findHits(store, organisationId, actor, query.search),
  )
}
