/** An OpenID Connect relying party for one issuer: builds the authorization URL and verifies the callback. */
import type { Network } from '@tributary/engine/ports/network'
import * as oidc from 'openid-client'
import * as z from 'zod'
import type { ProviderSettings } from '../../kernel/config/provider-settings.ts'
import type { Clock } from '../../kernel/clock.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'

/**
 * The verified claims. Only issuer and subject together identify the person; the provider may not have verified the
 * address.
 */
export interface ExternalPerson {
  readonly issuer: string
  readonly subject: string
  readonly emailAddress: string | null
  readonly isEmailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly msOid: string | null
}

/** The secrets of one OAuth flow. */
export interface AuthorizationFlow {
  readonly state: string
  readonly nonce: string
  readonly pkceVerifier: string
}

/** The person, or the operator of the provider, denied access. */
export class ProviderDenied extends Error {
  override readonly name = 'ProviderDenied'
}

/** How long the provider's discovery document is cached. */
const metadataMs = 3_600_000
const timeoutSeconds = 10

export class OidcProvider {
  readonly name: string
  readonly displayName: string
  /** Whether the `oid` claim is the object id of a Microsoft account. */
  readonly hasMicrosoftId: boolean
  readonly #settings: ProviderSettings
  readonly #network: Network
  readonly #clock: Clock
  #cached: { readonly configuration: Promise<oidc.Configuration>; readonly loadedAt: number } | undefined

  constructor(settings: ProviderSettings, { network, clock }: { readonly network: Network; readonly clock: Clock }) {
    this.name = settings.name
    this.displayName = settings.displayName
    this.hasMicrosoftId = settings.hasMicrosoftId
    this.#settings = settings
    this.#network = network
    this.#clock = clock
  }

  /** Throws if the provider's discovery document is missing or invalid. */
  async buildAuthorisationUrl(flow: AuthorizationFlow, redirectUri: string): Promise<URL> {
    return oidc.buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.pkceVerifier),
      code_challenge_method: 'S256',
    })
  }

  /**
   * Exchanges the authorization code of a callback for the person's claims. Checks state and issuer of the callback,
   * and signature, issuer, audience, nonce and times of the ID token. Throws `ProviderDenied`, or another error for any
   * other failure.
   */
  async exchangeCode(callbackUrl: URL, flow: AuthorizationFlow): Promise<ExternalPerson> {
    const configuration = await this.#configuration()
    const checks = {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.pkceVerifier,
      idTokenExpected: true,
    }
    const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, checks).catch((error: unknown) => {
      throw isDenial(error) ? new ProviderDenied('The provider denied access.', { cause: error }) : error
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('The provider sent no ID token.')
    const needsUserInfo =
      claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = needsUserInfo ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return this.#readPerson({ ...userInfo, ...claims })
  }

  #readPerson(claims: Readonly<Record<string, unknown>>): ExternalPerson {
    const email = Email.safeParse(claims['email'])
    return {
      issuer: Identifier.parse(claims['iss']),
      subject: Identifier.parse(claims['sub']),
      emailAddress: email.success ? email.data : null,
      isEmailVerified: email.success && claims['email_verified'] === true,
      firstName: readName(claims['given_name']),
      lastName: readName(claims['family_name']),
      msOid: this.hasMicrosoftId ? (z.guid().safeParse(claims['oid']).data ?? null) : null,
    }
  }

  /** Lazy: discovered at the first use, so that a provider that is down does not prevent the start. */
  #configuration(): Promise<oidc.Configuration> {
    const now = this.#clock.now()
    if (this.#cached !== undefined && now - this.#cached.loadedAt < metadataMs) return this.#cached.configuration
    const configuration = this.#discover()
    this.#cached = { configuration, loadedAt: now }
    configuration.catch(() => (this.#cached = undefined))
    return configuration
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const url = new URL(issuer)
    // By default the library skips the signature of an ID token from the token endpoint; this enables the check.
    const execute = [oidc.enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])]
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchOver(this.#network) }
    return oidc.discovery(url, clientId, undefined, chooseClientAuth(clientSecret), options)
  }
}

/**
 * Uses the method that the provider lists first: some providers list both but implement the second one incompletely.
 */
function chooseClientAuth(clientSecret: string): oidc.ClientAuth {
  const methods = new Map([
    ['client_secret_basic', oidc.ClientSecretBasic(clientSecret)],
    ['client_secret_post', oidc.ClientSecretPost(clientSecret)],
  ])
  return (server, client, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported?.find((method) => methods.has(method))
    methods.get(supported ?? 'client_secret_basic')?.(server, client, body, headers)
  }
}

const Identifier = z.string().regex(/^[\x21-\x7e]{1,255}$/u)
const Email = z.email().max(320)

/** A name without control characters, at most 100 characters; null if nothing is left. */
function readName(claim: unknown): string | null {
  if (typeof claim !== 'string') return null
  const name = claim
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100)
  return name === '' ? null : name
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
