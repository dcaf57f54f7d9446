import type { Connector } from '@tributary/contract/connectors'
import { recentRunsMax } from '@tributary/contract/limits'
import { Link } from 'react-router'
import { withConnector } from '../../../paths.ts'
import { useAddress } from '../../../ui/hooks/search-params.ts'
import css from './dashboard.module.css'
import { titleIdOf } from '../use-connectors.ts'

const looks = {
  COMPLETED: 'ok',
  FAILED: 'error',
  CANCELLED: 'quiet',
  QUEUED: 'going',
  RUNNING: 'going',
  WAITING: 'warn',
} as const

/** The latest runs as marks, the newest on the right; a failed one is shorter, too. Leads to all of them. */
export function RunStrip({ connector }: { connector: Connector }) {
  const { Id, RecentRuns } = connector
  const params = useAddress()
  const shown = RecentRuns.slice(0, recentRunsMax).toReversed()
  return (
    <Link
      className={css.strip}
      to={`?${withConnector(params, Id)}`}
      aria-label={`Runs: ${stripWords(RecentRuns)}`}
      aria-describedby={titleIdOf(connector)}
    >
      {Array.from({ length: recentRunsMax - shown.length }, (_, index) => (
        <span key={index} className={css.mark} />
      ))}
      {shown.map((run) => (
        <span key={run.Id} className={css.mark} data-look={looks[run.Status]} />
      ))}
    </Link>
  )
}

/** 'the last 14: 12 completed, 2 failed'. */
export function stripWords(runs: Connector['RecentRuns']): string {
  if (runs.length === 0) return 'none yet'
  const count = (...statuses: string[]) => runs.filter(({ Status }) => statuses.includes(Status)).length
  const parts = [
    [count('COMPLETED'), 'completed'],
    [count('FAILED'), 'failed'],
    [count('CANCELLED'), 'cancelled'],
    [count('QUEUED', 'RUNNING', 'WAITING'), 'going on'],
  ] as const
  const words = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  return `the last ${runs.length}: ${words.join(', ')}`
}
