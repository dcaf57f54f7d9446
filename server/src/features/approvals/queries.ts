import type { ApprovalQuery } from '@tributary/contract/approvals'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { notFound } from '../../kernel/http/api-fault.ts'
import { isPaged, onePage } from '../../kernel/http/paging.ts'

export function getRegistration(db: Db, registrationId: string) {
  return db
    .selectFrom('registration')
    .select(['firstName', 'emailAddress', 'companyName', 'timeZone'])
    .where('id', '=', registrationId)
    .executeTakeFirstOrThrow()
}

interface FoundApprovals {
  readonly approvals: readonly ApprovalRow[]
  /** Counted only for a page. */
  readonly total: number | null
}

/** Pending ones first, then the newest. */
export function listApprovals(db: Db, organisationId: string, wanted: ApprovalQuery): Promise<FoundApprovals> {
  return findApprovals(db, sql<boolean>`organisationId = ${organisationId}`, wanted)
}

/** Includes requests for new organisations, which the provider decides. @param organisationId null in a new installation. */
export function listApprovalsEverywhere(
  db: Db,
  organisationId: string | null,
  wanted: ApprovalQuery,
): Promise<FoundApprovals> {
  return findApprovals(db, sql<boolean>`(organisationId = ${organisationId} OR organisationId IS NULL)`, wanted)
}

async function findApprovals(
  db: Db,
  isVisible: RawBuilder<boolean>,
  { id, status, ...page }: ApprovalQuery,
): Promise<FoundApprovals> {
  const found = selectApprovals(db)
    .where(isVisible)
    .$if(id !== undefined, (query) => query.where('approval.id', '=', id ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'PENDING'))
  const approvals = await onePage(found, page).execute()
  if (!isPaged(page)) return { approvals, total: null }
  const { total } = await found
    .clearSelect()
    .clearOrderBy()
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { approvals, total }
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
