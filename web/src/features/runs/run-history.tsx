import type { Run } from '@tributary/contract/runs'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/call-error.ts'
import { type Column, count, DataTable } from '../../ui/data-table.tsx'
import { EmptyState, LoadFailure } from '../../ui/empty-state.tsx'
import { Elapsed, RelativeTime } from '../../ui/relative-time.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { type RunPlace, runList } from './api.ts'
import { runLooks } from './run-look.ts'
import css from './runs.module.css'

export function RunHistory({ place, onOpen }: { place: RunPlace; onOpen: (runId: string) => void }) {
  const { data, error, refetch } = useQuery(runList(place))
  if (data === undefined) {
    return error === null ? (
      <SkeletonLines count={6} height={36} />
    ) : (
      <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState kind="first" title="Never started">
        The runs of this connector will appear here.
      </EmptyState>
    )
  }
  return <DataTable caption="Runs" columns={columns(onOpen)} rows={data} rowKey={({ Id }) => Id} />
}

function columns(onOpen: (runId: string) => void): Column<Run>[] {
  return [
    {
      title: 'Started',
      cell: (run) => (
        <button type="button" className={css.open} onClick={() => onOpen(run.Id)}>
          <RelativeTime at={run.QueuedAtUtc} />
        </button>
      ),
    },
    { title: 'Result', cell: ({ Status }) => <StatusBadge {...runLooks[Status]} /> },
    { title: 'Mode', cell: ({ Mode }) => (Mode === 'full' ? 'Full' : 'Incremental') },
    { title: 'By', cell: ({ Trigger, TriggeredBy }) => (Trigger === 'schedule' ? 'Schedule' : (TriggeredBy ?? 'By hand')) },
    {
      title: 'Took',
      isNumber: true,
      cell: ({ StartedAtUtc, CompletedAtUtc }) => (StartedAtUtc === null ? '–' : <Elapsed from={StartedAtUtc} to={CompletedAtUtc} />),
    },
    { title: 'Read', isNumber: true, cell: ({ RowsRead }) => count(RowsRead) },
    { title: 'Rejected', isNumber: true, cell: ({ RowsRejected }) => count(RowsRejected) },
  ]
}
