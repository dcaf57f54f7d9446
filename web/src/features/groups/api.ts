import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { callQuery } from '../../api/call-query.ts'

/** All groups including archived ones, which are restored from the list. */
export const groupList = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'groups'], 'GET /permission-groups', { query: { orgId, archived: 'true' } })

export const groupQuery = (orgId: string, groupId: string) =>
  callQuery([...everyStructureList(orgId), 'groups', groupId], 'GET /permission-groups/:groupId', {
    params: { groupId },
    query: { orgId },
  })

export const grantableVersions = (orgId: string) =>
  callQuery([...everyStructureList(orgId), 'linked', 'versions'], 'GET /versions', { query: { orgId } })
