/** Routes for tie-outs. They contain figures of the books, so organisations that a connector is shared with cannot read them. */
import { tieOut } from '@tributary/contract/tie-out'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { selectCertificates } from '../../security/certificates/certificate.ts'
import { certifyMonth } from './certify.ts'
import { findTieOut, listDocuments, listHistory, listLines } from './queries.ts'

export function tieOutRoutes(app: AppRoutes): void {
  bindVisibleConnector(app, tieOut.latest, async (db, connector) => (await findTieOut(db, connector)) ?? null)
  bindVisibleConnector(app, tieOut.lines, (db, connector, { query }) => listLines(db, connector, query.period))
  bindVisibleConnector(app, tieOut.documents, (db, connector, { query }) => listDocuments(db, connector, query))
  bindVisibleConnector(app, tieOut.history, listHistory)
  bindVisibleConnector(app, tieOut.certify, async (db, connector, { auditContext, body }) => {
    const id = await certifyMonth(app.services, db, auditContext, { ...connector, ...body })
    const { publicUrl } = app.services.config
    return selectCertificates(db, connector.organisationId, publicUrl)
      .where('certificate.id', '=', id)
      .executeTakeFirstOrThrow()
  })
}
