/** Reads what a client says of itself when it registers (RFC 7591, section 2). Everything in it is the word of a stranger. */
import { oauthLimits } from '@tributary/contract/limits'
import * as z from 'zod'
import { findRedirectUriProblem } from './redirect-uris.ts'
import { OauthError } from './oauth-error.ts'

export interface ClientMetadata {
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** Unknown fields are ignored, as section 2 demands. Addresses of logos and pages are among them: nothing of the client is loaded. */
const Metadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(oauthLimits.redirectUrisMax),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})

/** Throws `OauthError`. */
export function readClientMetadata(sent: unknown): ClientMetadata {
  const result = Metadata.safeParse(sent)
  if (!result.success) throw badMetadata(result.error.issues[0])
  const { client_name: name, redirect_uris: redirectUris, grant_types, response_types } = result.data
  for (const uri of redirectUris) {
    const problem = findRedirectUriProblem(uri)
    if (problem !== null) throw new OauthError('invalid_redirect_uri', `One of redirect_uris ${problem}.`)
  }
  if (grant_types?.includes('authorization_code') === false)
    throw new OauthError('invalid_client_metadata', 'grant_types must include authorization_code, or be left out.')
  if (response_types?.includes('code') === false)
    throw new OauthError('invalid_client_metadata', 'response_types must include code, or be left out.')
  return { name: readName(name), redirectUris: [...new Set(redirectUris)] }
}

function badMetadata(issue: z.core.$ZodIssue | undefined): OauthError {
  const field = String(issue?.path[0] ?? 'The body')
  const max = oauthLimits.redirectUrisMax
  return field === 'redirect_uris'
    ? new OauthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${max} addresses.`)
    : new OauthError('invalid_client_metadata', `${field} is not in the form of RFC 7591.`)
}

/** Letters, digits, punctuation and spaces: no control, direction, invisible or private characters, which could make a name read as another. */
const fit = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\u0020]+$/u
/** Accents beyond these pile up and cover other lines. */
const piledMarks = /\p{M}{4}/u

function readName(sent = 'An assistant'): string {
  const name = sent.normalize('NFC').trim()
  if (name === '' || name.length > oauthLimits.clientNameMax || !fit.test(name) || piledMarks.test(name))
    throw new OauthError(
      'invalid_client_metadata',
      `client_name must have 1 to ${oauthLimits.clientNameMax} letters, digits, punctuation marks and spaces.`,
    )
  return name
}
