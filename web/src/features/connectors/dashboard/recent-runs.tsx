import type { Connector } from '@tributary/contract/connectors'
import { recentRunsMax } from '@tributary/contract/limits'
import css from './dashboard.module.css'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { connectorTitleId } from '../use-connectors.ts'

const runTones = {
  COMPLETED: 'ok',
  FAILED: 'error',
  CANCELLED: 'quiet',
  QUEUED: 'going',
  RUNNING: 'going',
  WAITING: 'warn',
} as const

/**
 * Strip of the latest runs, the newest on the right. Failed runs are shorter as well, so that colour is not the only
 * signal.
 */
export function RecentRuns({ connector }: { connector: Connector }) {
  const { Id, RecentRuns } = connector
  const shown = RecentRuns.slice(0, recentRunsMax).toReversed()
  return (
    <ConnectorLink
      className={css.strip}
      connectorId={Id}
      aria-label={`Runs: ${summariseRuns(RecentRuns)}`}
      aria-describedby={connectorTitleId(connector)}
    >
      {Array.from({ length: recentRunsMax - shown.length }, (_, index) => (
        <span key={index} className={css.mark} />
      ))}
      {shown.map((run) => (
        <span key={run.Id} className={css.mark} data-look={runTones[run.Status]} />
      ))}
    </ConnectorLink>
  )
}

/** Formats 'the last 14: 12 completed, 2 failed'. */
export function summariseRuns(runs: Connector['RecentRuns']): string {
  if (runs.length === 0) return 'none yet'
  const count = (...statuses: string[]) => runs.filter(({ Status }) => statuses.includes(Status)).length
  const parts = [
    [count('COMPLETED'), 'completed'],
    [count('FAILED'), 'failed'],
    [count('CANCELLED'), 'cancelled'],
    [count('QUEUED', 'RUNNING', 'WAITING'), 'in progress'],
  ] as const
  const words = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  return `the last ${runs.length}: ${words.join(', ')}`
}
