import { Button } from '@mantine/core'
import type { Security } from '@tributary/contract/security'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { providerAddress, useProviderName, useSignInOptions } from '../../api/sign-in-options.ts'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Entries, Entry } from './entries.tsx'
import { useRefreshSecurity } from './security.ts'

/** Accounts elsewhere that sign one in here; absent where no provider is set up and none was linked. */
export function ProvidersPanel({ security }: { security: Security }) {
  const { providers } = useSignInOptions()
  const providerName = useProviderName()
  const [unlinking, setUnlinking] = useState<string | null>(null)
  const refresh = useRefreshSecurity()
  const linked = security.ExternalIdentities
  const free = providers.filter(({ name }) => !linked.some(({ Provider }) => Provider === name))
  if (linked.length === 0 && free.length === 0) return null
  return (
    <Panel title="Linked accounts">
      <Entries>
        {linked.map(({ Provider, EmailAddress, LinkedAtUtc }) => (
          <Entry
            key={Provider}
            title={providerName(Provider)}
            detail={
              <>
                {EmailAddress === null ? '' : `${EmailAddress}, `}linked <RelativeTime at={LinkedAtUtc} />
              </>
            }
            action={
              <Button variant="default" size="xs" aria-label={`Unlink ${providerName(Provider)}`} onClick={() => setUnlinking(Provider)}>
                Unlink
              </Button>
            }
          />
        ))}
        {free.map(({ name, displayName }) => (
          <Entry
            key={name}
            title={displayName}
            detail="Sign in with this account, too."
            action={
              <Button component="a" href={providerAddress(name, 'link', null)} variant="default" size="xs">
                Link {displayName}
              </Button>
            }
          />
        ))}
      </Entries>
      {unlinking === null ? null : (
        <ConfirmDialog
          title={`Unlink ${providerName(unlinking)}`}
          confirm="Unlink"
          isDanger
          hasPassword={security.HasPassword}
          onConfirm={async ({ body }) => {
            await call('DELETE /me/external/:provider', { params: { provider: unlinking }, body })
            setUnlinking(null)
            await refresh()
          }}
          onClose={() => setUnlinking(null)}
        >
          It no longer signs you in here. Nothing changes at {providerName(unlinking)}.
        </ConfirmDialog>
      )}
    </Panel>
  )
}
