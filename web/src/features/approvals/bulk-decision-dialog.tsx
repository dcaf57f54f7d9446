import type { Approval } from '@tributary/contract/approvals'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { everyApprovalList } from '../../api/queries/common-queries.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { BulkActionDialog } from '../../domain/records/bulk-action-dialog.tsx'
import { type ApprovalDecision, applicantName, approvalDescription, decisionVerbs } from './approval-card.tsx'
import { ReasonField } from './reason-field.tsx'

interface BulkDecisionDialogProps {
  approvals: readonly Approval[]
  decision: ApprovalDecision
  onDone: (ids: readonly string[]) => void
  onClose: () => void
}

/** Decides several requests, after one confirmation that lists them. There is no undo: a decision sends mail and creates accounts. */
export function BulkDecisionDialog({ approvals, decision, onDone, onClose }: BulkDecisionDialogProps) {
  const orgId = useOrganisationId()
  const invalidate = useInvalidate()
  const [reason, setReason] = useState('')
  const verb = decisionVerbs[decision]
  const body = { approvalStatus: decision, ...(decision === 'REJECTED' && reason.trim() !== '' && { reason }) }
  return (
    <BulkActionDialog
      title={approvals.length === 1 ? `${verb} 1 request?` : `${verb} ${approvals.length} requests?`}
      submitLabel={verb}
      isDanger={decision === 'REJECTED'}
      items={approvals.map((approval) => ({
        id: approval.Id,
        name: applicantName(approval),
        detail: approvalDescription(approval),
      }))}
      act={({ id: approvalId }) => call('POST /approvals', { body: { approvalId, ...body } })}
      onDone={async (decided) => {
        await invalidate(everyApprovalList(orgId))
        onDone(decided.map(({ id }) => id))
      }}
      onClose={onClose}
    >
      {decision === 'APPROVED' ? (
        <p>Each applicant gets an email and access at once. This cannot be undone here.</p>
      ) : (
        <ReasonField value={reason} onChange={setReason} hasFocus />
      )}
    </BulkActionDialog>
  )
}
