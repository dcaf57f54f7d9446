/** The authenticated caller, in the organisation that the call addresses. */
import { roleLevels, type RoleLevel, type RoleName } from '@tributary/contract/capabilities'
import type { TokenScope } from '@tributary/contract/token-scopes'

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

/** The same person, with the given role. */
export function actingAs(actor: Actor, role: RoleName): Actor {
  return role === actor.role ? actor : { ...actor, role, roleLevel: roleLevels[role] }
}
