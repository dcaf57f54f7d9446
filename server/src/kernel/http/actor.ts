/** The authenticated caller, in the organisation that the call addresses. */
import { roleLevels, type RoleLevel, type RoleName } from '@tributary/contract/capabilities'
import type { TokenScope } from '@tributary/contract/token-scopes'

/** What the person of an auditor room may read: the connectors that they are assigned to, of these the months, and single marks. */
export interface AuditorExtent {
  readonly roomId: string
  /** Marks that are covered without the rest of their connectors. */
  readonly markIds: readonly string[]
  /** ISO 8601 in UTC. */
  readonly endsAt: string
  /** First days of months. Null: without a limit. */
  readonly periodFrom: string | null
  readonly periodTo: string | null
}

export interface Actor {
  readonly userId: string
  /** Of a call with an access token: the id of the token. */
  readonly sessionId: string
  /** The start of the session. */
  readonly signedInAt: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  /** The role in the organisation that the call addresses, or else in the token's organisation. */
  readonly role: RoleName
  readonly roleLevel: RoleLevel
  /** The token's organisation. */
  readonly organisationId: string | null
  /** The role in each organisation of which the person is a member. A provider role applies to all organisations instead. */
  readonly memberships: Readonly<Record<string, RoleName>>
  readonly providerRole: RoleName | null
  /** Of organisations in which the person is a member only by an auditor room. Only routes for auditors are open to them there. */
  readonly rooms?: Readonly<Record<string, AuditorExtent>>
  /** The password was set by an administrator and must be changed. */
  readonly passwordIsTemporary: boolean
  /** Has access to a connector because its owner shares it with the organisation of the role. */
  readonly isGuest?: true
  /** Of a call with an access token: its scopes. Such an actor has a role in the token’s organisation and nowhere else. */
  readonly tokenScopes?: readonly TokenScope[]
}

/** The person's role in an organisation, or undefined without one. */
export function roleIn(
  actor: Pick<Actor, 'memberships' | 'providerRole'>,
  organisationId: string | null,
): RoleName | undefined {
  if (actor.providerRole !== null) return actor.providerRole
  return organisationId === null ? undefined : actor.memberships[organisationId]
}

/** The person's auditor room in an organisation. Undefined for everyone who is not there as an auditor. */
export function roomIn({ rooms }: Pick<Actor, 'rooms'>, organisationId: string | null): AuditorExtent | undefined {
  return organisationId === null ? undefined : rooms?.[organisationId]
}

/** Whether the caller may read what is about a month. Only auditor rooms limit it. @param period its first day; null: about no month */
export function coversPeriod(actor: Pick<Actor, 'rooms'>, organisationId: string, period: string | null): boolean {
  const room = roomIn(actor, organisationId)
  if (room === undefined || period === null) return true
  return (room.periodFrom ?? period) <= period && period <= (room.periodTo ?? period)
}

/** The same person, with the given role. */
export function actingAs(actor: Actor, role: RoleName): Actor {
  return role === actor.role ? actor : { ...actor, role, roleLevel: roleLevels[role] }
}
