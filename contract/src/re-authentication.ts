/** Proving anew who one is, before what matters most changes: whoever finds an unlocked browser is not its owner. */
import * as z from 'zod'
import { Password } from './password.ts'
import { route } from './route.ts'
import { PasskeyAnswer, VerificationCode, VerificationMethod } from './sign-in.ts'

const Reference = z.string().min(1).max(100)

/** With the password, a code, or a passkey. The latter two answer a question. */
export const ReAuthenticationProof = z.union([
  z.strictObject({ password: Password }),
  z.strictObject({ verificationReference: Reference, verificationCode: VerificationCode }),
  z.strictObject({ verificationReference: Reference, passkey: PasskeyAnswer }),
])
export type ReAuthenticationProof = z.infer<typeof ReAuthenticationProof>

/** How the caller can prove who they are. */
export const ProofQuestion = z.object({
  hasPassword: z.boolean(),
  /** Null where the password is all there is. */
  verificationReference: z.string().nullable(),
  /** A code by e-mail is among them only for an account without a password: for others their mailbox proves less than that. */
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
      'How one can prove anew who one is. Sends a code by e-mail to somebody who has neither a password nor anything better.',
    allow: 'signedIn',
    scope: 'none',
    reply: ProofQuestion,
    faults: ['tooMany'],
  }),
  give: route({
    method: 'POST',
    path: '/me/proof',
    summary: 'Prove anew who one is. For fifteen minutes this session may then change what asks for a fresh proof.',
    allow: 'signedIn',
    scope: 'none',
    body: ReAuthenticationProof,
    faults: ['passwordNeeded', 'codeNotRight', 'proofNeeded', 'tooMany'],
  }),
} as const
