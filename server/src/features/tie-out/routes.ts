/** Routes for tie-outs. They contain figures of the books, so organisations that a connector is shared with cannot read them. */
import { tieOut } from '@tributary/contract/tie-out'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { selectCertificates } from '../../security/certificates/certificate.ts'
import { type Actor, coversPeriod } from '../../kernel/http/actor.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { certifyMonth } from './certify.ts'
import { findTieOut, listCompanyStates, listDocuments, listHistory, listLines } from './queries.ts'

export function tieOutRoutes(app: AppRoutes): void {
  bindVisibleConnector(app, tieOut.latest, async (db, connector, { actor }) => {
    const found = await findTieOut(db, connector)
    return found === undefined ? null : limitToRoom(db, connector, actor, found)
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
async function limitToRoom(
  db: Db,
  connector: ConnectorLocation,
  actor: Actor,
  found: FoundTieOut,
): Promise<FoundTieOut> {
  const isCovered = (period: string) => coversPeriod(actor, connector.organisationId, period)
  const periods = found.periods.filter(({ period }) => isCovered(period))
  if (periods.length === found.periods.length) return found
  const worst = (['red', 'amber'] as const).find((state) => periods.some((one) => one.state === state)) ?? 'green'
  const states = new Map<string, FoundTieOut['state']>()
  if (periods.length > 0 && found.companies.length > 0)
    for (const { company, state } of await listCompanyStates(
      db,
      connector,
      periods.map(({ period }) => period),
    ))
      states.set(company, state)
  const companies = found.companies.map((company) => ({
    ...company,
    notice: null,
    state: company.compared ? (states.get(company.id) ?? 'green') : company.state,
  }))
  return { ...found, companies, periods, state: worst, notice: null, mended: found.mended.filter(isCovered) }
}

type FoundTieOut = NonNullable<Awaited<ReturnType<typeof findTieOut>>>
