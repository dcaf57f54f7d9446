/** Names the connectors whose targets have no SQL, on pages that leave them out. */
import { useQuery } from '@tanstack/react-query'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatList } from '../../ui/formats.ts'

/** @param consequence the end of a sentence about the target: `which cannot be published` */
export function TablesOnlyConnectors({ consequence }: { consequence: string }) {
  const { data = [] } = useQuery({ ...connectorList(useOrganisationId()), refetchInterval: false })
  const left = data.filter(({ StoresTablesOnly, Status }) => StoresTablesOnly && Status === 'CONNECTED')
  if (left.length === 0) return null
  const names = left.map(({ Name }) => Name)
  return (
    <Callout tone="info" title={`Left out: ${formatList(names)}`}>
      {names.length === 1 ? 'Its target stores' : 'Their targets store'} Iceberg tables without SQL, {consequence}.
      Choose a SQL database or Tributary’s own warehouse as the target first.
    </Callout>
  )
}
