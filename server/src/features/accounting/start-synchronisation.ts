/** A synchronisation that a person starts: the run that Refresh starts, too, but not twice within fifteen minutes. */
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { type ManualStart, startManualRun } from '../../connections/connectors/start-run.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findProduct, minutesSinceTrigger } from './queries.ts'

const started =
  'Your sync has started successfully. Typically this will take 5-15 minutes to finish depending on the number of transactions you have processed in Xero since the last sync. You can start the sync of another organisation now if you wish.'

/** Throws `syncTooSoon`, and what starting a run throws. */
export async function synchronise(
  db: Db,
  services: Pick<AppServices, 'audit' | 'queue'>,
  { auditContext, connectorId }: ManualStart & { readonly auditContext: AuditContext<string, Actor> },
) {
  const { organisationId, actor } = auditContext
  await requireVisibleConnector(db, organisationId, actor, connectorId)
  // Of a hundred who press at once, each finds the run of the first.
  await lockConnector(db, organisationId, connectorId)
  const product = await findProduct(db, organisationId, connectorId)
  if (product === undefined) throw new ApiFault('notFound')
  // Waiting would help nobody.
  if (product.status !== 'CONNECTED') throw new ApiFault('notConnected')
  const minutes = await minutesSinceTrigger(db, organisationId, connectorId)
  if (minutes !== null) throw new ApiFault('syncTooSoon', { values: { minutes, company: product.companyName } })
  const runId = await startManualRun(db, services, { auditContext, connectorId }, { mode: 'incremental' })
  return { statusCode: 200, message: started, runId }
}
