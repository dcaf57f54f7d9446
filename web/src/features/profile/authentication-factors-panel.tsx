/** What one can prove oneself with: an authenticator app, passkeys, recovery codes. */
import { Button } from '@mantine/core'
import type { Passkey, Security } from '@tributary/contract/profile'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { supportsPasskeys } from '../../api/session/passkeys.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { laterDialog } from '../../ui/later.tsx'
import { Entries, Entry } from './entry-list.tsx'
// Not later: the codes are shown once, and a file that does not come would lose them.
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useRefreshSecurity } from './api.ts'

const ConfirmDialog = laterDialog(async () => (await import('./password-confirmation-dialog.tsx')).ConfirmDialog)
const PasskeyDialog = laterDialog(async () => (await import('./passkey-dialog.tsx')).PasskeyDialog)
const TotpDialog = laterDialog(async () => (await import('./totp-dialog.tsx')).TotpDialog)

type Open = 'addTotp' | 'removeTotp' | 'addPasskey' | 'newCodes' | Passkey

export function ProofsPanel({ security }: { security: Security }) {
  const [open, setOpen] = useState<Open | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const refresh = useRefreshSecurity()
  const hasProof = security.HasAuthenticatorApp || security.Passkeys.length > 0

  async function done(recoveryCodes: readonly string[]) {
    setOpen(null)
    setCodes(recoveryCodes)
    await refresh()
  }

  return (
    <Panel title="Ways to prove it is you">
      <Entries>
        <TotpEntry isSetUp={security.HasAuthenticatorApp} onOpen={setOpen} />
        <PasskeyEntries passkeys={security.Passkeys} onOpen={setOpen} />
        <Entry
          title="Recovery codes"
          detail={recoveryWords(security.RecoveryCodesLeft)}
          action={
            hasProof || security.RecoveryCodesLeft > 0 || security.RequireMultiFactorAuthentication ? (
              <Button variant="default" size="xs" onClick={() => setOpen('newCodes')}>
                New recovery codes
              </Button>
            ) : null
          }
        />
      </Entries>
      {open === null ? null : (
        <OpenDialog open={open} hasPassword={security.HasPassword} onDone={done} onClose={() => setOpen(null)} />
      )}
      {codes.length === 0 ? null : <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Panel>
  )
}

function TotpEntry({ isSetUp, onOpen }: { isSetUp: boolean; onOpen: (open: Open) => void }) {
  return (
    <Entry
      title="Authenticator app"
      detail={
        isSetUp
          ? 'Set up. It shows a new code every 30 seconds.'
          : 'An app on your phone that shows codes, also without a network.'
      }
      action={
        isSetUp ? (
          <Button
            variant="default"
            size="xs"
            aria-label="Remove authenticator app"
            onClick={() => onOpen('removeTotp')}
          >
            Remove
          </Button>
        ) : (
          <Button variant="default" size="xs" onClick={() => onOpen('addTotp')}>
            Set up the app
          </Button>
        )
      }
    />
  )
}

function PasskeyEntries({ passkeys, onOpen }: { passkeys: readonly Passkey[]; onOpen: (open: Open) => void }) {
  return (
    <>
      {passkeys.map((passkey) => (
        <Entry
          key={passkey.Id}
          title={`Passkey: ${passkey.Name}`}
          detail={
            <>
              Made <RelativeTime at={passkey.CreatedAtUtc} />, <LastUsed at={passkey.LastUsedAtUtc} />
            </>
          }
          action={
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove passkey ${passkey.Name}`}
              onClick={() => onOpen(passkey)}
            >
              Remove
            </Button>
          }
        />
      ))}
      {supportsPasskeys() ? (
        <Entry
          title={passkeys.length === 0 ? 'Passkey' : 'Another passkey'}
          detail="Your fingerprint, face, PIN or security key instead of a code. Also signs you in without a password."
          action={
            <Button variant="default" size="xs" onClick={() => onOpen('addPasskey')}>
              Add a passkey
            </Button>
          }
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

function recoveryWords(left: number): string {
  if (left === 0) return 'For when everything else is out of reach. You have none.'
  return left === 1 ? 'One is left. Make new ones soon.' : `${left} are left. Each works once.`
}

interface OpenDialogProps {
  open: Open
  hasPassword: boolean
  onDone: (recoveryCodes: readonly string[]) => Promise<void>
  onClose: () => void
}

function OpenDialog({ open, hasPassword, onDone, onClose }: OpenDialogProps) {
  const shared = { hasPassword, onClose }
  if (open === 'addTotp') return <TotpDialog {...shared} onDone={onDone} />
  if (open === 'addPasskey') return <PasskeyDialog {...shared} onDone={onDone} />
  if (open === 'newCodes')
    return (
      <ConfirmDialog
        {...shared}
        title="New recovery codes"
        confirm="Make new codes"
        onConfirm={async ({ body }) => onDone((await call('POST /me/security/recovery-codes', { body })).recoveryCodes)}
      >
        You get ten codes. Those that you had stop working.
      </ConfirmDialog>
    )
  if (open === 'removeTotp')
    return (
      <ConfirmDialog
        {...shared}
        title="Remove the authenticator app"
        confirm="Remove"
        isDanger
        onConfirm={async ({ body }) => onDone((await call('DELETE /me/security/totp', { body })) ?? [])}
      >
        Its codes stop working at once.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      {...shared}
      title={`Remove the passkey ${open.Name}`}
      confirm="Remove"
      isDanger
      onConfirm={async ({ body }) =>
        onDone((await call('DELETE /me/security/passkeys/:passkeyId', { params: { passkeyId: open.Id }, body })) ?? [])
      }
    >
      It stops working here at once. Delete it on your device, too.
    </ConfirmDialog>
  )
}
