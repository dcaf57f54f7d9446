import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface ApprovalRow {
  readonly id: string
  readonly organisationId: string | null
  readonly registrationId: string
  readonly type: 'NEW_ORGANISATION' | 'JOIN_ORGANISATION'
  readonly status: 'PENDING' | 'APPROVED' | 'REJECTED'
  readonly context: unknown
  readonly createdAt: string
  readonly decidedAt: string | null
  readonly decidedBy: string | null
}

export function getWish(db: Db, registrationId: string) {
  return db
    .selectFrom('registration')
    .select(['firstName', 'emailAddress', 'companyName', 'timeZone'])
    .where('id', '=', registrationId)
    .executeTakeFirstOrThrow()
}

/** Pending ones first, then the newest. */
export function listApprovals(db: Db, organisationId: string): Promise<ApprovalRow[]> {
  return approvals(db).where('organisationId', '=', organisationId).execute()
}

/** With the requests for new organisations, which are the provider's; in a new installation there is nothing else yet. */
export function listApprovalsEverywhere(db: Db, organisationId: string | null): Promise<ApprovalRow[]> {
  return approvals(db)
    .where((is) => is.or([is('organisationId', '=', organisationId), is('organisationId', 'is', null)]))
    .execute()
}

/** Whoever else decides the same one waits until we are done. */
export function lockApprovalEverywhere(db: Db, id: string): Promise<ApprovalRow | undefined> {
  return approvals(db).where('approval.id', '=', id).forUpdate('approval').executeTakeFirst()
}

function approvals(db: Db) {
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
    ])
    .select(sql<string | null>`firstName || ' ' || lastName`.as('decidedBy'))
    .orderBy(sql`status <> 'PENDING'`)
    .orderBy('approval.createdAt', 'desc')
    .orderBy('approval.id')
}

/** Of all who decide at once exactly one does. */
export async function decideEverywhere(
  db: Db,
  id: string,
  decision: { readonly status: 'APPROVED' | 'REJECTED'; readonly decidedAt: string; readonly decidedBy: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('approval')
    .set(decision)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The password that came with it is of no use any more. */
export async function forgetPassword(db: Db, registrationId: string): Promise<void> {
  await db.updateTable('registration').set({ passwordHash: null }).where('id', '=', registrationId).execute()
}
