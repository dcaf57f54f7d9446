/** Connectors as the contract tells them: secrets masked, settings only for those who may edit them. */
import { type Connector, type ConnectorProperty, GuestConnector } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { isSealedSecret } from '../../security/secrets/sealed-properties.ts'
import { guestRedactor } from '../../kernel/http/guest-redactor.ts'
import { bundlesOf, heldAmong } from '../../connections/connectors/connector-licences.ts'
import { typeId } from '../../connections/connectors/connector-type-id.ts'
import type { ConnectorRow } from './queries.ts'

/** The property that names those who see the connector: their ids, with spaces between. */
export const usersProperty = 'portal.user'

const redactForGuest = guestRedactor(GuestConnector)

/** The connector as an organisation sees it that the connector is shared with. */
export function shownToGuest(row: ConnectorRow): Camel<Connector> {
  return redactForGuest({ ...shownConnector(row), sharedBy: row.companyName }) as Camel<Connector>
}

/** @param settings as stored; undefined where the reader may not see them, null where no property is asked for. */
export function shownConnector(row: ConnectorRow, settings?: ConnectorProperties | null): Camel<Connector> {
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
    client: { key: row.clientKey },
    sourceConnectorId: typeId(row.type),
    properties: settings === null ? [] : [users, ...shownSettings(row.id, settings ?? {})],
    log: shownLog(row),
    licences: heldAmong(bundlesOf(row.type), row.granted).map(({ id, base }) => ({ id, base })),
    schemaPolicy: row.schemaPolicy,
    pendingChanges: row.pendingChanges,
    targetDownSinceUtc: row.targetDownSince,
    recentRuns: row.recentRuns,
    sharedBy: null,
    tieOut: row.tieOut,
  }
}

function shownSettings(connectorId: string, settings: ConnectorProperties): Camel<ConnectorProperty>[] {
  return Object.entries(settings).map(([name, value]) => ({
    name,
    value: masked(value),
    clientConnectorId: connectorId,
  }))
}

function masked(value: unknown): unknown {
  if (isSealedSecret(value)) return secretMask
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, isSealedSecret(part) ? secretMask : (part as unknown)]),
  )
}

/** The latest run, in the words of the specification. */
function shownLog({
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
    // Signing in at the source again would not help where it is the target that refused.
    forbidden: hasFailed && faultKind === 'signIn' && faultCode !== 'target.login_refused',
    runId,
    notice,
  }
}
