/** Accounting products and the tokens that reach them, as the pages ask for them and change them. */
import type { ProductCredentials, Token } from '@tributary/contract/accounting'
import type { CredentialsInput } from '@tributary/contract/table-sync'
import { pollMs } from '@tributary/contract/limits'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'

const everything = (orgId: string) => ['accounting', orgId] as const

/** Of every accounting type, by name; renewed while somebody looks, for it tells what runs. */
export const productList = (orgId: string) =>
  queryOptions({
    queryKey: [...everything(orgId), 'products'],
    queryFn: ({ signal }) => call('GET /me/xero2sqlproducts', { query: { orgId }, signal }),
    refetchInterval: pollMs,
  })

export const productUsers = (orgId: string) =>
  queryOptions({
    queryKey: [...everything(orgId), 'users'],
    queryFn: ({ signal }) => call('GET /users/xero2sqlproduct', { query: { orgId }, signal }),
  })

export const tokenList = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => call('GET /token', { signal }),
})

/** Each time the source itself is asked, so not each time that somebody comes back to the tab. */
export const tokenTenants = (tokenId: Token['id']) =>
  queryOptions({
    queryKey: ['tokens', tokenId],
    queryFn: ({ signal }) => call('GET /token/:tokenId', { params: { tokenId }, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

/** Whatever was done to a product is seen in its connector, too. */
export function useRefreshed(): () => Promise<void> {
  const queryClient = useQueryClient()
  const orgId = useWorkspace().organisation.Id
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: everything(orgId) }),
      queryClient.invalidateQueries({ queryKey: connectorList(orgId).queryKey }),
    ])
  }
}

export function useCheckCredentials(connectorId: string, { tenantId, tenantName }: ProductCredentials) {
  return useMutation({
    mutationFn: (creds: CredentialsInput) =>
      call('POST /xero2sqlproducts/:connectorId/database-credentials/check', {
        params: { connectorId },
        body: { tenantId, tenantName, creds },
      }),
  })
}

export function useSaveCredentials(connectorId: string, { tenantId, tenantName }: ProductCredentials) {
  return useMutation({
    mutationFn: (creds: CredentialsInput) =>
      call('POST /xero2sqlproducts/:connectorId/database-credentials', {
        params: { connectorId },
        body: { tenantId, tenantName, creds },
      }),
  })
}

/** What the server found wrong in the credentials, by the form's own names. */
export function credentialFaults(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name.replace(/^creds\./u, ''), text]))
}
