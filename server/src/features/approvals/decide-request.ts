/** Decides a request for approval. Of concurrent decisions exactly one takes effect. */
import type { AuditContext, SignedInContext } from '../../kernel/audit-context.ts'
import {
  grantMembership,
  finaliseApplicant,
  type NewMembership,
  type MembershipServices,
} from '../../identity/people/grant-membership.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { redeemLinkCode } from '../../security/secrets/one-time-codes.ts'
import { requestRejected } from '../../identity/people/account-email-templates.ts'
import { insertOrganisation } from '../../identity/people/organisations.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  decideEverywhere,
  deletePassword,
  getRegistration,
  lockApprovalEverywhere,
  type ApprovalRow,
} from './queries.ts'

export interface ApprovalDecisionInput {
  readonly approvalId: string
  readonly status: 'APPROVED' | 'REJECTED'
  /** For the applicant. */
  readonly reason: string | null
  /** The signature of the mailed link. */
  readonly signature: string | undefined
  readonly auditContext: SignedInContext
}

/**
 * The caller has checked that the actor may decide the request. Throws `alreadyDecided` if it was decided differently.
 * @param db a transaction across organisations.
 */
export async function decideRequest(
  services: MembershipServices,
  db: Db,
  decision: ApprovalDecisionInput,
): Promise<ApprovalRow> {
  const { approvalId, status, reason } = decision
  const { actor } = decision.auditContext
  const approval = await lockApprovalEverywhere(db, approvalId)
  if (approval.status === status) return approval
  if (approval.status !== 'PENDING') throw new ApiFault('alreadyDecided', { values: { status: approval.status } })
  await requireSignature(services, db, decision)
  await decideEverywhere(db, approvalId, {
    status,
    decidedAt: isoTime(services.clock.now()),
    decidedBy: actor.userId,
    rejectionReason: reason,
  })
  if (status === 'APPROVED') await approve(services, db, approval, decision)
  else await reject(services, db, approval, decision)
  return lockApprovalEverywhere(db, approvalId)
}

/** A link is valid for one decision of one person. A person to whom it was forwarded decides on the page instead. */
async function requireSignature(
  { clock }: Pick<AppServices, 'clock'>,
  db: Db,
  { approvalId, status, signature, auditContext: { actor } }: ApprovalDecisionInput,
): Promise<void> {
  if (signature === undefined) return
  const link = await redeemLinkCode(db, clock, 'approval', signature)
  const isTheirs =
    link?.subjectId === approvalId && link.payload['userId'] === actor.userId && link.payload['status'] === status
  if (!isTheirs) throw new ApiFault('linkSpent')
}

async function approve(
  services: MembershipServices,
  db: Db,
  { id, organisationId, registrationId }: ApprovalRow,
  { auditContext }: ApprovalDecisionInput,
): Promise<void> {
  const { audit, clock } = services
  const membership =
    organisationId === null
      ? await createOrganisation(services, db, registrationId, auditContext)
      : ({ organisationId, role: { name: 'user' } } as const)
  const applicant = await finaliseApplicant(db, registrationId, isoTime(clock.now()))
  await grantMembership(services, db, { applicant, membership, auditContext })
  const object = { type: 'approval', id }
  await audit.record(db, auditContext, {
    organisationId: membership.organisationId,
    action: 'approval.approved',
    object,
  })
}

/** Throws `nameTaken` if another organisation has taken the name since. */
async function createOrganisation(
  { audit }: Pick<AppServices, 'audit'>,
  db: Db,
  registrationId: string,
  auditContext: AuditContext,
): Promise<NewMembership> {
  const { companyName, timeZone } = await getRegistration(db, registrationId)
  const organisationId = await insertOrganisation(db, { companyName, ...(timeZone !== null && { timeZone }) })
  const object = { type: 'organisation', id: organisationId }
  await audit.record(db, auditContext, { organisationId, action: 'organisation.created', object })
  return { organisationId, role: { name: 'admin' } }
}

async function reject(
  services: Pick<AppServices, 'audit' | 'mailer'>,
  db: Db,
  { id, organisationId, registrationId }: ApprovalRow,
  { auditContext, reason }: ApprovalDecisionInput,
): Promise<void> {
  const { audit, mailer } = services
  const { emailAddress, ...registration } = await getRegistration(db, registrationId)
  await deletePassword(db, registrationId)
  await mailer.enqueue(db, emailAddress, requestRejected({ ...registration, reason }))
  const object = { type: 'approval', id }
  await audit.record(db, auditContext, { organisationId, action: 'approval.rejected', object })
}
