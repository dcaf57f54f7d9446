import type { Run } from '@tributary/contract/runs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkButton } from '../../../ui/display/link-button.tsx'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { type TableColumn, DataTable, countColumn } from '../../../ui/tables/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { Pager } from '../../../ui/tables/pager.tsx'
import { ElapsedTime, RelativeTime } from '../../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { TieOutBadge } from '../../../domain/tie-out/tie-out-badge.tsx'
import { runList, runPageSize } from '../api.ts'
import { modeLabels, runStatusBadges, formatRunScope } from '../run-status.ts'
import css from '../runs.module.css'
import { formatCount } from '../../../ui/formats.ts'

export function RunHistory({ ids, onOpen }: { ids: ConnectorParams; onOpen: (runId: string) => void }) {
  const { TimeZone } = useWorkspace().organisation
  const [page, setPage] = useState(1)
  const query = useQuery(runList(ids, page))
  return (
    <QueryResult query={query}>
      {({ rows, total }) =>
        rows.length === 0 ? (
          <EmptyState kind="first" title="Never started">
            The runs of this connector will appear here.
          </EmptyState>
        ) : (
          <>
            <DataTable
              caption="Runs, latest first"
              name="runs"
              summary={total === 1 ? '1 run' : `${formatCount(total)} runs`}
              columns={runColumns(onOpen, TimeZone)}
              rows={rows}
              rowKey={({ Id }) => Id}
            />
            <Pager
              label="Pages of runs"
              page={page}
              pages={Math.ceil(total / runPageSize)}
              onPage={setPage}
              words={['Newer', 'Older']}
            />
          </>
        )
      }
    </QueryResult>
  )
}

function runColumns(onOpen: (runId: string) => void, timeZone: string): TableColumn<Run>[] {
  return [
    {
      title: 'Started',
      cell: (run) => (
        <LinkButton onClick={() => onOpen(run.Id)}>
          <RelativeTime at={run.QueuedAtUtc} />
        </LinkButton>
      ),
    },
    {
      title: 'Result',
      cell: ({ Status, TieOut }) => (
        <span className={css.results}>
          <StatusBadge {...runStatusBadges[Status]} />
          {TieOut === null ? null : <TieOutBadge state={TieOut} />}
        </span>
      ),
    },
    {
      title: 'Mode',
      cell: ({ Mode, OnlyStreams, FromUtc }) => `${modeLabels[Mode]}${formatRunScope(OnlyStreams, FromUtc, timeZone)}`,
    },
    {
      title: 'By',
      cell: ({ Trigger, TriggeredBy }) => (Trigger === 'schedule' ? 'Schedule' : (TriggeredBy ?? 'By hand')),
    },
    {
      title: 'Took',
      isNumber: true,
      cell: ({ StartedAtUtc, CompletedAtUtc }) =>
        StartedAtUtc === null ? '–' : <ElapsedTime from={StartedAtUtc} to={CompletedAtUtc} />,
    },
    countColumn('Read', ({ RowsRead }) => RowsRead),
    countColumn('Written', ({ RowsWritten }) => RowsWritten),
    countColumn('Rejected', ({ RowsRejected }) => RowsRejected),
  ]
}
