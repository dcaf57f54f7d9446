/** Users and the objects that can be assigned to them, in the shape of both sides of the link page. */
import type { Assignee } from '@tributary/contract/assignments'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { toUserItem } from '../../domain/users/user-names.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import type { LinkLists } from '../../domain/link-editor/link-kind.ts'
import type { LinkItem, LinkSelection } from '../../domain/link-editor/links.ts'
import type { AssignmentKind, AssignableObject, AssignableObjects } from './assignment-kinds.ts'

export function useAssignments({ isByUser, assignables: { key, list, linksOf } }: AssignmentKind): LinkLists {
  const orgId = useOrganisationId()
  const users = useQuery({
    queryKey: [...everyStructureList(orgId), 'linked', 'users'],
    queryFn: ({ signal }) => call('GET /assignments', { query: { orgId }, signal }),
  })
  const objects = useQuery({
    queryKey: [...everyStructureList(orgId), 'linked', key],
    queryFn: ({ signal }) => list(orgId, signal),
  })
  const queries = [users, objects]
  if (isByUser)
    return {
      queries,
      subjects: users.data?.map((user) => ({ ...toUserItem(user), links: linksOf(user) })),
      objects: objects.data?.map(toLinkItem),
    }
  const assignees = users.data
  return {
    queries,
    subjects:
      assignees &&
      objects.data?.map((thing) => ({ ...toLinkItem(thing), links: userLinks(thing, assignees, linksOf) })),
    objects: assignees?.map((user) => ({
      ...toUserItem(user),
      ...(linksOf(user).all && { isFixed: true, detail: `${toUserItem(user).detail}: has all, current and future` }),
    })),
  }
}

function userLinks(
  { Id, AllUsers = false }: AssignableObject,
  users: readonly Assignee[],
  linksOf: AssignableObjects['linksOf'],
): LinkSelection {
  return { ids: new Set(users.filter((user) => linksOf(user).ids.has(Id)).map((user) => user.Id)), all: AllUsers }
}

function toLinkItem({ Id, Name, Status, AllUsers = false }: AssignableObject): LinkItem {
  if (AllUsers) return { id: Id, name: Name, isFixed: true, detail: 'Belongs to all users, current and future' }
  return { id: Id, name: Name, ...(Status.Name === 'locked' && { detail: 'Locked' }) }
}
