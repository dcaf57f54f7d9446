import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'

/** All groups including archived ones, which are restored from the list. */
export const groupList = (orgId: string) =>
  queryOptions({
    queryKey: [...everyStructureList(orgId), 'groups'],
    queryFn: ({ signal }) => call('GET /permission-groups', { query: { orgId, archived: 'true' }, signal }),
  })

export const groupQuery = (orgId: string, groupId: string) =>
  queryOptions({
    queryKey: [...everyStructureList(orgId), 'groups', groupId],
    queryFn: ({ signal }) => call('GET /permission-groups/:groupId', { params: { groupId }, query: { orgId }, signal }),
  })

export const grantableVersions = (orgId: string) =>
  queryOptions({
    queryKey: [...everyStructureList(orgId), 'linked', 'versions'],
    queryFn: ({ signal }) => call('GET /versions', { query: { orgId }, signal }),
  })
