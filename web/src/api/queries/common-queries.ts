/**
 * Lists that the shell and several pages need. The first three are cached in the browser, so that a reload paints at
 * once.
 */
import { organisationsLoadedMax, pollMs } from '@tributary/contract/limits'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { call, callPage } from '../call.ts'
import { cacheForUser, readJson, readText, removeItems, type StorageKey, writeText } from '../local-storage.ts'
import { callQuery } from '../call-query.ts'

/** Data that a portal with another format has cached is dropped. */
const cacheFormat = '1'
if (readText('connectorTypesCacheBust') !== cacheFormat) {
  removeItems(['connectorTypes', 'organisationConnectorTypes'])
  writeText('connectorTypesCacheBust', cacheFormat)
}

/** The server searches a longer list: `organisation-queries.ts`. */
export const organisationList = cachedQuery('organisations', (signal) =>
  call('GET /organisations', { query: { pageSize: organisationsLoadedMax }, signal }),
)

export const catalogue = queryOptions({
  ...cachedQuery('connectorTypes', (signal) => call('GET /tributary/clients/connector-types', { signal })),
  select: onlyConnectable,
})

function cachedQuery<Data>(key: StorageKey, read: (signal: AbortSignal) => Promise<Data>) {
  return queryOptions({
    queryKey: [key],
    queryFn: async ({ signal }) => cacheForUser(key, await read(signal)),
    initialData: () => readJson<Data>(key),
    initialDataUpdatedAt: 0,
  })
}

/** Types that a connector can have. Excel is connected elsewhere in the portal. */
function onlyConnectable(types: readonly ConnectorType[]): ConnectorType[] {
  return types.filter(({ Kind }) => Kind !== 'spreadsheet')
}

type CachedConnectorTypes = { clientId: string; types: ConnectorType[] }

/** The types for which the organisation has connectors. */
export const ownTypes = (clientId: string) =>
  queryOptions({
    queryKey: ['organisationConnectorTypes', clientId],
    queryFn: async ({ signal }) => {
      const types = await call('GET /tributary/clients/:clientId/connector-types', { params: { clientId }, signal })
      return cacheForUser<CachedConnectorTypes>('organisationConnectorTypes', { clientId, types })
    },
    initialData: () => {
      const cached = readJson<CachedConnectorTypes>('organisationConnectorTypes')
      return cached?.clientId === clientId ? cached : undefined
    },
    initialDataUpdatedAt: 0,
    select: ({ types }) => onlyConnectable(types),
  })

export const connectorList = (clientId: string) => ({
  ...callQuery(['connectors', clientId], 'GET /tributary/clients/:clientId/connectors', { params: { clientId } }),
  refetchInterval: pollMs,
})

/** All lists of approvals of the organisation, for a change to refresh. */
export const everyApprovalList = (orgId: string) => ({ queryKey: ['approvals', orgId] })

export const waitingApprovals = (orgId: string) => ({
  queryKey: [...everyApprovalList(orgId).queryKey, 'waiting'],
  queryFn: ({ signal }: QueryFunctionContext) =>
    callPage('GET /approvals', { query: { orgId, status: 'PENDING', pageSize: 1 }, signal }),
  refetchInterval: pollMs,
})

export const memberList = (orgId: string) => ({
  ...callQuery(['users', orgId], 'GET /users', { query: { orgId } }),
  staleTime: 60_000,
})

export const roleList = { ...callQuery(['roles'], 'GET /roles'), staleTime: Number.POSITIVE_INFINITY }

export const statusList = { ...callQuery(['statuses'], 'GET /statuses'), staleTime: Number.POSITIVE_INFINITY }

/** Returns the display name of a role, or its plain name until the list has loaded. */
export function useRoleName(): (name: string) => string {
  const { data } = useQuery(roleList)
  return (name) => data?.find(({ Name }) => Name === name)?.DisplayName ?? name
}

/** Returns the level of a role: a higher number means fewer rights. Null until the list has loaded. */
export function useRoleLevel(): (name: string) => number | null {
  const { data } = useQuery(roleList)
  return (name) => data?.find(({ Name }) => Name === name)?.RoleLevel ?? null
}
