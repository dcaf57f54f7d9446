import type { ReactNode } from 'react'
import { isAdminRole } from '../../api/connector-state.ts'
import { useWorkspace } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, type SectionLink } from '../../ui/page.tsx'
import { SearchBox } from '../../ui/search.tsx'
import { useType } from './use-type.ts'

/** The frame of a type's pages: '<type> Connectors', Refresh, Manage, search. */
export function ConnectorPage({ children }: { children: ReactNode }) {
  const { identity } = useWorkspace()
  const { name, title, isUnknown } = useType()
  const refresh: SectionLink = { label: 'Refresh', to: paths.refresh(name) }
  const manage: SectionLink = { label: 'Manage', to: paths.manage(name) }
  return (
    <Page
      title={`${title} Connectors`}
      links={isAdminRole(identity.role) ? [refresh, manage] : [refresh]}
      search={<SearchBox label={`Search ${title} connectors`} />}
    >
      {isUnknown ? (
        <EmptyState kind="noMatch" title={`There is no connector type '${name}'.`}>
          The link may be from another version of Tributary. The home page lists every type there is.
        </EmptyState>
      ) : (
        children
      )}
    </Page>
  )
}
