/** Requests to join an organisation or to create one, and the decisions on them. */
import * as z from 'zod'
import { Id } from './id.ts'
import { rejectionReasonMax } from './limits.ts'
import { route } from './route.ts'
import { ofOrganisation } from './route-parts.ts'
import { bodyField } from './scope.ts'

export const Approval = z.object({
  Id: z.uuid(),
  ApprovalType: z.string(),
  ApprovalStatus: z.string(),
  CreatedAtUtc: z.string(),
  ApprovedAtUtc: z.string().nullable(),
  ApprovedUser: z.string().nullable(),
  /** What the person who rejected the request wrote to the applicant. */
  RejectionReason: z.string().nullable(),
  /** JSON text with `Description`, and for newer requests `ApplicantName` and `CompanyName`. */
  ApprovalContext: z.string(),
})
export type Approval = z.infer<typeof Approval>

export const approvals = {
  list: route({
    method: 'GET',
    path: '/approvals',
    tokenScopes: ['administer'],
    summary:
      'Requests to join the organisation; for the provider also those for new organisations. Pending ones first.',
    allow: 'decideApprovals',
    ...ofOrganisation,
    reply: z.array(Approval),
    passive: true,
  }),
  decide: route({
    method: 'POST',
    path: '/approvals',
    summary: 'Approve or reject. Deciding once more what was decided so changes nothing; otherwise is refused.',
    allow: 'decideApprovals',
    scope: bodyField('approvalId', 'approval'),
    body: z.strictObject({
      approvalId: Id,
      approvalStatus: z.enum(['APPROVED', 'REJECTED']),
      /** Mailed to the applicant; for rejections only. */
      reason: z.string().trim().max(rejectionReasonMax).optional(),
      /** Of the mailed link: bound to approver and decision, single use. */
      signature: z.string().max(200).optional(),
    }),
    reply: Approval,
    faults: ['alreadyDecided', 'linkSpent', 'nameTaken'],
  }),
} as const
