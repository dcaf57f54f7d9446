import type { Connector } from '@tributary/contract/connectors'
import { type Activity, triggeredAt } from '../../api/connector-state.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './connectors.module.css'
import { activityLooks } from './status-look.ts'

/** 'Completed' or 'Started' with the time, or 'Never started'; the icon says how it went. */
export function ActivityLine({ log, activity }: { log: Connector['Log']; activity: Activity }) {
  const { icon: Icon, tone, isPulsing, spoken } = activityLooks[activity]
  return (
    <p className={css.activity} data-tone={tone}>
      {isPulsing === true ? <span className={css.pulse} aria-hidden /> : <Icon size={16} stroke={2} aria-hidden />}
      <span>
        {spoken === undefined ? null : <span className="visually-hidden">{spoken}: </span>}
        <ActivityWords log={log} />
      </span>
    </p>
  )
}

function ActivityWords({ log }: { log: Connector['Log'] }) {
  if (log === null) return 'Never started'
  if (log.CompletedAtUtc !== null) {
    return (
      <>
        Completed <RelativeTime at={log.CompletedAtUtc} />
      </>
    )
  }
  const since = triggeredAt(log)
  return since === null ? (
    'Started'
  ) : (
    <>
      Started <RelativeTime at={since} />
    </>
  )
}
