import type { RunDetail } from '@tributary/contract/runs'
import type { ReactNode } from 'react'
import { count } from '../../ui/tables/data-table.tsx'
import { Elapsed } from '../../domain/time/relative-time.tsx'
import css from './runs.module.css'

/** The run in figures. */
export function RunFigures({ run }: { run: RunDetail }) {
  return (
    <dl className={css.figures}>
      <Figure label={run.CompletedAtUtc === null ? 'Elapsed' : 'Took'}>
        {run.StartedAtUtc === null ? '–' : <Elapsed from={run.StartedAtUtc} to={run.CompletedAtUtc} />}
      </Figure>
      <Figure label="Read">{count(run.RowsRead)}</Figure>
      <Figure label="Written">{count(run.RowsWritten)}</Figure>
      <Figure label="Updated">{count(run.RowsUpdated)}</Figure>
      <Figure label="Deleted">{count(run.RowsDeleted)}</Figure>
      <Figure label="Rejected">{count(run.RowsRejected)}</Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
