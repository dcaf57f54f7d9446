/** Re-authentication before sensitive changes, because an unlocked browser may be used by another person. */
import * as z from 'zod'
import { Password } from './password.ts'
import { route } from './route.ts'
import { forSignedIn } from './route-parts.ts'
import { PasskeyAnswer, VerificationCode, VerificationMethod } from './sign-in.ts'

const Reference = z.string().min(1).max(100)

/** Re-authentication by password, code or passkey. Codes and passkeys respond to a challenge. */
export const ReAuthenticationProof = z.union([
  z.strictObject({ password: Password }),
  z.strictObject({ verificationReference: Reference, verificationCode: VerificationCode }),
  z.strictObject({ verificationReference: Reference, passkey: PasskeyAnswer }),
])
export type ReAuthenticationProof = z.infer<typeof ReAuthenticationProof>

/** The caller's methods of re-authentication. */
export const ProofQuestion = z.object({
  hasPassword: z.boolean(),
  /** Null if the password is the only method. */
  verificationReference: z.string().nullable(),
  /** Includes a code by email only for accounts without a password, because a mailbox is weaker evidence. */
  verificationMethods: z.array(VerificationMethod),
  /** `u•••@demo.example`; null where no code has gone out. */
  verificationSentTo: z.string().nullable(),
  /** What the browser needs to ask for a passkey, where there is one. */
  passkeyOptions: z.record(z.string(), z.unknown()).nullable(),
})
export type ProofQuestion = z.infer<typeof ProofQuestion>

export const reAuthentication = {
  ask: route({
    method: 'POST',
    path: '/me/proof/question',
    summary:
      'The caller’s methods of re-authentication. Sends a code by e-mail if the caller has neither a password nor a stronger factor.',
    ...forSignedIn,
    /** With `secondFactor` the password is no method, and a code is mailed to callers with neither passkey nor app. */
    body: z.strictObject({ secondFactor: z.boolean().optional() }).optional(),
    reply: ProofQuestion,
    faults: ['tooMany'],
  }),
  give: route({
    method: 'POST',
    path: '/me/proof',
    summary: 'Re-authenticate. For fifteen minutes this session may make sensitive changes.',
    ...forSignedIn,
    body: ReAuthenticationProof,
    faults: ['passwordNeeded', 'codeNotRight', 'proofNeeded', 'tooMany'],
  }),
} as const
