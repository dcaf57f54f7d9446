import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiToken, TokenPolicy } from '@tributary/contract/tokens'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useOrganisationId, useWorkspace } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { TokenEntries } from '../../domain/tokens/token-entries.tsx'
import { organisationTokenList, tokenPolicy } from '../../domain/tokens/token-queries.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RenewTokenDialog } from './renew-token-dialog.tsx'
import { ServiceAccountsPanel } from './service-accounts-panel.tsx'

/** The policy of an organisation, its service accounts, and all its access tokens. */
export function OrganisationTokensPage() {
  const { organisation } = useWorkspace()
  const tokens = useQuery(organisationTokenList(organisation.Id))
  const policy = useQuery(tokenPolicy(organisation.Id))
  const [renewing, setRenewing] = useState<ApiToken | null>(null)
  return (
    <Page kind="form">
      <Panel title="Policy">
        <QueryResult query={policy} loading={<SkeletonLines count={1} height={44} />}>
          {(current) => <PolicySwitch policy={current} />}
        </QueryResult>
      </Panel>
      <ServiceAccountsPanel />
      <Panel title={`All access tokens of ${organisation.CompanyName}`}>
        <QueryResult query={tokens} loading={<SkeletonLines count={2} height={44} />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState kind="first" title="There are no access tokens.">
                People make theirs in their profile, and administrators those of service accounts above.
              </EmptyState>
            ) : (
              <TokenEntries
                tokens={list}
                whose="organisation"
                describe={(token) => token.Owner}
                onRenew={setRenewing}
              />
            )
          }
        </QueryResult>
      </Panel>
      {renewing === null ? null : <RenewTokenDialog token={renewing} onClose={() => setRenewing(null)} />}
    </Page>
  )
}

function PolicySwitch({ policy }: { policy: TokenPolicy }) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  const save = useMutation({
    mutationFn: (allowed: boolean) =>
      call('PUT /tributary/clients/:clientId/access-tokens/policy', { params: { clientId }, body: { allowed } }),
    onSuccess: () => invalidate(tokenPolicy(clientId)),
  })
  return (
    <>
      <MutationError of={save} />
      <Switch
        label="People and service accounts may use access tokens"
        description="Switched off, all tokens of the organisation stop working. Switched on again, they work until they expire."
        checked={policy.Allowed}
        disabled={save.isPending}
        onChange={(event) => save.mutate(event.currentTarget.checked)}
      />
      {policy.AllowedByProvider ? null : (
        <Callout tone="warn">The provider has switched access tokens off for all organisations.</Callout>
      )}
    </>
  )
}
