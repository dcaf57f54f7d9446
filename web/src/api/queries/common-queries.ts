/** The lists that the shell and several pages need. The first three are kept in the browser, so a reload paints at once. */
import { pollMs } from '@tributary/contract/limits'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Organisation } from '@tributary/contract/organisations'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../call.ts'
import { keep, readJson, readText, removeTexts, writeText } from '../local-storage.ts'

/** What was kept by a portal that wrote it differently is not read. */
const cacheShape = '1'
if (readText('connectorTypesCacheBust') !== cacheShape) {
  removeTexts(['connectorTypes', 'organisationConnectorTypes'])
  writeText('connectorTypesCacheBust', cacheShape)
}

export const organisationList = queryOptions({
  queryKey: ['organisations'],
  queryFn: async ({ signal }) => keep('organisations', await call('GET /organisations', { signal })),
  initialData: () => readJson<Organisation[]>('organisations'),
  initialDataUpdatedAt: 0,
})

export const catalogue = queryOptions({
  queryKey: ['connectorTypes'],
  queryFn: async ({ signal }) =>
    keep('connectorTypes', await call('GET /tributary/clients/connector-types', { signal })),
  initialData: () => readJson<ConnectorType[]>('connectorTypes'),
  initialDataUpdatedAt: 0,
  select: connectable,
})

/** Those that connectors are made of: Excel has a place of its own in the portal. */
function connectable(types: readonly ConnectorType[]): ConnectorType[] {
  return types.filter(({ Kind }) => Kind !== 'spreadsheet')
}

type OwnTypes = { clientId: string; types: ConnectorType[] }

/** The types of which the organisation has connectors. */
export const ownTypes = (clientId: string) =>
  queryOptions({
    queryKey: ['organisationConnectorTypes', clientId],
    queryFn: async ({ signal }) => {
      const types = await call('GET /tributary/clients/:clientId/connector-types', { params: { clientId }, signal })
      return keep<OwnTypes>('organisationConnectorTypes', { clientId, types })
    },
    initialData: () => {
      const kept = readJson<OwnTypes>('organisationConnectorTypes')
      return kept?.clientId === clientId ? kept : undefined
    },
    initialDataUpdatedAt: 0,
    select: ({ types }) => connectable(types),
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

/** How a role is called on screen; its bare name until the list is here. */
export function useRoleName(): (name: string) => string {
  const { data } = useQuery(roleList)
  return (name) => data?.find(({ Name }) => Name === name)?.DisplayName ?? name
}

/** The rights of a role, fewer for a higher number; null until the list is here. */
export function useRoleLevel(): (name: string) => number | null {
  const { data } = useQuery(roleList)
  return (name) => data?.find(({ Name }) => Name === name)?.RoleLevel ?? null
}
