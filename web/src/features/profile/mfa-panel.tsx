import { Button } from '@mantine/core'
import type { Security } from '@tributary/contract/profile'
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'
// Not lazy-loaded: recovery codes are shown only once, and a failed download of the chunk would lose them.
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useMfaSwitch } from './use-mfa-switch.ts'

const LazyVerificationCodeDialog = lazyDialog(() => import('./verification-code-dialog.tsx'), 'VerificationCodeDialog')

const mfaBadges = {
  on: { label: 'Enabled', tone: 'ok', icon: IconShieldCheck },
  off: { label: 'Disabled', tone: 'quiet', icon: IconShieldOff },
} as const

export function MfaPanel({ security }: { security: Security }) {
  const isOn = security.RequireMultiFactorAuthentication
  const mfa = useMfaSwitch(!isOn)
  const action = isOn ? 'Disable' : 'Enable'
  const isFixed = isOn && security.RequiredBy !== null
  return (
    <Panel title="Multi-factor authentication" aside={<StatusBadge {...(isOn ? mfaBadges.on : mfaBadges.off)} />}>
      <p className="muted">
        After your password you confirm your identity with a second factor: a code by email, an authenticator app or a
        passkey. A stolen password is then not enough.
      </p>
      {isFixed ? <p className="small subtle">It cannot be disabled here: {security.RequiredBy} requires it.</p> : null}
      {mfa.challenge === null ? <ErrorBanner message={mfa.error} onDismiss={mfa.dismissError} /> : null}
      <div>
        <Button
          variant={isOn ? 'default' : 'filled'}
          disabled={isFixed}
          loading={mfa.isBusy && mfa.challenge === null}
          onClick={mfa.begin}
        >
          {action}
        </Button>
      </div>
      {mfa.challenge === null ? null : (
        <LazyVerificationCodeDialog
          title={`${action} multi-factor authentication`}
          confirm={action}
          challenge={mfa.challenge}
          isBusy={mfa.isBusy}
          error={mfa.error}
          onDismissError={mfa.dismissError}
          onCode={mfa.confirm}
          onClose={mfa.close}
        />
      )}
      {mfa.recoveryCodes.length === 0 ? null : (
        <RecoveryCodesDialog codes={mfa.recoveryCodes} onClose={mfa.dismissRecoveryCodes} />
      )}
    </Panel>
  )
}
