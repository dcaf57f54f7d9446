/** Adding, changing, disconnecting and deleting connectors. */
import { may } from '@tributary/contract/capabilities'
import type { ConnectorInput, ConnectorPatch } from '@tributary/contract/connectors'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { AuditEvent, Origin } from '../../platform/audit.ts'
import { lockConnector } from '../../platform/connector-lock.ts'
import { dropSettings } from '../../platform/connector-settings.ts'
import { ApiFault, badField } from '../../platform/fault.ts'
import type { Parts } from '../../platform/parts.ts'
import { isSchedule, nextFire } from '../../platform/schedule.ts'
import { keyOf } from '../../platform/slug.ts'
import type { Db } from '../../platform/store.ts'
import type { Input } from './form.ts'
import { endRuns, findTimeZone, keysLike, membersAmong, replaceUsers } from './queries.ts'
import { accept, changeSettings, storeSettings } from './settings.ts'
import { usersProperty } from './show.ts'

/** In whose name a change is made, and where. */
export interface Hand {
  readonly parts: Parts
  readonly actor: Actor
  readonly organisationId: string
  readonly origin: Origin
}

export async function createConnector(db: Db, hand: Hand, input: ConnectorInput): Promise<string> {
  const { parts, organisationId } = hand
  const { users, inputs } = splitUsers(input.properties)
  const schedule = requireSchedule(hand.actor, input.schedule, null)
  const accepted = accept({}, { type: input.type, inputs, others: 'go' })
  await requireFreeName(db, organisationId, input.name)
  const id = randomUUID()
  const key = keyOf(input.name, 'connector', await keysLike(db, organisationId, keyOf(input.name, 'connector')))
  const row = { id, organisationId, key, type: input.type, name: input.name, originalName: input.name, schedule }
  await db
    .insertInto('connector')
    .values({ ...row, nextRunAt: await nextRun(db, organisationId, schedule) })
    .execute()
  await storeSettings(db, parts.secrets, { organisationId, connectorId: id }, accepted)
  if (users !== undefined) await setUsers(db, organisationId, id, users)
  await record(db, hand, id, { action: 'connector.created' })
  return id
}

export async function changeConnector(db: Db, hand: Hand, connectorId: string, patch: ConnectorPatch): Promise<void> {
  const { organisationId, actor } = hand
  const former = await requireLocked(db, organisationId, connectorId)
  const schedule = requireSchedule(actor, patch.schedule, former.schedule)
  const name = patch.name ?? former.name
  if (name.toLowerCase() !== former.name.toLowerCase()) await requireFreeName(db, organisationId, name)
  if (patch.properties !== undefined || patch.status !== undefined) {
    await changeProperties(db, hand, connectorId, { inputs: patch.properties ?? [], others: 'stay' })
  }
  const status = patch.status ?? former.status
  await db
    .updateTable('connector')
    .set({ name, schedule, status })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  const isRescheduled = schedule !== former.schedule
  // A mere rename does not wake a schedule that waits for somebody to look at the credentials.
  if (isRescheduled || patch.status !== undefined) await reschedule(db, organisationId, connectorId)
  await record(db, hand, connectorId, { action: 'connector.updated' })
  if (isRescheduled)
    await record(db, hand, connectorId, { action: 'connector.schedule_changed', detail: { before: former.schedule, after: schedule } })
}

/** Settings and users. Whoever changes them has acted, so a schedule that waited for somebody goes on. */
export async function changeProperties(
  db: Db,
  hand: Hand,
  connectorId: string,
  change: { readonly inputs: readonly Input[]; readonly others: 'stay' | 'go' },
): Promise<void> {
  const { parts, organisationId } = hand
  const { type } = await requireLocked(db, organisationId, connectorId)
  const { users, inputs } = splitUsers(change.inputs)
  if (users !== undefined) await assignUsers(db, hand, connectorId, users)
  if (users !== undefined && inputs.length === 0 && change.inputs.length > 0) return
  await changeSettings(db, parts.secrets, { organisationId, connectorId }, { type, inputs, others: change.others })
  await reschedule(db, organisationId, connectorId)
  await record(db, hand, connectorId, { action: 'connector.credentials_set' })
}

