/** The layout of the pages of a connector type: their links. */
import { Outlet } from 'react-router'
import { isAdminRole } from '../../domain/connectors/connector-state.ts'
import { useType } from '../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { SectionContext } from '../../ui/layout/page.tsx'

export function ConnectorSection() {
  const { identity } = useWorkspace()
  const mayTokens = useMay()('seeTokens')
  const { name, type } = useType()
  const links = [
    { label: 'Refresh', to: paths.refresh(name) },
    ...(isAdminRole(identity.role) ? [{ label: 'Manage', to: paths.manage(name) }] : []),
    ...(mayTokens && type?.Kind === 'accounting' ? linksOfAccounting(name) : []),
  ]
  return (
    <SectionContext value={links}>
      <Outlet />
    </SectionContext>
  )
}

function linksOfAccounting(type: string) {
  return [
    { label: 'Refresh V2', to: paths.synchronise(type) },
    { label: 'Configure V2', to: paths.assignUsers(type) },
  ]
}
