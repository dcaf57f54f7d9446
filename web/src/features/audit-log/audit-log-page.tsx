/** The audit log in sentences: who did what to which thing. The record of an event is behind a click. */
import type { ListPage } from '@tributary/client/create-client'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react/visitor-icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, callPage } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { RowActions, RowButton } from '../../ui/tables/row-actions.tsx'
import type { TableExport } from '../../ui/tables/table-toolbar.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { useUrlPage } from '../../ui/hooks/search-params.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { type StatusBadgeProps, StatusBadge } from '../../ui/display/status-badge.tsx'
import { SearchExtent, useContinuedSearch } from './search-extent.tsx'
import { AuditLogFilters } from './audit-log-filters.tsx'
import css from './audit-log.module.css'
import { describeEvent } from '../../domain/audit-log/sentences/wording.ts'
import { type AuditLogQuery, useAuditLogFilter } from './use-audit-log-filter.ts'
import { formatCount } from '../../ui/formats.ts'

const LazyEventDrawer = lazyDialog(() => import('./event-drawer.tsx'), 'EventDrawer')

const pageSize = 50

export function AuditLogPage() {
  return (
    <Page kind="list" search={<SearchBox label="Search the audit log" />}>
      <AuditEvents />
    </Page>
  )
}

function AuditEvents() {
  const { filter, page, goTo } = useAuditLogFilter()
  const { beforeId, continueBefore } = useContinuedSearch(filter)
  const exportEvents = useExportAuditLog(filter)
  const events = useQuery({
    queryKey: ['audit', filter, page, beforeId],
    queryFn: ({ signal }) => callPage('GET /audit-events', { query: { ...filter, page, pageSize, beforeId }, signal }),
    placeholderData: keepPreviousData,
  })
  const pages = usePageCount(events, { page, pageSize, goTo: useUrlPage({ replace: true }).goTo })
  return (
    <>
      <AuditLogFilters events={events.data?.rows} />
      <MutationError of={exportEvents} />
      <QueryResult query={events} loading={<SkeletonLines count={8} height={44} />}>
        {(found) => (
          <>
            <SearchExtent
              unsearched={found.unsearched}
              isContinued={beforeId !== undefined}
              onContinue={(next) => {
                continueBefore(next)
                goTo(1)
              }}
            />
            <AuditEventTable
              {...found}
              page={page}
              pages={pages}
              onPage={goTo}
              exporting={{ start: exportEvents.mutate, isPending: exportEvents.isPending }}
            />
          </>
        )}
      </QueryResult>
    </>
  )
}

interface AuditEventTableProps extends ListPage<readonly AuditLogEvent[]> {
  page: number
  pages: number
  onPage: (page: number) => void
  exporting: TableExport
}

const nothing = 'Nothing that matches has happened.'
const nothingYet = 'Nothing that matches is among the events that were searched.'

function AuditEventTable({ rows, total, unsearched, page, pages, onPage, exporting }: AuditEventTableProps) {
  const [opened, setOpened] = useState<AuditLogEvent | null>(null)
  if (total === 0) return <EmptyState kind="noMatch" title={unsearched === undefined ? nothing : nothingYet} />
  return (
    <>
      <DataTable
        caption="Audit log"
        name="auditLog"
        summary={total === 1 ? '1 event' : `${formatCount(total)} events`}
        exporting={exporting}
        columns={eventColumns(setOpened)}
        rows={rows}
        rowKey={({ Id }) => String(Id)}
      />
      <Pager label="Pages of the audit log" page={page} pages={pages} onPage={onPage} words={['Newer', 'Older']} />
      {opened === null ? null : <LazyEventDrawer event={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function eventColumns(onOpen: (event: AuditLogEvent) => void): readonly TableColumn<AuditLogEvent>[] {
  return [
    { title: 'What happened', cell: (event) => <EventSentence event={event} /> },
    { title: 'When', cell: ({ AtUtc }) => <RelativeTime at={AtUtc} /> },
    { title: 'Outcome', cell: ({ Outcome }) => <StatusBadge {...outcomeBadges[Outcome]} /> },
    { title: 'Role', isHiddenByDefault: true, cell: ({ ActorRole }) => ActorRole ?? '–' },
    { title: 'From', isHiddenByDefault: true, cell: ({ Address }) => Address ?? '–' },
    { title: 'Action', isHiddenByDefault: true, cell: ({ Action }) => <code>{Action}</code> },
    {
      title: 'Record',
      isActions: true,
      cell: (event) => (
        <RowActions describedBy={sentenceId(event)}>
          <RowButton describedBy={sentenceId(event)} onClick={() => onOpen(event)}>
            Details
          </RowButton>
        </RowActions>
      ),
    },
  ]
}

const sentenceId = ({ Id }: AuditLogEvent) => `event-${Id}`

function EventSentence({ event }: { event: AuditLogEvent }) {
  const { TimeZone } = useWorkspace().organisation
  return (
    <span id={sentenceId(event)} className={css.sentence}>
      {describeEvent(event, TimeZone).map(({ kind, text }, index) =>
        kind === 'text' ? (
          text
        ) : (
          // The parts of a sentence never change their order.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <strong key={index}>{text}</strong>
        ),
      )}
    </span>
  )
}

const outcomeBadges: Readonly<Record<AuditLogEvent['Outcome'], StatusBadgeProps>> = {
  success: { label: 'done', tone: 'ok', icon: IconCircleCheck },
  refused: { label: 'refused', tone: 'warn', icon: IconAlertTriangle },
  failure: { label: 'failed', tone: 'error', icon: IconX },
}

function useExportAuditLog(filter: AuditLogQuery) {
  const { organisation } = useWorkspace()
  return useMutation({
    mutationFn: async () => {
      const text = await call('GET /audit-events/export', { query: filter })
      downloadFile(`${organisation.Key}-audit-${new Date().toISOString().slice(0, 10)}.csv`, text)
    },
  })
}
