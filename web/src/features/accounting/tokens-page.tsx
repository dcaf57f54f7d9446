/**
 * `/connectors/{type}/v2/tokens`: the OAuth tokens that reach accounting companies, and the organisation of each
 * company.
 */
import type { AccountingToken } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@tributary/client/call-error'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { paths } from '../../paths.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { AccountingPage, AccountingGate } from './accounting-page.tsx'
import { tokenList, tokenTenants } from './api.ts'
import { ScrollIntoView } from './scroll-into-view.tsx'
import { TenantForm } from './tenant-form.tsx'
import { TenantList } from './tenant-list.tsx'
import { TokenList } from './token-list.tsx'
import { TokenTables } from './token-tables.tsx'
import css from './tokens.module.css'

export function TokensPage() {
  const { name } = useConnectorType()
  return (
    <AccountingGate may="seeTokens">
      <AccountingPage
        crumbs={[{ label: 'Synchronise V2', to: paths.synchronise(name) }, { label: 'Xero2Sql - Tokens' }]}
      >
        <TokenBrowser />
      </AccountingPage>
    </AccountingGate>
  )
}

function TokenBrowser() {
  const { data, error, refetch } = useQuery(tokenList)
  if (data === undefined)
    return error === null ? (
      <SkeletonLines count={6} height={56} />
    ) : (
      <EmptyState
        kind="failed"
        title="No tokens fetched"
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {messageOf(error)}
      </EmptyState>
    )
  if (data.length === 0)
    return (
      <EmptyState kind="first" title="No tokens present">
        A token appears here after a user has connected a company by signing in to the accounting program.
      </EmptyState>
    )
  return <TokensAndTenants tokens={data} />
}

/**
 * Three columns where they fit: tokens, the companies of the selected token, and the form of the selected company.
 */
function TokensAndTenants({ tokens }: { tokens: readonly AccountingToken[] }) {
  const selection = useTokenSelection()
  const token = tokens.find(({ id }) => id === selection.tokenId)
  return (
    <div className={css.columns}>
      <TokenList tokens={tokens} chosenId={token?.id ?? null} onChoose={selection.openToken} />
      {token === undefined ? (
        <p className="muted">Choose a token to see the companies that it reaches.</p>
      ) : (
        <TokenCompanies key={token.id} token={token} tenantId={selection.tenantId} onChoose={selection.openTenant} />
      )}
    </div>
  )
}

interface TokenCompaniesProps {
  token: AccountingToken
  tenantId: string | null
  onChoose: (tenantId: string) => void
}

function TokenCompanies({ token, tenantId, onChoose }: TokenCompaniesProps) {
  const query = useQuery(tokenTenants(token.id))
  const tenant = query.data?.find((each) => each.tenantId === tenantId)
  return (
    <>
      <TenantList query={query} chosenId={tenant?.tenantId ?? null} onChoose={onChoose} />
      {tenant === undefined ? (
        <TokenTables token={token} />
      ) : (
        <ScrollIntoView key={tenant.tenantId}>
          <TenantForm
            // Remounts the form when stored credentials arrive after the first render.
            key={JSON.stringify(tenant.creds)}
            token={token}
            tenant={tenant}
          />
        </ScrollIntoView>
      )}
    </>
  )
}

/** The selected token and tenant, kept in the URL. */
function useTokenSelection() {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  return {
    tokenId: params.get('token'),
    tenantId: params.get('tenant'),
    openToken: (token: string) => changeAddress(() => new URLSearchParams({ token })),
    openTenant: (tenant: string) =>
      changeAddress((current) => new URLSearchParams({ token: current.get('token') ?? '', tenant })),
  }
}
