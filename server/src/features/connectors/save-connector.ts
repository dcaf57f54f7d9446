/** Creates and changes connectors. */
import { may } from '@tributary/contract/capabilities'
import type { ConnectorInput, ConnectorPatch } from '@tributary/contract/connector-input'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AuditActor, AuditContext, OrganisationContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { NewAuditEvent } from '../../security/audit/audit.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import { ApiFault, badField, detailedFault, nameTakenFault } from '../../kernel/http/api-fault.ts'
import { isAuthorised } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import { isSchedule, nextFire, scheduleFormat } from '../../kernel/cron-schedule.ts'
import { keyOf } from '../../kernel/text/slug.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { PropertyInput } from './settings-form.ts'
import { listKeysWithPrefix, replaceUsers } from './queries.ts'
import { requestHosts, type RequestHostsServices } from '../../connections/host-approvals/request-hosts.ts'
import {
  type AcceptedSettings,
  acceptSettings,
  calledHosts,
  changeSettings,
  storeSettings,
  type SettingsChange,
} from './accept-settings.ts'
import { usersProperty } from './replies.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'
import { updateConnector } from '../../connections/connectors/connector-queries.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { filterMembers } from '../../identity/people/members.ts'

export type SaveConnectorServices = ChangeConnectorServices & Pick<AppServices, 'config'>
type ChangeConnectorServices = Pick<AppServices, 'audit' | 'secrets'> & RequestHostsServices

/** The role decides whether the actor may set a schedule. */
type EditContext = AuditContext<string, AuditActor & Pick<Actor, 'roleLevel'>>

/** A connector, in the organisation of the audit context. */
interface ConnectorReference {
  readonly connectorId: string
}

export async function createConnector(
  db: Db,
  services: SaveConnectorServices,
  auditContext: EditContext,
  input: ConnectorInput,
): Promise<string> {
  const { organisationId } = auditContext
  const { users, inputs } = splitUsers(input.properties)
  const schedule =
    input.schedule === undefined
      ? services.config.defaultSchedule
      : requireSchedule(auditContext.actor, input.schedule, null)
  const accepted = acceptSettings({}, { type: input.type, inputs, others: 'go' })
  await requireFreeName(db, organisationId, input.name)
  const connectorId = randomUUID()
  const slug = keyOf(input.name, 'connector')
  const key = keyOf(input.name, 'connector', await listKeysWithPrefix(db, organisationId, slug))
  const { type, name, schemaPolicy = 'take' } = input
  const row = { id: connectorId, organisationId, key, type, name, originalName: name, schedule, schemaPolicy }
  await db
    .insertInto('connector')
    .values({ ...row, nextRunAt: await nextRun(db, organisationId, schedule) })
    .execute()
  const connector = { organisationId, connectorId }
  await storeSettings(db, services.secrets, connector, accepted)
  if (users !== undefined) await setUsers(db, connector, users)
  await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.created' })
  await requestApproval(db, services, auditContext, { connectorId, accepted })
  return connectorId
}

export async function changeConnector(
  db: Db,
  services: ChangeConnectorServices,
  auditContext: EditContext,
  { connectorId, patch }: ConnectorReference & { readonly patch: ConnectorPatch },
): Promise<void> {
  const { organisationId, actor } = auditContext
  const connector = { organisationId, connectorId }
  const former = await lockUndeletedConnector(db, connector)
  requireSignedIn(former, patch.status)
  const schedule = requireSchedule(actor, patch.schedule, former.schedule)
  const name = patch.name ?? former.name
  if (name.toLowerCase() !== former.name.toLowerCase()) await requireFreeName(db, organisationId, name)
  if (patch.properties !== undefined || patch.status !== undefined) {
    await changeProperties(db, services, auditContext, { connectorId, inputs: patch.properties ?? [], others: 'stay' })
  }
  const { status = former.status, schemaPolicy = former.schemaPolicy } = patch
  const now = { name, schedule, status, schemaPolicy }
  await updateConnector(db, connector, now)
  // A rename alone does not resume a schedule that is paused until a user checks the credentials.
  if (schedule !== former.schedule || patch.status !== undefined) await reschedule(db, connector)
  await recordChanges(db, services, auditContext, { connectorId, former, now })
}

type AuditedFields = Pick<
  Awaited<ReturnType<typeof lockUndeletedConnector>>,
  'name' | 'schedule' | 'status' | 'schemaPolicy'
>

/** Records one event for the change, and one for each aspect that people search the audit log for. */
async function recordChanges(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: EditContext,
  { connectorId, former, now }: ConnectorReference & { readonly former: AuditedFields; readonly now: AuditedFields },
): Promise<void> {
  const { name, status } = now
  const detail = { before: { name: former.name, status: former.status }, after: { name, status } }
  await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.updated', detail })
  if (status === 'CONNECTED' && former.status !== status)
    await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.reconnected' })
  for (const [field, action] of [
    ['schedule', 'connector.schedule_changed'],
    ['schemaPolicy', 'connector.schema_policy_changed'],
  ] as const) {
    if (now[field] === former[field]) continue
    const detail = { before: former[field], after: now[field] }
    await recordConnectorEvent(db, services, auditContext, { connectorId, action, detail })
  }
}

/** Reconnects a connector after a new authorisation. */
export async function reconnect(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: EditContext,
  connectorId: string,
): Promise<void> {
  const connector = { organisationId: auditContext.organisationId, connectorId }
  await lockUndeletedConnector(db, connector)
  await updateConnector(db, connector, { status: 'CONNECTED' })
  await reschedule(db, connector)
  await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.reconnected' })
}

