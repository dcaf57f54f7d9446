import type { ReactNode } from 'react'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SearchBox } from '../../ui/forms/search-box.tsx'

/** Frame of a connector type's pages: title, section links, search. */
export function ConnectorPage({ children }: { children: ReactNode }) {
  const { name, title, isUnknown } = useConnectorType()
  return (
    <Page kind="board" title={`${title} Connectors`} search={<SearchBox label={`Search ${title} connectors`} />}>
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
