import type { ConnectorType } from '@tributary/contract/catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { catalogue, connectorList, memberList } from '../../api/lists.ts'
import { useWorkspace } from '../../api/workspace.ts'
import type { Person } from '../../ui/avatar-stack.tsx'
import { useSearchTerm } from '../../ui/search.tsx'

/** The type that the address names; its title is the bare name until the catalogue is known. */
export function useType(): { name: string; title: string; type: ConnectorType | undefined; isUnknown: boolean } {
  const { type: name = '' } = useParams()
  const { data } = useQuery(catalogue)
  const type = data?.find(({ Type }) => Type === name)
  return { name, title: type?.Title ?? name, type, isUnknown: data !== undefined && type === undefined }
}

/** The connectors of that type, by name, narrowed by the search in the address. */
export function useConnectors(typeName: string) {
  const { organisation } = useWorkspace()
  const query = useQuery(connectorList(organisation.Id))
  const term = useSearchTerm()
  const all = query.data?.filter(({ Type }) => Type === typeName).toSorted((a, b) => a.Name.localeCompare(b.Name))
  const shown = all?.filter(({ Name, OriginalName }) => `${Name} ${OriginalName}`.toLowerCase().includes(term))
  return { query, all, shown, term }
}

/** Members by id, for the avatars. */
export function useMembers(): ReadonlyMap<string, Person> {
  const { organisation } = useWorkspace()
  const { data } = useQuery(memberList(organisation.Id))
  return new Map(data?.map((user) => [user.Id, { id: user.Id, name: `${user.FirstName} ${user.LastName}` }]))
}

/** The id of a card's heading, to which its buttons refer. */
export function titleIdOf({ Id }: Connector): string {
  return `connector-${Id}`
}
