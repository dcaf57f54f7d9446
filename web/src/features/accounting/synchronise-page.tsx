/**
 * `/connectors/{type}/v2/synchronise`: the accounting products that the user may synchronise, and their databases.
 */
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '@tributary/client/call-error'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { SearchBox, useClearSearch, useSearchTerm } from '../../ui/forms/search-box.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import css from './accounting.module.css'
import { AccountingPage, AccountingGate } from './accounting-page.tsx'
import { productList } from './api.ts'
import type { ProductWithCredentials } from './credentials-dialog.tsx'
import { ScrollIntoView } from './scroll-into-view.tsx'
import { ProductTable } from './product-table.tsx'
import type { SyncNotice } from './sync-button.tsx'

const LazyCredentialsDialog = lazyDialog(
  async () => (await import('./credentials-dialog.tsx')).ProductCredentialsDialog,
)

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
    <div role="alert">
      <Callout tone="ok">{text}</Callout>
    </div>
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

interface ProductListProps {
  onNotice: (notice: SyncNotice) => void
  onOpen: (opened: ProductWithCredentials) => void
}

function ProductList(props: ProductListProps) {
  const { name } = useConnectorType()
  const { data, error, refetch } = useQuery(productList(useWorkspace().organisation.Id))
  const term = useSearchTerm()
  if (data === undefined)
    return error === null ? (
      <output className="muted">Loading products</output>
    ) : (
      <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    )
  const products = data.filter(({ Type }) => Type === name)
  const found = products.filter(({ CompanyName, Name }) => `${CompanyName} ${Name}`.toLowerCase().includes(term))
  if (products.length === 0)
    return (
      <EmptyState
        kind="first"
        title="No products registered. Please contact the provider in order to link your Xero2SQL Entities to your portal account."
      />
    )
  return found.length === 0 ? <NoMatchingProduct term={term} /> : <ProductTable products={found} {...props} />
}

function NoMatchingProduct({ term }: { term: string }) {
  const clear = useClearSearch()
  return (
    <EmptyState
      kind="noMatch"
      title={`No entity matches '${term}'.`}
      action={
        <Button variant="default" onClick={clear}>
          Clear search
        </Button>
      }
    />
  )
}
