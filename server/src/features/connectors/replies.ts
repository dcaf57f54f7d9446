/** Maps connectors to the contract's replies: secrets masked, settings only for users who may edit them. */
import { type Connector, type ConnectorProperty, GuestConnector } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { describeRefusal } from '../../connections/host-approvals/approved-hosts.ts'
import { isEncryptedSecret } from '../../security/secrets/sealed-properties.ts'
import { guestRedactor } from '../../kernel/http/guest-redactor.ts'
import { listBundles, filterLicensedBundles } from '../../connections/connectors/connector-licences.ts'
import { connectorTypeId } from '../../connections/connectors/connector-type-id.ts'
import type { ConnectorRow } from './queries.ts'

/** The property with the ids of the assigned users, separated by spaces. */
export const usersProperty = 'portal.user'

const redactForGuest = guestRedactor(GuestConnector)

/** The connector, redacted for organisations that it is shared with. */
export function toGuestConnector(row: ConnectorRow): Camel<Connector> {
  return redactForGuest({ ...toConnector(row), sharedBy: row.companyName }) as Camel<Connector>
}

/** @param settings as stored; undefined if the user may not see them, null if the request excludes all properties */
export function toConnector(row: ConnectorRow, settings?: ConnectorProperties | null): Camel<Connector> {
  const users = { name: usersProperty, value: row.users, clientConnectorId: row.id }
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    originalName: row.originalName,
    type: row.type,
    status: row.status,
    schedule: row.schedule,
    nextRunAtUtc: row.nextRunAt,
    timeZone: row.timeZone,
    client: { key: row.clientKey },
    sourceConnectorId: connectorTypeId(row.type),
    properties: settings === null ? [] : [users, ...toProperties(row.id, settings ?? {})],
    log: toConnectorLog(row),
    licences: filterLicensedBundles(listBundles(row.type), row.granted).map(({ id, base }) => ({ id, base })),
    schemaPolicy: row.schemaPolicy,
    pendingChanges: row.pendingChanges,
    targetDownSinceUtc: row.targetDownSince,
    recentRuns: row.recentRuns,
    latestRun: toLatestRun(row),
    freshAtUtc: row.freshAtUtc,
    lateSinceUtc: row.lateSinceUtc,
    sharedBy: null,
    tieOut: row.tieOut,
    verification: row.verification,
    storesTablesOnly: row.storesTablesOnly,
    hostApproval: toHostApproval(row),
  }
}

function toHostApproval({
  approvalStatus: status,
  approvalHosts: hosts,
  approvalReason: reason,
}: ConnectorRow): Camel<Connector>['hostApproval'] {
  if (status === null || hosts === null) return null
  return { status, hosts, notice: status === 'APPROVED' ? null : describeRefusal(hosts, { hosts, status, reason }) }
}

function toProperties(connectorId: string, settings: ConnectorProperties): Camel<ConnectorProperty>[] {
  return Object.entries(settings).map(([name, value]) => ({
    name,
    value: maskSecrets(value),
    clientConnectorId: connectorId,
  }))
}

function maskSecrets(value: unknown): unknown {
  if (isEncryptedSecret(value)) return secretMask
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, isEncryptedSecret(field) ? secretMask : (field as unknown)]),
  )
}

function toLatestRun({
  runId,
  rowsWritten,
  rowsDeleted,
  startedAt,
  durationMs,
  usualDurationMs,
}: ConnectorRow): Camel<Connector>['latestRun'] {
  if (runId === null || rowsWritten === null || rowsDeleted === null) return null
  return { rowsWritten, rowsDeleted, startedAtUtc: startedAt, durationMs, usualDurationMs }
}

/** The latest run, with the field names of the specification. */
function toConnectorLog({
  runId,
  trigger,
  runStatus,
  queuedAt,
  completedAt,
  faultKind,
  faultCode,
  notice,
}: ConnectorRow): Camel<Connector>['log'] {
  if (runId === null || queuedAt === null) return null
  const hasFailed = runStatus === 'FAILED'
  return {
    manuallyTriggeredAtUtc: trigger === 'person' ? queuedAt : null,
    automaticallyTriggeredAtUtc: trigger === 'schedule' ? queuedAt : null,
    completedAtUtc: completedAt,
    hasError: hasFailed,
    // If the target refused the login, signing in at the source again would not help.
    forbidden: hasFailed && faultKind === 'signIn' && faultCode !== 'target.login_refused',
    runId,
    notice,
  }
}
