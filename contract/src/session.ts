/** Signing in, keeping a session, choosing the organisation it speaks for, signing out. */
import * as z from 'zod'
import { Id } from './id.ts'
import { nameMax, passwordMax } from './limits.ts'
import { route } from './route.ts'

export const VerificationDevice = z.object({ Reference: z.string(), Description: z.string(), Trusted: z.boolean() })

/** `role` and `roleLevel` are those in `organisationId`; level 0 sees everything. */
export const Session = z.object({
  accessToken: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string(),
  roleLevel: z.number().int(),
  organisationId: z.uuid().nullable(),
  requireMultiFactorAuthentication: z.boolean(),
  verificationDevices: z.array(VerificationDevice),
})
export type Session = z.infer<typeof Session>

export const SignIn = z.strictObject({
  emailAddress: z.string().trim().min(1).max(320),
  password: z.string().min(1).max(passwordMax),
})
export type SignIn = z.infer<typeof SignIn>

export const FirstSuperadmin = z.strictObject({
  code: z.string().trim().min(1).max(100),
  emailAddress: z.email().max(320),
  password: z.string().min(1).max(passwordMax),
  firstName: z.string().trim().min(1).max(nameMax),
  lastName: z.string().trim().min(1).max(nameMax),
})
export type FirstSuperadmin = z.infer<typeof FirstSuperadmin>

export const session = {
  signIn: route({
    method: 'POST',
    path: '/auth/signin',
    summary: 'Sign in with e-mail address and password; sets the refresh cookie.',
    allow: 'visitor',
    scope: 'none',
    body: SignIn,
    reply: Session,
    faults: ['wrongSecret', 'tooMany'],
  }),
  refresh: route({
    method: 'POST',
    path: '/auth/refresh',
    summary: 'Exchange the refresh cookie for a new access token, for the same or for another organisation.',
    allow: 'visitor',
    scope: 'none',
    body: z.strictObject({ organisationId: Id.optional() }),
    reply: Session,
    faults: ['notSignedIn', 'notFound'],
  }),
  firstSuperadmin: route({
    method: 'POST',
    path: '/auth/first-superadmin',
    summary: 'Make the first superadmin, with the code that the server showed on its console.',
    allow: 'visitor',
    scope: 'none',
    body: FirstSuperadmin,
    status: 201,
    reply: z.object({ emailAddress: z.string() }),
    faults: ['codeWrong', 'tooMany'],
  }),
  signOut: route({
    method: 'POST',
    path: '/auth/signout',
    summary: 'End this session, here and on the server.',
    allow: 'visitor',
    scope: 'none',
  }),
} as const
