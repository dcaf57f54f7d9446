import type { Security } from '@tributary/contract/profile'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useProviderName, useSignInOptions } from '../../api/session/sign-in-options.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { useRefreshSecurity } from './api.ts'

const LazyPasswordConfirmationDialog = lazyDialog(
  () => import('./password-confirmation-dialog.tsx'),
  'PasswordConfirmationDialog',
)

/** Linked identity providers. Hidden if none is configured and none is linked. */
export function IdentityProvidersPanel({ security }: { security: Security }) {
  const { providers } = useSignInOptions()
  const providerName = useProviderName()
  const [opened, setOpened] = useState<{ Dialog: typeof LinkDialog; provider: string } | null>(null)
  const linked = security.ExternalIdentities
  const free = providers.filter(({ name }) => !linked.some(({ Provider }) => Provider === name))
  if (linked.length === 0 && free.length === 0) return null
  return (
    <Panel title="Linked accounts">
      <EntryList>
        {linked.map(({ Provider, EmailAddress, LinkedAtUtc }) => (
          <EntryListItem
            key={Provider}
            title={providerName(Provider)}
            detail={
              <>
                {EmailAddress === null ? '' : `${EmailAddress}, `}linked <RelativeTime at={LinkedAtUtc} />
              </>
            }
            action={
              <EntryButton
                aria-label={`Unlink ${providerName(Provider)}`}
                onClick={() => setOpened({ Dialog: UnlinkDialog, provider: Provider })}
              >
                Unlink
              </EntryButton>
            }
          />
        ))}
        {free.map(({ name, displayName }) => (
          <EntryListItem
            key={name}
            title={displayName}
            detail="Sign in with this account, too."
            action={
              <EntryButton onClick={() => setOpened({ Dialog: LinkDialog, provider: name })}>
                Link {displayName}
              </EntryButton>
            }
          />
        ))}
      </EntryList>
      {opened === null ? null : (
        <opened.Dialog provider={opened.provider} hasPassword={security.HasPassword} onClose={() => setOpened(null)} />
      )}
    </Panel>
  )
}

interface ProviderDialogProps {
  provider: string
  hasPassword: boolean
  onClose: () => void
}

/** Redirects to the identity provider, which returns to the profile. */
function LinkDialog({ provider, hasPassword, onClose }: ProviderDialogProps) {
  const name = useProviderName()(provider)
  return (
    <LazyPasswordConfirmationDialog
      title={`Link ${name}`}
      confirm="Continue"
      hasPassword={hasPassword}
      onConfirm={async ({ body }) => {
        const { address } = await call('POST /me/external/:provider', { params: { provider }, body })
        window.location.assign(address)
      }}
      onClose={onClose}
    >
      You go to {name} and come back here. From then on your account there signs you in.
    </LazyPasswordConfirmationDialog>
  )
}

function UnlinkDialog({ provider, hasPassword, onClose }: ProviderDialogProps) {
  const name = useProviderName()(provider)
  const refresh = useRefreshSecurity()
  return (
    <LazyPasswordConfirmationDialog
      title={`Unlink ${name}`}
      confirm="Unlink"
      isDanger
      hasPassword={hasPassword}
      onConfirm={async ({ body }) => {
        await call('DELETE /me/external/:provider', { params: { provider }, body })
        onClose()
        await refresh()
      }}
      onClose={onClose}
    >
      It no longer signs you in here. Nothing changes at {name}.
    </LazyPasswordConfirmationDialog>
  )
}
