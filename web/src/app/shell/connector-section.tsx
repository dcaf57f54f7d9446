/** The layout of the pages of a connector type: their links. */
import { Outlet } from 'react-router'
import { isAdminRole } from '../../domain/connectors/connector-state.ts'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { SectionLinksContext } from '../../ui/layout/page.tsx'

export function ConnectorSection() {
  const { identity } = useWorkspace()
  const mayTokens = useMay()('seeTokens')
  const { name, type } = useConnectorType()
  const links = [
    { label: 'Refresh', to: paths.refresh(name) },
    ...(isAdminRole(identity.role) ? [{ label: 'Manage', to: paths.manage(name) }] : []),
    ...(mayTokens && type?.Kind === 'accounting' ? listAccountingLinks(name) : []),
  ]
  return (
    <SectionLinksContext value={links}>
      <Outlet />
    </SectionLinksContext>
  )
}

function listAccountingLinks(type: string) {
  return [
    { label: 'Refresh V2', to: paths.synchronise(type) },
    { label: 'Configure V2', to: paths.assignUsers(type) },
  ]
}
