/** One page of a list, as given by the URL, and the mutations of its records. */
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '@tributary/client/call-error'
import { statusList } from '../../api/queries/common-queries.ts'
import { cacheForUser, readJson } from '../../api/local-storage.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useUrlParams, useUpdateUrlParams, useUrlPage } from '../../ui/hooks/search-params.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import type { SortOrder } from '../../ui/tables/data-table.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import { everyStructureList, useRefreshStructure } from '../../api/queries/planning-structure.ts'
import type {
  PlanningRecord,
  PlanningRecordKind,
  RecordListQuery,
  ListedRecordKind,
  RecordStatusName,
} from './record-kind.ts'

const pageSize = 50

interface RecordListPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
  /** The search of these rows. It differs from the requested one while that is loading. */
  readonly search?: string | undefined
}

interface CachedRecordListPage<Row> extends RecordListPage<Row> {
  readonly orgId: string
}

export function useRecords<Row extends PlanningRecord>(kind: ListedRecordKind<Row>) {
  const orgId = useOrganisationId()
  const { search, sort, page, goTo, toggleSort } = useRecordListParams()
  const query: RecordListQuery = { orgId, sort, page, pageSize, ...(search !== '' && { search }) }
  const isStart = search === '' && sort === 'asc' && page === 1
  const result = useQuery<RecordListPage<Row>>({
    queryKey: [...everyStructureList(orgId), kind.key, query],
    queryFn: async ({ signal }) => {
      const found = await kind.list(query, { signal }, 'false')
      if (isStart) cacheForUser<CachedRecordListPage<Row>>(kind.key, { orgId, ...found })
      return { ...found, search: query.search }
    },
    // The first page of each list is cached in local storage, so that a reload shows it at once.
    initialData: () => {
      const kept = isStart ? readJson<CachedRecordListPage<Row>>(kind.key) : undefined
      return kept?.orgId === orgId ? kept : undefined
    },
    initialDataUpdatedAt: 0,
    placeholderData: keepPreviousData,
  })
  const pages = usePageCount(result, { page, pageSize, goTo })
  return { result, query, page, pages, goTo, sort, toggleSort }
}

function useRecordListParams() {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const sort: SortOrder = params.get('sort') === 'desc' ? 'desc' : 'asc'
  const set = (changes: Readonly<Record<string, string | null>>) => changeAddress(changes, { replace: true })
  return {
    search: useSearchTerm(),
    sort,
    ...useUrlPage({ replace: true }),
    toggleSort: () => set({ sort: sort === 'asc' ? 'desc' : null, page: null }),
  }
}

export interface RecordEdit {
  readonly name?: string
  readonly status?: RecordStatusName
}

/** Saves a record. A status change can be undone from the toast. */
export function useChangeRecord<Row extends PlanningRecord>(
  kind: PlanningRecordKind<Row>,
): (row: Row, change: RecordEdit) => Promise<void> {
  const queryClient = useQueryClient()
  const refresh = useRefreshStructure()

  async function save(row: Row, { name, status }: RecordEdit): Promise<Row> {
    const statusId = status === undefined ? undefined : await findStatusId(queryClient, status)
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
    const undo = () =>
      void save(row, { status: recordStatus(row) }).catch((error: unknown) => showToast(messageOf(error)))
    showToast(`${saved.Name} ${statusMessages[change.status]}`, { label: 'Undo', act: undo })
  }
}

const statusMessages: Readonly<Record<RecordStatusName, string>> = {
  active: 'is active again.',
  locked: 'is locked: it can be read, not written.',
  archived: 'is archived.',
}

/** A missing status counts as active. */
export function recordStatus({ Status }: PlanningRecord): RecordStatusName {
  return Status.Name === 'locked' || Status.Name === 'archived' ? Status.Name : 'active'
}

async function findStatusId(queryClient: QueryClient, status: RecordStatusName): Promise<string> {
  const statuses = await queryClient.ensureQueryData(statusList)
  const found = statuses.find(({ Name }) => Name === status)
  if (found === undefined) throw new Error(`The server knows no status ${status}.`)
  return found.Id
}
