/** Queries and mutations of loads. */
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, callPage } from '../../api/call.ts'
import type { CallRequest, CallReply } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { callQuery } from '../../api/call-query.ts'
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
  callQuery([...loadsKey(orgId), 'tables'], 'GET /loads/tables', { query: { orgId } })

/**
 * Cell types of a sheet's columns, below its headings. Uploaded files are immutable, so the result never becomes
 * stale.
 */
export const fileColumns = (orgId: string, { fileId, sheet, firstRow }: SheetReference) => ({
  ...callQuery([...loadsKey(orgId), 'file', fileId, sheet, firstRow], 'GET /loads/files/:fileId/columns', {
    params: { fileId },
    query: { orgId, sheet, firstRow },
  }),
  staleTime: Number.POSITIVE_INFINITY,
})

interface SheetReference {
  readonly fileId: string
  readonly sheet: string
  /** Row of the headings, from 1. */
  readonly firstRow: number
}

/** Entitlements of the signed-in user: what all rows of a sheet can belong to. */
export const ownEntitlements = (orgId: string) => callQuery(['own use', orgId], 'GET /me/use', { query: { orgId } })

export const loadQuery = (orgId: string, loadId: string) =>
  queryOptions({
    ...callQuery(loadKey(orgId, loadId), 'GET /loads/:loadId', { params: { loadId }, query: { orgId } }),
    refetchInterval: ({ state }) => (state.data?.Status === 'COMMITTING' ? commitPollMs : false),
  })

/** Reads a whole sheet and its table, so it is refetched only on request. */
export const loadCheckQuery = (orgId: string, loadId: string) => ({
  ...callQuery([...loadKey(orgId, loadId), 'check'], 'POST /loads/:loadId/check', { params: { loadId } }),
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

export const loadChanges = (orgId: string, loadId: string, page: number) => ({
  ...callQuery([...loadKey(orgId, loadId), 'changes', page], 'GET /loads/:loadId/changes', {
    params: { loadId },
    query: { page, pageSize: changesPageSize },
  }),
  staleTime: Number.POSITIVE_INFINITY,
})

interface FileUpload {
  readonly file: File
  readonly signal: AbortSignal
  /** Answer to the sheet's question about the order of its dates. */
  readonly slashDates?: 'dayFirst' | 'monthFirst'
}

export function useReadFile(onRead: (file: UploadedFile, source: File) => void) {
  const orgId = useOrganisationId()
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
  const cache = useLoadCache()
  const orgId = useOrganisationId()
  return useMutation({
    mutationFn: (request: LoadRequest) =>
      call('POST /loads', { body: { ...request, comOrganisationId: orgId, source: 'portal' } }),
    onSuccess: (load) => {
      cache.store(load)
      onBegun(load)
    },
  })
}

/** Refetches the load after an error: if only the response was lost, the load may have been committed. */
export function useCommitLoad(loadId: string, onLoaded: (load: Load) => void) {
  const cache = useLoadCache()
  return useMutation({
    mutationFn: (seen: string) => call('POST /loads/:loadId/commit', { params: { loadId }, body: { seen } }),
    onSuccess: (load) => {
      cache.store(load)
      onLoaded(load)
    },
    onError: () => cache.refetch(loadId),
  })
}

/** Why a load is cancelled: to change the options, or for good. */
export type CancelReason = 'choices' | 'good'

export function useCancelLoad(loadId: string, onCancelled: (reason: CancelReason) => void) {
  const cache = useLoadCache()
  return useMutation<undefined, Error, CancelReason>({
    mutationFn: () => call('DELETE /loads/:loadId', { params: { loadId } }),
    onSuccess: (_, reason) => {
      onCancelled(reason)
      cache.remove(loadId)
    },
  })
}

export function useUndoLoad(loadId: string, onUndone: (undoing: Load) => void) {
  const cache = useLoadCache()
  return useMutation({
    mutationFn: () => call('POST /loads/:loadId/undo', { params: { loadId }, body: { source: 'portal' } }),
    onSuccess: (undoing) => {
      cache.store(undoing)
      onUndone(undoing)
    },
    onSettled: () => cache.refetch(loadId),
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
  const orgId = useOrganisationId()
  return useMutation({
    mutationFn: async ({ Id, Kind, Name }: Pick<LoadTargetTable, 'Id' | 'Kind' | 'Name'>) => {
      const table = Kind === 'version' ? { versionId: Id } : { helperTableId: Id }
      downloadFile(`${Name} template.xlsx`, await call('GET /loads/template.xlsx', { query: { orgId, ...table } }))
    },
  })
}

/** Updates the cached loads after the server has changed one. */
function useLoadCache() {
  const queryClient = useQueryClient()
  const orgId = useOrganisationId()
  const refetchHistory = () => void queryClient.invalidateQueries({ queryKey: historyKey(orgId) })
  return {
    store(load: Load) {
      queryClient.setQueryData(loadKey(orgId, load.Id), load)
      refetchHistory()
    },
    refetch: (loadId: string) => queryClient.invalidateQueries({ queryKey: loadKey(orgId, loadId), exact: true }),
    remove(loadId: string) {
      queryClient.removeQueries({ queryKey: loadKey(orgId, loadId), type: 'inactive' })
      refetchHistory()
    },
  }
}
