/** Queries and mutations of loads. */
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, callPage } from '../../api/call.ts'
import type { CallRequest, CallReply } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { downloadFile } from '../../ui/files/download.ts'

export type UploadedFile = CallReply<'POST /loads/files'>
export const historyPageSize = 25
export const changesPageSize = 200
/** Poll interval while a load is being committed, in milliseconds. */
const commitPollMs = 2_000

const loadsKey = (orgId: string) => ['loads', orgId]
const historyKey = (orgId: string) => [...loadsKey(orgId), 'history']
const loadKey = (orgId: string, loadId: string) => [...loadsKey(orgId), 'one', loadId]

export const loadTables = (orgId: string) =>
  queryOptions({
    queryKey: [...loadsKey(orgId), 'tables'],
    queryFn: ({ signal }) => call('GET /loads/tables', { query: { orgId }, signal }),
  })

/**
 * Cell types of a sheet's columns, below its headings. Uploaded files are immutable, so the result never becomes
 * stale.
 */
export const fileColumns = (orgId: string, { fileId, sheet, firstRow }: SheetReference) =>
  queryOptions({
    queryKey: [...loadsKey(orgId), 'file', fileId, sheet, firstRow],
    queryFn: ({ signal }) =>
      call('GET /loads/files/:fileId/columns', { params: { fileId }, query: { orgId, sheet, firstRow }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface SheetReference {
  readonly fileId: string
  readonly sheet: string
  /** Row of the headings, from 1. */
  readonly firstRow: number
}

/** Entitlements of the signed-in user: what all rows of a sheet can belong to. */
export const ownEntitlements = (orgId: string) =>
  queryOptions({
    queryKey: ['own use', orgId],
    queryFn: ({ signal }) => call('GET /me/use', { query: { orgId }, signal }),
  })

export const loadQuery = (orgId: string, loadId: string) =>
  queryOptions({
    queryKey: loadKey(orgId, loadId),
    queryFn: ({ signal }) => call('GET /loads/:loadId', { params: { loadId }, query: { orgId }, signal }),
    refetchInterval: ({ state }) => (state.data?.Status === 'COMMITTING' ? commitPollMs : false),
  })

/** Reads a whole sheet and its table, so it is refetched only on request. */
export const loadCheckQuery = (orgId: string, loadId: string) =>
  queryOptions({
    queryKey: [...loadKey(orgId, loadId), 'check'],
    queryFn: ({ signal }) => call('POST /loads/:loadId/check', { params: { loadId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export type LoadHistoryQuery = Pick<
  NonNullable<CallRequest<'GET /loads'>['query']>,
  'versionId' | 'helperTableId' | 'search'
> & {
  readonly page: number
}

export const loadHistory = (orgId: string, ask: LoadHistoryQuery) =>
  queryOptions({
    queryKey: [...historyKey(orgId), ask],
    queryFn: ({ signal }) => callPage('GET /loads', { query: { orgId, ...ask, pageSize: historyPageSize }, signal }),
    placeholderData: keepPreviousData,
  })

export const loadChanges = (orgId: string, loadId: string, page: number) =>
  queryOptions({
    queryKey: [...loadKey(orgId, loadId), 'changes', page],
    queryFn: ({ signal }) =>
      call('GET /loads/:loadId/changes', { params: { loadId }, query: { page, pageSize: changesPageSize }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface FileUpload {
  readonly file: File
  readonly signal: AbortSignal
  /** Answer to the sheet's question about the order of its dates. */
  readonly slashDates?: 'dayFirst' | 'monthFirst'
}

export function useReadFile(onRead: (file: UploadedFile, source: File) => void) {
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: ({ file, signal, slashDates }: FileUpload) =>
      call('POST /loads/files', {
        query: { orgId, name: file.name, ...(slashDates !== undefined && { slashDates }) },
        file,
        signal,
      }),
    onSuccess: (read, { file }) => onRead(read, file),
  })
}

export type LoadRequest = Omit<CallRequest<'POST /loads'>['body'], 'source' | 'comOrganisationId'>

export function useBeginLoad(onBegun: (load: Load) => void) {
  const storeLoad = useStoreLoad()
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: (request: LoadRequest) =>
      call('POST /loads', { body: { ...request, comOrganisationId: orgId, source: 'portal' } }),
    onSuccess: (load) => {
      storeLoad(load)
      onBegun(load)
    },
  })
}

/** Refetches the load after an error: if only the response was lost, the load may have been committed. */
export function useCommitLoad(loadId: string, onLoaded: (load: Load) => void) {
  const storeLoad = useStoreLoad()
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: (seen: string) => call('POST /loads/:loadId/commit', { params: { loadId }, body: { seen } }),
    onSuccess: (load) => {
      storeLoad(load)
      onLoaded(load)
    },
    onError: () => queryClient.invalidateQueries({ queryKey: loadKey(orgId, loadId), exact: true }),
  })
}

/** Why a load is cancelled: to change the options, or for good. */
export type CancelReason = 'choices' | 'good'

/** Removes a cancelled load from the cache. */
export function useCancelLoad(loadId: string, onCancelled: (reason: CancelReason) => void) {
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return useMutation<undefined, Error, CancelReason>({
    mutationFn: () => call('DELETE /loads/:loadId', { params: { loadId } }),
    onSuccess: (_, reason) => {
      onCancelled(reason)
      queryClient.removeQueries({ queryKey: loadKey(orgId, loadId), type: 'inactive' })
      void queryClient.invalidateQueries({ queryKey: historyKey(orgId) })
    },
  })
}

export function useUndoLoad(loadId: string, onUndone: (undoing: Load) => void) {
  const storeLoad = useStoreLoad()
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: () => call('POST /loads/:loadId/undo', { params: { loadId }, body: { source: 'portal' } }),
    onSuccess: (undoing) => {
      storeLoad(undoing)
      void queryClient.invalidateQueries({ queryKey: loadKey(orgId, loadId), exact: true })
      onUndone(undoing)
    },
    onError: () => queryClient.invalidateQueries({ queryKey: loadKey(orgId, loadId), exact: true }),
  })
}

export function useDownloadChanges({ Id, RecordName }: Load) {
  return useMutation({
    mutationFn: async () =>
      downloadFile(
        `${RecordName}-changes-${Id.slice(0, 8)}.csv`,
        await call('GET /loads/:loadId/changes.csv', { params: { loadId: Id } }),
      ),
  })
}

/** Downloads an empty workbook for a table. */
export function useDownloadTemplate() {
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: async ({ Id, Kind, Name }: Pick<LoadTargetTable, 'Id' | 'Kind' | 'Name'>) => {
      const table = Kind === 'version' ? { versionId: Id } : { helperTableId: Id }
      downloadFile(`${Name} template.xlsx`, await call('GET /loads/template.xlsx', { query: { orgId, ...table } }))
    },
  })
}

/** Stores the load that the server returned in the cache and invalidates the history. */
function useStoreLoad(): (load: Load) => void {
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return (load) => {
    queryClient.setQueryData(loadKey(orgId, load.Id), load)
    void queryClient.invalidateQueries({ queryKey: historyKey(orgId) })
  }
}
