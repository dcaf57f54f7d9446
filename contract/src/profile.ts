/** A person's own security settings: second factors, trusted devices, sessions, the password. */
import * as z from 'zod'
import { Id } from './id.ts'
import { nameMax } from './limits.ts'
import { Password } from './password.ts'
import { route } from './route.ts'
import { forSignedIn } from './route-parts.ts'
import { PasskeyAnswer, VerificationCode, VerificationDevice, VerificationMethod } from './sign-in.ts'

export const SignedInSession = z.object({
  Id: z.uuid(),
  DeviceName: z.string(),
  Address: z.string().nullable(),
  StartedAtUtc: z.string(),
  LastActiveAtUtc: z.string(),
  IsThisSession: z.boolean(),
})
export type SignedInSession = z.infer<typeof SignedInSession>

export const Passkey = z.object({
  Id: z.uuid(),
  Name: z.string(),
  CreatedAtUtc: z.string(),
  LastUsedAtUtc: z.string().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const Security = z.object({
  RequireMultiFactorAuthentication: z.boolean(),
  /** Why it cannot be switched off: an organisation or the provider requires it. Null if it is optional. */
  RequiredBy: z.string().nullable(),
  HasPassword: z.boolean(),
  HasAuthenticatorApp: z.boolean(),
  Passkeys: z.array(Passkey),
  RecoveryCodesLeft: z.number().int(),
  VerificationDevices: z.array(VerificationDevice),
  ExternalIdentities: z.array(
    z.object({ Provider: z.string(), EmailAddress: z.string().nullable(), LinkedAtUtc: z.string() }),
  ),
})
export type Security = z.infer<typeof Security>

/**
 * The reply of the MFA switch. `errorMessage` is for people. With `verificationRequired`, repeat the call with the
 * code.
 */
export const MfaReply = z.object({
  errorMessage: z.string().optional(),
  verificationRequired: z.boolean().optional(),
  verificationReference: z.string().optional(),
  verificationMethods: z.array(VerificationMethod).optional(),
  verificationSentTo: z.string().nullable().optional(),
  verificationDevices: z.array(VerificationDevice).optional(),
  /** Returned once, when MFA is switched on and the person has none. */
  recoveryCodes: z.array(z.string()).optional(),
})
export type MfaReply = z.infer<typeof MfaReply>

/**
 * Required so that an unlocked browser is not enough to change how its owner signs in. Absent for people without a
 * password.
 */
const ownPassword = Password.optional()

const withPassword = {
  ...forSignedIn,
  body: z.strictObject({ password: ownPassword }),
  faults: ['passwordNeeded', 'proofNeeded', 'tooMany'],
} as const

/** Returned once; when a factor is added, only if the person had none. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const profile = {
  read: route({
    method: 'GET',
    path: '/me/security',
    summary: 'How one’s own account is protected.',
    ...forSignedIn,
    reply: Security,
  }),
  switchMfa: route({
    method: 'POST',
    path: '/me/security/mfa',
    summary: 'Switch multi-factor authentication on or off; asks for a code first.',
    ...forSignedIn,
    body: z.strictObject({
      enable: z.boolean(),
      verificationReference: z.string().max(100).optional(),
      verificationCode: VerificationCode.optional(),
    }),
    reply: MfaReply,
    faults: ['tooMany'],
  }),
  forgetDevice: route({
    method: 'DELETE',
    path: '/me/security/mfa/devices/:deviceId',
    summary: 'Forget a device: it is asked for a code again.',
    ...forSignedIn,
    params: z.strictObject({ deviceId: Id }),
  }),
  beginTotp: route({
    method: 'POST',
    path: '/me/security/totp',
    summary: 'Begin to enrol an authenticator app.',
    ...withPassword,
    /** `qr` is an SVG as a data URI. */
    reply: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/me/security/totp/confirm',
    summary: 'Finish to enrol an authenticator app with the first code that it shows; switches MFA on.',
    ...forSignedIn,
    body: z.strictObject({ code: VerificationCode }),
    reply: RecoveryCodes,
    faults: ['codeNotRight', 'tooMany'],
  }),
  removeTotp: route({
    method: 'DELETE',
    path: '/me/security/totp',
    summary: 'Remove the authenticator app.',
    ...withPassword,
    faults: ['notFound', 'passwordNeeded', 'proofNeeded', 'tooMany'],
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/me/security/passkeys/options',
    summary: 'What the browser needs to make a passkey.',
    ...withPassword,
    reply: z.object({ reference: z.string(), options: z.record(z.string(), z.unknown()) }),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/me/security/passkeys',
    summary: 'Keep the passkey that the browser made; switches MFA on.',
    ...forSignedIn,
    body: z.strictObject({
      reference: z.string().min(1).max(100),
      name: z.string().trim().min(1).max(nameMax),
      passkey: PasskeyAnswer,
    }),
    reply: RecoveryCodes,
    faults: ['codeNotRight', 'tooMany'],
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/me/security/passkeys/:passkeyId',
    summary: 'Remove a passkey.',
    ...withPassword,
    params: z.strictObject({ passkeyId: Id }),
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/me/security/recovery-codes',
    summary: 'Make ten new recovery codes; the former ones stop working.',
    ...withPassword,
    reply: RecoveryCodes,
  }),
  changePassword: route({
    method: 'POST',
    path: '/me/password',
    summary: 'Change one’s own password; every other session ends.',
    ...withPassword,
    allowsTemporaryPassword: true,
    body: z.strictObject({ currentPassword: ownPassword, password: Password }),
  }),
  sessions: route({
    method: 'GET',
    path: '/me/sessions',
    summary: 'Where one is signed in.',
    ...forSignedIn,
    reply: z.array(SignedInSession),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/me/sessions/:sessionId',
    summary: 'Sign out one session.',
    ...forSignedIn,
    params: z.strictObject({ sessionId: Id }),
  }),
  endAllSessions: route({
    method: 'DELETE',
    path: '/me/sessions',
    summary: 'Sign out everywhere, here included.',
    ...forSignedIn,
  }),
  linkProvider: route({
    method: 'POST',
    path: '/me/external/:provider',
    summary: 'Begin to link an account at an external provider: where the browser is to go.',
    ...withPassword,
    params: z.strictObject({ provider: z.string().min(1).max(50) }),
    reply: z.object({ address: z.string() }),
  }),
  unlinkProvider: route({
    method: 'DELETE',
    path: '/me/external/:provider',
    summary: 'Unlink an account at an external provider; refused where it is the only way in.',
    ...withPassword,
    params: z.strictObject({ provider: z.string().min(1).max(50) }),
    faults: ['passwordNeeded', 'proofNeeded', 'onlyWayIn', 'tooMany'],
  }),
} as const
