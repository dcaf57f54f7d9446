/** Signing up, from the form to the confirmed account; accepting an invitation. */
import * as z from 'zod'
import { EmailAddress } from './email.ts'
import { Name, PersonName } from './name.ts'
import { Password } from './password.ts'
import { route } from './route.ts'
import { forVisitors } from './route-parts.ts'

/** A code or token from a mailed link. */
export const linkCode = z.string().min(1).max(200)
/** The response of the configured captcha. */
export const recaptchaToken = z.string().max(10_000)

export const Account = z.strictObject({
  firstName: PersonName,
  lastName: PersonName,
  emailAddress: EmailAddress,
  /** Absent if an external identity provider has verified the address. */
  password: Password.optional(),
})

export const SignUp = z.strictObject({
  account: Account,
  organisation: z.strictObject({
    companyName: Name,
    /** Of the IANA database, as the browser knows its own. Left out: UTC. */
    timeZone: z.string().max(60).optional(),
  }),
  /** The reference of a verified external identity (`atid`). */
  registrationCode: z.string().max(200).optional(),
  recaptchaToken,
})
export type SignUp = z.infer<typeof SignUp>

/** What the address of a sign-up or of an invitation leads to; the portal shows one of its variants by it. */
export const Finalisation = z.object({
  /** Complete: the person can sign in. */
  Finalised: z.boolean(),
  FirstName: z.string(),
  /** The external provider that it began with, or ''. */
  Provider: z.string(),
  /** The applicant's own name for a request that waits for approval, or null. */
  ApprovalId: z.string().nullable(),
  ApprovalStatus: z.enum(['PENDING', 'APPROVED', 'REJECTED']).nullable(),
  /** The organisation of that name exists: whether to ask to join it. */
  LinkOrganisation: z.boolean(),
  /** An account with this address exists: sign in to link it. */
  LinkAccount: z.boolean(),
  /** A password is required: of invited people without an account, and if a sign-up continues in another browser. */
  ChoosePassword: z.boolean(),
  /** Whether it began with an invitation. */
  Invited: z.boolean(),
  EmailAddress: z.string(),
  CompanyName: z.string(),
})
export type Finalisation = z.infer<typeof Finalisation>

export const signUpRoutes = {
  captcha: route({
    method: 'GET',
    path: '/registration/captcha',
    summary: 'A proof of work for the browser, where the product’s own captcha is in use.',
    ...forVisitors,
    reply: z.record(z.string(), z.unknown()),
    faults: ['tooMany'],
  }),
  verify: route({
    method: 'GET',
    path: '/registration/verify',
    summary: 'Whether an e-mail address is free. Rate-limited, because the reply reveals who has an account.',
    ...forVisitors,
    query: z.strictObject({ emailAddress: EmailAddress }),
    reply: z.object({ data: z.boolean() }),
    faults: ['tooMany'],
  }),
  begin: route({
    method: 'POST',
    path: '/registration/account',
    summary: 'Sign up; a link and a code go to the address.',
    ...forVisitors,
    body: SignUp,
    status: 201,
    /** `verificationReference` goes to POST /verify with the code of the mail and the context 'registration'. */
    reply: z.object({
      message: z.string(),
      verificationReference: z.string(),
      /** Opens GET /registration/finalise at once, where an external provider vouches for the address; else null. */
      code: z.string().nullable(),
    }),
    faults: ['captchaFailed', 'signUpClosed', 'linkSpent', 'tooMany'],
  }),
  finalisation: route({
    method: 'GET',
    path: '/registration/finalise',
    summary: 'What a sign-up or an invitation still needs. Opening the link proves the address.',
    ...forVisitors,
    changes: true,
    query: z.strictObject({ code: linkCode }),
    reply: Finalisation,
    faults: ['linkSpent', 'tooMany'],
  }),
  finalise: route({
    method: 'POST',
    path: '/registration/finalise',
    summary: 'Answer what a sign-up or an invitation still needs.',
    ...forVisitors,
    body: z.strictObject({
      code: linkCode,
      /** A name for a new organisation; the name of the one that exists, to ask to join it. */
      organisation: z.strictObject({ companyName: Name }).optional(),
      /** Yes (true) or No to joining the organisation of that name. */
      joinOrganisation: z.boolean().optional(),
      account: z.strictObject({ password: Password }).optional(),
      /** Accepted and ignored: the code came by email. */
      recaptchaToken: recaptchaToken.optional(),
    }),
    reply: Finalisation,
    faults: ['linkSpent', 'wrongSecret', 'passwordNotOwn', 'nameTaken', 'tooMany'],
  }),
  pendingIdentity: route({
    method: 'POST',
    path: '/registration/external',
    summary: 'The identity of a person who signs up with an external provider, by `atid`.',
    ...forVisitors,
    body: z.strictObject({ atid: z.string().min(1).max(200) }),
    reply: z.object({
      provider: z.string(),
      emailAddress: z.string().nullable(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
    }),
    faults: ['linkSpent', 'tooMany'],
  }),
} as const
