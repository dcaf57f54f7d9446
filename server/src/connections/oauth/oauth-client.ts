/**
 * An OAuth 2 and OpenID Connect client for the authorization servers of sources. All requests pass the egress guard.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import type { Network } from '@tributary/engine/ports/network'
import type { OAuthProvider, PersonCall, TenantRequest } from '@tributary/engine/ports/oauth'
import * as oidc from 'openid-client'
import { cached } from '../../kernel/cached.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'
import {
  buildAuthorizationUrl,
  discoveryOptions,
  exchangeAuthorizationCode,
  exchangePlainCode,
  type FlowSecrets,
  Identifier,
  metadataMs,
  openIdTimeoutSeconds,
  readEmail,
} from '../../security/egress/openid-connect.ts'
import type { OauthAppKeys, AuthorisedType } from './authorised-types.ts'

export interface TokenResponse {
  readonly accessToken: string
  /** Null for a custom connection, which gets each access token by the client credentials grant. */
  readonly refreshToken: string | null
  readonly expiresInMs: number
  readonly scopes: readonly string[]
}

/** The person who authorised, from the claims of the ID token. */
export interface OauthPerson {
  readonly id: string
  readonly emailAddress: string | null
  readonly name: string | null
}

/** The authorization server answered with an error. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  /** An OAuth 2 error code, such as `invalid_grant`. */
  readonly code: string

  constructor(code: string, cause: unknown) {
    super(`The server refused: ${code}.`, { cause })
    this.code = code
  }
}

/** The lifetime of an access token whose reply has no `expires_in`. */
const defaultLifetimeMs = 300_000

type OauthClientServices = Pick<SecurityServices, 'clock' | 'network'>

export type OauthClient = ReturnType<typeof createOauthClient>

export function createOauthClient(services: OauthClientServices) {
  const { network, clock } = services
  const metadata = new Map<string, ReturnType<typeof cached<oidc.ServerMetadata>>>()

  /** Includes the keys that ID tokens are signed with. A source with plain OAuth 2 has no discovery document. */
  async function discover({ type, oauth, endpoints: { authorise, token } }: AuthorisedType, keys: OauthAppKeys) {
    const endpoints = { authorization_endpoint: authorise, token_endpoint: token }
    if (!('claim' in oauth.person))
      return createConfiguration(services, { issuer: new URL(token).origin, ...endpoints }, keys, oauth.clientIn)
    const known = metadata.get(type) ?? cached(clock, metadataMs, () => readMetadata(network, new URL(token).origin))
    metadata.set(type, known)
    return createConfiguration(services, { ...(await known.read()), ...endpoints }, keys, oauth.clientIn)
  }

  /**
   * For the token endpoint only. Needs no discovery document, so tokens can be refreshed while discovery is
   * unavailable.
   */
  function tokenConfiguration({ oauth, endpoints: { token } }: AuthorisedType, keys: OauthAppKeys): oidc.Configuration {
    const server = { issuer: new URL(token).origin, token_endpoint: token }
    const configuration = createConfiguration(services, server, keys, oauth.clientIn)
    configuration[oidc.customFetch] = withoutIdToken(fetchOver(network))
    return configuration
  }

  return {
    /** Throws if the server's discovery document is missing or invalid. */
    async buildAuthorisationUrl(
      type: AuthorisedType,
      keys: OauthAppKeys,
      flow: FlowSecrets & { readonly redirectUri: string },
    ): Promise<URL> {
      const scope = type.scopes.join(' ')
      return adaptAuthorisationUrl(
        type,
        await buildAuthorizationUrl(await discover(type, keys), flow, flow.redirectUri, scope),
      )
    },

    /**
     * Exchanges the authorization code of a callback for tokens. Throws `ConsentDenied`, `TokenRefused`, or another
     * error for any other failure.
     */
    async exchangeCode(type: AuthorisedType, keys: OauthAppKeys, callbackUrl: URL, flow: FlowSecrets) {
      const { person } = type.oauth
      const configuration = await discover(type, keys)
      if ('claim' in person) {
        const { tokens, claims } = await withTokenRefused(exchangeAuthorizationCode(configuration, callbackUrl, flow))
        return { tokens: readTokens(tokens), person: readPerson(claims, person.claim) }
      }
      configuration[oidc.customFetch] = withoutIdToken(fetchOver(network))
      const reply = await withTokenRefused(exchangePlainCode(configuration, callbackUrl, flow))
      const consentId = consentOf(type.oauth, reply.access_token, callbackUrl.searchParams)
      const request = { accessToken: reply.access_token, consentId }
      return { tokens: readTokens(reply), person: await callForPerson(network, person, type, request) }
    },

    /**
     * Throws `TokenRefused` if the server refused. After any other error it is unknown whether the server issued a new
     * token.
     */
    async refresh(type: AuthorisedType, keys: OauthAppKeys, refreshToken: string): Promise<TokenResponse> {
      const tokens = await withTokenRefused(oidc.refreshTokenGrant(tokenConfiguration(type, keys), refreshToken))
      return { ...readTokens(tokens), refreshToken: tokens.refresh_token ?? refreshToken }
    },

    /** Requests an access token by the client credentials grant, without a person. Throws as `refresh` does. */
    async requestMachineTokens(type: AuthorisedType, keys: OauthAppKeys): Promise<TokenResponse> {
      const parameters = { scope: type.machineScopes.join(' ') }
      const tokens = await withTokenRefused(oidc.clientCredentialsGrant(tokenConfiguration(type, keys), parameters))
      return { ...readTokens(tokens), refreshToken: null }
    },

    /**
     * Closes the connection between person, app and company. Idempotent: a connection that is already closed is no
     * error.
     */
    async closeConnection(address: URL, accessToken: string): Promise<void> {
      const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
      const request = { method: 'DELETE', headers, body: undefined, redirect: 'manual' } as const
      const reply = await fetchOver(network)(address.href, request)
      if (!reply.ok && reply.status !== 404) throw new Error(`The source answered ${reply.status}.`)
    },
  }
}

