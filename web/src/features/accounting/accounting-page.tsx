/** Frame and access check that the pages of accounting products share. */
import type { Capability } from '@tributary/contract/capabilities'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { useMay } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import type { BreadcrumbItem } from '../../ui/layout/breadcrumb.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { RefusedPage } from '../../domain/permissions/permission-gate.tsx'

/**
 * Renders its children only for accounting types and with the capability. An unknown type counts as accounting until
 * it is loaded.
 */
export function AccountingGate({ may: capability, children }: { may: Capability; children: ReactNode }) {
  const may = useMay()
  const { type, title, isUnknown } = useConnectorType()
  if (isUnknown || (type !== undefined && type.Kind !== 'accounting')) return <NoAccountingProducts />
  return may(capability) ? children : <RefusedPage title={`${title} Connectors`} />
}

function NoAccountingProducts() {
  const { name, title, isUnknown } = useConnectorType()
  return (
    <Page kind="list" title={`${title} Connectors`}>
      {isUnknown ? (
        <EmptyState kind="noMatch" title={`There is no connector type '${name}'.`}>
          The link may be from another version of Tributary. The home page lists every type there is.
        </EmptyState>
      ) : (
        <EmptyState
          kind="noMatch"
          title={`${title} has no accounting products.`}
          action={
            <Button component={Link} to={paths.refresh(name)} variant="default">
              {`Go to ${title} Connectors`}
            </Button>
          }
        >
          Only connectors of an accounting program are synchronised as products.
        </EmptyState>
      )}
    </Page>
  )
}

interface AccountingPageProps {
  crumbs: readonly BreadcrumbItem[]
  search?: ReactNode
  children: ReactNode
}

export function AccountingPage({ crumbs, search, children }: AccountingPageProps) {
  const { title } = useConnectorType()
  return (
    <Page kind="list" title={`${title} Connectors`} crumbs={crumbs} search={search}>
      {children}
    </Page>
  )
}
