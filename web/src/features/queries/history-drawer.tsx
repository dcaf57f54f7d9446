import type { QueryRun } from '@tributary/contract/queries'
import { useQuery } from '@tanstack/react-query'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatRowCount } from '../../ui/formats.ts'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { queryHistory, useClearHistory } from './query-api.ts'

interface HistoryDrawerProps {
  readonly onChoose: (run: QueryRun) => void
  readonly onClose: () => void
}

export function HistoryDrawer({ onChoose, onClose }: HistoryDrawerProps) {
  const query = useQuery(queryHistory(useOrganisationId()))
  const clear = useClearHistory()
  return (
    <Dialog
      kind="drawer"
      title="History"
      subtitle="Your latest queries here. Only you see them."
      onClose={onClose}
      footer={
        (query.data?.length ?? 0) === 0 ? null : (
          <EntryButton size="sm" loading={clear.isPending} onClick={() => clear.mutate()}>
            Clear history
          </EntryButton>
        )
      }
    >
      <MutationError of={clear} />
      <QueryResult query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <EmptyState kind="first" title="You have run no query here yet." />
          ) : (
            <EntryList>
              {runs.map((run) => (
                <EntryListItem
                  key={run.Id}
                  title={shorten(run.Statement)}
                  detail={<Detail run={run} />}
                  action={<EntryButton onClick={() => onChoose(run)}>Use</EntryButton>}
                />
              ))}
            </EntryList>
          )
        }
      </QueryResult>
    </Dialog>
  )
}

const outcomes = {
  completed: '',
  limited: ', stopped at a limit',
  refused: ', refused',
  cancelled: ', cancelled',
} as const

function Detail({ run: { StartedAtUtc, Rows, Outcome } }: { run: QueryRun }) {
  return (
    <>
      <RelativeTime at={StartedAtUtc} />
      {`, ${formatRowCount(Rows)}${outcomes[Outcome]}`}
    </>
  )
}

function shorten(statement: string): string {
  const line = statement.trim().replaceAll(/\s+/gu, ' ')
  return line.length > 140 ? `${line.slice(0, 139)}…` : line
}
