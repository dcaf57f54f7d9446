import type { ListedUser, User, UserQuery } from '@tributary/contract/organisations'
import type { OpenInvitation } from '@tributary/contract/users'
import type { Camel } from '@tributary/contract/wire'
import { invitationMs } from '@tributary/contract/limits'
import { sql, type RawBuilder } from 'kysely'
import {
  assignedEntities,
  assignedGroups,
  assignedHelperTables,
  assignedProducts,
} from '../../planning/entitlement/assigned-records.ts'
import { isMfaRequired } from '../../identity/factors/mfa-requirement.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { ServerMode } from '../../kernel/config/setting.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isPaged, onePage } from '../../kernel/http/paging.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { matchesMember, selectMembers, type SeenMemberFields } from '../../identity/people/members.ts'

/** Which users a list contains. */
export interface UserFilter extends Pick<
  UserQuery,
  'search' | 'role' | 'status' | 'secondFactor' | 'neverSignedIn' | 'sort' | 'page' | 'pageSize'
> {
  readonly seenFields: SeenMemberFields
  /** Decides which roles require a second factor. */
  readonly mode: ServerMode
}

/** Counts `total` only for a paginated list. */
export async function listUsers(
  db: Db,
  organisationId: string,
  filter: UserFilter,
): Promise<{ users: Camel<ListedUser>[]; total: number | null }> {
  const { sort = 'asc', mode } = filter
  const selection = selectUsers(db, organisationId).where(({ and }) => and(userConditions(filter)))
  const listed = selection
    .select(listedColumns)
    .select(isMfaRequired(mode).as('secondFactor'))
    .orderBy('firstName', sort)
    .orderBy('lastName', sort)
    .orderBy('portalUser.id')
  const users = (await onePage(listed, filter).execute()).map(toListedUser)
  if (!isPaged(filter)) return { users, total: null }
  const { total } = await selection.select(db.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { users, total }
}

export async function findUser(db: Db, organisationId: string, userId: string): Promise<Camel<User> | undefined> {
  const row = await selectUsers(db, organisationId)
    .select(userColumns)
    .where('portalUser.id', '=', userId)
    .executeTakeFirst()
  return row && toUser(row)
}

/** The provider's people without a membership, by first name. @param db a transaction across organisations. */
export async function listUnattached(db: Db, filter: UserFilter): Promise<Camel<ListedUser>[]> {
  const rows = await selectUnattached(db)
    .select(isMfaRequired(filter.mode).as('secondFactor'))
    .where(({ and }) => and(userConditions(filter)))
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('portalUser.id')
    .execute()
  const nothing = { groups: [], helperTables: [], b2SEntities: [], xero2SqlProducts: [] }
  return rows.map(({ secondFactor, ...row }) => ({ ...toUser(row), secondFactor, ...nothing }))
}

/** Conditions for a query that has the tables `portalUser`, `role` and `status`. */
function userConditions(filter: UserFilter): RawBuilder<boolean>[] {
  const { search, seenFields, role, status, secondFactor, neverSignedIn, mode } = filter
  const conditions = [
    matchesMember(search, seenFields),
    role === undefined ? null : sql<boolean>`role.name = ${role}`,
    status === undefined ? null : sql<boolean>`status.name = ${status}`,
    secondFactor === undefined ? null : sql<boolean>`${isMfaRequired(mode)} = ${secondFactor}`,
    neverSignedIn === undefined ? null : sql<boolean>`(lastSignInAt IS NULL AND NOT isService) = ${neverSignedIn}`,
  ]
  return conditions.filter((condition) => condition !== null)
}

export async function findUnattached(db: Db, userId: string): Promise<Camel<User> | undefined> {
  const row = await selectUnattached(db).where('portalUser.id', '=', userId).executeTakeFirst()
  return row && toUser(row)
}

function selectUnattached(db: Db) {
  return db
    .selectFrom('portalUser')
    .innerJoin('role', 'role.id', 'portalUser.providerRoleId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(userColumns)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('membership').select('membership.userId').whereRef('membership.userId', '=', 'portalUser.id'),
        ),
      ),
    )
}

const userColumns = [
  'portalUser.id',
  'firstName',
  'lastName',
  'emailAddress',
  'statusId',
  'role.id as roleId',
  'role.name as roleName',
  'status.name as statusName',
  'portalUser.requiresMfa',
  'lastSignInAt',
  'msOid',
] as const

const listedColumns = [
  ...userColumns,
  assignedGroups.as('groups'),
  assignedHelperTables.as('helperTables'),
  assignedEntities.as('entities'),
  assignedProducts.as('products'),
] as const

function selectUsers(db: Db, organisationId: string) {
  return (
    selectMembers(db, organisationId)
      // A provider role holds in every organisation, whatever the membership says.
      .innerJoin('role', (join) =>
        join.on(sql<boolean>`role.id = coalesce(portalUser.providerRoleId, membership.roleId)`),
      )
  )
}

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUnattached>['executeTakeFirstOrThrow']>>

function toUser({ roleId, roleName, statusName, requiresMfa, lastSignInAt, msOid, ...user }: UserRow): Camel<User> {
  return {
    ...user,
    role: { id: roleId, name: roleName },
    status: { name: statusName },
    requireMultiFactorAuthentication: requiresMfa,
    lastSignInAtUtc: lastSignInAt,
    mS_Oid: msOid,
  }
}

interface UserAssignments extends Pick<Camel<ListedUser>, 'groups' | 'helperTables' | 'secondFactor'> {
  readonly entities: Camel<ListedUser>['b2SEntities']
  readonly products: readonly Camel<ListedUser>['xero2SqlProducts'][number][]
}

function toListedUser({
  groups,
  helperTables,
  entities,
  products,
  secondFactor,
  ...user
}: UserRow & UserAssignments): Camel<ListedUser> {
  return { ...toUser(user), secondFactor, groups, helperTables, b2SEntities: entities, xero2SqlProducts: [...products] }
}

export async function listInvitations(db: Db, organisationId: string): Promise<Camel<OpenInvitation>[]> {
  const rows = await selectOpenInvitations(db, organisationId)
    .orderBy('sentAt', 'desc')
    .orderBy('invitation.id')
    .execute()
  return rows.map(toInvitation)
}

/** Throws `notFound`. */
export async function getInvitation(
  db: Db,
  organisationId: string,
  invitationId: string,
): Promise<Camel<OpenInvitation>> {
  const row = await selectOpenInvitations(db, organisationId)
    .where('invitation.id', '=', invitationId)
    .executeTakeFirstOrThrow(notFound)
  return toInvitation(row)
}

function selectOpenInvitations(db: Db, organisationId: string) {
  return db
    .selectFrom('invitation')
    .innerJoin('role', 'role.id', 'invitation.roleId')
    .select([
      'invitation.id',
      'firstName',
      'lastName',
      'emailAddress',
      'sentAt',
      'role.id as roleId',
      'role.name as roleName',
    ])
    .where('organisationId', '=', organisationId)
    .where('acceptedAt', 'is', null)
}

type InvitationRow = Awaited<ReturnType<ReturnType<typeof selectOpenInvitations>['executeTakeFirstOrThrow']>>

function toInvitation({ roleId, roleName, sentAt, ...person }: InvitationRow): Camel<OpenInvitation> {
  return {
    ...person,
    role: { id: roleId, name: roleName },
    sentAtUtc: sentAt,
    expiresAtUtc: isoTime(Date.parse(sentAt) + invitationMs),
  }
}
