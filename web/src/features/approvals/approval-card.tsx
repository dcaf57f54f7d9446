import type { Approval } from '@tributary/contract/approvals'
import { Button } from '@mantine/core'
import { IconBuilding, IconCheck, IconClock, IconHelp } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { useState } from 'react'
import ownCss from './approvals.module.css'
import { ReasonField } from './reason-field.tsx'
import { RecordCard } from '../../ui/display/record-card.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { type StatusBadgeProps, StatusBadge } from '../../ui/display/status-badge.tsx'
import { focusOnMount } from '../../ui/hooks/focus-on-mount.ts'
import css from '../../domain/admin/admin.module.css'

export const decisionVerbs = { APPROVED: 'Approve', REJECTED: 'Reject' } as const
export type ApprovalDecision = keyof typeof decisionVerbs
const decisions = ['APPROVED', 'REJECTED'] as const

interface ApprovalCardProps {
  approval: Approval
  isBusy: boolean
  /** The reason for a rejection may be empty. */
  onDecide: (status: ApprovalDecision, reason: string) => void
  /** Selects the request for a decision on several; null if there is no choice. */
  selection: { readonly isSelected: boolean; readonly onToggle: () => void } | null
}

export function ApprovalCard({ approval, isBusy, onDecide, selection }: ApprovalCardProps) {
  const { Id, ApprovalType, ApprovalStatus, CreatedAtUtc, ApprovedAtUtc, ApprovedUser, RejectionReason } = approval
  const titleId = `approval-${Id}`
  const isPending = ApprovalStatus === 'PENDING'
  return (
    <RecordCard
      titleId={titleId}
      mark={
        <>
          {selection === null ? null : (
            <input
              type="checkbox"
              className={ownCss.select}
              aria-label={`Select the request of ${applicantName(approval)}`}
              checked={selection.isSelected}
              onChange={selection.onToggle}
            />
          )}
          <span className={css.avatar} aria-hidden>
            <IconBuilding size={18} stroke={1.75} />
          </span>
        </>
      }
      title={ApprovalType.replaceAll('_', ' ').toLowerCase()}
      subtitle={
        <>
          Requested <RelativeTime at={CreatedAtUtc} />
        </>
      }
      badge={<StatusBadge label={ApprovalStatus} {...(approvalBadges[ApprovalStatus] ?? unknownBadge)} />}
      footer={
        isPending ? <DecisionButtons approval={approval} titleId={titleId} isBusy={isBusy} onDecide={onDecide} /> : null
      }
    >
      <p>{approvalDescription(approval)}</p>
      {isPending || ApprovedAtUtc === null ? null : (
        <p className="small subtle">
          {ApprovalStatus} <RelativeTime at={ApprovedAtUtc} />
          {ApprovedUser === null ? null : ` by ${ApprovedUser}`}
        </p>
      )}
      {RejectionReason === null ? null : <p className={ownCss.reason}>{`Reason: ${RejectionReason}`}</p>}
    </RecordCard>
  )
}

type DecisionButtonsProps = Omit<ApprovalCardProps, 'selection'> & { titleId: string }

/**
 * The first click asks, the second confirms. Cancel and Confirm are at the other end of the card, so that a double click on
 * Approve or Reject does not reach Confirm.
 */
function DecisionButtons({ approval, titleId, isBusy, onDecide }: DecisionButtonsProps) {
  const [question, setQuestion] = useState<ApprovalDecision | null>(null)
  const [cancelled, setCancelled] = useState<ApprovalDecision | null>(null)
  const [reason, setReason] = useState('')
  const questionId = `${titleId}-question`
  if (question !== null) {
    const cancel = () => {
      setCancelled(question)
      setQuestion(null)
    }
    return (
      <fieldset className={css.question} aria-labelledby={questionId}>
        <p id={questionId}>{confirmationQuestion(approval, question)}</p>
        {question === 'REJECTED' ? <ReasonField value={reason} onChange={setReason} hasFocus /> : null}
        <div className={css.answers}>
          <Button variant="default" px={12} disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button
            ref={question === 'APPROVED' ? focusOnMount : undefined}
            px={12}
            color={question === 'APPROVED' ? 'brand' : 'red'}
            aria-describedby={questionId}
            disabled={isBusy}
            onClick={() => onDecide(question, reason)}
          >
            Confirm
          </Button>
        </div>
      </fieldset>
    )
  }
  return decisions.map((decision) => (
    <Button
      key={decision}
      ref={cancelled === decision ? focusOnMount : undefined}
      variant={decision === 'APPROVED' ? 'filled' : 'default'}
      px={12}
      aria-describedby={titleId}
      disabled={isBusy}
      onClick={() => setQuestion(decision)}
    >
      {decisionVerbs[decision]}
    </Button>
  ))
}

function confirmationQuestion(approval: Approval, decision: ApprovalDecision): string {
  const verb = decisionVerbs[decision]
  const { ApplicantName: applicant, CompanyName: company } = approvalContext(approval)
  return typeof applicant === 'string' && typeof company === 'string'
    ? `${verb} ${applicant} for ${company}?`
    : `${verb} this request?`
}

export function applicantName(approval: Approval): string {
  const { ApplicantName: applicant } = approvalContext(approval)
  return typeof applicant === 'string' ? applicant : 'an applicant'
}

export function approvalDescription(approval: Approval): string {
  const { Description: description } = approvalContext(approval)
  return typeof description === 'string' ? description : ''
}

/** The context is JSON text. A context that cannot be read counts as empty. */
function approvalContext({ ApprovalContext }: Approval): {
  Description?: unknown
  ApplicantName?: unknown
  CompanyName?: unknown
} {
  try {
    return (JSON.parse(ApprovalContext) as object | null) ?? {}
  } catch {
    return {}
  }
}

const approvalBadges: Readonly<Record<string, Omit<StatusBadgeProps, 'label'>>> = {
  PENDING: { tone: 'warn', icon: IconClock },
  APPROVED: { tone: 'ok', icon: IconCheck },
  REJECTED: { tone: 'error', icon: IconX },
}
const unknownBadge = { tone: 'quiet', icon: IconHelp } as const
