/** What verification says about a connector, with the same words and colours everywhere. */
import type { SourceVerification } from '@tributary/contract/verification-state'
import { IconEqual, IconEqualNot } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircle } from '@tabler/icons-react/visitor-icons'
import { ConnectorLink } from '../connectors/connector-link.tsx'
import { StatusBadge, type StatusBadgeProps } from '../../ui/display/status-badge.tsx'
import { describeSource, verdictWords } from './verification-words.ts'

interface VerificationSummaryProps {
  readonly connectorId: string
  readonly verification: SourceVerification
  readonly className: string | undefined
}

/** The verdict and one line, linked to the tables. Renders nothing before the first run. */
export function VerificationSummary({ connectorId, verification, className }: VerificationSummaryProps) {
  const text = describeSource(verification)
  if (text === null) return null
  return (
    <p className={className}>
      <VerificationBadge verification={verification} />
      <ConnectorLink connectorId={connectorId} view="verification">
        {text}
      </ConnectorLink>
    </p>
  )
}

export function VerificationBadge({ verification }: { verification: SourceVerification }) {
  return <StatusBadge {...badgeOf(verification)} />
}

function badgeOf({ Verdict, Differences, Failed }: SourceVerification): StatusBadgeProps {
  if (Differences > 0) return { label: 'differs', tone: 'error', icon: IconEqualNot }
  if (Verdict !== null) {
    const { label, detail } = verdictWords[Verdict]
    return {
      label,
      tone: Verdict === 'notProvable' ? 'quiet' : 'ok',
      icon: Verdict === 'notProvable' ? IconCircle : IconEqual,
      tooltip: detail,
    }
  }
  if (Failed > 0) return { label: 'not verified', tone: 'warn', icon: IconAlertTriangle }
  return { label: 'not proven yet', tone: 'quiet', icon: IconCircle }
}
