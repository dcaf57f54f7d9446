import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

interface NewApproval {
  readonly registrationId: string
  readonly type: 'NEW_ORGANISATION' | 'JOIN_ORGANISATION'
  /** JSON. */
  readonly context: string
  readonly createdAt: string
}

export async function insertApproval(db: Db, organisationId: string | null, approval: NewApproval): Promise<string> {
  const { id } = await db
    .insertInto('approval')
    .values({ ...approval, organisationId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * What the applicant may know of their request. Reads across organisations, because the applicant belongs to none yet.
 */
export function findApprovalEverywhere(db: Db, registrationId: string) {
  return db
    .selectFrom('approval')
    .select(['applicantHandle', 'status'])
    .where('registrationId', '=', registrationId)
    .executeTakeFirst()
}

export interface Approver {
  readonly id: string
  readonly emailAddress: string
}

/**
 * The organisation's administrators; the provider's users for a new organisation and for one without administrators.
 */
export async function listApprovers(db: Db, organisationId: string | null): Promise<readonly Approver[]> {
  const admins = organisationId === null ? [] : await listAdmins(db, organisationId)
  return admins.length > 0 ? admins : selectActiveUsers(db).where('providerRoleId', 'is not', null).execute()
}

function listAdmins(db: Db, organisationId: string): Promise<Approver[]> {
  return selectActiveUsers(db)
    .innerJoin('membership', 'membership.userId', 'portalUser.id')
    .innerJoin('role', 'role.id', 'membership.roleId')
    .where('membership.organisationId', '=', organisationId)
    .where('role.name', '=', 'admin')
    .where('providerRoleId', 'is', null)
    .execute()
}

function selectActiveUsers(db: Db) {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'emailAddress'])
    .where(sql<boolean>`status.name = 'active'`)
    .where('isService', '=', false)
    .orderBy('emailAddress')
}
