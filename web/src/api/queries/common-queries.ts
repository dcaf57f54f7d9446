/**
 * Lists that the shell and several pages need. The first three are cached in the browser, so that a reload paints at
 * once.
 */
import { pollMs } from '@tributary/contract/limits'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Organisation } from '@tributary/contract/organisations'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../call.ts'
import { cacheForUser, readJson, readText, removeItems, writeText } from '../local-storage.ts'

/** Data that a portal with another format has cached is dropped. */
const cacheFormat = '1'
if (readText('connectorTypesCacheBust') !== cacheFormat) {
  removeItems(['connectorTypes', 'organisationConnectorTypes'])
  writeText('connectorTypesCacheBust', cacheFormat)
}

export const organisationList = queryOptions({
  queryKey: ['organisations'],
  queryFn: async ({ signal }) => cacheForUser('organisations', await call('GET /organisations', { signal })),
  initialData: () => readJson<Organisation[]>('organisations'),
  initialDataUpdatedAt: 0,
})

export const catalogue = queryOptions({
  queryKey: ['connectorTypes'],
  queryFn: async ({ signal }) =>
    cacheForUser('connectorTypes', await call('GET /tributary/clients/connector-types', { signal })),
  initialData: () => readJson<ConnectorType[]>('connectorTypes'),
  initialDataUpdatedAt: 0,
  select: onlyConnectable,
})

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

export const connectorList = (clientId: string) =>
  queryOptions({
    queryKey: ['connectors', clientId],
    queryFn: ({ signal }) => call('GET /tributary/clients/:clientId/connectors', { params: { clientId }, signal }),
    refetchInterval: pollMs,
  })

export const approvalList = (orgId: string) =>
  queryOptions({
    queryKey: ['approvals', orgId],
    queryFn: ({ signal }) => call('GET /approvals', { query: { orgId }, signal }),
    refetchInterval: pollMs,
  })

export const memberList = (orgId: string) =>
  queryOptions({
    queryKey: ['users', orgId],
    queryFn: ({ signal }) => call('GET /users', { query: { orgId }, signal }),
    staleTime: 60_000,
  })

export const roleList = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => call('GET /roles', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const statusList = queryOptions({
  queryKey: ['statuses'],
  queryFn: ({ signal }) => call('GET /statuses', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

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
