/**
 * Requests approval of an applicant: from an organisation's administrators to join it, from the provider for a new
 * organisation.
 */
import { approvalLinkMs } from '@tributary/contract/limits'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { createLinkCode } from '../../security/secrets/one-time-codes.ts'
import { approvalLinks, requestReceived } from '../../identity/people/account-email-templates.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { insertApproval, listApprovers, type Approver } from './approval-queries.ts'
import type { Registration } from './queries.ts'

type RequestApprovalServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'mailer'>

interface ApprovalRequest {
  readonly registration: Registration
  readonly companyName: string
  /** Null to request a new organisation. */
  readonly organisationId: string | null
  readonly auditContext: AuditContext
}

export async function requestApproval(
  services: RequestApprovalServices,
  db: Db,
  { registration, companyName, organisationId, auditContext }: ApprovalRequest,
): Promise<void> {
  const { audit, clock, mailer } = services
  const { id: registrationId, firstName, lastName, emailAddress } = registration
  const request =
    organisationId === null ? `asks for the new organisation ${companyName}` : `asks to join ${companyName}`
  const description = `${firstName} ${lastName} (${emailAddress}) ${request}.`
  const approvalId = await insertApproval(db, organisationId, {
    registrationId,
    type: organisationId === null ? 'NEW_ORGANISATION' : 'JOIN_ORGANISATION',
    context: JSON.stringify({
      Description: description,
      ApplicantName: `${firstName} ${lastName}`,
      CompanyName: companyName,
    }),
    createdAt: isoTime(clock.now()),
  })
  const object = { type: 'approval', id: approvalId }
  await audit.record(db, auditContext, { organisationId, action: 'approval.requested', object })
  await mailer.enqueue(db, emailAddress, requestReceived({ firstName, companyName }))
  for (const approver of await listApprovers(db, organisationId)) {
    const approveUrl = await createDecisionUrl(services, db, { approvalId, approver, status: 'APPROVED' })
    const rejectUrl = await createDecisionUrl(services, db, { approvalId, approver, status: 'REJECTED' })
    await mailer.enqueue(db, approver.emailAddress, approvalLinks({ description, approveUrl, rejectUrl }))
  }
}

interface RegistrationDecision {
  readonly approvalId: string
  readonly approver: Approver
  readonly status: 'APPROVED' | 'REJECTED'
}

/** The signature is valid for this decision by this user only. */
async function createDecisionUrl(
  { clock, config }: Pick<AppServices, 'clock' | 'config'>,
  db: Db,
  { approvalId, approver, status }: RegistrationDecision,
): Promise<string> {
  const signature = await createLinkCode(db, clock, {
    purpose: 'approval',
    subjectId: approvalId,
    lifeMs: approvalLinkMs,
    payload: { userId: approver.id, status },
    replaces: false,
  })
  return `${config.publicUrl}/admin/approvals/${approvalId}?status=${status}&signature=${signature}`
}
