/** A page of a list, as the address asks for it; and what follows from changing a record. */
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { statusList } from '../../api/queries/common-queries.ts'
import { cacheForUser, readJson } from '../../api/local-storage.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import type { SortOrder } from '../../ui/tables/data-table.tsx'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import type { AnyRecord, Kind, ListAsk, ListedKind, StatusName } from './record-kind.ts'

const pageSize = 50

/** Lists show each other's records, so a change of one makes all of them stale. */
const everyList = (orgId: string) => ['structure', orgId]

interface Listed<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** What was searched for to find these; while one waits it differs from what is asked for. */
  readonly search?: string | undefined
}

interface Kept<Row> extends Listed<Row> {
  readonly orgId: string
}

export function useRecords<Row extends AnyRecord>(kind: ListedKind<Row>) {
  const orgId = useWorkspace().organisation.Id
  const { search, sort, page, goTo, toggleSort } = useListAddress()
  const ask: ListAsk = { orgId, sort, page, pageSize, ...(search !== '' && { search }) }
  const isStart = search === '' && sort === 'asc' && page === 1
  const { data, error, refetch } = useQuery<Listed<Row>>({
    queryKey: [...everyList(orgId), kind.key, ask],
    queryFn: async ({ signal }) => {
      const found = await kind.list(ask, signal)
      if (isStart) cacheForUser<Kept<Row>>(kind.key, { orgId, ...found })
      return { ...found, search: ask.search }
    },
    // The beginning of each list is kept in the browser, so a reload paints at once.
    initialData: () => {
      const kept = isStart ? readJson<Kept<Row>>(kind.key) : undefined
      return kept?.orgId === orgId ? kept : undefined
    },
    initialDataUpdatedAt: 0,
    placeholderData: keepPreviousData,
  })
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize))

  // The last record of the last page was deleted, or the address is an old one.
  useEffect(() => {
    if (data !== undefined && page > pages) goTo(pages)
  })
  return { data, error, refetch, ask, page, pages, goTo, sort, toggleSort }
}

function useListAddress() {
  const params = useAddress()
  const changeAddress = useChangeAddress()
  const sort: SortOrder = params.get('sort') === 'desc' ? 'desc' : 'asc'
  const set = (changes: Readonly<Record<string, string | null>>) => changeAddress(changes, { replace: true })
  return {
    search: useSearchTerm(),
    sort,
    page: Math.max(1, Math.trunc(Number(params.get('page') ?? 1)) || 1),
    goTo: (page: number) => set({ page: page === 1 ? null : String(page) }),
    toggleSort: () => set({ sort: sort === 'asc' ? 'desc' : null, page: null }),
  }
}

export function useRefresh(): () => Promise<void> {
  const orgId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: everyList(orgId) })
}

interface Change {
  readonly name?: string
  readonly status?: StatusName
}

/** Saves it; what a status does can be taken back as long as the message stands. */
export function useChange<Row extends AnyRecord>(kind: Kind<Row>): (row: Row, change: Change) => Promise<void> {
  const queryClient = useQueryClient()
  const refresh = useRefresh()

  async function save(row: Row, { name, status }: Change): Promise<Row> {
    const statusId = status === undefined ? undefined : await statusIdOf(queryClient, status)
    const saved = await kind.change(row.Id, {
      ...(name !== undefined && { name }),
      ...(statusId !== undefined && { statusId }),
    })
    await refresh()
    return saved
  }
  return async (row, change) => {
    const saved = await save(row, change)
    if (change.status === undefined) return
    const undo = () => void save(row, { status: statusOf(row) }).catch((error: unknown) => tell(messageOf(error)))
    tell(`${saved.Name} ${outcomes[change.status]}`, { label: 'Undo', act: undo })
  }
}

const outcomes: Readonly<Record<StatusName, string>> = {
  active: 'is active again.',
  locked: 'is locked: it can be read, not written.',
  archived: 'is archived.',
}

/** A missing status is an active one. */
export function statusOf({ Status }: AnyRecord): StatusName {
  return Status.Name === 'locked' || Status.Name === 'archived' ? Status.Name : 'active'
}

async function statusIdOf(queryClient: QueryClient, status: StatusName): Promise<string> {
  const statuses = await queryClient.ensureQueryData(statusList)
  const found = statuses.find(({ Name }) => Name === status)
  if (found === undefined) throw new Error(`The server knows no status ${status}.`)
  return found.Id
}
