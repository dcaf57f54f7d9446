/** Signing in, renewing a session, switching its organisation, signing out. */
import * as z from 'zod'
import { EmailAddress } from './email.ts'
import { Id } from './id.ts'
import { PersonName } from './name.ts'
import { Password } from './password.ts'
import { Preferences } from './preferences.ts'
import { route } from './route.ts'
import { forVisitors } from './route-parts.ts'

/** A browser that the person has signed in with; a trusted one is not asked for a code. */
export const VerificationDevice = z.object({
  Reference: z.string(),
  Description: z.string(),
  Trusted: z.boolean(),
  LastSeenAtUtc: z.string(),
  /** The browser that asks. */
  IsThisDevice: z.boolean(),
})
export type VerificationDevice = z.infer<typeof VerificationDevice>

/** `role` and `roleLevel` are those in `organisationId`; level 0 sees everything. */
export const SessionReply = z.object({
  accessToken: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string(),
  roleLevel: z.number().int(),
  /** Whether there is data in `organisationId` that the person may read. As of the issue of the session. */
  mayReadData: z.boolean(),
  organisationId: z.uuid().nullable(),
  /** The end of the auditor room by which the person is in `organisationId`. Absent for everyone else. */
  auditorUntil: z.iso.datetime().optional(),
  requireMultiFactorAuthentication: z.boolean(),
  /** The password was set by an administrator: it must be changed before anything else. */
  mustChangePassword: z.boolean(),
  verificationDevices: z.array(VerificationDevice),
  /** So that the first paint after the sign-in has them. */
  preferences: Preferences,
})
export type SessionReply = z.infer<typeof SessionReply>

export const VerificationMethod = z.enum(['email', 'totp', 'passkey', 'recovery'])
export type VerificationMethod = z.infer<typeof VerificationMethod>

/** The password is correct, and a second factor is required. */
export const VerificationNeeded = z.object({
  verificationRequired: z.literal(true),
  verificationReference: z.string(),
  verificationMethods: z.array(VerificationMethod),
  /** `u•••@demo.example`; null if no code was sent. */
  verificationSentTo: z.string().nullable(),
})
export type VerificationNeeded = z.infer<typeof VerificationNeeded>

/** The verification response of the specification: the session, and that it went well. */
export const Verified = SessionReply.extend({ statusCode: z.literal(200) })

const Reference = z.string().min(1).max(100)
/** Six digits from an email or an app, or a recovery code. Blanks and hyphens are ignored. */
export const VerificationCode = z.string().trim().min(1).max(40)
/** What the browser's `navigator.credentials` gave, as JSON; its inside is checked by the verification itself. */
export const PasskeyAnswer = z.record(z.string(), z.unknown())

export const PasswordSignIn = z.strictObject({
  emailAddress: z.string().trim().min(1).max(320),
  password: Password,
  /** Asked for by `captchaNeeded`. */
  recaptchaToken: z.string().max(10_000).optional(),
})
export type PasswordSignIn = z.infer<typeof PasswordSignIn>
export const CodeSignIn = z.strictObject({
  verificationReference: Reference,
  verificationCode: VerificationCode,
  verificationTrustDevice: z.boolean().optional(),
})
export type CodeSignIn = z.infer<typeof CodeSignIn>
export const PasskeySignIn = z.strictObject({
  verificationReference: Reference,
  passkey: PasskeyAnswer,
  verificationTrustDevice: z.boolean().optional(),
})
export type PasskeySignIn = z.infer<typeof PasskeySignIn>
/** A sign-in link. `isConfirmed`: the person has confirmed the account that they sign in to. */
export const LinkSignIn = z.strictObject({ code: z.string().min(1).max(200), isConfirmed: z.boolean().optional() })
export type LinkSignIn = z.infer<typeof LinkSignIn>
export const SignIn = z.union([PasswordSignIn, CodeSignIn, PasskeySignIn, LinkSignIn])
export type SignIn = z.infer<typeof SignIn>

/** The sign-in link was opened in another browser than the one that requested it, so confirmation is required first. */
export const ConfirmationNeeded = z.object({ confirmationRequired: z.literal(true), emailAddress: z.string() })

export const SignInReply = z.union([Verified, VerificationNeeded, ConfirmationNeeded])
export type SignInReply = z.infer<typeof SignInReply>

