/** The rows of a table as the address asks for them: the pages that are in memory, and how to read others. */
import type { DataCell } from '@tributary/contract/data'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useUpdateUrlParams, useUrlParams } from '../../ui/hooks/search-params.ts'
import { dataRows, type TableLocation } from './api.ts'
import { parseView, type TableView, toRowsQuery } from './table-address.ts'

export type GridRow = readonly DataCell[]

export function useTableView() {
  const params = useUrlParams()
  const update = useUpdateUrlParams()
  const view = useMemo(() => parseView(params), [params])
  const change = (next: Partial<TableView>) => {
    const { filters = null, sort = null, descending = null, asOf = null } = toRowsQuery({ ...view, ...next })
    update({ filters, sort, descending, asOf })
  }
  return { view, change }
}

export function useTableRows(location: TableLocation) {
  const { view } = useTableView()
  const options = dataRows(location, view)
  const query = useInfiniteQuery(options)
  const queryClient = useQueryClient()
  const pages = useMemo(() => query.data?.pages ?? [], [query.data])
  const rows = useMemo(() => pages.flatMap(({ Rows }): readonly GridRow[] => Rows), [pages])
  return {
    query,
    rows,
    /** The index of the first row in memory. Rows before it were read and are read again on demand. */
    base: query.hasPreviousPage ? Math.max(0, pages[0]?.start ?? 0) : 0,
    /** The table has more rows than a page, and no key by which they could be read. */
    isCut: pages.at(-1)?.hasNext === true && !query.hasNextPage,
    sql: pages[0]?.Sql,
    key: JSON.stringify(options.queryKey),
    /** Stops the query on the server, too. */
    cancel: () => void queryClient.cancelQueries({ queryKey: options.queryKey }),
    restart: () => void queryClient.resetQueries({ queryKey: options.queryKey }),
  }
}
