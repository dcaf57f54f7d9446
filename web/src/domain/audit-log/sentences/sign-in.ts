import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { type ActionWording, detailText, isSelf, possession, thing, who } from './sentence.ts'

export type SignInAction = Extract<AuditAction, `authn.${string}` | `session.${string}`>

const signInMethods: Readonly<Record<string, string>> = {
  password: ' with a password',
  link: ' with a link from an email',
  code: ' with a code',
  passkey: ' with a passkey',
}

/** ' in Chrome on Windows', or '' after the person was erased. */
function inBrowser(event: AuditLogEvent): string {
  const browser = detailText(event, 'description')
  // 'Another program' and 'A browser on Linux' are no names.
  return browser === undefined ? '' : ` in ${browser.replace(/^An?(?=other | )/u, (word) => word.toLowerCase())}`
}

function withReason(event: AuditLogEvent): string {
  const reason = detailText(event, 'reason')
  return reason === undefined ? '' : `: ${reason}`
}

const providerOf = (event: AuditLogEvent) => detailText(event, 'provider') ?? 'another provider'

export const signInWording: Readonly<Record<SignInAction, ActionWording>> = {
  'authn.code_link_used': {
    label: 'Sign-in link used',
    sentence: (event) => `${who} used a sign-in link from an email${inBrowser(event)}`,
  },
  'authn.device_removed': { label: 'Browser removed', sentence: () => `${who} removed one of their browsers` },
  'authn.device_reuse_detected': {
    label: 'Copied cookie refused',
    sentence: () => `${who} signed in with an outdated copy of a device cookie, so all their browsers were forgotten`,
  },
  'authn.device_trusted': {
    label: 'Browser trusted',
    sentence: (event) => `${who} trusted ${detailText(event, 'description') ?? 'a browser'}`,
  },
  'authn.factor_added': { label: 'Second factor added', sentence: () => `${who} added a second factor` },
  'authn.factor_removed': { label: 'Second factor removed', sentence: () => `${who} removed a second factor` },
  'authn.login_fail': { label: 'Sign-in failed', sentence: (event) => `${who} failed to sign in${withReason(event)}` },
  'authn.login_lock': {
    label: 'Sign-in blocked',
    sentence: () => `${who} was blocked from signing in after too many wrong passwords`,
  },
  'authn.login_success': {
    label: 'Signed in',
    sentence: (event) => `${who} signed in${signInMethods[detailText(event, 'by') ?? ''] ?? ''}${inBrowser(event)}`,
  },
  'authn.login_unlock': { label: 'Sign-in unblocked', sentence: () => `${who} unblocked the sign-in of ${thing}` },
  'authn.mfa_challenge': { label: 'Second factor requested', sentence: () => `${who} was asked for a second factor` },
  'authn.mfa_disabled': {
    label: 'Second factor switched off',
    sentence: (event) => `${who} switched off ${possession(event, 'second factor')}`,
  },
  'authn.mfa_enabled': {
    label: 'Second factor switched on',
    sentence: (event) => `${who} switched on ${possession(event, 'second factor')}`,
  },
  'authn.mfa_fail': { label: 'Second factor wrong', sentence: () => `${who} gave a wrong second factor` },
  'authn.mfa_success': {
    label: 'Second factor given',
    sentence: () => `${who} confirmed the sign-in with a second factor`,
  },
  'authn.new_device': {
    label: 'New browser',
    sentence: (event) => `${who} signed in for the first time${inBrowser(event)}`,
  },
  'authn.oidc_fail': {
    label: 'Sign-in at a provider failed',
    sentence: (event) => `${who} could not sign in at ${providerOf(event)}${withReason(event)}`,
  },
  'authn.oidc_linked': {
    label: 'Provider linked',
    sentence: (event) => `${who} linked an account at ${providerOf(event)}`,
  },
  'authn.oidc_success': {
    label: 'Signed in at a provider',
    sentence: (event) => `${who} signed in at ${providerOf(event)}`,
  },
  'authn.oidc_unlinked': {
    label: 'Provider unlinked',
    sentence: (event) =>
      isSelf(event)
        ? `${who} unlinked an account at another provider`
        : `${who} unlinked the Microsoft account of ${thing}`,
  },
  'authn.password_changed': {
    label: 'Password changed',
    sentence: (event) => `${who} changed ${possession(event, 'password')}`,
  },
  'authn.password_reset_done': {
    label: 'Password reset',
    sentence: () => `${who} set a new password with a link from an email`,
  },
  'authn.password_reset_requested': {
    label: 'Password reset requested',
    sentence: ({ ActorRole }) =>
      ActorRole === 'operator'
        ? `${who} removed the password of ${thing} and sent a link to set a new one`
        : `${who} asked for a link to reset the password of ${thing}`,
  },
  'authn.proof_fail': {
    label: 'Confirmation failed',
    sentence: () => `${who} entered a wrong password to confirm who they are`,
  },
  'authn.proof_given': { label: 'Identity confirmed', sentence: () => `${who} confirmed who they are` },
  'authn.recovery_codes_made': { label: 'Recovery codes created', sentence: () => `${who} created recovery codes` },
  'authn.token_reuse': {
    label: 'Copied session refused',
    sentence: () => `${who} used an outdated copy of a session, so the session was ended`,
  },
  'session.logout': { label: 'Signed out', sentence: () => `${who} signed out` },
  'session.revoked_by_admin': {
    label: 'Signed out by an administrator',
    sentence: () => `${who} signed ${thing} out everywhere`,
  },
  'session.revoked_by_user': {
    label: 'Session ended',
    sentence: ({ ObjectId }) =>
      ObjectId === null ? `${who} ended all their sessions` : `${who} ended one of their sessions`,
  },
}
