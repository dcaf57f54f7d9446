/** Routes for tie-outs. They contain figures of the books, so organisations that a connector is shared with cannot read them. */
import { tieOut } from '@tributary/contract/tie-out'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { selectCertificates } from '../../security/certificates/certificate.ts'
import { type Actor, coversPeriod } from '../../kernel/http/actor.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { certifyMonth } from './certify.ts'
import { findTieOut, listDocuments, listHistory, listLines } from './queries.ts'

export function tieOutRoutes(app: AppRoutes): void {
  bindVisibleConnector(app, tieOut.latest, async (db, connector, { actor }) => {
    const found = await findTieOut(db, connector)
    return found === undefined ? null : limitToRoom(actor, connector.organisationId, found)
  })
  bindVisibleConnector(app, tieOut.lines, (db, connector, { actor, query }) => {
    requireCovered(actor, connector.organisationId, query.period)
    return listLines(db, connector, query.period)
  })
  bindVisibleConnector(app, tieOut.documents, (db, connector, { actor, query }) => {
    requireCovered(actor, connector.organisationId, query.period)
    return listDocuments(db, connector, query)
  })
  bindVisibleConnector(app, tieOut.history, listHistory)
  bindVisibleConnector(app, tieOut.certify, async (db, connector, { auditContext, body }) => {
    const id = await certifyMonth(app.services, db, auditContext, { ...connector, ...body })
    const { publicUrl } = app.services.config
    return selectCertificates(db, connector.organisationId, publicUrl)
      .where('certificate.id', '=', id)
      .executeTakeFirstOrThrow()
  })
}

function requireCovered(actor: Actor, organisationId: string, period: string): void {
  if (!coversPeriod(actor, organisationId, period)) throw notFound()
}

/** Of an auditor room the months that it covers. What is said about all months is left out. */
function limitToRoom(actor: Actor, organisationId: string, found: FoundTieOut): FoundTieOut {
  const isCovered = (period: string) => coversPeriod(actor, organisationId, period)
  const periods = found.periods.filter(({ period }) => isCovered(period))
  if (periods.length === found.periods.length) return found
  const worst = (['red', 'amber'] as const).find((state) => periods.some((one) => one.state === state)) ?? 'green'
  return { ...found, periods, state: worst, notice: null, mended: found.mended.filter(isCovered) }
}

type FoundTieOut = NonNullable<Awaited<ReturnType<typeof findTieOut>>>
