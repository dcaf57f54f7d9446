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

/** What the applicant may know of their request. Everywhere: they are of no organisation yet. */
export function findApprovalOfEverywhere(db: Db, registrationId: string) {
  return db
    .selectFrom('approval')
    .select(['applicantHandle', 'status'])
    .where('registrationId', '=', registrationId)
    .executeTakeFirst()
}

export interface Decider {
  readonly id: string
  readonly emailAddress: string
}

/** The organisation's own administrators; the provider for a new one, and where an organisation has none of its own. */
export async function listDeciders(db: Db, organisationId: string | null): Promise<readonly Decider[]> {
  const admins = organisationId === null ? [] : await listAdmins(db, organisationId)
  return admins.length > 0 ? admins : activePeople(db).where('providerRoleId', 'is not', null).execute()
}

function listAdmins(db: Db, organisationId: string): Promise<Decider[]> {
  return activePeople(db)
    .innerJoin('membership', 'membership.userId', 'portalUser.id')
    .innerJoin('role', 'role.id', 'membership.roleId')
    .where('membership.organisationId', '=', organisationId)
    .where('role.name', '=', 'admin')
    .where('providerRoleId', 'is', null)
    .execute()
}

function activePeople(db: Db) {
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'emailAddress'])
    .where(sql<boolean>`status.name = 'active'`)
    .orderBy('emailAddress')
}
