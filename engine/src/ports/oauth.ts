/**
 * OAuth 2 sources: what the engine is given to call them, and what the owner of the grants needs to know about them.
 */
import type { Network } from './network.ts'

/** Provides the current bearer token. The caller of the engine stores the grant and renews it. */
export interface AccessTokenProvider {
  /**
   * @param refused a token that the source has rejected; a different one is returned
   * @throws Fault `signIn` when a person must authorise again, `passing` when the token endpoint is unavailable
   */
  token(refused?: string): Promise<string>
}

/**
 * The OAuth 2 client settings of a source type. The configuration may replace the endpoints, for simulators and
 * proxies.
 */
export interface OAuthProvider {
  readonly title: string
  readonly addresses: OAuthEndpoints
  /** Scopes of the authorisation code flow, unless the configuration overrides them. */
  readonly scopes: readonly string[]
  /** Scopes of the client credentials flow, which custom connections use. */
  readonly machineScopes: readonly string[]
  /** Lifetime of an unused refresh token, in milliseconds. */
  readonly refreshTokenMs: number
  /** How long after a renewal the previous refresh token still works, in milliseconds. */
  readonly refreshTokenReuseMs: number
  /** A token is renewed so long before it expires, in milliseconds. Absent: after a part of its lifetime. */
  readonly renewBeforeMs?: number
  /** Where the token request has the id and the secret of the app. Absent: in the header, as HTTP Basic. */
  readonly clientIn?: 'header' | 'body'
  /** More parameters of the address where people sign in. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * The parameter of the callback with the id of the company that the sign-in is for. Its grant belongs to the company: a person who
   * signs in for another one gets another grant. Absent: a sign-in reaches the companies of the person.
   */
  readonly companyParameter?: string
  /** How the person is identified: a claim of the ID token of OpenID Connect, or a call of an API that has plain OAuth 2. */
  readonly person: PersonClaim | PersonCall
  /**
   * Lists the companies that a token reaches.
   * @throws Fault
   */
  tenants(request: TenantRequest): Promise<readonly Tenant[]>
  /** The consent that an access token was issued for; null where the token does not contain it. */
  consentIdOf(accessToken: string): string | null
  /** The URL at which a DELETE with the bearer token disconnects this company only; absent if the source has none. */
  disconnectUrl?(api: string, connectionId: string): URL
}

export interface PersonClaim {
  readonly claim: string
}

export interface PersonCall {
  /** @throws Fault */
  read(request: TenantRequest): Promise<AuthorisingPerson>
}

/** The person who has signed in at the source. */
export interface AuthorisingPerson {
  readonly id: string
  readonly name: string | null
  readonly emailAddress: string | null
}

export interface OAuthEndpoints {
  readonly authorise: string
  readonly token: string
  /** Base URL of the API that the token opens. */
  readonly api: string
}

export interface TenantRequest {
  readonly accessToken: string
  readonly addresses: OAuthEndpoints
  /** Restricts the list to the companies of this consent; null lists all. With `companyParameter`: the id of the company. */
  readonly consentId: string | null
  readonly network: Network
  readonly signal: AbortSignal
}

/** A company at the source. */
export interface Tenant {
  readonly id: string
  readonly name: string
  /** ISO 3166-1 alpha-2; null where the source does not return it. */
  readonly country: string | null
  /** ISO 4217; null where the source does not return it. */
  readonly currency: string | null
  /** The source's id of the link between person, app and company. */
  readonly connectionId: string | null
}
