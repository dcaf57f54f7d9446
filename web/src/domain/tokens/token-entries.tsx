import '@mantine/core/styles/Group.layer.css'
import { Button, Group } from '@mantine/core'
import type { ApiToken } from '@tributary/contract/tokens'
import { IconBan, IconClockExclamation } from '@tabler/icons-react'
import { now } from '@tributary/client/server-clock'
import { useState } from 'react'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { formatCount, formatMoment } from '../../ui/formats.ts'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { MutationDialog } from '../requests/mutation-dialog.tsx'
import { RelativeTime } from '../time/relative-time.tsx'
import { useRevokeToken } from './token-queries.ts'

interface TokenEntriesProps<Token extends ApiToken> {
  tokens: readonly Token[]
  whose: 'own' | 'organisation'
  /** Before the scopes: the owner, or the organisation. */
  describe: (token: Token) => string
  /** For tokens of service accounts. */
  onRenew?: (token: Token) => void
}

/** Tokens with what they may do, when they were used last, and the button that revokes them. */
export function TokenEntries<Token extends ApiToken>({ tokens, whose, describe, onRenew }: TokenEntriesProps<Token>) {
  const [revoking, setRevoking] = useState<Token | null>(null)
  return (
    <>
      <EntryList>
        {tokens.map((token) => (
          <EntryListItem
            key={token.Id}
            title={token.Name}
            marks={<TokenMark token={token} />}
            detail={<TokenDetail token={token} subject={describe(token)} />}
            action={
              worksNow(token) ? (
                <Group gap="xs" wrap="nowrap">
                  {onRenew !== undefined && 'IsServiceAccount' in token && token.IsServiceAccount === true ? (
                    <EntryButton aria-label={`Renew ${token.Name}`} onClick={() => onRenew(token)}>
                      Renew
                    </EntryButton>
                  ) : null}
                  <EntryButton aria-label={`Revoke ${token.Name}`} onClick={() => setRevoking(token)}>
                    Revoke
                  </EntryButton>
                </Group>
              ) : null
            }
          />
        ))}
      </EntryList>
      {revoking === null ? null : <RevokeDialog token={revoking} whose={whose} onClose={() => setRevoking(null)} />}
    </>
  )
}

export function worksNow({ RevokedAtUtc, ExpiresAtUtc }: ApiToken): boolean {
  return RevokedAtUtc === null && Date.parse(ExpiresAtUtc) > now()
}

function TokenMark({ token }: { token: ApiToken }) {
  if (token.RevokedAtUtc !== null) return <StatusBadge label="Revoked" tone="quiet" icon={IconBan} />
  return worksNow(token) ? null : <StatusBadge label="Expired" tone="warn" icon={IconClockExclamation} />
}

function TokenDetail({ token, subject }: { token: ApiToken; subject: string }) {
  const { IsAssistant, Scopes, ExpiresAtUtc, RevokedAtUtc } = token
  const { LastUsedAtUtc, LastUsedAddress, LastUsedProgram, RecentCalls } = token
  const [verb, at] =
    RevokedAtUtc === null
      ? [Date.parse(ExpiresAtUtc) > now() ? 'expires' : 'expired', ExpiresAtUtc]
      : ['revoked', RevokedAtUtc]
  return (
    <>
      {IsAssistant ? 'Assistant, ' : ''}
      {subject}, {Scopes.join(', ')}; {verb} on {formatMoment(at, 'date')};{' '}
      {LastUsedAtUtc === null ? (
        'never used'
      ) : (
        <>
          last used <RelativeTime at={LastUsedAtUtc} />
          {LastUsedAddress === null ? '' : ` from ${LastUsedAddress}`}
          {LastUsedProgram === null || LastUsedProgram === '' ? '' : ` by ${LastUsedProgram}`},{' '}
          {formatCount(RecentCalls)} {RecentCalls === 1 ? 'call' : 'calls'} in 30 days
        </>
      )}
    </>
  )
}

function RevokeDialog({
  token,
  whose,
  onClose,
}: {
  token: ApiToken
  whose: 'own' | 'organisation'
  onClose: () => void
}) {
  const revoke = useRevokeToken(whose, onClose)
  return (
    <MutationDialog
      title={`Revoke ${token.Name}?`}
      mutation={revoke}
      onClose={onClose}
      onSubmit={() => revoke.mutate(token.Id)}
      submitLabel="Revoke"
      isDanger
      isSubmitFocused
    >
      <p>Programs that use it stop working at once. This cannot be undone.</p>
    </MutationDialog>
  )
}

/** Above a list of tokens. */
export function NewTokenButton({ isOff, onClick }: { isOff: boolean; onClick: () => void }) {
  return (
    <Button size="xs" disabled={isOff} onClick={onClick}>
      New token
    </Button>
  )
}
