import type { RunDetail } from '@tributary/contract/runs'
import type { ReactNode } from 'react'
import { ElapsedTime } from '../../domain/time/relative-time.tsx'
import { rowCounts } from './run-status.ts'
import css from './runs.module.css'
import { formatCount } from '../../ui/formats.ts'

/** Duration and row counts of a run. */
export function RunStatistics({ run }: { run: RunDetail }) {
  return (
    <dl className={css.figures}>
      <RunStatistic label={run.CompletedAtUtc === null ? 'Elapsed' : 'Took'}>
        {run.StartedAtUtc === null ? '–' : <ElapsedTime from={run.StartedAtUtc} to={run.CompletedAtUtc} />}
      </RunStatistic>
      {rowCounts.map(([label, field]) => (
        <RunStatistic key={field} label={label}>
          {formatCount(run[field])}
        </RunStatistic>
      ))}
    </dl>
  )
}

function RunStatistic({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
