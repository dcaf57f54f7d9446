import type { Approval } from '@tributary/contract/registration'
import { Button } from '@mantine/core'
import { IconBuilding, IconCheck, IconClock, IconHelp, IconX } from '@tabler/icons-react'
import { RecordCard } from '../../ui/record-card.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type BadgeLook, StatusBadge } from '../../ui/status-badge.tsx'
import css from './admin.module.css'

export type Decision = 'APPROVED' | 'REJECTED'

interface ApprovalCardProps {
  approval: Approval
  isBusy: boolean
  onDecide: (status: Decision) => void
}

export function ApprovalCard({ approval, isBusy, onDecide }: ApprovalCardProps) {
  const { Id, ApprovalType, ApprovalStatus, CreatedAtUtc, ApprovedAtUtc, ApprovedUser } = approval
  const titleId = `approval-${Id}`
  const isPending = ApprovalStatus === 'PENDING'
  return (
    <RecordCard
      titleId={titleId}
      mark={
        <span className={css.avatar} aria-hidden>
          <IconBuilding size={18} stroke={1.75} />
        </span>
      }
      title={ApprovalType.replaceAll('_', ' ').toLowerCase()}
      subtitle={
        <>
          Asked <RelativeTime at={CreatedAtUtc} />
        </>
      }
      badge={<StatusBadge {...looks(ApprovalStatus)} />}
      footer={
        isPending ? (
          <>
            <Button px={12} aria-describedby={titleId} disabled={isBusy} onClick={() => onDecide('APPROVED')}>
              Approve
            </Button>
            <Button variant="default" px={12} aria-describedby={titleId} disabled={isBusy} onClick={() => onDecide('REJECTED')}>
              Reject
            </Button>
          </>
        ) : null
      }
    >
      <p>{descriptionOf(approval)}</p>
      {isPending || ApprovedAtUtc === null ? null : (
        <p className="small subtle">
          {ApprovalStatus} <RelativeTime at={ApprovedAtUtc} />
          {ApprovedUser === null ? null : ` by ${ApprovedUser}`}
        </p>
      )}
    </RecordCard>
  )
}

/** The context is JSON text; of one that cannot be read nothing is shown. */
export function descriptionOf({ ApprovalContext }: Approval): string {
  try {
    const context = JSON.parse(ApprovalContext) as { Description?: unknown }
    return typeof context.Description === 'string' ? context.Description : ''
  } catch {
    return ''
  }
}

function looks(status: string): BadgeLook {
  if (status === 'PENDING') return { word: status, tone: 'warn', icon: IconClock }
  if (status === 'APPROVED') return { word: status, tone: 'ok', icon: IconCheck }
  if (status === 'REJECTED') return { word: status, tone: 'error', icon: IconX }
  return { word: status, tone: 'quiet', icon: IconHelp }
}
