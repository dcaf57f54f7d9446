/** Speaks OAuth 2 and OpenID Connect with the server at which people sign in to a source, over the checked way out. */
import type { Network } from '@tributary/engine/ports/network'
import * as oidc from 'openid-client'
import * as z from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'
import type { OauthAppKeys, AuthorisedType } from './authorised-types.ts'

export interface TokenResponse {
  readonly accessToken: string
  /** Null for a custom connection, which asks for a new access token with its secret. */
  readonly refreshToken: string | null
  readonly expiresInMs: number
  readonly scopes: readonly string[]
}

/** Who authorised, as the ID token says. */
export interface OauthPerson {
  readonly id: string
  readonly emailAddress: string | null
  readonly name: string | null
}

/** The secrets of one trip. */
export interface OauthFlowSecrets {
  readonly state: string
  readonly nonce: string
  readonly pkceVerifier: string
}

/** The server answered, and its answer was no. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  /** As OAuth 2 spells it: `invalid_grant`. */
  readonly code: string

  constructor(code: string, cause: unknown) {
    super(`The server refused: ${code}.`, { cause })
    this.code = code
  }
}

/** The person said no, or opened nothing. */
export class ConsentDenied extends Error {
  override readonly name = 'ConsentDenied'
}

/** How long the server's description of itself holds. */
const describedMs = 3_600_000
const timeoutSeconds = 10
/** Where the server does not say how long its token lives. */
const unknownLifeMs = 300_000

export class OauthClient {
  readonly #network: Network
  readonly #clock: Clock
  readonly #described = new Map<string, { readonly by: Promise<oidc.ServerMetadata>; readonly at: number }>()

  constructor({ network, clock }: { readonly network: Network; readonly clock: Clock }) {
    this.#network = network
    this.#clock = clock
  }

  /** Where to send the browser. Throws where the server does not describe itself as it must. */
  async authoriseUrl(
    type: AuthorisedType,
    keys: OauthAppKeys,
    trip: OauthFlowSecrets & { readonly redirectUri: string },
  ): Promise<URL> {
    return oidc.buildAuthorizationUrl(await this.#configured(type, keys), {
      redirect_uri: trip.redirectUri,
      scope: type.scopes.join(' '),
      state: trip.state,
      nonce: trip.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(trip.pkceVerifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * What the browser brought back, against tokens. State and issuer of the answer are checked, and signature, issuer, audience,
   * nonce and times of the ID token. Throws `ConsentDenied`, `TokenRefused`, or whatever else went wrong.
   */
  async exchange(
    type: AuthorisedType,
    keys: OauthAppKeys,
    answer: URL,
    trip: OauthFlowSecrets,
  ): Promise<{ readonly tokens: TokenResponse; readonly person: OauthPerson }> {
    const configuration = await this.#configured(type, keys)
    oidc.enableNonRepudiationChecks(configuration)
    const checks = {
      expectedState: trip.state,
      expectedNonce: trip.nonce,
      pkceCodeVerifier: trip.pkceVerifier,
      idTokenExpected: true,
    }
    const reply = await oidc.authorizationCodeGrant(configuration, answer, checks).catch((error: unknown) => {
      throw isDenial(error) ? new ConsentDenied('The person said no.', { cause: error }) : toTokenRefused(error)
    })
    const claims = reply.claims()
    if (claims === undefined) throw new Error('The server sent no ID token.')
    return { tokens: tokensOf(reply), person: personOf(claims, type.authorising.personClaim) }
  }

  /** Throws `TokenRefused` where the server answered no; anything else leaves open whether it gave a new token. */
  async refresh(type: AuthorisedType, keys: OauthAppKeys, refreshToken: string): Promise<TokenResponse> {
    const reply = await oidc.refreshTokenGrant(this.#plain(type, keys), refreshToken).catch((error: unknown) => {
      throw toTokenRefused(error)
    })
    return { ...tokensOf(reply), refreshToken: reply.refresh_token ?? refreshToken }
  }

  /** By the secret alone, without a person. Throws as `refresh` does. */
  async machineTokens(type: AuthorisedType, keys: OauthAppKeys): Promise<TokenResponse> {
    const asked = { scope: type.machineScopes.join(' ') }
    const reply = await oidc.clientCredentialsGrant(this.#plain(type, keys), asked).catch((error: unknown) => {
      throw toTokenRefused(error)
    })
    return { ...tokensOf(reply), refreshToken: null }
  }

  /** Closes a link between person, app and company. One that is closed already is no failure. */
  async close(address: URL, accessToken: string): Promise<void> {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json' }
    const reply = await fetchOver(this.#network)(address.href, {
      method: 'DELETE',
      headers,
      body: undefined,
      redirect: 'manual',
    })
    if (!reply.ok && reply.status !== 404) throw new Error(`The source answered ${reply.status}.`)
  }

