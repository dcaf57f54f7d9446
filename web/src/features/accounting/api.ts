/** Queries and mutations of accounting products and OAuth tokens. */
import type { ProductCredentials, AccountingToken } from '@tributary/contract/accounting'
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { pollMs } from '@tributary/contract/limits'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'

const accountingKey = (orgId: string) => ['accounting', orgId] as const

/** The products of all accounting types, sorted by name. Polled, because it shows running synchronisations. */
export const productList = (orgId: string) =>
  queryOptions({
    queryKey: [...accountingKey(orgId), 'products'],
    queryFn: ({ signal }) => call('GET /me/xero2sqlproducts', { query: { orgId }, signal }),
    refetchInterval: pollMs,
  })

export const productUsers = (orgId: string) =>
  queryOptions({
    queryKey: [...accountingKey(orgId), 'users'],
    queryFn: ({ signal }) => call('GET /users/xero2sqlproduct', { query: { orgId }, signal }),
  })

export const tokenList = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => call('GET /token', { signal }),
})

/** Every call queries the source API, so refocusing the tab does not refetch. */
export const tokenTenants = (tokenId: AccountingToken['id']) =>
  queryOptions({
    queryKey: ['tokens', tokenId],
    queryFn: ({ signal }) => call('GET /token/:tokenId', { params: { tokenId }, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

/**
 * Returns a function that invalidates the products and the connector list, because connectors show their products.
 */
export function useInvalidateProducts(): () => Promise<void> {
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: accountingKey(orgId) }),
      queryClient.invalidateQueries({ queryKey: connectorList(orgId).queryKey }),
    ])
  }
}

export function useCheckCredentials(connectorId: string, { tenantId, tenantName }: ProductCredentials) {
  return useMutation({
    mutationFn: (creds: TableSyncCredentials) =>
      call('POST /xero2sqlproducts/:connectorId/database-credentials/check', {
        params: { connectorId },
        body: { tenantId, tenantName, creds },
      }),
  })
}

export function useSaveCredentials(connectorId: string, { tenantId, tenantName }: ProductCredentials) {
  return useMutation({
    mutationFn: (creds: TableSyncCredentials) =>
      call('POST /xero2sqlproducts/:connectorId/database-credentials', {
        params: { connectorId },
        body: { tenantId, tenantName, creds },
      }),
  })
}

/** Maps the server's field errors (`creds.host`) to the form's field names (`host`). */
export function credentialFieldErrors(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name.replace(/^creds\./u, ''), text]))
}
