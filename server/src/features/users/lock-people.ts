/**
 * Locks people for changes and checks who may change whom. To prevent deadlocks, every change locks in the same order: the person,
 * their organisations by id, the superadmins.
 */
import type { AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { may, roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import { ApiFault, badField, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findUnattached, findUser } from './queries.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export interface CallerAndTarget {
  readonly caller: LockedPerson
  readonly target: LockedPerson
}

/**
 * Throws `notFound` unless the person is a member of the organisation. Callers with a provider role may also change the provider's
 * people without a membership, from any organisation.
 */
export async function requireMember(
  { store }: Pick<AppServices, 'store'>,
  { actor, organisationId }: CallerContext,
  userId: string,
): Promise<void> {
  // Across: people without a membership belong to no organisation.
  if (actor.providerRole !== null && (await store.across((db) => findUnattached(db, userId))) !== undefined) return
  requireFound(await store.within(organisationId, (db) => findUser(db, organisationId, userId)))
}

/**
 * Locks the member until the transaction (one across organisations) ends, and reads the caller again: of two people who remove each
 * other's rights at the same moment, only one may succeed. Throws `notFound`, `notAllowed`, `roleTooHigh`.
 */
export async function lockMember(
  db: Db,
  { organisationId, actor }: CallerContext,
  userId: string,
): Promise<CallerAndTarget> {
  const target = await lockPerson(db, userId)
  if (target === undefined || !isVisibleFrom(target, organisationId, actor)) throw new ApiFault('notFound')

  const caller = await findPerson(db, actor.userId)
  if (caller?.status !== 'active' || !may(roleLevelIn(caller, organisationId), 'editUsers'))
    throw new ApiFault('notAllowed')
  if (roleLevelIn(target, organisationId) < roleLevelIn(caller, organisationId)) throw new ApiFault('roleTooHigh')
  return { caller, target }
}

/** Locks the person, and what decides whether they may leave, until the transaction (one across organisations) ends. */
export async function lockPerson(db: Db, userId: string): Promise<LockedPerson | undefined> {
  // Locking a join could lose the row it waited for, so lock the row first and read the rest afterwards.
  await db.selectFrom('portalUser').select('id').where('id', '=', userId).forUpdate().execute()
  const person = await findPerson(db, userId)
  if (person === undefined) return undefined
  const organisationIds = Object.keys(person.roles)
  if (organisationIds.length > 0)
    await db
      .selectFrom('organisation')
      .select('id')
      .where('id', 'in', organisationIds)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  if (person.providerRole === 'superadmin') await lockForTransaction(db, 'superadmins')
  return person
}

function isVisibleFrom({ roles, providerRole }: LockedPerson, organisationId: string, actor: Actor): boolean {
  if (roles[organisationId] !== undefined) return true
  return actor.providerRole !== null && providerRole !== null && Object.keys(roles).length === 0
}

function findPerson(db: Db, userId: string) {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .leftJoin('role', 'role.id', 'portalUser.providerRoleId')
    .select(['portalUser.id', 'firstName', 'lastName', 'emailAddress', 'requiresMfa', 'msOid', 'isService'])
    .select(['statusId', 'status.name as status'])
    .select(sql<RoleName | null>`role.name`.as('providerRole'))
    .select(rolesByOrganisation.as('roles'))
    .where('portalUser.id', '=', userId)
    .executeTakeFirst()
}
export type LockedPerson = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** The role of each membership, those in archived organisations included. */
const rolesByOrganisation = sql<Readonly<Record<string, RoleName>>>`(
  select coalesce(jsonb_object_agg(membership.organisationId, held.name), '{}')
  from membership join role held on held.id = membership.roleId
  where membership.userId = portalUser.id)`

export function roleIn(person: LockedPerson, organisationId: string): RoleName | undefined {
  return person.providerRole ?? person.roles[organisationId]
}

/** Infinity, which is less than any role, if the person has no role in the organisation. */
export function roleLevelIn(person: LockedPerson, organisationId: string): number {
  const role = roleIn(person, organisationId)
  return role === undefined ? Number.POSITIVE_INFINITY : roleLevels[role]
}

/** What belongs to the person is changed only by administrators of all their organisations. Throws `memberElsewhere`. */
export function requireAdministered({ caller, target }: CallerAndTarget): void {
  const isForeign = (organisationId: string) => !may(roleLevelIn(caller, organisationId), 'editUsers')
  if (Object.keys(target.roles).some(isForeign)) throw new ApiFault('memberElsewhere')
}

/** Throws `roleTooHigh` for a role with more rights than the caller has. */
export async function getAssignableRole(db: Db, roleId: string, giverLevel: number) {
  const found = await db
    .selectFrom('role')
    .select(['id', 'name', 'roleLevel as level'])
    .where('id', '=', roleId)
    .executeTakeFirst()
  if (found === undefined) throw badField('roleId', 'is not the id of a role')
  if (found.level < giverLevel) throw new ApiFault('roleTooHigh')
  return { ...found, name: found.name as RoleName }
}
export type AssignableRole = Awaited<ReturnType<typeof getAssignableRole>>

export function isProviderRole({ level }: Pick<AssignableRole, 'level'>): boolean {
  return level < roleLevels.admin
}

/**
 * Throws `lastAdmin` if one of the organisations would lose its last administrator with the person. Archived organisations need none.
 */
export async function requireOtherAdmins(
  db: Db,
  person: LockedPerson,
  organisationIds: readonly string[],
): Promise<void> {
  const administered = organisationIds.filter((id) => roleIn(person, id) === 'admin')
  if (person.isService || person.status !== 'active' || administered.length === 0) return
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
            // The provider's people do not count as administrators of a customer.
            .where('portalUser.providerRoleId', 'is', null)
            // A service account cannot sign in to administer anything.
            .where('portalUser.isService', '=', false),
        ),
      ),
    )
    .executeTakeFirst()
  if (abandoned !== undefined) throw new ApiFault('lastAdmin')
}

/** Throws `lastAdmin` if the person is the last superadmin. */
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
