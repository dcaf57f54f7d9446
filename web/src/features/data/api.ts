/** The calls of the explorer. */
import type { CallRequest } from '@tributary/contract/calls'
import type { DataRows } from '@tributary/contract/data'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { currentTimeZone } from '../../ui/formats.ts'
import { type TableView, toRowsQuery } from './table-address.ts'

export interface TableLocation {
  readonly clientId: string
  readonly schema: string
  readonly table: string
}

export function dataSources(clientId: string) {
  return callQuery(['data', clientId], 'GET /tributary/clients/:clientId/data/tables', { params: { clientId } })
}

export function dataTable(params: TableLocation) {
  return callQuery(['data table', params], 'GET /tributary/clients/:clientId/data/tables/:schema/:table', { params })
}

export function tableMoments(params: TableLocation) {
  return callQuery(['data moments', params], 'GET /tributary/clients/:clientId/data/tables/:schema/:table/history', {
    params,
  })
}

/** A page of rows. `start`: the index of its first row, by which pages fit together whichever was read first. */
export interface RowsPage extends DataRows {
  readonly start: number
  readonly hasNext: boolean
  /** How to read the page before. Undefined for the first page. */
  readonly previous: PagePosition | undefined
}

type PagePosition =
  /** `previous`: where the page before began. */
  | { readonly start: number; readonly after?: string; readonly previous?: PagePosition }
  /** The page ends before the row with the index `end`. */
  | { readonly end: number; readonly before: string }

const firstPage: PagePosition = { start: 0 }

/** Pages that stay in memory. Others are read again when a person scrolls back. */
const pagesMax = 20

export function dataRows(params: TableLocation, view: TableView) {
  const query = { ...toRowsQuery(view), timeZone: currentTimeZone() }
  return infiniteQueryOptions({
    queryKey: ['data rows', params, query],
    initialPageParam: firstPage,
    queryFn: ({ pageParam, signal }) => readPage(params, query, pageParam, signal),
    getNextPageParam: ({ hasNext, Last, start, Rows }, _pages, position): PagePosition | undefined =>
      hasNext && Last !== null ? { after: Last, start: start + Rows.length, previous: position } : undefined,
    getPreviousPageParam: ({ previous }) => previous,
    maxPages: pagesMax,
    // Rows do not change, and comparing all of them would take longer than showing them.
    structuralSharing: false,
    // A query may read for a minute: it is made once, and again only when a person asks for it.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
}

type RowsQuery = NonNullable<CallRequest<'GET /tributary/clients/:clientId/data/tables/:schema/:table/rows'>['query']>

async function readPage(
  params: TableLocation,
  query: RowsQuery,
  position: PagePosition,
  signal: AbortSignal,
): Promise<RowsPage> {
  const isBackward = 'before' in position
  const at = isBackward ? { before: position.before } : position.after === undefined ? {} : { after: position.after }
  const page = await call('GET /tributary/clients/:clientId/data/tables/:schema/:table/rows', {
    params,
    query: { ...query, ...at },
    signal,
  })
  const { First, HasMore, Rows } = page
  if (isBackward) {
    const start = position.end - Rows.length
    return { ...page, start, hasNext: true, previous: HasMore ? pageBefore(First, start) : undefined }
  }
  // Without a key, the rows before a position cannot be found by it, but the page before is read as it was the first time.
  const { start, after, previous } = position
  return {
    ...page,
    start,
    hasNext: HasMore,
    previous: after === undefined ? undefined : (pageBefore(First, start) ?? previous),
  }
}

function pageBefore(first: string | null, end: number): PagePosition | undefined {
  return first === null ? undefined : { before: first, end }
}

export function columnProfile(params: TableLocation, view: TableView, column: string) {
  const { filters, asOf } = toRowsQuery(view)
  return {
    ...callQuery(
      ['data profile', params, column, filters, asOf],
      'GET /tributary/clients/:clientId/data/tables/:schema/:table/profile',
      {
        params,
        query: {
          column,
          timeZone: currentTimeZone(),
          ...(filters !== undefined && { filters }),
          ...(asOf !== undefined && { asOf }),
        },
      },
    ),
    staleTime: 60_000,
    retry: false,
  }
}
