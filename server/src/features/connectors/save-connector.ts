/** Creates and changes connectors. */
import { may } from '@tributary/contract/capabilities'
import type { ConnectorInput, ConnectorPatch } from '@tributary/contract/connector-input'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AuditActor, AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { NewAuditEvent } from '../../security/audit/audit.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { isAuthorised } from '../../connections/oauth/authorised-types.ts'
import type { AppServices } from '../../app-services.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import { isSchedule, nextFire, scheduleFormat } from '../../kernel/cron-schedule.ts'
import { keyOf } from '../../kernel/text/slug.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { PropertyInput } from './settings-form.ts'
import { listKeysWithPrefix, filterMembers, replaceUsers } from './queries.ts'
import { acceptSettings, changeSettings, storeSettings } from './accept-settings.ts'
import { usersProperty } from './replies.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export type SaveConnectorServices = Pick<AppServices, 'audit' | 'config' | 'secrets'>

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
  const key = keyOf(
    input.name,
    'connector',
    await listKeysWithPrefix(db, organisationId, keyOf(input.name, 'connector')),
  )
  const { type, name, schemaPolicy = 'take' } = input
  const row = { id: connectorId, organisationId, key, type, name, originalName: name, schedule, schemaPolicy }
  await db
    .insertInto('connector')
    .values({ ...row, nextRunAt: await nextRun(db, organisationId, schedule) })
    .execute()
  await storeSettings(db, services.secrets, { organisationId, connectorId }, accepted)
  if (users !== undefined) await setUsers(db, organisationId, connectorId, users)
  await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.created' })
  return connectorId
}

export async function changeConnector(
  db: Db,
  services: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: EditContext,
  { connectorId, patch }: ConnectorReference & { readonly patch: ConnectorPatch },
): Promise<void> {
  const { organisationId, actor } = auditContext
  const former = await requireLocked(db, organisationId, connectorId)
  requireSignedIn(former, patch.status)
  const schedule = requireSchedule(actor, patch.schedule, former.schedule)
  const name = patch.name ?? former.name
  if (name.toLowerCase() !== former.name.toLowerCase()) await requireFreeName(db, organisationId, name)
  if (patch.properties !== undefined || patch.status !== undefined) {
    await changeProperties(db, services, auditContext, { connectorId, inputs: patch.properties ?? [], others: 'stay' })
  }
  const { status = former.status, schemaPolicy = former.schemaPolicy } = patch
  await db
    .updateTable('connector')
    .set({ name, schedule, status, schemaPolicy })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  const isRescheduled = schedule !== former.schedule
  // A rename alone does not resume a schedule that is paused until a user checks the credentials.
  if (isRescheduled || patch.status !== undefined) await reschedule(db, organisationId, connectorId)
  await recordChanges(db, services, auditContext, {
    connectorId,
    former,
    now: { name, schedule, status, schemaPolicy },
  })
}

type AuditedFields = Pick<Awaited<ReturnType<typeof requireLocked>>, 'name' | 'schedule' | 'status' | 'schemaPolicy'>

/** Records one event for the change, and one for each aspect that people search the audit log for. */
async function recordChanges(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: EditContext,
  { connectorId, former, now }: ConnectorReference & { readonly former: AuditedFields; readonly now: AuditedFields },
): Promise<void> {
  const { name, schedule, status, schemaPolicy } = now
  const detail = { before: { name: former.name, status: former.status }, after: { name, status } }
  await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.updated', detail })
  if (status === 'CONNECTED' && former.status !== status)
    await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.reconnected' })
  if (schedule !== former.schedule)
    await recordConnectorEvent(db, services, auditContext, {
      connectorId,
      action: 'connector.schedule_changed',
      detail: { before: former.schedule, after: schedule },
    })
  if (schemaPolicy !== former.schemaPolicy) {
    const detail = { before: former.schemaPolicy, after: schemaPolicy }
    await recordConnectorEvent(db, services, auditContext, {
      connectorId,
      action: 'connector.schema_policy_changed',
      detail,
    })
  }
}

