/** Disconnects and deletes connectors. */
import type { DisconnectCompanyServices } from '../../connections/oauth/disconnect-company.ts'
import type { AppServices } from '../../app-services.ts'
import { deleteSettings } from '../../connections/connectors/connector-settings.ts'
import { deleteReadingLogin } from '../../connections/databases/reading-login.ts'
import { deleteCredentials, forgetPassword } from '../../connections/databases/stored-credentials.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import { cancelRuns, updateConnector } from '../../connections/connectors/connector-queries.ts'
import { releaseCompanies } from './release-companies.ts'
import { lockAllConnected } from './queries.ts'
import { removeSharesAndWebhook } from './share-queries.ts'
import { recordConnectorEvent } from './save-connector.ts'
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
  auditContext: OrganisationContext,
  { connectorId, status }: { readonly connectorId: string; readonly status: 'DISCONNECTED' | 'DELETED' },
): Promise<void> {
  const { organisationId } = auditContext
  const connector = { organisationId, connectorId }
  const isDeleted = status === 'DELETED'
  await lockUndeletedConnector(db, connector)
  await updateConnector(db, connector, { status, nextRunAt: null, targetDownSince: null, targetProbeAt: null })
  await deleteSettings(db, connector, isDeleted ? [] : [schemaProperty])
  await deleteReadingLogin(db, connector)
  await releaseCompanies(db, services, connector)
  await (isDeleted ? deleteCredentials(db, connector) : forgetPassword(db, connector))
  if (isDeleted) await removeSharesAndWebhook(db, connector)
  const notice = isDeleted ? 'The connector was deleted.' : 'The connector was disconnected.'
  await cancelRuns(db, organisationId, { notice }).where('connectorId', '=', connectorId).execute()
  const action = isDeleted ? 'connector.deleted' : 'connector.disconnected'
  await recordConnectorEvent(db, services, auditContext, { connectorId, action })
}

/** Disconnects all connectors, or all of a type, atomically. Returns their ids. */
export async function disconnectAll(
  db: Db,
  services: CloseConnectorServices,
  auditContext: OrganisationContext,
  type: string | undefined,
): Promise<ReadonlySet<string>> {
  const ids = await lockAllConnected(db, auditContext.organisationId, type)
  for (const connectorId of ids)
    await closeConnector(db, services, auditContext, { connectorId, status: 'DISCONNECTED' })
  return new Set(ids)
}
