/** What a load changed, cell by cell. Only the pages in the visible range are fetched. */
import type { Load, LoadChange } from '@tributary/contract/loads'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { loadChanges, changesPageSize, useDownloadChanges } from './api.ts'
import type { TableExport } from '../../ui/tables/table-toolbar.tsx'
import { type VirtualColumn, VirtualTable } from '../../ui/tables/virtual-table.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { describeSlice } from '@tributary/contract/load-wording'
import { formatCount } from '../../ui/formats.ts'

const changeKinds = { changed: 'changed', added: 'row added', removed: 'row removed' } as const
const changeColumns: readonly VirtualColumn<LoadChange>[] = [
  { title: 'Cell', widthPx: 88, text: ({ Cell }) => Cell ?? '–' },
  { title: 'Change', widthPx: 112, text: ({ Kind }) => changeKinds[Kind] },
  { title: 'Column', widthPx: 120, text: ({ Column }) => Column ?? '' },
  { title: 'Old', widthPx: 144, text: ({ Old }) => Old ?? '' },
  { title: 'New', widthPx: 144, text: ({ New }) => New ?? '' },
  { title: 'Rows of', widthPx: 280, text: ({ Slice }) => describeSlice(Slice) },
]

export function ChangeLog({ load }: { load: Load }) {
  const saving = useDownloadChanges(load)
  return (
    <Panel title="Change log">
      <MutationError of={saving} />
      {load.Changes === 0 ? (
        <p>Nothing differs from what the table held before.</p>
      ) : (
        <ChangeTable load={load} exporting={{ start: saving.mutate, isPending: saving.isPending }} />
      )}
    </Panel>
  )
}

function ChangeTable({ load, exporting }: { load: Load; exporting: TableExport }) {
  const { rowAt, onSeen, failed } = useChangePages(load.Id)
  if (failed !== undefined) return <QueryPlaceholder of={failed} />
  return (
    <VirtualTable
      caption="List of changes"
      summary={`${formatCount(load.Changes)} ${load.Changes === 1 ? 'change' : 'changes'}, kept permanently`}
      exporting={exporting}
      columns={changeColumns}
      count={load.Changes}
      rowAt={rowAt}
      onVisibleRangeChange={onSeen}
    />
  )
}

function useChangePages(loadId: string) {
  const orgId = useOrganisationId()
  const [pages, setPages] = useState<readonly number[]>([1])
  const queries = useQueries({ queries: pages.map((page) => loadChanges(orgId, loadId, page)) })
  return {
    rowAt: (at: number) => queries[pages.indexOf(changePage(at))]?.data?.[at % changesPageSize],
    onSeen: (first: number, last: number) => {
      const visiblePages = [...new Set([changePage(first), changePage(Math.max(first, last - 1))])]
      setPages((known) => (known.join() === visiblePages.join() ? known : visiblePages))
    },
    failed: queries.find(({ isLoadingError }) => isLoadingError),
  }
}

function changePage(at: number): number {
  return Math.floor(at / changesPageSize) + 1
}
