import type { Approval } from '@tributary/contract/approvals'
import type { Camel } from '@tributary/contract/wire'
import type { ApprovalRow } from './queries.ts'

/** What the applicant knows it by is not among it. */
export function showApproval({
  id,
  type,
  status,
  context,
  createdAt,
  decidedAt,
  decidedBy,
}: ApprovalRow): Camel<Approval> {
  return {
    id,
    approvalType: type,
    approvalStatus: status,
    createdAtUtc: createdAt,
    approvedAtUtc: decidedAt,
    approvedUser: decidedBy,
    approvalContext: JSON.stringify(context),
  }
}
