/** Derives the state of a connector from its log, by the terms and time limits of the specification. */
import type { Connector } from '@tributary/contract/connectors'
import { stalledAfterMs } from '@tributary/contract/limits'

type LatestRunLog = NonNullable<Connector['Log']>
export type ConnectorActivity = 'never' | 'running' | 'stalled' | 'failed' | 'completed'

/** When the last run was triggered, manually or by the schedule; null if there was none. */
export function lastTriggeredAt(log: LatestRunLog): string | null {
  const times = [log.ManuallyTriggeredAtUtc, log.AutomaticallyTriggeredAtUtc].filter((time) => time !== null)
  return times.toSorted().at(-1) ?? null
}

export function connectorActivity(log: LatestRunLog | null, now: number): ConnectorActivity {
  if (log === null) return 'never'
  if (log.CompletedAtUtc !== null) return log.HasError || log.Forbidden ? 'failed' : 'completed'
  const since = lastTriggeredAt(log)
  if (since !== null && now - Date.parse(since) >= stalledAfterMs) return 'stalled'
  return log.HasError || log.Forbidden ? 'failed' : 'running'
}

/** True without a log, after a completed run, and if the last run has stalled; never while its hosts are not approved. */
export function canRefresh(connector: Pick<Connector, 'Log' | 'HostApproval'>, now: number): boolean {
  const { Log: log, HostApproval } = connector
  if (HostApproval !== null && HostApproval.Notice !== null) return false
  return log === null || log.CompletedAtUtc !== null || connectorActivity(log, now) === 'stalled'
}

export function isActive(connector: Connector): boolean {
  return connector.Status === 'CONNECTED'
}

/** Why a connector needs attention, worst first. */
export const attentionReasons = [
  'awaitsApproval',
  'forbidden',
  'failed',
  'targetDown',
  'tieOut',
  'differences',
  'changes',
  'stalled',
] as const
export type AttentionReason = (typeof attentionReasons)[number]

/** Null if the connector needs no attention. */
export function attentionReason(connector: Connector, now: number): AttentionReason | null {
  if (!isActive(connector)) return null
  if (approvalNotice(connector) !== null) return 'awaitsApproval'
  if (connector.Log?.Forbidden === true) return 'forbidden'
  if (connector.TargetDownSinceUtc !== null) return 'targetDown'
  const activity = connectorActivity(connector.Log, now)
  if (activity === 'failed' || activity === 'stalled') return activity
  if (connector.TieOut === 'red') return 'tieOut'
  if (connector.Verification.Differences > 0) return 'differences'
  return connector.PendingChanges > 0 ? 'changes' : null
}

/** Why the connector does not run although it is connected: the provider has not approved its hosts. Null if it runs. */
export function approvalNotice({ HostApproval }: Connector): string | null {
  return HostApproval?.Notice ?? null
}

/** When the last run completed, if it succeeded; until then the data is known to be current. */
export function lastGoodRunAt(connector: Connector): string | null {
  const { Log } = connector
  return isActive(connector) && Log !== null && !Log.HasError ? Log.CompletedAtUtc : null
}

/** The user ids in the property `portal.user`. */
export function assignedUserIds(connector: Connector): string[] {
  const value = connector.Properties.find(({ Name }) => Name === 'portal.user')?.Value
  return typeof value === 'string' ? value.split(/\s+/).filter((id) => id !== '') : []
}

/** By the rule 'role name contains admin'. Decides what is shown; the server decides what is allowed. */
export function isAdminRole(role: string): boolean {
  return role.includes('admin')
}
