/** Starts a synchronisation for a user: the same run as Refresh, at most once in fifteen minutes. */
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { type ManualStart, startManualRun } from '../../connections/connectors/start-run.ts'
import type { Db } from '../../kernel/store/store.ts'
import { getProduct, minutesSinceTrigger } from './queries.ts'

const startedMessage =
  'Your sync has started successfully. Typically this will take 5-15 minutes to finish depending on the number of transactions you have processed in Xero since the last sync. You can start the sync of another organisation now if you wish.'

/** @throws `syncTooSoon`, `notConnected` and the errors of `startForPerson`. */
export async function startSynchronisation(
  db: Db,
  services: Pick<AppServices, 'audit' | 'queue'>,
  { auditContext, connectorId }: ManualStart & { readonly auditContext: CallerContext },
) {
  const { organisationId, actor } = auditContext
  const connector = { organisationId, connectorId }
  await requireVisibleConnector(db, actor, connector)
  // Serialises concurrent calls, so that each sees the run of the first.
  await lockConnector(db, connector)
  const product = await getProduct(db, connector)
  // Checked before the interval, because waiting would not help.
  if (product.status !== 'CONNECTED') throw new ApiFault('notConnected')
  const minutes = await minutesSinceTrigger(db, connector)
  if (minutes !== null) throw new ApiFault('syncTooSoon', { values: { minutes, company: product.companyName } })
  const runId = await startManualRun(db, services, { auditContext, connectorId }, { mode: 'incremental' })
  return { statusCode: 200, message: startedMessage, runId }
}
