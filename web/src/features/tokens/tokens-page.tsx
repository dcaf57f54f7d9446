import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { NewTokenButton, TokenEntries, worksNow } from '../../domain/tokens/token-entries.tsx'
import { ownTokenList, tokenPolicy, useRefreshTokens } from '../../domain/tokens/token-queries.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { EntryButton } from '../../ui/layout/entry-list.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const LazyNewTokenDialog = lazyDialog(() => import('../../domain/tokens/new-token-dialog.tsx'), 'NewTokenDialog')

/** One’s own access tokens. */
export function TokensPage() {
  const { organisation } = useWorkspace()
  const tokens = useQuery(ownTokenList)
  const policy = useQuery(tokenPolicy(organisation.Id))
  const [opened, setOpened] = useState<'new' | 'revokeAll' | null>(null)
  const close = () => setOpened(null)
  const isOff = policy.data !== undefined && !(policy.data.Allowed && policy.data.AllowedByProvider)
  return (
    <Page kind="form">
      <Panel
        title="Your access tokens"
        aside={
          <Group gap="xs">
            {tokens.data?.some(worksNow) === true ? (
              <EntryButton onClick={() => setOpened('revokeAll')}>Revoke all</EntryButton>
            ) : null}
            <NewTokenButton isOff={isOff} onClick={() => setOpened('new')} />
          </Group>
        }
      >
        <p className="muted">
          With a token a program works in {organisation.CompanyName} as you: a spreadsheet, a script or an assistant. It
          has your role there, narrowed by its scopes, and works until it expires or is revoked, also when you are
          signed out.
        </p>
        {isOff ? (
          <Callout tone="warn">
            Access tokens are switched off{' '}
            {policy.data.AllowedByProvider ? `in ${organisation.CompanyName} by an administrator` : 'by the provider'}.
          </Callout>
        ) : null}
        <QueryResult query={tokens} loading={<SkeletonLines count={2} height={44} />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState kind="first" title="You have no access tokens.">
                Make one for each program, so that you can revoke one without stopping the others.
              </EmptyState>
            ) : (
              <TokenEntries tokens={list} whose="own" describe={(token) => token.Organisation} />
            )
          }
        </QueryResult>
      </Panel>
      {opened === 'new' ? (
        <LazyNewTokenDialog
          subtitle={`For ${organisation.CompanyName}`}
          create={(token) => call('POST /me/access-tokens', { body: { organisationId: organisation.Id, ...token } })}
          onClose={close}
        />
      ) : null}
      {opened === 'revokeAll' ? <RevokeAllDialog onClose={close} /> : null}
    </Page>
  )
}

function RevokeAllDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefreshTokens()
  const revokeAll = useMutation({
    mutationFn: () => call('DELETE /me/access-tokens'),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <MutationDialog
      title="Revoke all your access tokens?"
      mutation={revokeAll}
      onClose={onClose}
      onSubmit={() => revokeAll.mutate()}
      submitLabel="Revoke all"
      isDanger
      isSubmitFocused
    >
      <p>Every program that works as you stops at once, in all your organisations. This cannot be undone.</p>
    </MutationDialog>
  )
}
