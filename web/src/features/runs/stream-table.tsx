import type { RunStream } from '@tributary/contract/runs'
import { type TableColumn, DataTable, countColumn } from '../../ui/tables/data-table.tsx'
import { streamPhaseLabels, rowCounts } from './run-status.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import css from './runs.module.css'

/** Progress and row counts of each table. */
export function StreamTable({ streams }: { streams: readonly RunStream[] }) {
  return (
    <DrawerSection title="Tables">
      <DataTable caption="Tables of this run" columns={streamColumns} rows={streams} rowKey={({ Name }) => Name} />
    </DrawerSection>
  )
}

const streamColumns: readonly TableColumn<RunStream>[] = [
  {
    title: 'Table',
    cell: ({ Table, Notice }) => (
      <>
        {Table}
        {Notice === null ? null : <span className={css.notice}>{Notice}</span>}
      </>
    ),
  },
  { title: 'Phase', cell: (stream) => <StreamProgress stream={stream} /> },
  ...rowCounts.map(([title, field]) => countColumn<RunStream>(title, (stream) => stream[field])),
]

/** Phases of a table in the progress bar; comparing keys is part of the last one. */
const progressSteps = ['preparing', 'reading', 'finishing'] as const
const reachedStep: Record<RunStream['Phase'], number> = {
  waiting: 0,
  preparing: 1,
  reading: 2,
  finishing: 3,
  sweeping: 3,
  verifying: 3,
  done: 4,
  failed: 2,
  cancelled: 2,
}

/** Shows a percentage only if the source estimated the rows, and at most 99. */
function StreamProgress({ stream: { Phase, RowsRead, RowsEstimate } }: { stream: RunStream }) {
  const isEstimated = Phase === 'reading' && RowsEstimate !== null && RowsEstimate > 0
  const share = isEstimated ? Math.min(99, Math.round((RowsRead / RowsEstimate) * 100)) : null
  return (
    <span className={css.phase} data-phase={Phase}>
      <span className={css.steps} aria-hidden>
        {progressSteps.map((step, index) => (
          <span
            key={step}
            data-place={
              index + 1 < reachedStep[Phase] ? 'past' : index + 1 === reachedStep[Phase] ? 'present' : 'ahead'
            }
          />
        ))}
      </span>
      {streamPhaseLabels[Phase]}
      {share === null ? null : ` ${share} %`}
    </span>
  )
}
