/** Queries and mutations of accounting products and OAuth tokens. */
import type { AccountingToken } from '@tributary/contract/accounting'
import { pollMs } from '@tributary/contract/limits'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { callQuery } from '../../api/call-query.ts'

const accountingKey = (orgId: string) => ['accounting', orgId] as const

/** The products of all accounting types, sorted by name. Polled, because it shows running synchronisations. */
export const productList = (orgId: string) => ({
  ...callQuery([...accountingKey(orgId), 'products'], 'GET /me/xero2sqlproducts', { query: { orgId } }),
  refetchInterval: pollMs,
})

export const productUsers = (orgId: string) =>
  callQuery([...accountingKey(orgId), 'users'], 'GET /users/xero2sqlproduct', { query: { orgId } })

export const tokenList = callQuery(['tokens'], 'GET /token')

/** Every call queries the source API, so refocusing the tab does not refetch. */
export const tokenTenants = (tokenId: AccountingToken['id']) => ({
  ...callQuery(['tokens', tokenId], 'GET /token/:tokenId', { params: { tokenId } }),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
})

/**
 * Returns a function that invalidates the products and the connector list, because connectors show their products.
 */
export function useInvalidateProducts(): () => Promise<void> {
  const invalidate = useInvalidate()
  const orgId = useOrganisationId()
  return () => invalidate({ queryKey: accountingKey(orgId) }, connectorList(orgId))
}
