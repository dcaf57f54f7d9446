/** Sources at which a person signs in: what the engine is lent, and what whoever keeps the grants must know of such a source. */
import type { Network } from './network.ts'

/** The bearer token of the moment. Whoever runs the engine keeps the grant and renews it. */
export interface AccessTokenProvider {
  /**
   * @param refused a token that the source takes no more; another is answered.
   * Throws a `signIn` Fault once somebody must authorise again, a `passing` one where the source cannot be asked just now.
   */
  token(refused?: string): Promise<string>
}

/** What OAuth 2 needs to know of a source. Addresses may be replaced by the configuration, for simulators and proxies. */
export interface OAuthProvider {
  readonly title: string
  readonly addresses: OAuthEndpoints
  /** What is asked for where the configuration says nothing else. */
  readonly scopes: readonly string[]
  /** What a custom connection, which signs in by itself, asks for. */
  readonly machineScopes: readonly string[]
  /** How long a refresh token lives unused, and how long after a renewal the former one may be tried again, in milliseconds. */
  readonly refreshTokenMs: number
  readonly refreshTokenReuseMs: number
  /** The claim of the ID token that names the person. */
  readonly personClaim: string
  /** The companies that a token reaches. Throws a Fault. @param onlyOf the event of consent whose companies alone are wanted, where the token tells one. */
  tenants(asking: TenantRequest): Promise<readonly Tenant[]>
  /** Which event of consent an access token came from; null where it does not tell. */
  consentIdOf(accessToken: string): string | null
  /** Where a DELETE with the bearer token closes one such link and no other; absent where the source has no such address. */
  disconnectUrl?(api: string, connectionId: string): URL
}

export interface OAuthEndpoints {
  readonly authorise: string
  readonly token: string
  /** The API that the token opens. */
  readonly api: string
}

export interface TenantRequest {
  readonly accessToken: string
  readonly addresses: OAuthEndpoints
  readonly consentId: string | null
  readonly network: Network
  readonly signal: AbortSignal
}

/** A company at the source. */
export interface Tenant {
  readonly id: string
  readonly name: string
  /** ISO 3166-1 and ISO 4217, where the source tells. */
  readonly country: string | null
  readonly currency: string | null
  /** The source's id of the link between person, app and company. */
  readonly connectionId: string | null
}
