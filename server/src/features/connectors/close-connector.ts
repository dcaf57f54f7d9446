/** Disconnects and deletes connectors. */
import type { DisconnectCompanyServices } from '../../connections/oauth/disconnect-company.ts'
import type { AppServices } from '../../app-services.ts'
import { deleteSettings } from '../../connections/connectors/connector-settings.ts'
import { deleteCredentials, forgetPassword } from '../../connections/databases/stored-credentials.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Db } from '../../kernel/store/store.ts'
import { releaseCompany } from './disconnect.ts'
import { cancelRuns, lockAllConnected } from './queries.ts'
import { removeSharesAndWebhook } from './share-queries.ts'
import { recordConnectorEvent, requireLocked } from './save-connector.ts'
import { schemaProperty } from './settings-form.ts'

type CloseConnectorServices = Pick<AppServices, 'audit'> & DisconnectCompanyServices

/**
 * Deletes the credentials and stops the schedule; runs, rows and the name stay. A disconnected connector keeps its
 * schema name: the
 * checkpoints are stored next to its tables, so that it continues where it stopped once it is reconnected.
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
  await deleteSettings(db, { organisationId, connectorId }, kept)
  await releaseCompany(db, services, organisationId, connectorId)
  await (status === 'DELETED'
    ? deleteCredentials(db, { organisationId, connectorId })
    : forgetPassword(db, organisationId, connectorId))
  if (status === 'DELETED') await removeSharesAndWebhook(db, organisationId, connectorId)
  await cancelRuns(
    db,
    organisationId,
    connectorId,
    status === 'DELETED' ? 'The connector was deleted.' : 'The connector was disconnected.',
  )
  await recordConnectorEvent(db, services, auditContext, {
    connectorId,
    action: status === 'DELETED' ? 'connector.deleted' : 'connector.disconnected',
  })
}

/** Disconnects all connectors, or all of a type, atomically. Returns their ids. */
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