/** Reconnects a connector after a new authorisation. */
export async function reconnect(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: EditContext,
  connectorId: string,
): Promise<void> {
  const { organisationId } = auditContext
  await requireLocked(db, organisationId, connectorId)
  await db
    .updateTable('connector')
    .set({ status: 'CONNECTED' })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  await reschedule(db, organisationId, connectorId)
  await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.reconnected' })
}

/** Reconnecting a source with sign-in needs a new authorisation there, not a form. */
function requireSignedIn(former: { readonly type: string; readonly status: string }, status: string | undefined): void {
  if (status === 'CONNECTED' && former.status !== 'CONNECTED' && isAuthorised(former.type)) throw signInRequiredFault()
}

/** For types without credentials to enter. */
export function signInRequiredFault(): ApiFault {
  const detail =
    'This connector is connected by signing in at the source, not by a form. Press Connect and authorise it there.'
  return new ApiFault('settingsWrong', { values: { detail } })
}

/** Changes settings and users. This counts as the action that a paused schedule waits for, so the schedule resumes. */
export async function changeProperties(
  db: Db,
  services: Pick<AppServices, 'audit' | 'secrets'>,
  auditContext: EditContext,
  {
    connectorId,
    ...change
  }: ConnectorReference & { readonly inputs: readonly PropertyInput[]; readonly others: 'stay' | 'go' },
): Promise<void> {
  const { organisationId } = auditContext
  const { type } = await requireLocked(db, organisationId, connectorId)
  const { users, inputs } = splitUsers(change.inputs)
  if (users !== undefined) await assignUsers(db, services, auditContext, { connectorId, userIds: users })
  if (users !== undefined && inputs.length === 0 && change.inputs.length > 0) return
  await changeSettings(db, services.secrets, { organisationId, connectorId }, { type, inputs, others: change.others })
  await reschedule(db, organisationId, connectorId)
  // An empty change resumes the schedule without new credentials.
  if (inputs.length > 0 || change.others === 'go')
    await recordConnectorEvent(db, services, auditContext, { connectorId, action: 'connector.credentials_set' })
}

export async function assignUsers(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  auditContext: EditContext,
  { connectorId, userIds }: ConnectorReference & { readonly userIds: readonly string[] },
): Promise<void> {
  const { organisationId } = auditContext
  await requireLocked(db, organisationId, connectorId)
  await setUsers(db, organisationId, connectorId, userIds)
  await recordConnectorEvent(db, services, auditContext, {
    connectorId,
    action: 'connector.users_assigned',
    detail: { count: userIds.length },
  })
}

export async function requireLocked(db: Db, organisationId: string, connectorId: string) {
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector === undefined || connector.status === 'DELETED') throw new ApiFault('notFound')
  return connector
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
  if (taken !== undefined) throw new ApiFault('nameTaken', { values: { name }, fields: { name: 'is taken' } })
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

async function reschedule(db: Db, organisationId: string, connectorId: string): Promise<void> {
  const { schedule, status } = await requireLocked(db, organisationId, connectorId)
  const nextRunAt = status === 'CONNECTED' ? await nextRun(db, organisationId, schedule) : null
  await db
    .updateTable('connector')
    // The target may have a new address, so probe it at once.
    .set({ nextRunAt, targetProbeAt: sql`CASE WHEN targetProbeAt IS NOT NULL THEN now() END` })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
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

async function setUsers(
  db: Db,
  organisationId: string,
  connectorId: string,
  userIds: readonly string[],
): Promise<void> {
  const requested = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const malformed = requested.find((id) => !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  const members = malformed === undefined ? await filterMembers(db, organisationId, requested) : new Set<string>()
  const invalid = malformed ?? requested.find((id) => !members.has(id))
  if (invalid !== undefined) throw badField(usersProperty, 'must be members of the organisation')
  await replaceUsers(db, organisationId, connectorId, requested)
}

export async function recordConnectorEvent(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: AuditContext<string>,
  { connectorId, ...event }: ConnectorReference & Pick<NewAuditEvent, 'action' | 'detail'>,
): Promise<void> {
  await audit.record(db, auditContext, {
    outcome: 'success',
    object: { type: 'connector', id: connectorId },
    ...event,
  })
}
