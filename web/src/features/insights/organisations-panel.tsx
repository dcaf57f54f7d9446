/** Every organisation with what it needs, for the provider. */
import type { OrganisationInsight } from '@tributary/contract/insights'
import { pollMs } from '@tributary/contract/limits'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callQuery } from '../../api/call-query.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { formatCount } from '../../ui/formats.ts'
import css from './insights.module.css'
import { organisationColumns } from './organisation-columns.tsx'
import { type OrganisationOrder, orderLabels, sortOrganisations } from './organisation-order.ts'

const organisationInsights = {
  ...callQuery(['insights', 'organisations'], 'GET /tributary/insights/organisations'),
  refetchInterval: pollMs,
}

export function OrganisationsPanel() {
  const query = useQuery(organisationInsights)
  return (
    <Panel title="All organisations">
      <QueryResult query={query} loading={<SkeletonLines count={4} height={44} />}>
        {(organisations) => <OrganisationTable organisations={organisations} />}
      </QueryResult>
    </Panel>
  )
}

const pageSize = 50
/** From this number of organisations on, there is a search box. */
const searchThreshold = 10

function OrganisationTable({ organisations }: { organisations: readonly OrganisationInsight[] }) {
  const [term, setTerm] = useState('')
  const [order, setOrder] = useState<OrganisationOrder>('need')
  const [page, setPage] = useState(1)
  const found = sortOrganisations(organisations, order).filter(({ CompanyName }) =>
    CompanyName.toLowerCase().includes(term.trim().toLowerCase()),
  )
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const current = Math.min(page, pages)
  return (
    <div className={css.organisations}>
      <div className={css.tools}>
        {organisations.length < searchThreshold ? null : (
          <SearchInput label="Search organisations" value={term} onChange={setTerm} />
        )}
        <NativeSelect
          aria-label="Sort by"
          value={order}
          data={Object.entries(orderLabels).map(([value, label]) => ({ value, label }))}
          onChange={(event) => setOrder(event.currentTarget.value as OrganisationOrder)}
        />
      </div>
      {found.length === 0 ? (
        <EmptyState kind="noMatch" title={`No organisation matches '${term.trim()}'.`} />
      ) : (
        <DataTable
          caption="Organisations and what they need"
          name="organisations"
          summary={found.length === 1 ? '1 organisation' : `${formatCount(found.length)} organisations`}
          columns={organisationColumns}
          rows={found.slice((current - 1) * pageSize, current * pageSize)}
          rowKey={({ Id }) => Id}
        />
      )}
      <Pager label="Pages of organisations" page={current} pages={pages} onPage={setPage} />
    </div>
  )
}
