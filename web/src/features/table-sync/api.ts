/** Queries and mutations of the organisation's own database. */
import type { TableSyncCredentials, DatabaseCredentials } from '@tributary/contract/table-sync'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messageOf, somethingWrong } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'

export const ownDatabaseQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['own database', clientId],
    queryFn: ({ signal }) =>
      call('GET /organisations/:clientId/database-credentials', { params: { clientId }, signal }),
  })

export const latestSyncQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['table sync', clientId],
    queryFn: ({ signal }) =>
      call('GET /organisations/:clientId/table-synchronisation', { params: { clientId }, signal }),
  })

export function useCheckDatabase() {
  const clientId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: (body: TableSyncCredentials) =>
      call('POST /organisations/:clientId/database-credentials/check', { params: { clientId }, body }),
  })
}

export function useSaveDatabase(onSaved: (saved: DatabaseCredentials) => void) {
  const queryClient = useQueryClient()
  const clientId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: (body: TableSyncCredentials) =>
      call('POST /organisations/:clientId/database-credentials', { params: { clientId }, body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(ownDatabaseQuery(clientId).queryKey, saved)
      onSaved(saved)
      showToast('The database credentials are saved.')
    },
  })
}

export function useSynchroniseTables() {
  const queryClient = useQueryClient()
  const clientId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: () => call('GET /organisations/:clientId/database-table-sync', { params: { clientId } }),
    onSuccess: (done) => {
      queryClient.setQueryData(latestSyncQuery(clientId).queryKey, done)
      showToast('The tables are synchronised.')
    },
  })
}

/** The server's message; without one, the text of the specification. */
export function tableSyncErrorMessage(error: unknown): string {
  const message = messageOf(error)
  return message === somethingWrong ? 'An unkown error has occured.' : message
}
