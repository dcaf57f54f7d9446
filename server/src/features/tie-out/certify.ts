/** Issues the certificate of a month of a tie-out. */
import type { TieOutCompany } from '@tributary/contract/tie-out'
import type { Camel } from '@tributary/contract/wire'
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
  const { company, companies, currency, basis, checkedAtUtc, mended, notice } = tieOut
  const connectorName = await getConnectorName(db, connector)
  return issueCertificate(services, db, auditContext, {
    subject: 'tieOut',
    subjectKey: `${runId}/${period}`,
    verdict: month.state,
    title: `Tie-out of ${companies.length === 0 ? company : `${connectorName}, ${companies.length} companies`}, ${period.slice(0, 7)}`,
    period,
    connectorId: connector.connectorId,
    facts: {
      organisation: await getCompanyName(db, connector.organisationId),
      connector: connectorName,
      run: runId,
      checkedAt: checkedAtUtc,
      company,
      currency,
      basis,
      notice: month.state === 'green' ? null : notice,
      readAgain: mended.includes(period),
      ...(companies.length > 0 && { companies: certifyCompanies(companies, lines) }),
      accounts: lines.map((line) => ({
        ...(companies.length > 0 && { company: line.company }),
        id: line.accountId,
        code: line.code,
        name: line.name,
        computed: line.computed,
        reported: line.reported,
        difference: line.difference,
        state: line.state,
        notice: line.notice,
      })),
    },
  })
}

type CertifiedLine = Awaited<ReturnType<typeof listLines>>[number]

/** Each company with its state in the month. One that was not compared has no accounts. */
function certifyCompanies(companies: readonly Camel<TieOutCompany>[], lines: readonly CertifiedLine[]) {
  return companies.map(({ id, name, currency, compared, notice, state: overall }) => {
    const states = new Set(lines.filter(({ company }) => company === id).map(({ state }) => state))
    const worst = (['red', 'amber'] as const).find((state) => states.has(state)) ?? 'green'
    const state = compared ? worst : overall
    return { id, name, currency, compared, state, notice: state === 'green' ? null : notice }
  })
}
