/** Links that open the drawer of a connector over the current page. */
import { Link, type LinkProps } from 'react-router'
import { type ConnectorDrawer, withConnector } from '../../paths.ts'
import { useUpdateUrlParams, useUrlParams } from '../../ui/hooks/search-params.ts'

interface ConnectorLinkProps extends ConnectorDrawer, Omit<LinkProps, 'to'> {
  connectorId: string
}

export function ConnectorLink({ connectorId, run, view, table, ...link }: ConnectorLinkProps) {
  return <Link to={`?${withConnector(useUrlParams(), connectorId, { run, view, table })}`} {...link} />
}

export function useOpenConnector(connectorId: string): (drawer?: ConnectorDrawer) => void {
  const updateUrl = useUpdateUrlParams()
  return (drawer) => updateUrl((current) => withConnector(current, connectorId, drawer))
}