  /** Enough for the token address, which must answer even while the server describes itself to nobody. */
  #plain({ addresses }: AuthorisedType, keys: OauthAppKeys): oidc.Configuration {
    const made = this.#configuration({ issuer: new URL(addresses.token).origin, token_endpoint: addresses.token }, keys)
    made[oidc.customFetch] = withoutIdToken(fetchOver(this.#network))
    return made
  }

  /** With the keys that ID tokens are signed with. */
  async #configured(type: AuthorisedType, keys: OauthAppKeys): Promise<oidc.Configuration> {
    const { authorise, token } = type.addresses
    return this.#configuration(
      { ...(await this.#describe(type)), authorization_endpoint: authorise, token_endpoint: token },
      keys,
    )
  }

  #configuration(server: oidc.ServerMetadata, { clientId, clientSecret }: OauthAppKeys): oidc.Configuration {
    const skew = Math.round((this.#clock.now() - Date.now()) / 1_000)
    const made = new oidc.Configuration(
      server,
      clientId,
      { [oidc.clockSkew]: skew },
      oidc.ClientSecretBasic(clientSecret),
    )
    made.timeout = timeoutSeconds
    made[oidc.customFetch] = fetchOver(this.#network)
    if (server.token_endpoint?.startsWith('http:') === true) oidc.allowInsecureRequests(made)
    return made
  }

  #describe(type: AuthorisedType): Promise<oidc.ServerMetadata> {
    const now = this.#clock.now()
    const known = this.#described.get(type.type)
    if (known !== undefined && now - known.at < describedMs) return known.by
    const by = this.#discover(new URL(new URL(type.addresses.token).origin))
    this.#described.set(type.type, { by, at: now })
    by.catch(() => this.#described.delete(type.type))
    return by
  }

  async #discover(issuer: URL): Promise<oidc.ServerMetadata> {
    const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOver(this.#network) }
    const found = await oidc.discovery(issuer, 'unknown', undefined, undefined, options)
    return found.serverMetadata()
  }
}

/** Beside a renewed token it tells nothing new, and where it could not be checked, a good answer would be lost. */
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

type TokenReply = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>

function tokensOf(reply: TokenReply): TokenResponse {
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token ?? null,
    expiresInMs: reply.expires_in === undefined ? unknownLifeMs : reply.expires_in * 1_000,
    scopes: reply.scope?.split(' ').filter((scope) => scope !== '') ?? [],
  }
}

const Identifier = z.string().regex(/^[\x21-\x7e]{1,255}$/u)

function personOf(claims: Readonly<Record<string, unknown>>, personClaim: string): OauthPerson {
  const email = z.email().max(320).safeParse(claims['email'])
  const name = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string').join(' ')
  return {
    id: Identifier.parse(claims[personClaim] ?? claims['sub']),
    emailAddress: email.success ? email.data : null,
    name: cleanName(name),
  }
}

/** As people write it, fit to be shown; null for none. */
export function cleanName(text: string): string | null {
  const name = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, ' ')
    .trim()
    .slice(0, 200)
  return name === '' ? null : name
}

/** Says which failures are answers. Without the body that OAuth 2 asks for, a refusal by status 401 is one of the app's secret. */
function toTokenRefused(error: unknown): unknown {
  if (error instanceof oidc.ResponseBodyError) return new TokenRefused(error.error, error)
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new TokenRefused('invalid_client', error)
  return error
}

const refusals = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'account_selection_required',
]

function isDenial(error: unknown): boolean {
  return error instanceof oidc.AuthorizationResponseError && refusals.includes(error.error)
}
