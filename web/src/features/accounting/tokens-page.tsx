/** `/connectors/{type}/v2/tokens`: the grants that reach accounting companies, and which organisation each company is given to. */
import type { Token } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@tributary/client/call-error'
import { useType } from '../../domain/connectors/use-connector-type.ts'
import { paths } from '../../paths.ts'
import { useAddress, useChangeAddress } from '../../ui/hooks/search-params.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { AccountingPage, ForAccounting } from './accounting-page.tsx'
import { tokenList, tokenTenants } from './api.ts'
import { InSight } from './scroll-into-view.tsx'
import { TenantForm } from './tenant-form.tsx'
import { TenantList } from './tenant-list.tsx'
import { TokenList } from './token-list.tsx'
import { TokenTables } from './token-tables.tsx'
import css from './tokens.module.css'

export function TokensPage() {
  const { name } = useType()
  return (
    <ForAccounting may="seeTokens">
      <AccountingPage
        crumbs={[{ label: 'Synchronise V2', to: paths.synchronise(name) }, { label: 'Xero2Sql - Tokens' }]}
      >
        <Tokens />
      </AccountingPage>
    </ForAccounting>
  )
}

function Tokens() {
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
        A token is here as soon as somebody has connected a company by signing in at the accounting program.
      </EmptyState>
    )
  return <TokensAndTenants tokens={data} />
}

/** From the token to its companies to the one that is to be assigned, side by side where there is room. */
function TokensAndTenants({ tokens }: { tokens: readonly Token[] }) {
  const opened = useOpened()
  const token = tokens.find(({ id }) => id === opened.tokenId)
  return (
    <div className={css.columns}>
      <TokenList tokens={tokens} chosenId={token?.id ?? null} onChoose={opened.openToken} />
      {token === undefined ? (
        <p className="muted">Choose a token to see the companies that it reaches.</p>
      ) : (
        <Companies key={token.id} token={token} tenantId={opened.tenantId} onChoose={opened.openTenant} />
      )}
    </div>
  )
}

interface CompaniesProps {
  token: Token
  tenantId: string | null
  onChoose: (tenantId: string) => void
}

function Companies({ token, tenantId, onChoose }: CompaniesProps) {
  const { data, error, refetch } = useQuery(tokenTenants(token.id))
  const tenant = data?.find((each) => each.tenantId === tenantId)
  return (
    <>
      <TenantList
        tenants={data}
        error={error}
        onRetry={() => void refetch()}
        chosenId={tenant?.tenantId ?? null}
        onChoose={onChoose}
      />
      {tenant === undefined ? (
        <TokenTables token={token} />
      ) : (
        <InSight key={tenant.tenantId}>
          <TenantForm
            // What is stored may be read only after the form was drawn, by whoever comes back to it.
            key={JSON.stringify(tenant.creds)}
            token={token}
            tenant={tenant}
          />
        </InSight>
      )}
    </>
  )
}

/** What is open, in the address. */
function useOpened() {
  const params = useAddress()
  const changeAddress = useChangeAddress()
  return {
    tokenId: params.get('token'),
    tenantId: params.get('tenant'),
    openToken: (token: string) => changeAddress(() => new URLSearchParams({ token })),
    openTenant: (tenant: string) =>
      changeAddress((current) => new URLSearchParams({ token: current.get('token') ?? '', tenant })),
  }
}
