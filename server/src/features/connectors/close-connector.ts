/** Disconnecting and deleting connectors. */
import type { DisconnectCompanyServices } from '../../connections/oauth/disconnect-company.ts'
import type { AppServices } from '../../app-services.ts'
import { dropSettings } from '../../connections/connectors/connector-settings.ts'
import { dropCredentials, forgetPassword } from '../../connections/databases/stored-credentials.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Db } from '../../kernel/store/store.ts'
import { release } from './disconnect.ts'
import { endRuns, endTies, lockAllConnected } from './queries.ts'
import { record, requireLocked } from './save-connector.ts'
import { schemaProperty } from './settings-form.ts'

type CloseConnectorServices = Pick<AppServices, 'audit'> & DisconnectCompanyServices

/**
 * The credentials go and the schedule stops; runs, rows and the name stay. What is connected again goes on where it stopped,
 * so it keeps the name of its schema, beside whose tables the checkpoints lie.
 */
export async function closeConnector(
  db: Db,
  services: CloseConnectorServices,
  auditContext: AuditContext<string>,
  { connectorId, status }: { readonly connectorId: string; readonly status: 'DISCONNECTED' | 'DELETED' },
): Promise<void> {
  const { organisationId } = auditContext
  await requireLocked(db, organisationId, connectorId)
  const kept = status === 'DELETED' ? [] : [schemaProperty]
  await db
    .updateTable('connector')
    .set({ status, nextRunAt: null, targetDownSince: null, targetProbeAt: null })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  await dropSettings(db, { organisationId, connectorId }, kept)
  await release(db, services, organisationId, connectorId)
  await (status === 'DELETED'
    ? dropCredentials(db, { organisationId, connectorId })
    : forgetPassword(db, organisationId, connectorId))
  if (status === 'DELETED') await endTies(db, organisationId, connectorId)
  await endRuns(
    db,
    organisationId,
    connectorId,
    status === 'DELETED' ? 'The connector was deleted.' : 'The connector was disconnected.',
  )
  await record(db, services, auditContext, {
    connectorId,
    action: status === 'DELETED' ? 'connector.deleted' : 'connector.disconnected',
  })
}

/** All that are connected, or all of a type; answers their ids. A failure leaves every one connected. */
export async function disconnectAll(
  db: Db,
  services: CloseConnectorServices,
  auditContext: AuditContext<string>,
  type: string | undefined,
): Promise<ReadonlySet<string>> {
  const ids = await lockAllConnected(db, auditContext.organisationId, type)
  for (const connectorId of ids)
    await closeConnector(db, services, auditContext, { connectorId, status: 'DISCONNECTED' })
  return new Set(ids)
}
