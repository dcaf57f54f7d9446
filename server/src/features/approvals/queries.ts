import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { notFound } from '../../kernel/http/api-fault.ts'

export function getRegistration(db: Db, registrationId: string) {
  return db
    .selectFrom('registration')
    .select(['firstName', 'emailAddress', 'companyName', 'timeZone'])
    .where('id', '=', registrationId)
    .executeTakeFirstOrThrow()
}

/** Pending ones first, then the newest. */
export function listApprovals(db: Db, organisationId: string) {
  return selectApprovals(db).where('organisationId', '=', organisationId).execute()
}

/** Includes requests for new organisations, which the provider decides. @param organisationId null in a new installation. */
export function listApprovalsEverywhere(db: Db, organisationId: string | null) {
  return selectApprovals(db)
    .where((is) => is.or([is('organisationId', '=', organisationId), is('organisationId', 'is', null)]))
    .execute()
}

/** Throws `notFound`. Locks the request, so that concurrent decisions wait for the transaction to end. */
export function lockApprovalEverywhere(db: Db, id: string) {
  return selectApprovals(db).where('approval.id', '=', id).forUpdate('approval').executeTakeFirstOrThrow(notFound)
}
export type ApprovalRow = Awaited<ReturnType<typeof lockApprovalEverywhere>>

function selectApprovals(db: Db) {
  return db
    .selectFrom('approval')
    .leftJoin('portalUser', 'portalUser.id', 'approval.decidedBy')
    .select([
      'approval.id',
      'organisationId',
      'registrationId',
      'type',
      'status',
      'context',
      'approval.createdAt',
      'decidedAt',
      'rejectionReason',
    ])
    .select(sql<string | null>`firstName || ' ' || lastName`.as('decidedBy'))
    .orderBy(sql`status <> 'PENDING'`)
    .orderBy('approval.createdAt', 'desc')
    .orderBy('approval.id')
}

/** Returns true if this call decided the request, and false if another one already had. */
export async function decideEverywhere(
  db: Db,
  id: string,
  decision: {
    readonly status: 'APPROVED' | 'REJECTED'
    readonly decidedAt: string
    readonly decidedBy: string
    readonly rejectionReason: string | null
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('approval')
    .set(decision)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes the applicant's password hash, which a rejected request no longer needs. */
export async function deletePassword(db: Db, registrationId: string): Promise<void> {
  await db.updateTable('registration').set({ passwordHash: null }).where('id', '=', registrationId).execute()
}
