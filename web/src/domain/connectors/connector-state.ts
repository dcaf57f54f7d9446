/** What a connector's log says about it, in the words and by the times of the specification. */
import type { Connector } from '@tributary/contract/connectors'
import { stalledAfterMs } from '@tributary/contract/limits'

type Log = NonNullable<Connector['Log']>
export type Activity = 'never' | 'running' | 'stalled' | 'failed' | 'completed'

/** When the last run began, by hand or by the schedule; null when there has been none. */
export function triggeredAt(log: Log): string | null {
  const times = [log.ManuallyTriggeredAtUtc, log.AutomaticallyTriggeredAtUtc].filter((time) => time !== null)
  return times.toSorted().at(-1) ?? null
}

export function activityOf(log: Log | null, now: number): Activity {
  if (log === null) return 'never'
  if (log.CompletedAtUtc !== null) return log.HasError || log.Forbidden ? 'failed' : 'completed'
  const since = triggeredAt(log)
  if (since !== null && now - Date.parse(since) >= stalledAfterMs) return 'stalled'
  return log.HasError || log.Forbidden ? 'failed' : 'running'
}

/** Allowed without a log, after a completed run, and when the last one has stalled. */
export function mayRefresh(log: Log | null, now: number): boolean {
  return log === null || log.CompletedAtUtc !== null || activityOf(log, now) === 'stalled'
}

export function isActive(connector: Connector): boolean {
  return connector.Status === 'CONNECTED'
}

/** Why somebody should look at a connector, worst first. */
export const needs = ['forbidden', 'failed', 'targetDown', 'tieOut', 'changes', 'stalled'] as const
export type Need = (typeof needs)[number]

/** Null while all goes by itself. */
export function needOf(connector: Connector, now: number): Need | null {
  if (!isActive(connector)) return null
  if (connector.Log?.Forbidden === true) return 'forbidden'
  if (connector.TargetDownSinceUtc !== null) return 'targetDown'
  const activity = activityOf(connector.Log, now)
  if (activity === 'failed' || activity === 'stalled') return activity
  if (connector.TieOut === 'red') return 'tieOut'
  return connector.PendingChanges > 0 ? 'changes' : null
}

/** It goes on only when a person has done something; what is merely slow may still come to its end by itself. */
export function needsSomebody(connector: Connector, now: number): boolean {
  const need = needOf(connector, now)
  return need !== null && need !== 'stalled'
}

/** When the rows of a connector were last known to be right. */
export function freshAt(connector: Connector): string | null {
  const { Log } = connector
  return isActive(connector) && Log !== null && !Log.HasError ? Log.CompletedAtUtc : null
}

/** The ids in the property `portal.user`. */
export function assignedUsers(connector: Connector): string[] {
  const value = connector.Properties.find(({ Name }) => Name === 'portal.user')?.Value
  return typeof value === 'string' ? value.split(/\s+/).filter((id) => id !== '') : []
}

/** 'Role name contains admin' decides what is shown; what is allowed is the server's to say. */
export function isAdminRole(role: string): boolean {
  return role.includes('admin')
}
