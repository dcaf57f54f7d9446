/**
 * An OAuth 2 and OpenID Connect client for the authorization servers of sources. All requests pass the egress guard.
 */
import type { Network } from '@tributary/engine/ports/network'
import * as oidc from 'openid-client'
import * as z from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'
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

/** The secrets of one OAuth flow. */
export interface OauthFlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly pkceVerifier: string
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

/** The person denied consent, or chose no company. */
export class ConsentDenied extends Error {
  override readonly name = 'ConsentDenied'
}

/** How long the server's discovery document is cached. */
const metadataMs = 3_600_000
const timeoutSeconds = 10
/** The lifetime of an access token whose reply has no `expires_in`. */
const defaultLifetimeMs = 300_000

export class OauthClient {
  readonly #network: Network
  readonly #clock: Clock
  readonly #metadata = new Map<string, { readonly metadata: Promise<oidc.ServerMetadata>; readonly loadedAt: number }>()

  constructor({ network, clock }: { readonly network: Network; readonly clock: Clock }) {
    this.#network = network
    this.#clock = clock
  }

  /** Throws if the server's discovery document is missing or invalid. */
  async buildAuthorisationUrl(
    type: AuthorisedType,
    keys: OauthAppKeys,
    flow: OauthFlowSecrets & { readonly redirectUri: string },
  ): Promise<URL> {
    return oidc.buildAuthorizationUrl(await this.#discoveredConfiguration(type, keys), {
      redirect_uri: flow.redirectUri,
      scope: type.scopes.join(' '),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.pkceVerifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * Exchanges the authorization code of a callback for tokens. Checks state and issuer of the callback, and signature,
   * issuer, audience, nonce and times of the ID token. Throws `ConsentDenied`, `TokenRefused`, or another error for any
   * other failure.
   */
  async exchangeCode(
    type: AuthorisedType,
    keys: OauthAppKeys,
    callbackUrl: URL,
    flow: OauthFlowSecrets,
  ): Promise<{ readonly tokens: TokenResponse; readonly person: OauthPerson }> {
    const configuration = await this.#discoveredConfiguration(type, keys)
    oidc.enableNonRepudiationChecks(configuration)
    const checks = {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.pkceVerifier,
      idTokenExpected: true,
    }
    const reply = await oidc.authorizationCodeGrant(configuration, callbackUrl, checks).catch((error: unknown) => {
      throw isDenial(error) ? new ConsentDenied('The person denied consent.', { cause: error }) : toTokenRefused(error)
    })
    const claims = reply.claims()
    if (claims === undefined) throw new Error('The server sent no ID token.')
    return { tokens: readTokens(reply), person: readPerson(claims, type.oauth.personClaim) }
  }

  /**
   * Throws `TokenRefused` if the server refused. After any other error it is unknown whether the server issued a new
   * token.
   */
  async refresh(type: AuthorisedType, keys: OauthAppKeys, refreshToken: string): Promise<TokenResponse> {
    const reply = await oidc
      .refreshTokenGrant(this.#tokenConfiguration(type, keys), refreshToken)
      .catch((error: unknown) => {
        throw toTokenRefused(error)
      })
    return { ...readTokens(reply), refreshToken: reply.refresh_token ?? refreshToken }
  }

  /** Requests an access token by the client credentials grant, without a person. Throws as `refresh` does. */
  async requestMachineTokens(type: AuthorisedType, keys: OauthAppKeys): Promise<TokenResponse> {
    const parameters = { scope: type.machineScopes.join(' ') }
    const configuration = this.#tokenConfiguration(type, keys)
    const reply = await oidc.clientCredentialsGrant(configuration, parameters).catch((error: unknown) => {
      throw toTokenRefused(error)
    })
    return { ...readTokens(reply), refreshToken: null }
  }

  /**
   * Closes the connection between person, app and company. Idempotent: a connection that is already closed is no error.
   */
  async closeConnection(address: URL, accessToken: string): Promise<void> {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
    const reply = await fetchOver(this.#network)(address.href, {
      method: 'DELETE',
      headers,
      body: undefined,
      redirect: 'manual',
    })
    if (!reply.ok && reply.status !== 404) throw new Error(`The source answered ${reply.status}.`)
  }

  /**
   * For the token endpoint only. Needs no discovery document, so tokens can be refreshed while discovery is
   * unavailable.
   */
  #tokenConfiguration({ endpoints: { token } }: AuthorisedType, keys: OauthAppKeys): oidc.Configuration {
    const configuration = this.#configuration({ issuer: new URL(token).origin, token_endpoint: token }, keys)
    configuration[oidc.customFetch] = withoutIdToken(fetchOver(this.#network))
    return configuration
  }

  /** Includes the keys that ID tokens are signed with. */
  async #discoveredConfiguration(type: AuthorisedType, keys: OauthAppKeys): Promise<oidc.Configuration> {
    const { authorise, token } = type.endpoints
    return this.#configuration(
      { ...(await this.#readMetadata(type)), authorization_endpoint: authorise, token_endpoint: token },
      keys,
    )
  }

  #configuration(server: oidc.ServerMetadata, { clientId, clientSecret }: OauthAppKeys): oidc.Configuration {
    const skew = Math.round((this.#clock.now() - Date.now()) / 1_000)
    const configuration = new oidc.Configuration(
      server,
      clientId,
      { [oidc.clockSkew]: skew },
      oidc.ClientSecretBasic(clientSecret),
    )
    configuration.timeout = timeoutSeconds
    configuration[oidc.customFetch] = fetchOver(this.#network)
    if (server.token_endpoint?.startsWith('http:') === true) oidc.allowInsecureRequests(configuration)
    return configuration
  }

  #readMetadata(type: AuthorisedType): Promise<oidc.ServerMetadata> {
    const now = this.#clock.now()
    const cached = this.#metadata.get(type.type)
    if (cached !== undefined && now - cached.loadedAt < metadataMs) return cached.metadata
    const metadata = this.#discover(new URL(new URL(type.endpoints.token).origin))
    this.#metadata.set(type.type, { metadata, loadedAt: now })
    metadata.catch(() => this.#metadata.delete(type.type))
    return metadata
  }

  async #discover(issuer: URL): Promise<oidc.ServerMetadata> {
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOver(this.#network) }
    const configuration = await oidc.discovery(issuer, 'unknown', undefined, undefined, options)
    return configuration.serverMetadata()
  }
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

type TokenEndpointReply = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>

function readTokens(reply: TokenEndpointReply): TokenResponse {
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token ?? null,
    expiresInMs: reply.expires_in === undefined ? defaultLifetimeMs : reply.expires_in * 1_000,
    scopes: reply.scope?.split(' ').filter((scope) => scope !== '') ?? [],
  }
}

const Identifier = z.string().regex(/^[\x21-\x7e]{1,255}$/u)

function readPerson(claims: Readonly<Record<string, unknown>>, personClaim: string): OauthPerson {
  const email = z.email().max(320).safeParse(claims['email'])
  const name = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string').join(' ')
  return {
    id: Identifier.parse(claims[personClaim] ?? claims['sub']),
    emailAddress: email.success ? email.data : null,
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
function toTokenRefused(error: unknown): unknown {
  if (error instanceof oidc.ResponseBodyError) return new TokenRefused(error.error, error)
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new TokenRefused('invalid_client', error)
  return error
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
