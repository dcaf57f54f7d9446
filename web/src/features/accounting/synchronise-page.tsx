/**
 * `/connectors/{type}/v2/synchronise`: the accounting products that the user may synchronise, and their databases.
 */
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { NoSearchMatch, SearchBox, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import css from './accounting.module.css'
import { AccountingPage, AccountingGate } from './accounting-page.tsx'
import { productList } from './api.ts'
import type { ProductWithCredentials } from './credentials-dialog.tsx'
import { ScrollIntoView } from './scroll-into-view.tsx'
import { type ProductActions, ProductTable } from './product-table.tsx'
import type { SyncNotice } from './sync-button.tsx'

const LazyCredentialsDialog = lazyDialog(() => import('./credentials-dialog.tsx'), 'ProductCredentialsDialog')

export function SynchronisePage() {
  return (
    <AccountingGate may="listConnectors">
      <AccountingPage crumbs={[{ label: 'Synchronise V2' }]} search={<SearchBox label="Search entities" />}>
        <SynchroniseProducts />
      </AccountingPage>
    </AccountingGate>
  )
}

function SynchroniseProducts() {
  const [notice, setNotice] = useState<(SyncNotice & { at: number }) | null>(null)
  const [opened, setOpened] = useState<ProductWithCredentials | null>(null)
  return (
    <div className={css.page}>
      {notice === null ? null : (
        <ScrollIntoView key={notice.at}>
          <SyncNoticeAlert notice={notice} onDismiss={() => setNotice(null)} />
        </ScrollIntoView>
      )}
      <Panel title="My Entities - Ready to Sync" aside={<TokensLink />}>
        <ProductList
          onNotice={(nextNotice) => setNotice({ ...nextNotice, at: (notice?.at ?? 0) + 1 })}
          onOpen={setOpened}
        />
      </Panel>
      {opened === null ? null : <LazyCredentialsDialog {...opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

/** Remounted for each notice (see its key), so that screen readers announce a repeated sentence. */
function SyncNoticeAlert({ notice: { tone, text }, onDismiss }: { notice: SyncNotice; onDismiss: () => void }) {
  if (tone === 'error') return <ErrorBanner message={text} onDismiss={onDismiss} />
  return (
    <Callout tone="ok" isAlert>
      {text}
    </Callout>
  )
}

function TokensLink() {
  const { name } = useConnectorType()
  if (!useMay()('seeTokens')) return null
  return (
    <Button
      component={Link}
      to={paths.tokens(name)}
      className={css.tokens}
      variant="default"
      size="compact-sm"
      leftSection={<IconKey stroke={1.75} />}
    >
      Xero2Sql - Tokens
    </Button>
  )
}

function ProductList(actions: ProductActions) {
  const { name } = useConnectorType()
  const query = useQuery(productList(useOrganisationId()))
  const term = useSearchTerm()
  if (query.data === undefined)
    return (
      <QueryPlaceholder of={query}>
        <output className="muted">Loading products</output>
      </QueryPlaceholder>
    )
  const products = query.data.filter(({ Type }) => Type === name)
  const found = products.filter(({ CompanyName, Name }) => `${CompanyName} ${Name}`.toLowerCase().includes(term))
  if (products.length === 0)
    return (
      <EmptyState
        kind="first"
        title="No products registered. Please contact the provider in order to link your Xero2SQL Entities to your portal account."
      />
    )
  if (found.length === 0) return <NoSearchMatch title={`No entity matches '${term}'.`} />
  return <ProductTable products={found} {...actions} />
}
