/**
 * What a person sees and decides when an assistant wants to read as them. The other calls of OAuth follow its RFCs and not the
 * contract: docs/decisions/0069-oauth-for-assistants.md.
 */
import * as z from 'zod'
import { Id } from './id.ts'
import { oauthLimits } from './limits.ts'
import { route } from './route.ts'
import { forSignedIn } from './route-parts.ts'
import { organisationInBody } from './scope.ts'
import { assistantScopes } from './token-scopes.ts'

/** The query string of the page, as the assistant wrote it. */
const request = z.string().max(oauthLimits.requestMax)

export const AssistantRequest = z.object({
  /** What the assistant calls itself. It is not verified. */
  ClientName: z.string(),
  /** The host that receives the answer. `localhost` and the like: a program on the person’s own computer. */
  RedirectHost: z.string(),
  IsOnOwnComputer: z.boolean(),
  Scopes: z.array(z.enum(assistantScopes)),
  /** Those of the person that allow assistants, by name. */
  Organisations: z.array(z.object({ Id: z.uuid(), Name: z.string() })),
  /** Why the request cannot be allowed. Null: it can. */
  Problem: z.string().nullable(),
  /** Where the browser goes if the person refuses, or after a problem: to the assistant, with the reason. */
  RefusalUrl: z.string(),
})
export type AssistantRequest = z.infer<typeof AssistantRequest>

export const oauth = {
  read: route({
    method: 'GET',
    path: '/oauth/authorisation',
    summary: 'What an assistant asks for, and the organisations that allow it.',
    ...forSignedIn,
    query: z.strictObject({ request }),
    reply: AssistantRequest,
    faults: ['oauthRequestWrong'],
  }),
  allow: route({
    method: 'POST',
    path: '/oauth/authorisation',
    summary:
      'Allow an assistant to read in one organisation as oneself. The reply is the address with the code for it.',
    allow: 'useTokens',
    scope: organisationInBody,
    needsFreshProof: true,
    needsSecondFactor: true,
    body: z.strictObject({ organisationId: Id, request }),
    reply: z.object({ RedirectUrl: z.string() }),
    faults: ['oauthRequestWrong', 'assistantsOff', 'tokensOff', 'tokensMax'],
  }),
} as const
