/** Authentication factors of the user: authenticator app, passkeys, recovery codes. */
import type { Passkey, Security } from '@tributary/contract/profile'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { supportsPasskeys } from '../../api/session/passkeys.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
// Not lazy-loaded: recovery codes are shown only once, and a failed download of the chunk would lose them.
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import type { FactorDialogProps } from './factor-dialog-props.ts'
import { useRefreshSecurity } from './api.ts'

const LazyPasswordConfirmationDialog = lazyDialog(
  () => import('./password-confirmation-dialog.tsx'),
  'PasswordConfirmationDialog',
)
const LazyPasskeyDialog = lazyDialog(() => import('./passkey-dialog.tsx'), 'PasskeyDialog')
const LazyTotpDialog = lazyDialog(() => import('./totp-dialog.tsx'), 'TotpDialog')

type OpenFactorDialog = 'addTotp' | 'removeTotp' | 'addPasskey' | 'newCodes' | Passkey

export function AuthenticationFactorsPanel({ security }: { security: Security }) {
  const [open, setOpen] = useState<OpenFactorDialog | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const refresh = useRefreshSecurity()
  const hasFactor = security.HasAuthenticatorApp || security.Passkeys.length > 0

  async function done(recoveryCodes: readonly string[]) {
    setOpen(null)
    setCodes(recoveryCodes)
    await refresh()
  }

  return (
    <Panel title="Ways to prove it is you">
      <EntryList>
        <TotpEntry isSetUp={security.HasAuthenticatorApp} onOpen={setOpen} />
        <PasskeyEntries passkeys={security.Passkeys} onOpen={setOpen} />
        <EntryListItem
          title="Recovery codes"
          detail={describeRecoveryCodes(security.RecoveryCodesLeft)}
          action={
            hasFactor || security.RecoveryCodesLeft > 0 || security.RequireMultiFactorAuthentication ? (
              <EntryButton onClick={() => setOpen('newCodes')}>New recovery codes</EntryButton>
            ) : null
          }
        />
      </EntryList>
      {open === null ? null : (
        <FactorDialog open={open} hasPassword={security.HasPassword} onDone={done} onClose={() => setOpen(null)} />
      )}
      {codes.length === 0 ? null : <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Panel>
  )
}

function TotpEntry({ isSetUp, onOpen }: { isSetUp: boolean; onOpen: (open: OpenFactorDialog) => void }) {
  return (
    <EntryListItem
      title="Authenticator app"
      detail={
        isSetUp
          ? 'Set up. It shows a new code every 30 seconds.'
          : 'An app on your phone that shows codes, also without a network.'
      }
      action={
        isSetUp ? (
          <EntryButton aria-label="Remove authenticator app" onClick={() => onOpen('removeTotp')}>
            Remove
          </EntryButton>
        ) : (
          <EntryButton onClick={() => onOpen('addTotp')}>Set up the app</EntryButton>
        )
      }
    />
  )
}

function PasskeyEntries({
  passkeys,
  onOpen,
}: {
  passkeys: readonly Passkey[]
  onOpen: (open: OpenFactorDialog) => void
}) {
  return (
    <>
      {passkeys.map((passkey) => (
        <EntryListItem
          key={passkey.Id}
          title={`Passkey: ${passkey.Name}`}
          detail={
            <>
              Made <RelativeTime at={passkey.CreatedAtUtc} />, <LastUsed at={passkey.LastUsedAtUtc} />
            </>
          }
          action={
            <EntryButton aria-label={`Remove passkey ${passkey.Name}`} onClick={() => onOpen(passkey)}>
              Remove
            </EntryButton>
          }
        />
      ))}
      {supportsPasskeys() ? (
        <EntryListItem
          title={passkeys.length === 0 ? 'Passkey' : 'Another passkey'}
          detail="Your fingerprint, face, PIN or security key instead of a code. Also signs you in without a password."
          action={<EntryButton onClick={() => onOpen('addPasskey')}>Add a passkey</EntryButton>}
        />
      ) : null}
    </>
  )
}

function LastUsed({ at }: { at: string | null }) {
  if (at === null) return 'not used yet'
  return (
    <>
      last used <RelativeTime at={at} />
    </>
  )
}

function describeRecoveryCodes(left: number): string {
  if (left === 0) return 'For when everything else is out of reach. You have none.'
  return left === 1 ? 'One is left. Create new ones soon.' : `${left} are left. Each works once.`
}

function FactorDialog({ open, hasPassword, onDone, onClose }: FactorDialogProps & { open: OpenFactorDialog }) {
  const shared = { hasPassword, onClose }
  if (open === 'addTotp') return <LazyTotpDialog {...shared} onDone={onDone} />
  if (open === 'addPasskey') return <LazyPasskeyDialog {...shared} onDone={onDone} />
  if (open === 'newCodes')
    return (
      <LazyPasswordConfirmationDialog
        {...shared}
        title="New recovery codes"
        confirm="Create new codes"
        onConfirm={async ({ body }) => onDone((await call('POST /me/security/recovery-codes', { body })).recoveryCodes)}
      >
        You get ten new codes. The previous ones stop working.
      </LazyPasswordConfirmationDialog>
    )
  if (open === 'removeTotp')
    return (
      <LazyPasswordConfirmationDialog
        {...shared}
        title="Remove the authenticator app"
        confirm="Remove"
        isDanger
        onConfirm={async ({ body }) => onDone((await call('DELETE /me/security/totp', { body })) ?? [])}
      >
        Its codes stop working at once.
      </LazyPasswordConfirmationDialog>
    )
  return (
    <LazyPasswordConfirmationDialog
      {...shared}
      title={`Remove the passkey ${open.Name}`}
      confirm="Remove"
      isDanger
      onConfirm={async ({ body }) =>
        onDone((await call('DELETE /me/security/passkeys/:passkeyId', { params: { passkeyId: open.Id }, body })) ?? [])
      }
    >
      It stops working here at once. Delete it on your device, too.
    </LazyPasswordConfirmationDialog>
  )
}
