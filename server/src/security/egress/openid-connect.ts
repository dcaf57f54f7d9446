/** The authorization code flow of OpenID Connect with PKCE, for the sign-in providers and the sources. */
import type { Network } from '@tributary/engine/ports/network'
import * as oidc from 'openid-client'
import * as z from 'zod'
import { fetchOver } from './fetch-over-network.ts'

/** The secrets of one flow. */
export interface FlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly pkceVerifier: string
}

/** The person, or the operator of the authorization server, denied access. */
export class ConsentDenied extends Error {
  override readonly name = 'ConsentDenied'
}

export const openIdTimeoutSeconds = 10
/** How long a server's discovery document is cached. */
export const metadataMs = 3_600_000

/** The options of a discovery. A server at an http address is allowed, because only a trial accepts such an address. */
export function discoveryOptions(issuer: URL, network: Network): oidc.DiscoveryRequestOptions {
  const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
  return { execute, timeout: openIdTimeoutSeconds, [oidc.customFetch]: fetchOver(network) }
}

export async function buildAuthorizationUrl(
  configuration: oidc.Configuration,
  flow: FlowSecrets,
  redirectUri: string,
  scope: string,
): Promise<URL> {
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.pkceVerifier),
    code_challenge_method: 'S256',
  })
}

/**
 * Exchanges the authorization code of a callback for tokens. Checks state and issuer of the callback, and signature,
 * issuer, audience, nonce and times of the ID token. Throws `ConsentDenied`, or another error for any other failure.
 */
export async function exchangeAuthorizationCode(
  configuration: oidc.Configuration,
  callbackUrl: URL,
  flow: FlowSecrets,
) {
  // By default the library skips the signature of an ID token from the token endpoint.
  oidc.enableNonRepudiationChecks(configuration)
  const checks = {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.pkceVerifier,
    idTokenExpected: true,
  }
  const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, checks).catch((error: unknown) => {
    throw isDenial(error) ? new ConsentDenied('The authorization server denied access.', { cause: error }) : error
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('The authorization server sent no ID token.')
  return { tokens, claims }
}

/** The same with plain OAuth 2, which has no ID token: checks the state and proves the PKCE verifier. */
export function exchangePlainCode(
  configuration: oidc.Configuration,
  callbackUrl: URL,
  { state, pkceVerifier }: FlowSecrets,
): Promise<oidc.TokenEndpointResponse> {
  const checks = { expectedState: state, pkceCodeVerifier: pkceVerifier }
  return oidc.authorizationCodeGrant(configuration, callbackUrl, checks).catch((error: unknown) => {
    throw isDenial(error) ? new ConsentDenied('The authorization server denied access.', { cause: error }) : error
  })
}

const denialCodes = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'account_selection_required',
]

function isDenial(error: unknown): boolean {
  return error instanceof oidc.AuthorizationResponseError && denialCodes.includes(error.error)
}

/** An issuer or a subject. */
export const Identifier = z.string().regex(/^[\x21-\x7e]{1,255}$/u)
const Email = z.email().max(320)

/** Null if the claim is missing or no address. */
export function readEmail(claims: Readonly<Record<string, unknown>>): string | null {
  return Email.safeParse(claims['email']).data ?? null
}
