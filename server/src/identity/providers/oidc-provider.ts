/** One issuer of OpenID Connect: sends a browser there, and takes in what it says when the browser comes back. */
import type { Network } from '@tributary/engine/ports/network'
import * as oidc from 'openid-client'
import * as z from 'zod'
import type { ProviderSettings } from '../../kernel/config/provider-settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'

/** What the provider vouches for. Only issuer and subject together name the person; an address may be anybody's. */
export interface ExternalPerson {
  readonly issuer: string
  readonly subject: string
  readonly emailAddress: string | null
  readonly isEmailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly msOid: string | null
}

/** The three secrets of one trip. */
export interface AuthorizationFlow {
  readonly state: string
  readonly nonce: string
  readonly pkceVerifier: string
}

/** The person, or the operator of the provider, said no. */
export class ProviderDenied extends Error {
  override readonly name = 'ProviderDenied'
}

/** How long the provider's own description of itself holds. */
const describedMs = 3_600_000
const timeoutSeconds = 10

export class OidcProvider {
  readonly name: string
  readonly displayName: string
  /** Whether the object id of a person names their Microsoft account. */
  readonly hasMicrosoftId: boolean
  readonly #settings: ProviderSettings
  readonly #network: Network
  readonly #clock: Clock
  #described: { readonly by: Promise<oidc.Configuration>; readonly at: number } | undefined

  constructor(settings: ProviderSettings, { network, clock }: { readonly network: Network; readonly clock: Clock }) {
    this.name = settings.name
    this.displayName = settings.displayName
    this.hasMicrosoftId = settings.hasMicrosoftId
    this.#settings = settings
    this.#network = network
    this.#clock = clock
  }

  /** Where to send the browser. Throws when the provider does not describe itself as it must. */
  async authorisationUrl(trip: AuthorizationFlow, redirectUri: string): Promise<URL> {
    return oidc.buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: trip.state,
      nonce: trip.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(trip.pkceVerifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * Who came back. The answer's state and issuer, and the ID token's signature, issuer, audience, nonce and times are checked.
   * Throws `ProviderDenied`, or whatever else went wrong.
   */
  async personOf(answer: URL, trip: AuthorizationFlow): Promise<ExternalPerson> {
    const configuration = await this.#configuration()
    const checks = {
      expectedState: trip.state,
      expectedNonce: trip.nonce,
      pkceCodeVerifier: trip.pkceVerifier,
      idTokenExpected: true,
    }
    const tokens = await oidc.authorizationCodeGrant(configuration, answer, checks).catch((error: unknown) => {
      throw isDenial(error) ? new ProviderDenied('The provider said no.', { cause: error }) : error
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('The provider sent no ID token.')
    const hasMore = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return this.#person({ ...more, ...claims })
  }

  #person(claims: Readonly<Record<string, unknown>>): ExternalPerson {
    const email = Email.safeParse(claims['email'])
    return {
      issuer: Identifier.parse(claims['iss']),
      subject: Identifier.parse(claims['sub']),
      emailAddress: email.success ? email.data : null,
      isEmailVerified: email.success && claims['email_verified'] === true,
      firstName: nameIn(claims['given_name']),
      lastName: nameIn(claims['family_name']),
      msOid: this.hasMicrosoftId ? (z.guid().safeParse(claims['oid']).data ?? null) : null,
    }
  }

  /** Asked when it is first needed, so that a provider that is down keeps nobody from starting. */
  #configuration(): Promise<oidc.Configuration> {
    const now = this.#clock.now()
    if (this.#described !== undefined && now - this.#described.at < describedMs) return this.#described.by
    const by = this.#discover()
    this.#described = { by, at: now }
    by.catch(() => (this.#described = undefined))
    return by
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const url = new URL(issuer)
    // A token that comes straight from the provider need not have its signature checked; ours must.
    const execute = [oidc.enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])]
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOver(this.#network) }
    return oidc.discovery(url, clientId, undefined, chooseClientAuth(clientSecret), options)
  }
}

/** The way of the two that the provider names first: some list both and understand the other one only half. */
function chooseClientAuth(clientSecret: string): oidc.ClientAuth {
  const ways = new Map([
    ['client_secret_basic', oidc.ClientSecretBasic(clientSecret)],
    ['client_secret_post', oidc.ClientSecretPost(clientSecret)],
  ])
  return (server, client, body, headers) => {
    const named = server.token_endpoint_auth_methods_supported?.find((way) => ways.has(way)) ?? 'client_secret_basic'
    ways.get(named)?.(server, client, body, headers)
  }
}

const Identifier = z.string().regex(/^[\x21-\x7e]{1,255}$/u)
const Email = z.email().max(320)

/** A name as people write it, fit for a form; null for none. */
function nameIn(claim: unknown): string | null {
  if (typeof claim !== 'string') return null
  const name = claim
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100)
  return name === '' ? null : name
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
