import type { ListQuery, Organisation, Role, Status, User } from '@tributary/contract/organisations'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../platform/store.ts'

const shown = ['organisation.id', 'companyName', 'key', 'timeZone'] as const

export function listOrganisations(db: Db): Promise<Camel<Organisation>[]> {
  return db.selectFrom('organisation').select(shown).orderBy('companyName').execute()
}

export function listOwnOrganisations(db: Db, userId: string): Promise<Camel<Organisation>[]> {
  return db
    .selectFrom('organisation')
    .innerJoin('membership', 'membership.organisationId', 'organisation.id')
    .where('membership.userId', '=', userId)
    .select(shown)
    .orderBy('companyName')
    .execute()
}

export function listRoles(db: Db): Promise<Camel<Role>[]> {
  return db.selectFrom('role').select(['id', 'displayName', 'name', 'roleLevel']).orderBy('roleLevel').execute()
}

export function listStatuses(db: Db): Promise<Camel<Status>[]> {
  return db.selectFrom('status').select(['id', 'name']).orderBy('id').execute()
}

const pageSizeDefault = 50

/** `total` is counted only for a list that is cut into pages. */
export async function listUsers(db: Db, organisationId: string, query: ListQuery): Promise<{ users: Camel<User>[]; total: number | null }> {
  const { page, pageSize = pageSizeDefault, sort = 'asc' } = query
  const wanted = members(db, organisationId, query.search)
  const all = wanted.select(userColumns).orderBy('firstName', sort).orderBy('lastName', sort).orderBy('portalUser.id')
  if (page === undefined && query.pageSize === undefined) return { users: (await all.execute()).map(shape), total: null }

  const rows = await all
    .limit(pageSize)
    .offset(((page ?? 1) - 1) * pageSize)
    .execute()
  const { total } = await wanted.select(db.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { users: rows.map(shape), total }
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
] as const

function members(db: Db, organisationId: string, search: string | undefined) {
  const found = db
    .selectFrom('membership')
    .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
    // A provider role holds in every organisation, whatever the membership says.
    .innerJoin('role', (join) => join.on(sql<boolean>`role.id = coalesce(portal_user.provider_role_id, membership.role_id)`))
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .where('membership.organisationId', '=', organisationId)
  if (search === undefined || search.trim() === '') return found
  const pattern = `%${search.trim().replaceAll(/[\\%_]/gu, '\\$&')}%`
  return found.where(sql<boolean>`(first_name || ' ' || last_name || ' ' || email_address) ilike ${pattern}`)
}

interface UserRow {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  readonly statusId: string
  readonly roleId: string
  readonly roleName: string
  readonly statusName: string
}

function shape({ id, firstName, lastName, emailAddress, statusId, roleId, roleName, statusName }: UserRow): Camel<User> {
  return { id, firstName, lastName, emailAddress, role: { id: roleId, name: roleName }, status: { name: statusName }, statusId }
}
