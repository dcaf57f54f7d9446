/** A connector on the dashboard: status, recent runs, and the buttons that start one. */
import type { Connector } from '@tributary/contract/connectors'
import { avatarsMax } from '@tributary/contract/limits'
import { connectorActivity, assignedUserIds, isActive, canRefresh } from '../../../domain/connectors/connector-state.ts'
import { AvatarStack, type AvatarPerson } from '../../../ui/display/avatar-stack.tsx'
import { ConnectorIcon } from '../../../domain/connectors/connector-icon.tsx'
import { RecordCard } from '../../../ui/display/record-card.tsx'
import { useNow } from '../../../domain/time/use-now.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ActivityLine } from './activity-line.tsx'
import { CardMessage } from './card-message.tsx'
import css from './dashboard.module.css'
import { RunButtons } from './run-buttons.tsx'
import { RunFacts } from './run-facts.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { connectorStatusBadge } from '../connector-status.ts'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { TieOutSummary } from '../../../domain/tie-out/tie-out-summary.tsx'
import { VerificationSummary } from '../../../domain/verifications/verification-summary.tsx'
import { connectorTitleId } from '../use-connectors.ts'

export function ConnectorCard({
  connector,
  members,
}: {
  connector: Connector
  members: ReadonlyMap<string, AvatarPerson>
}) {
  const time = useNow(15_000)
  const { Id, Name, Type, Log } = connector
  const people = assignedUserIds(connector).flatMap((id) => members.get(id) ?? [])
  const isOn = isActive(connector)

  return (
    <RecordCard
      titleId={connectorTitleId(connector)}
      mark={<ConnectorIcon name={Type} />}
      title={<ConnectorLink connectorId={Id}>{Name}</ConnectorLink>}
      subtitle={<ConnectorOrigin connector={connector} />}
      badge={<StatusBadge {...connectorStatusBadge(connector)} />}
      isInactive={!isOn}
      footer={isOn ? <RunButtons connector={connector} isEnabled={canRefresh(connector, time)} /> : null}
    >
      <ActivityLine connectorId={Id} log={Log} activity={connectorActivity(Log, time)} />
      <RecentRuns connector={connector} />
      <RunFacts connector={connector} />
      <TieOutSummary connectorId={Id} state={connector.TieOut} className={css.tieOut} />
      <VerificationSummary connectorId={Id} verification={connector.Verification} className={css.tieOut} />
      {isOn ? <CardMessage connector={connector} time={time} /> : null}
      <div className={css.people}>
        <AvatarStack people={people} max={avatarsMax} label={`People who see ${Name}`} />
      </div>
    </RecordCard>
  )
}

/** The original name if it differs, and the owning organisation if the connector is shared. */
export function ConnectorOrigin({ connector: { Name, OriginalName, SharedBy } }: { connector: Connector }) {
  const parts = [OriginalName === Name ? null : OriginalName, SharedBy === null ? null : `Shared by ${SharedBy}`]
  return parts.filter((part) => part !== null).join(' · ') || null
}
