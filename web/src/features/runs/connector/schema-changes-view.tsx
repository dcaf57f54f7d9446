import type { SchemaChange } from '@tributary/contract/schema-changes'
import { Button } from '@mantine/core'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { IconArrowRight, IconX } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import { useMutation } from '../../../api/use-mutation.ts'
import { call } from '../../../api/call.ts'
import { connectorList } from '../../../api/queries/common-queries.ts'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'
import { type TableColumn, DataTable } from '../../../ui/tables/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../../domain/time/relative-time.tsx'
import { type StatusBadgeProps, StatusBadge } from '../../../ui/display/status-badge.tsx'
import { schemaChangeList } from '../api.ts'
import { DrawerSection } from '../../../ui/layout/drawer-section.tsx'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import { useInvalidate } from '../../../api/use-invalidate.ts'
import css from '../runs.module.css'

const changeBadges: Record<SchemaChange['Status'], StatusBadgeProps> = {
  PENDING: { label: 'Waiting for a decision', tone: 'warn', icon: IconClock },
  ACCEPTED: { label: 'Accepted', tone: 'ok', icon: IconCheck },
  APPLIED: { label: 'Applied', tone: 'ok', icon: IconCheck },
  REJECTED: { label: 'Rejected', tone: 'quiet', icon: IconX },
}

/** Schema changes of the source with before and after; pending ones first. */
export function SchemaChangesView({ ids, isOwn }: { ids: ConnectorParams; isOwn: boolean }) {
  const query = useQuery(schemaChangeList(ids))
  return (
    <QueryResult query={query}>
      {(changes) => {
        if (changes.length === 0) return <NoSchemaChanges />
        const pending = changes.filter(({ Status }) => Status === 'PENDING')
        const decided = changes.filter(({ Status }) => Status !== 'PENDING')
        return (
          <>
            {pending.length === 0 ? null : <PendingChanges ids={ids} changes={pending} isOwn={isOwn} />}
            {decided.length === 0 ? null : (
              <DrawerSection title="So far">
                <DataTable
                  caption="Changes so far"
                  columns={[...changeColumns, ...decisionColumns]}
                  rows={decided}
                  rowKey={({ Id }) => Id}
                />
              </DrawerSection>
            )}
          </>
        )
      }}
    </QueryResult>
  )
}

function NoSchemaChanges() {
  return (
    <EmptyState kind="first" title="Nothing has changed at the source.">
      New, removed and retyped tables and columns will appear here. Nothing is ever dropped or narrowed.
    </EmptyState>
  )
}

interface PendingChangesProps {
  ids: ConnectorParams
  changes: readonly SchemaChange[]
  isOwn: boolean
}

function PendingChanges({ ids, changes, isOwn }: PendingChangesProps) {
  const mayDecide = useMay()('decideSchemaChanges') && isOwn
  const decide = useDecideSchemaChanges(ids)
  const buttons = (changeIds: string[], name: string) => (
    <div className={css.deciding}>
      {(['ACCEPTED', 'REJECTED'] as const).map((decision) => (
        <Button
          key={decision}
          variant="default"
          size="compact-sm"
          disabled={decide.isPending}
          aria-label={`${decisionLabels[decision]} ${name}`}
          onClick={() => decide.mutate({ changes: changeIds, decision })}
        >
          {decisionLabels[decision]}
        </Button>
      ))}
    </div>
  )
  const deciding: TableColumn<SchemaChange> = {
    title: 'Decide',
    isActions: true,
    cell: (change) => buttons([change.Id], changedName(change)),
  }
  return (
    <DrawerSection
      title="Waiting for a decision"
      aside={
        mayDecide && changes.length > 1
          ? buttons(
              changes.map(({ Id }) => Id),
              'all',
            )
          : null
      }
    >
      <MutationError of={decide} />
      <p className="small subtle">
        {mayDecide
          ? 'Their tables wait; all others are moved. The next run applies what you accept. A rejected new column is not moved. A rejected removal leaves the table as it is.'
          : 'Their tables wait for an administrator’s decision; all others are moved.'}
      </p>
      <DataTable
        caption="Changes waiting for a decision"
        columns={mayDecide ? [...changeColumns, foundColumn, deciding] : [...changeColumns, foundColumn]}
        rows={changes}
        rowKey={({ Id }) => Id}
      />
    </DrawerSection>
  )
}

const decisionLabels = { ACCEPTED: 'Accept', REJECTED: 'Reject' } as const

function useDecideSchemaChanges(ids: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: { changes: string[]; decision: 'ACCEPTED' | 'REJECTED' }) =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/schema-changes', { params: ids, body }),
    onSuccess: (_, { decision, changes }) =>
      announceToScreenReader(
        `${changes.length === 1 ? 'The change is' : `${changes.length} changes are`} ${decision.toLowerCase()}.`,
      ),
    onSettled: () => invalidate(schemaChangeList(ids), connectorList(ids.clientId)),
  })
}

const foundColumn: TableColumn<SchemaChange> = {
  title: 'Found',
  cell: ({ FoundAtUtc }) => <RelativeTime at={FoundAtUtc} />,
}

const changeColumns: readonly TableColumn<SchemaChange>[] = [
  { title: 'Where', cell: (change) => changedName(change) },
  { title: 'What', cell: (change) => <BeforeAfter change={change} /> },
]

const decisionColumns: readonly TableColumn<SchemaChange>[] = [
  { title: 'Status', cell: ({ Status }) => <StatusBadge {...changeBadges[Status]} /> },
  foundColumn,
  { title: 'Decided by', cell: ({ DecidedBy }) => DecidedBy ?? '–' },
]

function changedName({ Table, Column: column }: SchemaChange): string {
  return column === null ? Table : `${Table}.${column}`
}

function BeforeAfter({ change: { Column: column, Before, After } }: { change: SchemaChange }) {
  if (After === 'gone')
    return (
      <span>
        {column === null ? 'Removed from the source; its rows stay' : 'Removed from the source; its last values stay'}
      </span>
    )
  if (After === 'not moved') return <span>Sent by the source, but no column has it: it is not moved</span>
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
      <IconArrowRight size={14} />
      <span className="visually-hidden">becomes</span>
      <code>{After}</code>
    </span>
  )
}
