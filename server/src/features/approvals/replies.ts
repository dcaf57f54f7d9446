import type { Approval } from '@tributary/contract/approvals'
import type { Camel } from '@tributary/contract/wire'
import type { ApprovalRow } from './queries.ts'

/** Leaves out the applicant's handle, which approvers must not see. */
export function toApproval({
  id,
  type,
  status,
  context,
  createdAt,
  decidedAt,
  decidedBy,
  rejectionReason,
}: ApprovalRow): Camel<Approval> {
  return {
    id,
    approvalType: type,
    approvalStatus: status,
    createdAtUtc: createdAt,
    approvedAtUtc: decidedAt,
    approvedUser: decidedBy,
    rejectionReason,
    approvalContext: JSON.stringify(context),
  }
}
