/** One event of each action of signing in, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, nobody, operator, self, ulla, type EventSample } from './audit-events.ts'

type SignInAction = Extract<AuditAction, `authn.${string}` | `session.${string}`>

export const signInEventSamples: Readonly<Record<SignInAction, EventSample>> = {
  'authn.code_link_used': {
    Detail: { description: 'Chrome on Linux' },
    says: 'Amara Okafor used a sign-in link from an email in Chrome on Linux',
  },
  'authn.device_removed': { ...about('device', null), says: 'Amara Okafor removed one of their browsers' },
  'authn.device_reuse_detected': {
    says: 'Amara Okafor signed in with an outdated copy of a device cookie, so all their browsers were forgotten',
  },
  'authn.device_trusted': {
    Detail: { description: 'Firefox on Windows' },
    says: 'Amara Okafor trusted Firefox on Windows',
  },
  'authn.factor_added': { ...self, says: 'Amara Okafor added a second factor' },
  'authn.factor_removed': { ...self, says: 'Amara Okafor removed a second factor' },
  'authn.login_fail': {
    ...nobody,
    Detail: { reason: 'unknown account' },
    says: 'Someone failed to sign in: unknown account',
  },
  'authn.login_lock': { ...self, says: 'Amara Okafor was blocked from signing in after too many wrong passwords' },
  'authn.login_success': {
    Detail: { by: 'passkey', description: 'Safari on macOS' },
    says: 'Amara Okafor signed in with a passkey in Safari on macOS',
  },
  'authn.login_unlock': { ...operator, ...ulla, says: 'The operator unblocked the sign-in of Ulla Berg' },
  'authn.mfa_challenge': { says: 'Amara Okafor was asked for a second factor' },
  'authn.mfa_disabled': { ...ulla, says: 'Amara Okafor switched off the second factor of Ulla Berg' },
  'authn.mfa_enabled': { ...self, says: 'Amara Okafor switched on their second factor' },
  'authn.mfa_fail': { says: 'Amara Okafor gave a wrong second factor' },
  'authn.mfa_success': { says: 'Amara Okafor confirmed the sign-in with a second factor' },
  'authn.new_device': {
    Detail: { description: 'Chrome on Android' },
    says: 'Amara Okafor signed in for the first time in Chrome on Android',
  },
  'authn.oidc_fail': {
    ...nobody,
    Detail: { provider: 'microsoft', reason: 'unknown or locked' },
    says: 'Someone could not sign in at microsoft: unknown or locked',
  },
  'authn.oidc_linked': { ...self, Detail: { provider: 'xero' }, says: 'Amara Okafor linked an account at xero' },
  'authn.oidc_success': { Detail: { provider: 'xero' }, says: 'Amara Okafor signed in at xero' },
  'authn.oidc_unlinked': { ...ulla, says: 'Amara Okafor unlinked the Microsoft account of Ulla Berg' },
  'authn.password_changed': { ...self, says: 'Amara Okafor changed their password' },
  'authn.password_reset_done': { ...self, says: 'Amara Okafor set a new password with a link from an email' },
  'authn.password_reset_requested': {
    ...nobody,
    ...ulla,
    says: 'Someone asked for a link to reset the password of Ulla Berg',
  },
  'authn.proof_fail': { says: 'Amara Okafor entered a wrong password to confirm who they are' },
  'authn.proof_given': { says: 'Amara Okafor confirmed who they are' },
  'authn.recovery_codes_made': { ...self, says: 'Amara Okafor created recovery codes' },
  'authn.token_reuse': { says: 'Amara Okafor used an outdated copy of a session, so the session was ended' },
  'session.logout': { says: 'Amara Okafor signed out' },
  'session.revoked_by_admin': { ...ulla, says: 'Amara Okafor signed Ulla Berg out everywhere' },
  'session.revoked_by_user': { ...about('session', null), says: 'Amara Okafor ended one of their sessions' },
}
