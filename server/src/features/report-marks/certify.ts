/** Issues the certificate of a mark "as reported". */
import { getConnectorName } from '../../connections/connectors/connector-queries.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { getCompanyName } from '../../identity/people/organisations.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { type Actor, coversPeriod } from '../../kernel/http/actor.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { issueCertificate } from '../../security/certificates/certificate.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { findMark } from './queries.ts'

interface CertifiedMark extends ConnectorLocation {
  readonly markId: string
}

/** Returns the id of the certificate, which names no person. Throws `notFound`. */
export async function certifyMark(
  services: Pick<SecurityServices, 'audit' | 'clock'>,
  db: Db,
  auditContext: CallerContext,
  { markId, ...connector }: CertifiedMark,
): Promise<string> {
  const mark = await findMark(db, connector, markId)
  if (mark === undefined) throw notFound()
  const { name, periodEnd, momentUtc, runId, createdAtUtc, supersededAtUtc, views } = mark
  const verdict = supersededAtUtc === null ? 'kept' : 'superseded'
  return issueCertificate(services, db, auditContext, {
    subject: 'mark',
    subjectKey: `${markId}/${verdict}`,
    verdict,
    title: `Marked as reported: ${name}`,
    period: firstOfMonth(periodEnd),
    connectorId: connector.connectorId,
    facts: {
      organisation: await getCompanyName(db, connector.organisationId),
      connector: await getConnectorName(db, connector),
      mark: markId,
      name,
      periodEnd,
      moment: momentUtc,
      run: runId,
      markedAt: createdAtUtc,
      supersededAt: supersededAtUtc,
      views,
    },
  })
}

/** Whether a caller who sees the connector reads a mark: an auditor room is limited to months. */
export function coversMark(
  actor: Actor,
  organisationId: string,
  { periodEnd }: { readonly periodEnd: string },
): boolean {
  return coversPeriod(actor, organisationId, firstOfMonth(periodEnd))
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}
