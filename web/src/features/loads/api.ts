/** Loads, as the page asks for them and changes them. */
import type { Load, LoadTable } from '@tributary/contract/loads'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call, callPage } from '../../api/call.ts'
import type { Ask, Reply } from '@tributary/contract/calls'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { saveFile } from '../../ui/files/download.ts'

export type ReadFile = Reply<'POST /loads/files'>
export const historyPageSize = 25
export const changesPageSize = 200
/** How often it is looked whether a load has arrived. */
const settleMs = 2_000

const everything = (orgId: string) => ['loads', orgId]
const historyOf = (orgId: string) => [...everything(orgId), 'history']
const oneLoad = (orgId: string, loadId: string) => [...everything(orgId), 'one', loadId]

export const loadTables = (orgId: string) =>
  queryOptions({
    queryKey: [...everything(orgId), 'tables'],
    queryFn: ({ signal }) => call('GET /loads/tables', { query: { orgId }, signal }),
  })

/** What the columns of a sheet hold below its headings. A kept file never changes, so the answer is not asked for again. */
export const fileColumnsOf = (orgId: string, { fileId, sheet, firstRow }: SheetOfFile) =>
  queryOptions({
    queryKey: [...everything(orgId), 'file', fileId, sheet, firstRow],
    queryFn: ({ signal }) =>
      call('GET /loads/files/:fileId/columns', { params: { fileId }, query: { orgId, sheet, firstRow }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface SheetOfFile {
  readonly fileId: string
  readonly sheet: string
  /** Where the headings are, from 1. */
  readonly firstRow: number
}

/** What one may use oneself, for the whole sheet to belong to. */
export const ownUse = (orgId: string) =>
  queryOptions({
    queryKey: ['own use', orgId],
    queryFn: ({ signal }) => call('GET /me/use', { query: { orgId }, signal }),
  })

export const loadOf = (orgId: string, loadId: string) =>
  queryOptions({
    queryKey: oneLoad(orgId, loadId),
    queryFn: ({ signal }) => call('GET /loads/:loadId', { params: { loadId }, query: { orgId }, signal }),
    refetchInterval: ({ state }) => (state.data?.Status === 'COMMITTING' ? settleMs : false),
  })

/** It reads a whole sheet and its table, so it is asked for again only on purpose. */
export const checkOf = (orgId: string, loadId: string) =>
  queryOptions({
    queryKey: [...oneLoad(orgId, loadId), 'check'],
    queryFn: ({ signal }) => call('POST /loads/:loadId/check', { params: { loadId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export type HistoryAsk = Pick<NonNullable<Ask<'GET /loads'>['query']>, 'versionId' | 'helperTableId' | 'search'> & {
  readonly page: number
}

export const loadHistory = (orgId: string, ask: HistoryAsk) =>
  queryOptions({
    queryKey: [...historyOf(orgId), ask],
    queryFn: ({ signal }) => callPage('GET /loads', { query: { orgId, ...ask, pageSize: historyPageSize }, signal }),
    placeholderData: keepPreviousData,
  })

export const changesOf = (orgId: string, loadId: string, page: number) =>
  queryOptions({
    queryKey: [...oneLoad(orgId, loadId), 'changes', page],
    queryFn: ({ signal }) =>
      call('GET /loads/:loadId/changes', { params: { loadId }, query: { page, pageSize: changesPageSize }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface FileToRead {
  readonly file: File
  readonly signal: AbortSignal
  /** The answer to the question that reading it raised. */
  readonly slashDates?: 'dayFirst' | 'monthFirst'
}

export function useReadFile(onRead: (file: ReadFile, source: File) => void) {
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: ({ file, signal, slashDates }: FileToRead) =>
      call('POST /loads/files', {
        query: { orgId, name: file.name, ...(slashDates !== undefined && { slashDates }) },
        file,
        signal,
      }),
    onSuccess: (read, { file }) => onRead(read, file),
  })
}

export type BeginAsk = Omit<Ask<'POST /loads'>['body'], 'source' | 'comOrganisationId'>

export function useBegin(onBegun: (load: Load) => void) {
  const keep = useKeep()
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: (asked: BeginAsk) =>
      call('POST /loads', { body: { ...asked, comOrganisationId: orgId, source: 'portal' } }),
    onSuccess: (load) => {
      keep(load)
      onBegun(load)
    },
  })
}

/** Where the answer was lost, the load may have got through all the same. */
export function useCommit(loadId: string, onLoaded: (load: Load) => void) {
  const keep = useKeep()
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: (seen: string) => call('POST /loads/:loadId/commit', { params: { loadId }, body: { seen } }),
    onSuccess: (load) => {
      keep(load)
      onLoaded(load)
    },
    onError: () => queryClient.invalidateQueries({ queryKey: oneLoad(orgId, loadId), exact: true }),
  })
}

/** Given up to choose otherwise, or altogether. */
export type CancelledFor = 'choices' | 'good'

/** What was given up is not asked for again. */
export function useCancel(loadId: string, onCancelled: (wanted: CancelledFor) => void) {
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return useMutation<undefined, Error, CancelledFor>({
    mutationFn: () => call('DELETE /loads/:loadId', { params: { loadId } }),
    onSuccess: (_, wanted) => {
      onCancelled(wanted)
      queryClient.removeQueries({ queryKey: oneLoad(orgId, loadId), type: 'inactive' })
      void queryClient.invalidateQueries({ queryKey: historyOf(orgId) })
    },
  })
}

export function useUndo(loadId: string, onUndone: (undoing: Load) => void) {
  const keep = useKeep()
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: () => call('POST /loads/:loadId/undo', { params: { loadId }, body: { source: 'portal' } }),
    onSuccess: (undoing) => {
      keep(undoing)
      void queryClient.invalidateQueries({ queryKey: oneLoad(orgId, loadId), exact: true })
      onUndone(undoing)
    },
    onError: () => queryClient.invalidateQueries({ queryKey: oneLoad(orgId, loadId), exact: true }),
  })
}

export function useSaveChanges({ Id, RecordName }: Load) {
  return useMutation({
    mutationFn: async () =>
      saveFile(
        `${RecordName}-changes-${Id.slice(0, 8)}.csv`,
        await call('GET /loads/:loadId/changes.csv', { params: { loadId: Id } }),
      ),
  })
}

/** An empty workbook for a table, saved as a file. */
export function useSaveTemplate() {
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: async ({ Id, Kind, Name }: Pick<LoadTable, 'Id' | 'Kind' | 'Name'>) => {
      const table = Kind === 'version' ? { versionId: Id } : { helperTableId: Id }
      saveFile(`${Name} template.xlsx`, await call('GET /loads/template.xlsx', { query: { orgId, ...table } }))
    },
  })
}

/** Shows the load as the server has just told it, and asks for the lists again. */
function useKeep(): (load: Load) => void {
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return (load) => {
    queryClient.setQueryData(oneLoad(orgId, load.Id), load)
    void queryClient.invalidateQueries({ queryKey: historyOf(orgId) })
  }
}
