import type { TieOutState } from '@tributary/contract/tie-out-state'
import { ConnectorLink } from '../connectors/connector-link.tsx'
import { TieOutBadge } from './tie-out-badge.tsx'

interface TieOutSummaryProps {
  connectorId: string
  /** Null if nothing was compared. */
  state: TieOutState | null
  className: string | undefined
}

/** Tie-out of a connector's tables with the source's own report, linked to the figures. */
export function TieOutSummary({ connectorId, state, className }: TieOutSummaryProps) {
  if (state === null) return null
  return (
    <p className={className}>
      <TieOutBadge state={state} />
      <ConnectorLink connectorId={connectorId} view="tieOut">
        See the figures
      </ConnectorLink>
    </p>
  )
}
