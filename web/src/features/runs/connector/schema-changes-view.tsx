import type { SchemaChange } from '@tributary/contract/schema-changes'
import { Button } from '@mantine/core'
import { IconArrowRight, IconCheck, IconClock, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../../api/use-mutation.ts'
import { call } from '../../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { connectorList } from '../../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { tell } from '../../../ui/feedback/toasts.tsx'
import { type Column, DataTable } from '../../../ui/tables/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import { Loaded } from '../../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../../domain/time/relative-time.tsx'
import { type BadgeLook, StatusBadge } from '../../../ui/display/status-badge.tsx'
import { changeList } from '../api.ts'
import css from '../runs.module.css'

const looks: Record<SchemaChange['Status'], BadgeLook> = {
  PENDING: { word: 'Waits for a decision', tone: 'warn', icon: IconClock },
  ACCEPTED: { word: 'Accepted', tone: 'ok', icon: IconCheck },
  APPLIED: { word: 'Taken', tone: 'ok', icon: IconCheck },
  REJECTED: { word: 'Rejected', tone: 'quiet', icon: IconX },
}

/** What changed at the source, before and after; first what waits for a decision. */
export function ChangesView({ place, isOwn }: { place: ConnectorParams; isOwn: boolean }) {
  const query = useQuery(changeList(place))
  return (
    <Loaded query={query}>
      {(changes) => {
        if (changes.length === 0) return <NoChanges />
        const pending = changes.filter(({ Status }) => Status === 'PENDING')
        const settled = changes.filter(({ Status }) => Status !== 'PENDING')
        return (
          <>
            {pending.length === 0 ? null : <Pending place={place} changes={pending} isOwn={isOwn} />}
            {settled.length === 0 ? null : (
              <section className={css.part} aria-labelledby="changes-settled">
                <h3 id="changes-settled">So far</h3>
                <DataTable
                  caption="Changes so far"
                  columns={[...what, ...outcome]}
                  rows={settled}
                  rowKey={({ Id }) => Id}
                />
              </section>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function NoChanges() {
  return (
    <EmptyState kind="first" title="Nothing has changed at the source.">
      New and lost tables and columns and other types will appear here. Nothing is ever dropped or narrowed.
    </EmptyState>
  )
}

interface PendingProps {
  place: ConnectorParams
  changes: readonly SchemaChange[]
  isOwn: boolean
}

function Pending({ place, changes, isOwn }: PendingProps) {
  const mayDecide = useMay()('decideSchemaChanges') && isOwn
  const decide = useDecide(place)
  const buttons = (ids: string[], name: string) => (
    <div className={css.deciding}>
      {(['ACCEPTED', 'REJECTED'] as const).map((decision) => (
        <Button
          key={decision}
          variant="default"
          size="compact-sm"
          disabled={decide.isPending}
          aria-label={`${words[decision]} ${name}`}
          onClick={() => decide.mutate({ changes: ids, decision })}
        >
          {words[decision]}
        </Button>
      ))}
    </div>
  )
  const deciding: Column<SchemaChange> = { title: 'Decide', cell: (change) => buttons([change.Id], nameOf(change)) }
  return (
    <section className={css.part} aria-labelledby="changes-pending">
      <div className={css.partHead}>
        <h3 id="changes-pending">Waiting for a decision</h3>
        {mayDecide && changes.length > 1
          ? buttons(
              changes.map(({ Id }) => Id),
              'all',
            )
          : null}
      </div>
      <ErrorBanner message={decide.error === null ? null : messageOf(decide.error)} onDismiss={decide.reset} />
      <p className="small subtle">
        {mayDecide
          ? 'Their tables wait; all others are moved. What you accept is made by the next run; a rejected column is not moved, and a table stays as it is where you reject that it lost one.'
          : 'Their tables wait for an administrator’s decision; all others are moved.'}
      </p>
      <DataTable
        caption="Changes that wait for a decision"
        columns={mayDecide ? [...what, found, deciding] : [...what, found]}
        rows={changes}
        rowKey={({ Id }) => Id}
      />
    </section>
  )
}

const words = { ACCEPTED: 'Accept', REJECTED: 'Reject' } as const

function useDecide(place: ConnectorParams) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { changes: string[]; decision: 'ACCEPTED' | 'REJECTED' }) =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/schema-changes', { params: place, body }),
    onSuccess: (_, { decision, changes }) =>
      tell(`${changes.length === 1 ? 'The change is' : `${changes.length} changes are`} ${decision.toLowerCase()}.`),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: changeList(place).queryKey })
      await queryClient.invalidateQueries({ queryKey: connectorList(place.clientId).queryKey })
    },
  })
}

const found: Column<SchemaChange> = { title: 'Found', cell: ({ FoundAtUtc }) => <RelativeTime at={FoundAtUtc} /> }

const what: readonly Column<SchemaChange>[] = [
  { title: 'Where', cell: (change) => nameOf(change) },
  { title: 'What', cell: (change) => <BeforeAfter change={change} /> },
]

const outcome: readonly Column<SchemaChange>[] = [
  { title: 'Status', cell: ({ Status }) => <StatusBadge {...looks[Status]} /> },
  found,
  { title: 'Decided by', cell: ({ DecidedBy }) => DecidedBy ?? '–' },
]

function nameOf({ Table, Column: column }: SchemaChange): string {
  return column === null ? Table : `${Table}.${column}`
}

function BeforeAfter({ change: { Column: column, Before, After } }: { change: SchemaChange }) {
  if (After === 'gone')
    return (
      <span>
        {column === null ? 'Gone from the source; its rows stay' : 'Gone from the source; its last values stay'}
      </span>
    )
  if (Before === null) {
    return (
      <span>
        {column === null ? 'New table' : 'New column'} <code>{After}</code>
      </span>
    )
  }
  return (
    <span className={css.beforeAfter}>
      <code>{Before}</code>
      <IconArrowRight size={14} aria-hidden />
      <span className="visually-hidden">becomes</span>
      <code>{After}</code>
    </span>
  )
}