/** Reconnecting a source with sign-in needs a new authorisation there, not a form. */
function requireSignedIn(former: { readonly type: string; readonly status: string }, status: string | undefined): void {
  if (status === 'CONNECTED' && former.status !== 'CONNECTED' && isAuthorised(former.type)) throw signInRequiredFault()
}

/** For types without credentials to enter. */
export function signInRequiredFault(): ApiFault {
  return detailedFault(
    'settingsWrong',
    'This connector is connected by signing in at the source, not by a form. Press Connect and authorise it there.',
  )
}

/** Changes settings and users. This counts as the action that a paused schedule waits for, so the schedule resumes. */
export async function changeProperties(
  db: Db,
  services: ChangeConnectorServices,
  auditContext: EditContext,
  { connectorId, ...change }: ConnectorReference & Omit<SettingsChange, 'type'>,
): Promise<void> {
  const connector = { organisationId: auditContext.organisationId, connectorId }
  const { type } = await lockUndeletedConnector(db, connector)
  const { users, inputs } = splitUsers(change.inputs)
  if (users !== undefined) await assignUsers(db, services, auditContext, { connectorId, userIds: users })
  if (users !== undefined && inputs.length === 0 && change.inputs.length > 0) return
  const accepted = await changeSettings(db, services.secrets, connector, { type, inputs, others: change.others })
  await reschedule(db, connector)
  // An empty change resumes the schedule without new credentials.
  if (inputs.length > 0 || change.others === 'go')
    await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.credentials_set' })
  await requestApproval(db, services, auditContext, { connectorId, accepted })
}

/** A source that the customer has described runs only with hosts that the provider has approved. */
async function requestApproval(
  db: Db,
  services: RequestHostsServices,
  auditContext: EditContext,
  { connectorId, accepted }: ConnectorReference & { readonly accepted: AcceptedSettings },
): Promise<void> {
  const called = calledHosts(accepted)
  if (called !== null) await requestHosts(db, services, auditContext, { connectorId, ...called })
}

export async function assignUsers(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: EditContext,
  { connectorId, userIds }: ConnectorReference & { readonly userIds: readonly string[] },
): Promise<void> {
  const connector = { organisationId: auditContext.organisationId, connectorId }
  await lockUndeletedConnector(db, connector)
  await setUsers(db, connector, userIds)
  await recordConnectorEvent(db, services, auditContext, {
    connectorId,
    action: 'connector.users_assigned',
    detail: { count: userIds.length },
  })
}

/** The advisory lock prevents a race condition in which two requests both find a name free. */
export async function lockNames(db: Db, organisationId: string): Promise<void> {
  await lockForTransaction(db, 'connectorNames', organisationId)
}

async function requireFreeName(db: Db, organisationId: string, name: string): Promise<void> {
  await lockNames(db, organisationId)
  const taken = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('status', '<>', 'DELETED')
    .where((eb) => eb(eb.fn<string>('lower', ['name']), '=', eb.fn<string>('lower', [eb.val(name)])))
    .executeTakeFirst()
  if (taken !== undefined) throw nameTakenFault(name)
}

/**
 * The schedule after the change. Every editor may send the unchanged schedule; a new one needs the permission to set
 * schedules.
 */
function requireSchedule(
  actor: Pick<Actor, 'roleLevel'>,
  sent: string | null | undefined,
  former: string | null,
): string | null {
  if (sent === undefined) return former
  const schedule = sent === '' ? null : sent
  if (schedule === former) return former
  if (!may(actor.roleLevel, 'editSchedule')) throw new ApiFault('notAllowed')
  if (schedule !== null && !isSchedule(schedule)) {
    throw badField('schedule', scheduleFormat)
  }
  return schedule
}

async function reschedule(db: Db, connector: ConnectorLocation): Promise<void> {
  const { schedule, status } = await lockUndeletedConnector(db, connector)
  const nextRunAt = status === 'CONNECTED' ? await nextRun(db, connector.organisationId, schedule) : null
  // The target may have a new address, so probe it at once.
  const targetProbeAt = sql<string | null>`CASE WHEN targetProbeAt IS NOT NULL THEN now() END`
  await updateConnector(db, connector, { nextRunAt, targetProbeAt })
}

async function nextRun(db: Db, organisationId: string, schedule: string | null): Promise<Date | null> {
  return schedule === null ? null : nextFire(schedule, await findTimeZone(db, organisationId), new Date())
}

/** `portal.user` is a property on the wire and a table in the store. */
function splitUsers(inputs: readonly PropertyInput[]): { users: string[] | undefined; inputs: PropertyInput[] } {
  const sent = inputs.find(({ name }) => name === usersProperty)
  const others = inputs.filter((input) => input !== sent)
  if (sent === undefined) return { users: undefined, inputs: others }
  if (sent.value !== null && typeof sent.value !== 'string')
    throw badField(usersProperty, 'must be user ids, separated by spaces')
  return { users: (sent.value ?? '').split(/\s+/).filter((id) => id !== ''), inputs: others }
}

async function setUsers(db: Db, connector: ConnectorLocation, userIds: readonly string[]): Promise<void> {
  const requested = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const malformed = requested.find((id) => !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  const members =
    malformed === undefined ? await filterMembers(db, connector.organisationId, requested) : new Set<string>()
  const invalid = malformed ?? requested.find((id) => !members.has(id))
  if (invalid !== undefined) throw badField(usersProperty, 'must be members of the organisation')
  await replaceUsers(db, connector, requested)
}

export async function recordConnectorEvent(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: OrganisationContext,
  { connectorId, ...event }: ConnectorReference & Pick<NewAuditEvent, 'action' | 'detail'>,
): Promise<void> {
  await audit.record(db, auditContext, { object: { type: 'connector', id: connectorId }, ...event })
}
