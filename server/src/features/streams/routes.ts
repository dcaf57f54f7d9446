/** What a connector moves, table by table. */
import { streams } from '@tributary/contract/streams'
import type { AppRoutes } from '../../app-services.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { listStreams } from './queries.ts'

export function streamRoutes(app: AppRoutes): void {
  app.bind(streams.list, ({ store, organisationId, actor, params: { connectorId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return listStreams(db, organisationId, connectorId)
    }),
  )
}
