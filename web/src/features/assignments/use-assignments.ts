/** Users and what can be assigned to them, each side seen from the other. */
import type { Assignee } from '@tributary/contract/assignments'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { personItem } from '../../domain/users/user-names.ts'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import type { LinkLists } from '../../domain/link-editor/link-kind.ts'
import type { LinkItem, Links } from '../../domain/link-editor/links.ts'
import type { AssignmentKind, Thing, Things } from './assignment-kinds.ts'

export function useAssignments({ isByUser, things: { key, list, linksOf } }: AssignmentKind): LinkLists {
  const orgId = useWorkspace().organisation.Id
  const users = useQuery({
    queryKey: [...everyStructureList(orgId), 'linked', 'users'],
    queryFn: ({ signal }) => call('GET /assignments', { query: { orgId }, signal }),
  })
  const things = useQuery({
    queryKey: [...everyStructureList(orgId), 'linked', key],
    queryFn: ({ signal }) => list(orgId, signal),
  })
  const sides = isByUser ? byUser : byThing
  return {
    ...sides(users.data, things.data, linksOf),
    error: users.error ?? things.error,
    retry() {
      void users.refetch()
      void things.refetch()
    },
  }
}

type Users = readonly Assignee[] | undefined
type LinksOf = Things['linksOf']
type Sides = Pick<LinkLists, 'subjects' | 'objects'>

function byUser(users: Users, things: readonly Thing[] | undefined, linksOf: LinksOf): Sides {
  return {
    subjects: users?.map((user) => ({ ...personItem(user), links: linksOf(user) })),
    objects: things?.map(thingItem),
  }
}

function byThing(users: Users, things: readonly Thing[] | undefined, linksOf: LinksOf): Sides {
  return {
    subjects: users && things?.map((thing) => ({ ...thingItem(thing), links: usersOf(thing, users, linksOf) })),
    objects: users?.map((user) => ({
      ...personItem(user),
      ...(linksOf(user).all && { isFixed: true, detail: `${personItem(user).detail}: has all, current and future` }),
    })),
  }
}

function usersOf({ Id, AllUsers = false }: Thing, users: readonly Assignee[], linksOf: LinksOf): Links {
  return { ids: new Set(users.filter((user) => linksOf(user).ids.has(Id)).map((user) => user.Id)), all: AllUsers }
}

function thingItem({ Id, Name, Status, AllUsers = false }: Thing): LinkItem {
  if (AllUsers) return { id: Id, name: Name, isFixed: true, detail: 'Belongs to all users, current and future' }
  return { id: Id, name: Name, ...(Status.Name === 'locked' && { detail: 'Locked' }) }
}