export const FirstSuperadmin = z.strictObject({
  code: z.string().trim().min(1).max(100),
  emailAddress: EmailAddress,
  password: Password,
  firstName: PersonName,
  lastName: PersonName,
})
export type FirstSuperadmin = z.infer<typeof FirstSuperadmin>

/** Settings for pages before signing in. */
export const SignInOptions = z.object({
  allowSignUp: z.boolean(),
  providers: z.array(z.object({ name: z.string(), displayName: z.string() })),
  captcha: z.object({
    provider: z.enum(['altcha', 'turnstile', 'hcaptcha', 'recaptcha']),
    siteKey: z.string().nullable(),
  }),
  passwordMin: z.number().int(),
  isMaintained: z.boolean(),
})
export type SignInOptions = z.infer<typeof SignInOptions>

const signInFaults = ['wrongSecret', 'verificationFailed', 'linkSpent', 'captchaNeeded', 'captchaFailed'] as const

export const signInRoutes = {
  options: route({
    method: 'GET',
    path: '/auth/options',
    summary: 'What is switched on for people who are not signed in: sign-up, external providers, the captcha.',
    ...forVisitors,
    reply: SignInOptions,
  }),
  withPassword: route({
    method: 'POST',
    path: '/auth/signin',
    summary:
      'Sign in: with e-mail address and password, then if asked with a code or a passkey; or with the code of a link.',
    ...forVisitors,
    body: SignIn,
    reply: SignInReply,
    faults: signInFaults,
  }),
  withAddIn: route({
    method: 'POST',
    path: '/auth/signin-b2s',
    summary: 'As /auth/signin, for the spreadsheet add-in.',
    ...forVisitors,
    body: SignIn,
    reply: SignInReply,
    faults: signInFaults,
  }),
  verify: route({
    method: 'POST',
    path: '/verify',
    summary: 'Prove a code in its context: sign in, confirm a change of MFA, or confirm the address of a sign-up.',
    ...forVisitors,
    body: z.strictObject({
      reference: Reference,
      code: VerificationCode,
      context: z.enum(['signin', 'mfa', 'registration']),
    }),
    /** For 'mfa' the reference may then be used; for 'registration' `code` opens GET /registration/finalise. */
    reply: z.union([Verified, z.object({ statusCode: z.literal(200), code: z.string().nullable() })]),
    faults: ['verificationFailed', 'tooMany'],
  }),
  resendCode: route({
    method: 'POST',
    path: '/verify/resend',
    summary: 'Send the code of a verification again, by e-mail.',
    ...forVisitors,
    body: z.strictObject({ reference: Reference }),
    reply: z.object({ verificationSentTo: z.string() }),
    faults: ['verificationFailed', 'tooMany'],
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/auth/passkey',
    summary: 'What the browser needs to ask for a passkey; without a reference, for signing in by the passkey alone.',
    ...forVisitors,
    body: z.strictObject({ verificationReference: Reference.optional() }),
    reply: z.object({ verificationReference: z.string(), options: z.record(z.string(), z.unknown()) }),
    faults: ['verificationFailed', 'tooMany'],
  }),
  requestLink: route({
    method: 'POST',
    path: '/auth/link',
    summary: 'Request a sign-in link by e-mail. The reply never reveals whether the address is known.',
    ...forVisitors,
    body: z.strictObject({ emailAddress: z.string().trim().min(1).max(320), recaptchaToken: z.string().max(10_000) }),
    status: 202,
    reply: z.object({ message: z.string() }),
    faults: ['captchaFailed', 'tooMany'],
  }),
  refresh: route({
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Exchange the refresh cookie for a new access token, for the same or for another organisation.',
    ...forVisitors,
    body: z.strictObject({ organisationId: Id.optional() }),
    reply: SessionReply,
    faults: ['notSignedIn', 'notFound'],
  }),
  firstSuperadmin: route({
    method: 'POST',
    path: '/auth/first-superadmin',
    summary: 'Make the first superadmin, with the code that the server showed on its console.',
    ...forVisitors,
    body: FirstSuperadmin,
    status: 201,
    reply: z.object({ emailAddress: z.string() }),
    faults: ['codeWrong', 'addressTaken', 'tooMany'],
  }),
  signOut: route({
    method: 'POST',
    path: '/auth/signout',
    summary: 'End this session, here and on the server.',
    ...forVisitors,
  }),
} as const
