import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react/visitor-icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, callPage } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace, useMay } from '../../api/session/workspace.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { type StatusBadgeProps, StatusBadge } from '../../ui/display/status-badge.tsx'
import css from '../../domain/admin/admin.module.css'
import { type AuditLogQuery, useAuditLogFilter, useSetAuditLogFilter } from './use-audit-log-filter.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { formatCount } from '../../ui/formats.ts'

const pageSize = 50

export function AuditLogPage() {
  return (
    <Page search={<SearchBox label="Search the audit log" />}>
      <AuditEvents />
    </Page>
  )
}

function AuditEvents() {
  const { filter, page, goTo } = useAuditLogFilter()
  const exportEvents = useExportAuditLog(filter)
  const events = useQuery({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) => callPage('GET /audit-events', { query: { ...filter, page, pageSize }, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className={css.toolbar}>
        <AuditLogFilters />
        <Button
          variant="default"
          className={css.end}
          leftSection={<IconDownload />}
          loading={exportEvents.isPending}
          onClick={() => exportEvents.mutate()}
        >
          Export CSV
        </Button>
      </div>
      <MutationError of={exportEvents} />
      <QueryResult query={events} loading={<SkeletonLines count={8} height={44} />}>
        {(found) => <AuditEventTable {...found} page={page} onPage={goTo} />}
      </QueryResult>
    </>
  )
}

interface AuditEventTableProps {
  rows: readonly AuditLogEvent[]
  total: number
  page: number
  onPage: (page: number) => void
}

function AuditEventTable({ rows, total, page, onPage }: AuditEventTableProps) {
  if (total === 0) return <EmptyState kind="noMatch" title="Nothing that matches has happened." />
  const pages = Math.ceil(total / pageSize)
  return (
    <>
      <output className={css.count}>{`${formatCount(total)} events`}</output>
      <DataTable caption="Audit log" columns={columns} rows={rows} rowKey={({ Id }) => String(Id)} />
      <Pager label="Pages of the audit log" page={page} pages={pages} onPage={onPage} words={['Newer', 'Older']} />
    </>
  )
}

const columns: readonly TableColumn<AuditLogEvent>[] = [
  { title: 'What', cell: ({ Action }) => formatAction(Action) },
  { title: 'When', cell: ({ AtUtc }) => <RelativeTime at={AtUtc} /> },
  { title: 'Who', cell: describeActor },
  { title: 'Outcome', cell: ({ Outcome }) => <StatusBadge {...outcomeBadges[Outcome]} /> },
  { title: 'About', cell: ({ ObjectType, Detail }) => describeObject(ObjectType, Detail) },
  { title: 'From', cell: ({ Address }) => Address ?? '' },
]

/** The operator works at the console and has no account. */
function describeActor({ Actor, ActorRole }: AuditLogEvent): string {
  if (Actor === null) return ActorRole === 'operator' ? 'The operator, at the console' : 'Tributary itself'
  return ActorRole === null ? Actor : `${Actor}, ${ActorRole}`
}

const outcomeBadges: Readonly<Record<AuditLogEvent['Outcome'], StatusBadgeProps>> = {
  success: { label: 'done', tone: 'ok', icon: IconCircleCheck },
  refused: { label: 'refused', tone: 'warn', icon: IconAlertTriangle },
  failure: { label: 'failed', tone: 'error', icon: IconX },
}

/** Formats 'authn.login_success' as 'authn: login success'. */
function formatAction(action: string): string {
  return action.replace('.', ': ').replaceAll('_', ' ')
}

function describeObject(objectType: string | null, detail: AuditLogEvent['Detail']): string {
  const facts = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [...(objectType === null ? [] : [objectType]), ...facts].join(', ')
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

const outcomeChoices = [
  { value: '', label: 'All' },
  { value: 'success', label: 'Done' },
  { value: 'refused', label: 'Refused' },
  { value: 'failure', label: 'Failed' },
]
const scopeChoices = [
  { value: '', label: 'This organisation' },
  { value: 'true', label: 'The provider' },
]

function AuditLogFilters() {
  const params = useUrlParams()
  const setFilter = useSetAuditLogFilter()
  const may = useMay()
  const fieldProps = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => setFilter(name, event.currentTarget.value),
  })
  const dateProps = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: (value: string) => setFilter(name, value),
  })
  return (
    <div className={css.filters}>
      {may('seeAdminDashboard') ? (
        <NativeSelect label="Events of" data={scopeChoices} {...fieldProps('ofProvider')} />
      ) : null}
      <NativeSelect label="Outcome" data={outcomeChoices} {...fieldProps('outcome')} />
      <LazyDateField label="From" {...dateProps('from')} />
      <LazyDateField label="To" {...dateProps('to')} />
    </div>
  )
}
