/** Who may change whom, and who must not go. Whoever changes somebody locks in one order: the person, their organisations by id, the superadmins. */
import type { AppServices } from '../../app-services.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { may, roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findUnattached, findUser } from './queries.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export interface LockedPerson {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  readonly statusId: string
  readonly status: string
  readonly providerRole: RoleName | null
  /** The role of each membership, those in archived organisations included. */
  readonly roles: Readonly<Record<string, RoleName>>
  readonly requiresMfa: boolean
  readonly msOid: string | null
}

export interface CallerAndTarget {
  readonly caller: LockedPerson
  readonly target: LockedPerson
}

/**
 * Throws `notFound` for who is no member: seen by a transaction that sees this organisation only. Those of the provider's people
 * who are members nowhere are changed by the provider, from any organisation.
 */
export async function requireMember(
  { store }: Pick<AppServices, 'store'>,
  { actor, organisationId }: AuditContext<string, Actor>,
  userId: string,
): Promise<void> {
  // Across: they belong to no organisation.
  if (actor.providerRole !== null && (await store.across((db) => findUnattached(db, userId))) !== undefined) return
  const found = await store.within(organisationId, (db) => findUser(db, organisationId, userId))
  if (found === undefined) throw new ApiFault('notFound')
}

/**
 * The member, held until the transaction (one across) ends, and the caller as the store knows them now: two who take each
 * other's rights away at once must not both succeed. Throws `notFound`, `notAllowed`, `roleTooHigh`.
 */
export async function lockMember(
  db: Db,
  { organisationId, actor }: AuditContext<string, Actor>,
  userId: string,
): Promise<CallerAndTarget> {
  const target = await lockPerson(db, userId)
  if (target === undefined || !isReachedFrom(target, organisationId, actor)) throw new ApiFault('notFound')

  const caller = await findPerson(db, actor.userId)
  if (caller?.status !== 'active' || !may(levelIn(caller, organisationId), 'editUsers'))
    throw new ApiFault('notAllowed')
  if (levelIn(target, organisationId) < levelIn(caller, organisationId)) throw new ApiFault('roleTooHigh')
  return { caller, target }
}

/** The person, with what decides whether they must not go, held until the transaction (one across) ends. */
export async function lockPerson(db: Db, userId: string): Promise<LockedPerson | undefined> {
  // A lock on a join could lose the row that it has waited for, so it is taken first and the rest is read after.
  await db.selectFrom('portalUser').select('id').where('id', '=', userId).forUpdate().execute()
  const person = await findPerson(db, userId)
  if (person === undefined) return undefined
  const theirs = Object.keys(person.roles)
  if (theirs.length > 0)
    await db.selectFrom('organisation').select('id').where('id', 'in', theirs).orderBy('id').forNoKeyUpdate().execute()
  if (person.providerRole === 'superadmin') await lockForTransaction(db, 'superadmins')
  return person
}

function isReachedFrom({ roles, providerRole }: LockedPerson, organisationId: string, actor: Actor): boolean {
  if (roles[organisationId] !== undefined) return true
  return actor.providerRole !== null && providerRole !== null && Object.keys(roles).length === 0
}

function findPerson(db: Db, userId: string): Promise<LockedPerson | undefined> {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .leftJoin('role', 'role.id', 'portalUser.providerRoleId')
    .select([
      'portalUser.id',
      'firstName',
      'lastName',
      'emailAddress',
      'statusId',
      'status.name as status',
      'requiresMfa',
      'msOid',
    ])
    .select(sql<RoleName | null>`role.name`.as('providerRole'))
    .select(rolesOf.as('roles'))
    .where('portalUser.id', '=', userId)
    .executeTakeFirst()
}

const rolesOf = sql<Readonly<Record<string, RoleName>>>`(
  select coalesce(jsonb_object_agg(membership.organisationId, held.name), '{}')
  from membership join role held on held.id = membership.roleId
  where membership.userId = portalUser.id)`

export function roleOf(person: LockedPerson, organisationId: string): RoleName | undefined {
  return person.providerRole ?? person.roles[organisationId]
}

/** Higher than any where the person is nobody. */
export function levelIn(person: LockedPerson, organisationId: string): number {
  const role = roleOf(person, organisationId)
  return role === undefined ? Number.POSITIVE_INFINITY : roleLevels[role]
}

/** What belongs to the person and not to one membership is changed by those who administer every organisation they are in. */
export function requireAdministered({ caller, target }: CallerAndTarget): void {
  const isForeign = (organisationId: string) => !may(levelIn(caller, organisationId), 'editUsers')
  if (Object.keys(target.roles).some(isForeign)) throw new ApiFault('memberElsewhere')
}

export interface AssignableRole {
  readonly id: string
  readonly name: RoleName
  readonly level: number
}

/** Throws `roleTooHigh` for a role with more rights than whoever gives it. */
export async function getGivenRole(db: Db, roleId: string, giverLevel: number): Promise<AssignableRole> {
  const found = await db
    .selectFrom('role')
    .select(['id', 'name', 'roleLevel as level'])
    .where('id', '=', roleId)
    .executeTakeFirst()
  if (found === undefined) throw badField('roleId', 'is not the id of a role')
  if (found.level < giverLevel) throw new ApiFault('roleTooHigh')
  return { ...found, name: found.name as RoleName }
}

export function isProviderRole({ level }: Pick<AssignableRole, 'level'>): boolean {
  return level < roleLevels.admin
}

/** Where the person administers and is about to stop: throws `lastAdmin` if nobody else does. Archived organisations need nobody. */
export async function requireOtherAdmins(
  db: Db,
  person: LockedPerson,
  organisationIds: readonly string[],
): Promise<void> {
  const administered = organisationIds.filter((id) => roleOf(person, id) === 'admin')
  if (person.status !== 'active' || administered.length === 0) return
  const abandoned = await db
    .selectFrom('organisation')
    .select('id')
    .where('id', 'in', administered)
    .where('archivedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('membership')
            .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
            .innerJoin('role', 'role.id', 'membership.roleId')
            .innerJoin('status', 'status.id', 'portalUser.statusId')
            .select('membership.userId')
            .whereRef('membership.organisationId', '=', 'organisation.id')
            .where('membership.userId', '<>', person.id)
            .where('role.name', '=', 'admin')
            .where('status.name', '=', 'active')
            // The provider's people come and go; they are not the organisation's own.
            .where('portalUser.providerRoleId', 'is', null),
        ),
      ),
    )
    .executeTakeFirst()
  if (abandoned !== undefined) throw new ApiFault('lastAdmin')
}

/** A superadmin is about to stop being one, or to be shut out: throws `lastAdmin` where there is no other. */
export async function requireOtherSuperadmin(db: Db, person: LockedPerson): Promise<void> {
  if (person.providerRole !== 'superadmin' || person.status !== 'active') return
  const other = await db
    .selectFrom('portalUser')
    .innerJoin('role', 'role.id', 'portalUser.providerRoleId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select('portalUser.id')
    .where('portalUser.id', '<>', person.id)
    .where('role.name', '=', 'superadmin')
    .where('status.name', '=', 'active')
    .executeTakeFirst()
  if (other === undefined) throw new ApiFault('lastAdmin')
}
