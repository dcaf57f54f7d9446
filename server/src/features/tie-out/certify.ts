/** Issues the certificate of a month of a tie-out. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { getConnectorName } from '../../connections/connectors/connector-queries.ts'
import { getCompanyName } from '../../identity/people/organisations.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { issueCertificate } from '../../security/certificates/certificate.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { findTieOut, listLines } from './queries.ts'

interface CertifiedMonth extends ConnectorLocation {
  readonly runId: string
  readonly period: string
}

/** Returns the id of the certificate. Throws `tieOutReplaced` if a later run has been compared since. */
export async function certifyMonth(
  services: Pick<SecurityServices, 'audit' | 'clock'>,
  db: Db,
  auditContext: CallerContext,
  { runId, period, ...connector }: CertifiedMonth,
): Promise<string> {
  const lines = await listLines(db, connector, period)
  // After the lines, which a run replaces in the transaction of its result: if this result is the wanted one, the lines are of it.
  const tieOut = await findTieOut(db, connector)
  const month = tieOut?.periods.find((one) => one.period === period)
  if (tieOut !== undefined && tieOut.runId !== runId) throw new ApiFault('tieOutReplaced')
  if (tieOut === undefined || month === undefined) throw notFound()
  const { company, currency, basis, checkedAtUtc, mended, notice } = tieOut
  return issueCertificate(services, db, auditContext, {
    subject: 'tieOut',
    subjectKey: `${runId}/${period}`,
    verdict: month.state,
    title: `Tie-out of ${company}, ${period.slice(0, 7)}`,
    period,
    connectorId: connector.connectorId,
    facts: {
      organisation: await getCompanyName(db, connector.organisationId),
      connector: await getConnectorName(db, connector),
      run: runId,
      checkedAt: checkedAtUtc,
      company,
      currency,
      basis,
      notice: month.state === 'green' ? null : notice,
      readAgain: mended.includes(period),
      accounts: lines.map(({ accountId, code, name, computed, reported, difference, state, notice: reason }) => ({
        id: accountId,
        code,
        name,
        computed,
        reported,
        difference,
        state,
        notice: reason,
      })),
    },
  })
}
