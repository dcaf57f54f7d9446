/** Issues the certificate of what verification says about the tables of a connector. */
import { getConnectorName } from '../../connections/connectors/connector-queries.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { getCompanyName } from '../../identity/people/organisations.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { issueCertificate } from '../../security/certificates/certificate.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { readVerification } from './queries.ts'

/** Returns the id of the certificate. Throws `notFound` if no table was verified yet. */
export async function certifyVerification(
  services: Pick<SecurityServices, 'audit' | 'clock'>,
  db: Db,
  auditContext: CallerContext,
  connector: ConnectorLocation,
): Promise<string> {
  const { source, tables } = await readVerification(db, connector)
  const latest = tables
    .flatMap(({ checkedAtUtc }) => checkedAtUtc ?? [])
    .toSorted()
    .at(-1)
  if (latest === undefined) throw notFound()
  const verdict = source.differing > 0 ? 'differs' : (source.verdict ?? 'unproven')
  const name = await getConnectorName(db, connector)
  return issueCertificate(services, db, auditContext, {
    subject: 'verification',
    subjectKey: `${connector.connectorId}/${latest}/${verdict}`,
    verdict,
    title: `Verification of ${name}, ${latest.slice(0, 10)}`,
    period: null,
    connectorId: connector.connectorId,
    facts: {
      organisation: await getCompanyName(db, connector.organisationId),
      connector: name,
      checkedAt: latest,
      tables: tables.map(({ name: stream, table, state, method, checkedAtUtc, rows, differences, notice }) => ({
        stream,
        table,
        state,
        method,
        checkedAt: checkedAtUtc,
        rows,
        differences,
        notice,
      })),
    },
  })
}
