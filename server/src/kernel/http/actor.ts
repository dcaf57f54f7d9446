/** Who calls: a person, in the organisation that the call addresses. */
import { roleLevels, type RoleLevel, type RoleName } from '@tributary/contract/capabilities'

export interface Actor {
  readonly userId: string
  readonly sessionId: string
  /** When the session began. */
  readonly signedInAt: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  /** The role in the organisation that the call addresses; where it addresses none, in the one that the token speaks for. */
  readonly role: RoleName
  readonly roleLevel: RoleLevel
  /** The organisation that the token speaks for. */
  readonly organisationId: string | null
  /** The role in each organisation the person is a member of. A provider role holds in all organisations instead. */
  readonly memberships: Readonly<Record<string, RoleName>>
  readonly providerRole: RoleName | null
  /** An administrator typed the password that opens the account. */
  readonly passwordIsTemporary: boolean
  /** Reaches a connector because its owner shares it with the organisation in which the role holds. */
  readonly isGuest?: true
}

/** The person's role in that organisation, or undefined for one who is nobody there. */
export function roleIn(
  actor: Pick<Actor, 'memberships' | 'providerRole'>,
  organisationId: string | null,
): RoleName | undefined {
  if (actor.providerRole !== null) return actor.providerRole
  return organisationId === null ? undefined : actor.memberships[organisationId]
}

/** The same person, with the role they have in that organisation. */
export function actingAs(actor: Actor, role: RoleName): Actor {
  return role === actor.role ? actor : { ...actor, role, roleLevel: roleLevels[role] }
}
