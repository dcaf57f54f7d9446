/** Signing up, from the form to the decision; invitations; forgotten passwords. */
import * as z from 'zod'
import { EmailAddress } from './email.ts'
import { Id, orgQuery } from './id.ts'
import { Name, PersonName } from './name.ts'
import { Password } from './password.ts'
import { route } from './route.ts'
import { bodyField, organisationInQuery } from './scope.ts'

const linkCode = z.string().min(1).max(200)
const recaptchaToken = z.string().max(10_000)

export const Account = z.strictObject({
  firstName: PersonName,
  lastName: PersonName,
  emailAddress: EmailAddress,
  /** Left out by somebody whom an external provider vouches for. */
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
  /** All is done: the person can sign in. */
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
  /** A password is to be chosen: by somebody who was invited and has no account, or who goes on with a sign-up in another browser. */
  ChoosePassword: z.boolean(),
  /** Whether it began with an invitation. */
  Invited: z.boolean(),
  EmailAddress: z.string(),
  CompanyName: z.string(),
})
export type Finalisation = z.infer<typeof Finalisation>

export const registration = {
  captcha: route({
    method: 'GET',
    path: '/registration/captcha',
    summary: 'A proof of work for the browser, where the product’s own captcha is in use.',
    allow: 'visitor',
    scope: 'none',
    reply: z.record(z.string(), z.unknown()),
    faults: ['tooMany'],
  }),
  verify: route({
    method: 'GET',
    path: '/registration/verify',
    summary: 'Whether an e-mail address is free. Few may be asked, for the answer tells who has an account.',
    allow: 'visitor',
    scope: 'none',
    query: z.strictObject({ emailAddress: EmailAddress }),
    reply: z.object({ data: z.boolean() }),
    faults: ['tooMany'],
  }),
  signUp: route({
    method: 'POST',
    path: '/registration/account',
    summary: 'Sign up; a link and a code go to the address.',
    allow: 'visitor',
    scope: 'none',
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
    allow: 'visitor',
    scope: 'none',
    changes: true,
    query: z.strictObject({ code: linkCode }),
    reply: Finalisation,
    faults: ['linkSpent', 'tooMany'],
  }),
  finalise: route({
    method: 'POST',
    path: '/registration/finalise',
    summary: 'Answer what a sign-up or an invitation still needs.',
    allow: 'visitor',
    scope: 'none',
    body: z.strictObject({
      code: linkCode,
      /** A name for a new organisation; the name of the one that exists, to ask to join it. */
      organisation: z.strictObject({ companyName: Name }).optional(),
      /** Yes (true) or No to joining the organisation of that name. */
      joinOrganisation: z.boolean().optional(),
      account: z.strictObject({ password: Password }).optional(),
      /** May be sent and is not looked at: the code came by mail. */
      recaptchaToken: recaptchaToken.optional(),
    }),
    reply: Finalisation,
    faults: ['linkSpent', 'wrongSecret', 'passwordNotOwn', 'nameTaken', 'tooMany'],
  }),
  pendingIdentity: route({
    method: 'POST',
    path: '/registration/external',
    summary: 'What an external provider said of somebody who is signing up, by `atid`.',
    allow: 'visitor',
    scope: 'none',
    body: z.strictObject({ atid: z.string().min(1).max(200) }),
    reply: z.object({
      provider: z.string(),
      emailAddress: z.string().nullable(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
    }),
    faults: ['linkSpent', 'tooMany'],
  }),
  requestReset: route({
    method: 'POST',
    path: '/reset-password/request',
    summary: 'Ask for a link to set a new password. The answer never tells whether the address is known.',
    allow: 'visitor',
    scope: 'none',
    body: z.strictObject({ emailAddress: EmailAddress, recaptchaToken }),
    reply: z.object({ message: z.string() }),
    faults: ['captchaFailed', 'tooMany'],
  }),
  validateReset: route({
    method: 'GET',
    path: '/reset-password/validate',
    summary: 'Whether the link to set a password is in force.',
    allow: 'visitor',
    scope: 'none',
    query: z.strictObject({ token: linkCode }),
    reply: z.object({ emailAddress: z.string(), isFirst: z.boolean() }),
    faults: ['resetExpired', 'tooMany'],
  }),
  reset: route({
    method: 'POST',
    path: '/reset-password',
    summary: 'Set a password with the token of the link; ends every session and forgets every trusted device.',
    allow: 'visitor',
    scope: 'none',
    body: z.strictObject({ password: Password, token: linkCode }),
    reply: z.object({ message: z.string() }),
    faults: ['resetExpired', 'tooMany'],
  }),
} as const

export const Approval = z.object({
  Id: z.uuid(),
  ApprovalType: z.string(),
  ApprovalStatus: z.string(),
  CreatedAtUtc: z.string(),
  ApprovedAtUtc: z.string().nullable(),
  ApprovedUser: z.string().nullable(),
  /** JSON text with `Description`, and for newer requests `ApplicantName` and `CompanyName`. */
  ApprovalContext: z.string(),
})
export type Approval = z.infer<typeof Approval>

export const approvals = {
  list: route({
    method: 'GET',
    path: '/approvals',
    summary:
      'Requests to join the organisation; for the provider also those for new organisations. Pending ones first.',
    allow: 'decideApprovals',
    scope: organisationInQuery,
    query: orgQuery,
    reply: z.array(Approval),
    passive: true,
  }),
  decide: route({
    method: 'POST',
    path: '/approvals',
    summary: 'Approve or reject. Deciding once more what was decided so changes nothing; otherwise is refused.',
    allow: 'decideApprovals',
    scope: bodyField('approvalId', 'approval'),
    body: z.strictObject({
      approvalId: Id,
      approvalStatus: z.enum(['APPROVED', 'REJECTED']),
      /** Of the mailed link: bound to approver and decision, single use. */
      signature: z.string().max(200).optional(),
    }),
    reply: Approval,
    faults: ['alreadyDecided', 'linkSpent', 'nameTaken'],
  }),
} as const
