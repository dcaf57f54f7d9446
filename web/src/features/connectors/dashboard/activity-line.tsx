import type { Connector } from '@tributary/contract/connectors'
import { type ConnectorActivity, lastTriggeredAt } from '../../../domain/connectors/connector-state.ts'
import { RelativeTime } from '../../../domain/time/relative-time.tsx'
import css from './dashboard.module.css'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { activityBadges } from '../connector-status.ts'

interface ActivityLineProps {
  connectorId: string
  log: Connector['Log']
  activity: ConnectorActivity
}

/** 'Completed' or 'Started' with the time, linked to that run, or 'Never started'. The icon shows the outcome. */
export function ActivityLine({ connectorId, log, activity }: ActivityLineProps) {
  const { icon: Icon, tone, isPulsing, spoken } = activityBadges[activity]
  return (
    <p className={css.activity} data-tone={tone}>
      {isPulsing === true ? <span className={css.pulse} aria-hidden /> : <Icon stroke={2} />}
      {spoken === undefined ? null : <span className="visually-hidden">{spoken}: </span>}
      {log === null ? (
        <span>Never started</span>
      ) : (
        <ConnectorLink connectorId={connectorId} run={log.RunId}>
          <ActivityTime log={log} />
        </ConnectorLink>
      )}
    </p>
  )
}

function ActivityTime({ log }: { log: NonNullable<Connector['Log']> }) {
  const word = log.CompletedAtUtc === null ? 'Started' : 'Completed'
  const at = log.CompletedAtUtc ?? lastTriggeredAt(log)
  if (at === null) return word
  return (
    <>
      {word} <RelativeTime at={at} />
    </>
  )
}