export async function assignUsers(db: Db, hand: Hand, connectorId: string, userIds: readonly string[]): Promise<void> {
  await requireLocked(db, hand.organisationId, connectorId)
  await setUsers(db, hand.organisationId, connectorId, userIds)
  await record(db, hand, connectorId, { action: 'connector.users_assigned', detail: { count: userIds.length } })
}

/** The credentials go and the schedule stops; runs, rows and the name stay. */
export async function closeConnector(db: Db, hand: Hand, connectorId: string, status: 'DISCONNECTED' | 'DELETED'): Promise<void> {
  const { organisationId } = hand
  await requireLocked(db, organisationId, connectorId)
  await db
    .updateTable('connector')
    .set({ status, nextRunAt: null })
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  await dropSettings(db, { organisationId, connectorId })
  await endRuns(db, organisationId, connectorId, status === 'DELETED' ? 'The connector was deleted.' : 'The connector was disconnected.')
  await record(db, hand, connectorId, { action: status === 'DELETED' ? 'connector.deleted' : 'connector.disconnected' })
}

async function requireLocked(db: Db, organisationId: string, connectorId: string) {
  const connector = await lockConnector(db, organisationId, connectorId)
  if (connector === undefined || connector.status === 'DELETED') throw new ApiFault('notFound')
  return connector
}

/** One after the other within an organisation, or two at the same moment would both find the name free. */
async function requireFreeName(db: Db, organisationId: string, name: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${organisationId}, 2))`.execute(db)
  const taken = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('status', '<>', 'DELETED')
    .where((eb) => eb(eb.fn<string>('lower', ['name']), '=', eb.fn<string>('lower', [eb.val(name)])))
    .executeTakeFirst()
  if (taken !== undefined) throw new ApiFault('nameTaken', { values: { name }, fields: { name: 'taken' } })
}

/** The schedule after the change. One that stays as it is may be sent by anybody who may edit; another only by who may set it. */
function requireSchedule(actor: Actor, sent: string | null | undefined, former: string | null): string | null {
  if (sent === undefined) return former
  const schedule = sent === '' ? null : sent
  if (schedule === former) return former
  if (!may(actor.roleLevel, 'editSchedule')) throw new ApiFault('notAllowed')
  if (schedule !== null && !isSchedule(schedule)) {
    throw badField('schedule', 'Write five fields: minute, hour, day of month, month, day of week; for example 0 6 * * 1-5.')
  }
  return schedule
}

async function reschedule(db: Db, organisationId: string, connectorId: string): Promise<void> {
  const { schedule, status } = await requireLocked(db, organisationId, connectorId)
  const nextRunAt = status === 'CONNECTED' ? await nextRun(db, organisationId, schedule) : null
  await db.updateTable('connector').set({ nextRunAt }).where('organisationId', '=', organisationId).where('id', '=', connectorId).execute()
}

async function nextRun(db: Db, organisationId: string, schedule: string | null): Promise<Date | null> {
  return schedule === null ? null : nextFire(schedule, await findTimeZone(db, organisationId), new Date())
}

/** `portal.user` is a property on the wire and a table in the store. */
function splitUsers(inputs: readonly Input[]): { users: string[] | undefined; inputs: Input[] } {
  const sent = inputs.find(({ name }) => name === usersProperty)
  const others = inputs.filter((input) => input !== sent)
  if (sent === undefined) return { users: undefined, inputs: others }
  if (sent.value !== null && typeof sent.value !== 'string') throw badField(usersProperty, 'Ids of users are needed, with spaces between.')
  return { users: (sent.value ?? '').split(/\s+/).filter((id) => id !== ''), inputs: others }
}

async function setUsers(db: Db, organisationId: string, connectorId: string, userIds: readonly string[]): Promise<void> {
  const wished = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const malformed = wished.find((id) => !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  const members = malformed === undefined ? await membersAmong(db, organisationId, wished) : new Set<string>()
  const stranger = malformed ?? wished.find((id) => !members.has(id))
  if (stranger !== undefined) throw badField(usersProperty, 'Only members of the organisation can be assigned.')
  await replaceUsers(db, organisationId, connectorId, wished)
}

async function record(
  db: Db,
  { parts, origin, organisationId }: Hand,
  connectorId: string,
  event: Pick<AuditEvent, 'action' | 'detail'>,
): Promise<void> {
  await parts.audit.record(db, origin, { organisationId, outcome: 'success', object: { type: 'connector', id: connectorId }, ...event })
}
