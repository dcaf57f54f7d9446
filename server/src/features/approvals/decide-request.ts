/** Deciding a request, once, whoever else decides at the same moment. */
import type { AuditContext } from '../../kernel/audit-context.ts'
import { admit, takeApplicant, type Place } from '../../identity/people/grant-membership.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { takeLinkCode } from '../../security/secrets/one-time-codes.ts'
import { requestRejected } from '../../identity/people/account-email-templates.ts'
import { insertOrganisation } from '../../identity/people/organisations.ts'
import type { Parts } from '../../parts.ts'
import type { Db } from '../../kernel/store/store.ts'
import { decideEverywhere, forgetPassword, getWish, lockApprovalEverywhere, type ApprovalRow } from './queries.ts'

export interface Decision {
  readonly approvalId: string
  readonly status: 'APPROVED' | 'REJECTED'
  /** Of the mailed link. */
  readonly signature: string | undefined
  readonly actor: Actor
  readonly origin: AuditContext
}

/** `db` is a transaction across; that the actor may decide this one has been checked. */
export async function decide(parts: Parts, db: Db, decision: Decision): Promise<ApprovalRow> {
  const { approvalId, status, actor } = decision
  const approval = await getLocked(db, approvalId)
  if (approval.status === status) return approval
  if (approval.status !== 'PENDING') throw new ApiFault('alreadyDecided', { values: { status: approval.status } })
  await requireSignature(parts, db, decision)
  await decideEverywhere(db, approvalId, { status, decidedAt: isoTime(parts.clock.now()), decidedBy: actor.userId })
  if (status === 'APPROVED') await letIn(parts, db, approval, decision)
  else await turnAway(parts, db, approval, decision)
  return getLocked(db, approvalId)
}

async function getLocked(db: Db, id: string): Promise<ApprovalRow> {
  const approval = await lockApprovalEverywhere(db, id)
  if (approval === undefined) throw new ApiFault('notFound')
  return approval
}

/** A link speaks for one decision of one person; somebody who was sent it on, and is signed in as themselves, decides by hand. */
async function requireSignature(
  { clock }: Parts,
  db: Db,
  { approvalId, status, signature, actor }: Decision,
): Promise<void> {
  if (signature === undefined) return
  const link = await takeLinkCode(db, clock, { purpose: 'approval', code: signature })
  const isTheirs =
    link?.subjectId === approvalId && link.payload['userId'] === actor.userId && link.payload['status'] === status
  if (!isTheirs) throw new ApiFault('linkSpent')
}

async function letIn(
  parts: Parts,
  db: Db,
  { id, organisationId, registrationId }: ApprovalRow,
  { origin }: Decision,
): Promise<void> {
  const { audit, clock } = parts
  const place =
    organisationId === null
      ? await found(parts, db, registrationId, origin)
      : ({ organisationId, role: { name: 'user' } } as const)
  const applicant = await takeApplicant(db, registrationId, isoTime(clock.now()))
  await admit(parts, db, { applicant, place, origin })
  const object = { type: 'approval', id }
  await audit.record(db, origin, {
    organisationId: place.organisationId,
    action: 'approval.approved',
    outcome: 'success',
    object,
  })
}

/** Throws `nameTaken` where another organisation has got that name since. */
async function found({ audit }: Parts, db: Db, registrationId: string, origin: AuditContext): Promise<Place> {
  const { companyName, timeZone } = await getWish(db, registrationId)
  const organisationId = await insertOrganisation(db, { companyName, ...(timeZone !== null && { timeZone }) })
  const object = { type: 'organisation', id: organisationId }
  await audit.record(db, origin, { organisationId, action: 'organisation.created', outcome: 'success', object })
  return { organisationId, role: { name: 'admin' } }
}

async function turnAway(
  parts: Parts,
  db: Db,
  { id, organisationId, registrationId }: ApprovalRow,
  { origin }: Decision,
): Promise<void> {
  const { audit, mailer } = parts
  const { emailAddress, ...wish } = await getWish(db, registrationId)
  await forgetPassword(db, registrationId)
  await mailer.post(db, emailAddress, requestRejected(wish))
  const object = { type: 'approval', id }
  await audit.record(db, origin, { organisationId, action: 'approval.rejected', outcome: 'success', object })
}
