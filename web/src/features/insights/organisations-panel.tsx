/** Every organisation with what it needs, for the provider. */
import type { OrganisationOrder } from '@tributary/contract/insights'
import { pollMs, searchDebounceMs } from '@tributary/contract/limits'
import { NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callPage } from '../../api/call.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { formatCount } from '../../ui/formats.ts'
import css from './insights.module.css'
import { organisationColumns } from './organisation-columns.tsx'
import { orderLabels } from './organisation-order.ts'

const pageSize = 50
/** From this number of organisations on, there is a search box. */
const searchThreshold = 10

/** The server searches, orders and pages. */
function useInsightPage(search: string, order: OrganisationOrder, page: number) {
  const query = { ...(search !== '' && { search }), order, page, pageSize }
  return useQuery({
    queryKey: ['insights', 'organisations', query],
    queryFn: ({ signal }) => callPage('GET /tributary/insights/organisations', { query, signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  })
}

export function OrganisationsPanel() {
  const [term, setTerm] = useState('')
  const [search] = useDebouncedValue(term.trim(), searchDebounceMs)
  const [order, setOrder] = useState<OrganisationOrder>('need')
  const [page, setPage] = useState(1)
  const query = useInsightPage(search, order, page)
  const pages = usePageCount(query, { page, pageSize, goTo: setPage })
  function searchFor(text: string) {
    setTerm(text)
    setPage(1)
  }
  function orderBy(next: OrganisationOrder) {
    setOrder(next)
    setPage(1)
  }
  return (
    <Panel title="All organisations">
      <QueryResult query={query} loading={<SkeletonLines count={4} height={44} />}>
        {({ rows, total }) => (
          <div className={css.organisations}>
            <div className={css.tools}>
              {total < searchThreshold && term === '' ? null : (
                <SearchInput label="Search organisations" value={term} onChange={searchFor} />
              )}
              <NativeSelect
                aria-label="Sort by"
                value={order}
                data={Object.entries(orderLabels).map(([value, label]) => ({ value, label }))}
                onChange={(event) => orderBy(event.currentTarget.value as OrganisationOrder)}
              />
            </div>
            {rows.length === 0 ? (
              <EmptyState kind="noMatch" title={`No organisation matches '${search}'.`} />
            ) : (
              <DataTable
                caption="Organisations and what they need"
                name="organisations"
                summary={total === 1 ? '1 organisation' : `${formatCount(total)} organisations`}
                columns={organisationColumns}
                rows={rows}
                rowKey={({ Id }) => Id}
              />
            )}
            <Pager label="Pages of organisations" page={page} pages={pages} onPage={setPage} />
          </div>
        )}
      </QueryResult>
    </Panel>
  )
}
