import type { RunDetail } from '@tributary/contract/runs'
import type { ReactNode } from 'react'
import { formatCount } from '../../ui/tables/data-table.tsx'
import { ElapsedTime } from '../../domain/time/relative-time.tsx'
import css from './runs.module.css'

/** Duration and row counts of a run. */
export function RunStatistics({ run }: { run: RunDetail }) {
  return (
    <dl className={css.figures}>
      <RunStatistic label={run.CompletedAtUtc === null ? 'Elapsed' : 'Took'}>
        {run.StartedAtUtc === null ? '–' : <ElapsedTime from={run.StartedAtUtc} to={run.CompletedAtUtc} />}
      </RunStatistic>
      <RunStatistic label="Read">{formatCount(run.RowsRead)}</RunStatistic>
      <RunStatistic label="Written">{formatCount(run.RowsWritten)}</RunStatistic>
      <RunStatistic label="Updated">{formatCount(run.RowsUpdated)}</RunStatistic>
      <RunStatistic label="Deleted">{formatCount(run.RowsDeleted)}</RunStatistic>
      <RunStatistic label="Rejected">{formatCount(run.RowsRejected)}</RunStatistic>
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