function adaptAuthorisationUrl({ oauth, scopes }: AuthorisedType, url: URL): URL {
  for (const [name, value] of Object.entries(oauth.parameters ?? {})) url.searchParams.set(name, value)
  if ('claim' in oauth.person) return url
  // Only an ID token repeats it.
  url.searchParams.delete('nonce')
  if (scopes.length === 0) url.searchParams.delete('scope')
  return url
}

/**
 * The id of the consent that has just been given; null where the source does not name it.
 * @throws Error if the callback does not name the company, although the sign-in is for one
 */
export function consentOf(
  { companyParameter, consentIdOf }: OAuthProvider,
  accessToken: string,
  callback: URLSearchParams,
): string | null {
  return companyParameter === undefined ? consentIdOf(accessToken) : Identifier.parse(callback.get(companyParameter))
}

/** What the source says is checked like the claims of an ID token. */
async function callForPerson(
  network: Network,
  person: PersonCall,
  { endpoints }: AuthorisedType,
  request: Pick<TenantRequest, 'accessToken' | 'consentId'>,
): Promise<OauthPerson> {
  const signal = AbortSignal.timeout(openIdTimeoutSeconds * 1_000)
  const { id, name, emailAddress } = await person.read({ ...request, addresses: endpoints, network, signal })
  return {
    id: Identifier.parse(id),
    emailAddress: readEmail({ email: emailAddress }),
    name: name === null ? null : cleanName(name),
  }
}

function createConfiguration(
  { network, clock }: OauthClientServices,
  server: oidc.ServerMetadata,
  { clientId, clientSecret }: OauthAppKeys,
  clientIn: 'header' | 'body' = 'header',
): oidc.Configuration {
  const skew = Math.round((clock.now() - Date.now()) / 1_000)
  const authentication =
    clientIn === 'body' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret)
  const configuration = new oidc.Configuration(server, clientId, { [oidc.clockSkew]: skew }, authentication)
  configuration.timeout = openIdTimeoutSeconds
  configuration[oidc.customFetch] = fetchOver(network)
  if (server.token_endpoint?.startsWith('http:') === true) oidc.allowInsecureRequests(configuration)
  return configuration
}

async function readMetadata(network: Network, origin: string): Promise<oidc.ServerMetadata> {
  const issuer = new URL(origin)
  const options = discoveryOptions(issuer, network)
  return (await oidc.discovery(issuer, 'unknown', undefined, undefined, options)).serverMetadata()
}

/**
 * Removes the ID token from a refresh reply. It adds nothing there, and a failed check of it would lose the new tokens.
 */
function withoutIdToken(fetch: oidc.CustomFetch): oidc.CustomFetch {
  return async (address, options) => {
    const reply = await fetch(address, options)
    const text = await reply.text()
    const body: unknown = isJson(reply)
      ? JSON.parse(text, (key, value: unknown) => (key === 'id_token' ? undefined : value))
      : text
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
      status: reply.status,
      headers: reply.headers,
    })
  }
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('json') === true
}

function readTokens(reply: oidc.TokenEndpointResponse): TokenResponse {
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token ?? null,
    expiresInMs: reply.expires_in === undefined ? defaultLifetimeMs : reply.expires_in * 1_000,
    scopes: reply.scope?.split(' ').filter((scope) => scope !== '') ?? [],
  }
}

function readPerson(claims: Readonly<Record<string, unknown>>, personClaim: string): OauthPerson {
  const name = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string').join(' ')
  return {
    id: Identifier.parse(claims[personClaim] ?? claims['sub']),
    emailAddress: readEmail(claims),
    name: cleanName(name),
  }
}

/**
 * A name that is safe to display: no control or direction characters, at most 200 characters. Null if nothing is left.
 */
export function cleanName(text: string): string | null {
  const name = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, ' ')
    .trim()
    .slice(0, 200)
  return name === '' ? null : name
}

/**
 * Converts an error reply to `TokenRefused`. A 401 without the body that OAuth 2 requires means that the app's secret
 * is wrong.
 */
function withTokenRefused<T>(grant: Promise<T>): Promise<T> {
  return grant.catch((error: unknown) => {
    if (error instanceof oidc.ResponseBodyError) throw new TokenRefused(error.error, error)
    throw error instanceof oidc.WWWAuthenticateChallengeError ? new TokenRefused('invalid_client', error) : error
  })
}
