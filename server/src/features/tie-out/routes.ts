/** The calls about tie-outs. They tell figures of the books, so whoever a connector is shared with gets none of them. */
import { tieOut } from '@tributary/contract/tie-out'
import type { AppRoutes } from '../../app-services.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { findTieOut, listDocuments, listHistory, listLines } from './queries.ts'

export function tieOutRoutes(app: AppRoutes): void {
  app.bind(tieOut.latest, ({ store, organisationId, actor, params: { connectorId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return (await findTieOut(db, organisationId, connectorId)) ?? null
    }),
  )

  app.bind(tieOut.lines, ({ store, organisationId, actor, params: { connectorId }, query: { period } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return listLines(db, organisationId, connectorId, period)
    }),
  )

  app.bind(tieOut.documents, ({ store, organisationId, actor, params: { connectorId }, query }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return listDocuments(db, organisationId, connectorId, query)
    }),
  )

  app.bind(tieOut.history, ({ store, organisationId, actor, params: { connectorId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      return listHistory(db, organisationId, connectorId)
    }),
  )
}
