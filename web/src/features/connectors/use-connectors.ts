import type { Connector } from '@tributary/contract/connectors'
import { useQuery } from '@tanstack/react-query'
import { connectorList, memberList } from '../../api/queries/common-queries.ts'
import { fullName, accountStatus } from '../../domain/users/user-names.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import type { AvatarPerson } from '../../ui/display/avatar-stack.tsx'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import { compareNames } from '../../ui/formats.ts'

/** The connectors of a type, sorted by name; `shown` are those that match the search in the URL. */
export function useConnectors(typeName: string) {
  const query = useQuery(connectorList(useOrganisationId()))
  const term = useSearchTerm()
  const all = query.data?.filter(({ Type }) => Type === typeName).toSorted((a, b) => compareNames(a.Name, b.Name))
  const shown = all?.filter(({ Name, OriginalName }) => `${Name} ${OriginalName}`.toLowerCase().includes(term))
  return { query, all, shown }
}

/** Members by id, for the avatars. */
export function useMembers(): ReadonlyMap<string, AvatarPerson> {
  const { data } = useQuery(memberList(useOrganisationId()))
  return new Map(data?.map((user) => [user.Id, { id: user.Id, name: fullName(user), status: accountStatus(user) }]))
}

/** Id of a card's heading, which labels its buttons. */
export function connectorTitleId({ Id }: Connector): string {
  return `connector-${Id}`
}
