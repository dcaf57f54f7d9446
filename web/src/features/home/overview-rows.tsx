/** The rows of the overview: at first the ten that need help most, on request all of them, in pages. */
import type { OverviewConnector } from '@tributary/contract/overview'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SearchInput } from '../../ui/forms/search-input.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { OverviewDays } from './overview-days.tsx'
import css from './overview.module.css'
import { isInGroup, type StateGroup } from './overview-states.ts'
import { OverviewTable } from './overview-table.tsx'
import { formatCount } from '../../ui/formats.ts'

const firstRows = 10
const pageSize = 50

interface OverviewRowsProps {
  /** Those that need help first. */
  connectors: readonly OverviewConnector[]
  group: StateGroup | null
  layout: 'strips' | 'table'
}

export function OverviewRows({ connectors, group, layout }: OverviewRowsProps) {
  const [term, setTerm] = useState('')
  const [page, setPage] = useState<number | null>(null)
  const found = connectors.filter((connector) => matches(connector, group, term))
  const pages = Math.max(1, Math.ceil(found.length / pageSize))
  const current = Math.min(page ?? 1, pages)
  const shown = page === null ? found.slice(0, firstRows) : found.slice((current - 1) * pageSize, current * pageSize)
  const Rows = layout === 'table' ? OverviewDays : OverviewTable
  return (
    <>
      {connectors.length <= firstRows ? null : (
        <SearchInput label="Search the overview" className={css.search ?? ''} value={term} onChange={setTerm} />
      )}
      {found.length === 0 ? (
        <EmptyState kind="noMatch" title={`No connector matches '${term.trim()}'.`} />
      ) : (
        <Rows connectors={shown} summary={formatConnectorCount(found.length, connectors.length)} />
      )}
      {page === null && found.length > firstRows ? (
        <Button variant="default" className={css.all ?? ''} onClick={() => setPage(1)}>
          {`Show all ${formatCount(found.length)}`}
        </Button>
      ) : null}
      {page === null ? null : <Pager label="Pages of the overview" page={current} pages={pages} onPage={setPage} />}
    </>
  )
}

function formatConnectorCount(found: number, total: number): string {
  const words = total === 1 ? '1 connector' : `${formatCount(total)} connectors`
  return found === total ? words : `${formatCount(found)} of ${words}`
}

function matches(connector: OverviewConnector, group: StateGroup | null, term: string): boolean {
  return (
    (group === null || isInGroup(connector, group)) && connector.Name.toLowerCase().includes(term.trim().toLowerCase())
  )
}
