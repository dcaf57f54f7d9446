/** Reads sessions and the people they belong to. */
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import type { ServerMode } from '../../kernel/config/setting.ts'
import { roleIn, type Actor, type AuditorExtent } from '../../kernel/http/actor.ts'
import { isMfaRequired } from '../factors/mfa-requirement.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isMembershipOpen } from '../people/auditor-rooms.ts'

export interface SessionFacts {
  readonly id: string
  readonly userId: string
  readonly organisationId: string | null
  readonly createdAt: string
  readonly lastActiveAt: string
  readonly refreshHash: Buffer
  /** The key of the session's cookies, from start to end. */
  readonly signingKeyId: string | null
  readonly formerHash: Buffer | null
  readonly rotatedAt: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  readonly providerRole: RoleName | null
  readonly passwordIsTemporary: boolean
  readonly memberships: Readonly<Record<string, RoleName>>
  /** The auditor rooms among them, by organisation. */
  readonly rooms: Readonly<Record<string, AuditorExtent>>
}

/**
 * Undefined if the session has ended, its person is locked or archived, or a required second factor is missing. `lock`
 * locks the row until the transaction ends.
 */
export function findSession(
  db: Db,
  mode: ServerMode,
  id: string,
  purpose: 'read' | 'lock' = 'read',
): Promise<SessionFacts | undefined> {
  const found = db
    .selectFrom('session')
    .innerJoin('portalUser', 'portalUser.id', 'session.userId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .leftJoin('role', 'role.id', 'portalUser.providerRoleId')
    .select(['session.id', 'session.userId', 'session.organisationId', 'session.createdAt', 'session.lastActiveAt'])
    .select(['session.refreshHash', 'session.signingKeyId', 'session.formerHash', 'session.rotatedAt'])
    .select([
      'portalUser.firstName',
      'portalUser.lastName',
      'portalUser.emailAddress',
      'portalUser.passwordIsTemporary',
    ])
    .select(sql<RoleName | null>`role.name`.as('providerRole'))
    .select(selectMemberships.as('memberships'))
    .select(selectRooms.as('rooms'))
    .where('session.id', '=', id)
    .where('session.endedAt', 'is', null)
    .where('status.name', '=', 'active')
    .where('portalUser.isService', '=', false)
    .where((row) => row.or([row('session.hasMfa', '=', true), row.not(isMfaRequired(mode))]))
  return (purpose === 'lock' ? found.forUpdate('session') : found).executeTakeFirst()
}

const selectMemberships = sql<Readonly<Record<string, RoleName>>>`(
  select coalesce(jsonb_object_agg(membership.organisationId, held.name), '{}')
  from membership
  join role held on held.id = membership.roleId
  join organisation working on working.id = membership.organisationId and working.archivedAt is null
  where membership.userId = portalUser.id)`

const selectRooms = sql<Readonly<Record<string, AuditorExtent>>>`(
  select coalesce(jsonb_object_agg(membership.organisationId, jsonb_build_object('roomId', auditorRoom.id, 'markIds', coalesce(auditorRoom.markIds, '{}'),
    'endsAt', to_char(membership.expiresAt at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'periodFrom', auditorRoom.periodFrom, 'periodTo', auditorRoom.periodTo)), '{}')
  from membership
  left join auditorRoom on auditorRoom.organisationId = membership.organisationId and auditorRoom.userId = membership.userId
    and auditorRoom.endedAt is null
  where membership.userId = portalUser.id and membership.expiresAt is not null)`

/** The organisation that a session starts in: the first by name that the person has access to. */
export async function findFirstOrganisation(
  db: Db,
  person: { readonly id: string; readonly isProvider: boolean },
): Promise<string | null> {
  const all = db
    .selectFrom('organisation')
    .select('organisation.id')
    .where('archivedAt', 'is', null)
    .orderBy('companyName')
    .limit(1)
  const own = all
    .innerJoin('membership', 'membership.organisationId', 'organisation.id')
    .where('membership.userId', '=', person.id)
    .where(isMembershipOpen)
  const first = await (person.isProvider ? all : own).executeTakeFirst()
  return first?.id ?? null
}

async function organisationExists(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('organisation').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The ids of a person's open sessions, newest first. */
export async function listOpenSessions(db: Db, userId: string): Promise<readonly string[]> {
  const open = db.selectFrom('session').select('id').where('userId', '=', userId).where('endedAt', 'is', null)
  const rows = await open.orderBy('createdAt', 'desc').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/**
 * The organisation that the session continues in. Undefined if the person has no role in the requested one. Without a
 * request the present one, or the first by name if the person no longer has a role there.
 */
export async function resolveOrganisation(
  db: Db,
  facts: SessionFacts,
  requestedId: string | undefined,
): Promise<string | null | undefined> {
  if (requestedId !== undefined) {
    const hasRole = roleIn(facts, requestedId) !== undefined
    return hasRole && (await organisationExists(db, requestedId)) ? requestedId : undefined
  }
  if (facts.organisationId !== null && roleIn(facts, facts.organisationId) !== undefined) return facts.organisationId
  return findFirstOrganisation(db, { id: facts.userId, isProvider: facts.providerRole !== null })
}

/** @param now an auditor room gives no rights from its end on, also while the session is cached */
export function toActor(facts: SessionFacts, organisationId: string | null, now: number): Actor {
  const { userId, firstName, lastName, emailAddress, rooms, providerRole, passwordIsTemporary } = facts
  const isOver = (id: string) => rooms[id] !== undefined && Date.parse(rooms[id].endsAt) <= now
  const memberships = Object.fromEntries(Object.entries(facts.memberships).filter(([id]) => !isOver(id)))
  // A person without any membership keeps the lowest role until the session ends.
  const role = roleIn({ memberships, providerRole }, organisationId) ?? 'guest'
  return {
    userId,
    sessionId: facts.id,
    signedInAt: facts.createdAt,
    firstName,
    lastName,
    emailAddress,
    memberships,
    ...(providerRole === null && { rooms }),
    providerRole,
    passwordIsTemporary,
    organisationId,
    role,
    roleLevel: roleLevels[role],
  }
}
