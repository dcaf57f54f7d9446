/** The calls of queries. */
import type { QueryOutcome, SavedQueryInput, SavedQuery } from '@tributary/contract/queries'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'

const path = '/tributary/clients/:clientId/queries'

export const queryDatabases = (clientId: string) =>
  callQuery(['queries', clientId, 'databases'], `GET ${path}/databases`, { params: { clientId } })

/** For completion, so a failure is not shown. Loaded once a session of the editor, because own targets are not to be asked often. */
export const queryTables = (clientId: string, database: string) => ({
  ...callQuery(['queries', clientId, 'tables', database], `GET ${path}/tables`, {
    params: { clientId },
    query: { database },
  }),
  staleTime: 30 * 60_000,
})

export const queryHistory = (clientId: string) =>
  callQuery(['queries', clientId, 'history'], `GET ${path}/history`, { params: { clientId } })

export const savedQueries = (clientId: string) =>
  callQuery(['queries', clientId, 'saved'], `GET ${path}/saved`, { params: { clientId } })

export const savedQuery = (clientId: string, queryId: string) =>
  callQuery(['queries', clientId, 'opened', queryId], `GET ${path}/saved/:queryId`, { params: { clientId, queryId } })

/** Aborting the signal closes the connection, which cancels the query in the database. */
export function callRun(
  clientId: string,
  body: { readonly database: string; readonly statement: string },
  signal: AbortSignal,
): Promise<QueryOutcome> {
  return call(`POST ${path}/run`, { params: { clientId }, body, signal })
}

/** @param queryId null saves a new one */
export function useSaveQuery(queryId: string | null, onSaved: (saved: SavedQuery) => void) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: SavedQueryInput) =>
      queryId === null
        ? call(`POST ${path}/saved`, { params: { clientId }, body })
        : call(`PUT ${path}/saved/:queryId`, { params: { clientId, queryId }, body }),
    onSuccess: async (saved) => {
      await invalidate(savedQueries(clientId), savedQuery(clientId, saved.Id))
      onSaved(saved)
    },
  })
}

export function useDeleteQuery(onDeleted: (queryId: string) => void) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (queryId: string) => call(`DELETE ${path}/saved/:queryId`, { params: { clientId, queryId } }),
    onSuccess: async (_, queryId) => {
      await invalidate(savedQueries(clientId))
      onDeleted(queryId)
    },
  })
}

export function useClearHistory() {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: () => call(`DELETE ${path}/history`, { params: { clientId } }),
    onSuccess: () => invalidate(queryHistory(clientId)),
  })
}

export const queryTargets = (clientId: string) =>
  callQuery(['queries', clientId, 'targets'], `GET ${path}/targets`, { params: { clientId } })

const loginPath = `${path}/targets/:connectorId/login` as const

export function useSaveLogin(connectorId: string, onSaved: () => void) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: { readonly user: string; readonly password: string }) =>
      call(`PUT ${loginPath}`, { params: { clientId, connectorId }, body }),
    onSuccess: async ({ IsSaved }) => {
      if (!IsSaved) return
      await invalidate(queryTargets(clientId), queryDatabases(clientId))
      onSaved()
    },
  })
}

export function useCheckLogin(connectorId: string) {
  const clientId = useOrganisationId()
  return useMutation({
    mutationFn: () => call(`POST ${loginPath}/check`, { params: { clientId, connectorId } }),
  })
}

export function useRemoveLogin(connectorId: string) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: () => call(`DELETE ${loginPath}`, { params: { clientId, connectorId } }),
    onSuccess: () => invalidate(queryTargets(clientId), queryDatabases(clientId)),
  })
}
