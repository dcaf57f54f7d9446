/** Queries and mutations of the organisation's own database. */
import type { TableSyncCredentials, DatabaseCredentials } from '@tributary/contract/table-sync'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { messageOf, somethingWrong } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { announceToScreenReader, showToast } from '../../ui/feedback/toasts.tsx'
import { structureMap } from '../../api/queries/planning-structure.ts'
import { callQuery } from '../../api/call-query.ts'

export const ownDatabaseQuery = (clientId: string) =>
  callQuery(['own database', clientId], 'GET /organisations/:clientId/database-credentials', { params: { clientId } })

export const latestSyncQuery = (clientId: string) =>
  callQuery(['table sync', clientId], 'GET /organisations/:clientId/table-synchronisation', { params: { clientId } })

export function useCheckDatabase() {
  const clientId = useOrganisationId()
  return useMutation({
    mutationFn: (body: TableSyncCredentials) =>
      call('POST /organisations/:clientId/database-credentials/check', { params: { clientId }, body }),
  })
}

export function useSaveDatabase(onSaved: (saved: DatabaseCredentials) => void) {
  const queryClient = useQueryClient()
  const clientId = useOrganisationId()
  return useMutation({
    mutationFn: (body: TableSyncCredentials) =>
      call('POST /organisations/:clientId/database-credentials', { params: { clientId }, body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(ownDatabaseQuery(clientId).queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: structureMap(clientId).queryKey })
      onSaved(saved)
      showToast('The database credentials are saved.')
    },
  })
}

export function useSynchroniseTables() {
  const queryClient = useQueryClient()
  const clientId = useOrganisationId()
  return useMutation({
    mutationFn: () => call('GET /organisations/:clientId/database-table-sync', { params: { clientId } }),
    onSuccess: (done) => {
      queryClient.setQueryData(latestSyncQuery(clientId).queryKey, done)
      void queryClient.invalidateQueries({ queryKey: structureMap(clientId).queryKey })
      announceToScreenReader('The tables are synchronised.')
    },
  })
}

/** The server's message; without one, the text of the specification. */
export function tableSyncErrorMessage(error: unknown): string {
  const message = messageOf(error)
  return message === somethingWrong ? 'An unkown error has occured.' : message
}
