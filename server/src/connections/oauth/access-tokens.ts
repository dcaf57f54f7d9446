/**
 * Provides the access token of a grant and refreshes it. Only one process at a time refreshes a grant: it commits a
 * lease before the request and stores the reply before the token is used. A lost reply leaves the lease open; the
 * former refresh token is then sent again, which the source accepts for a grace period. No request runs under a lock.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import type { AccessTokenProvider } from '@tributary/engine/ports/oauth'
import { Fault } from '@tributary/engine/ports/faults'
import { setTimeout as sleep } from 'node:timers/promises'
import { decryptOr } from '../../security/secrets/secrets.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { withStoreFault } from '../../kernel/store/run-fault-when-store-unreachable.ts'
import type { Db } from '../../kernel/store/store.ts'
import { authorisationEnded } from './grant-email-templates.ts'
import { notifyAdministrators } from './grant-emails.ts'
import { type OauthClient, TokenRefused, type TokenResponse } from './oauth-client.ts'
import {
  type ClaimedRefresh,
  releaseRefresh,
  findOrganisationApp,
  type GrantRow,
  storeTokens,
  lockGrant,
  markGrantDead,
  decryptToken,
  claimRefresh,
} from './grants.ts'
import type { OauthAppKeys, AuthorisedType, AuthorisedTypes } from './authorised-types.ts'

/** How long a lease excludes other refreshes. Longer than a request's timeout: an expired lease means a lost reply. */
export const refreshLeaseMs = 15_000
/** An unused grant is refreshed this often, long before its refresh token expires. */
export const keepAliveMs = 7 * 86_400_000
/** The share of an access token's lifetime after which it is refreshed. */
const refreshAfterShare = 0.6
const pollMs = 150
const waitMaxMs = 30_000
/** While refreshing fails, an access token is used until this long before it expires. */
const expiryMarginMs = 60_000

export interface AccessTokenServices extends Pick<
  SecurityServices,
  'clock' | 'log' | 'mailer' | 'metrics' | 'secrets' | 'store'
> {
  readonly publicUrl: string
  readonly types: AuthorisedTypes
  readonly client: OauthClient
}

interface CachedAccessToken {
  readonly token: string
  /** ms since 1970; after it the token is refreshed. */
  readonly usableUntil: number
}

/** `refused`: the access token that the source no longer accepts. `overdue`: refresh even a valid access token. */
type RenewalReason = { readonly refused: string | null } | 'overdue'

/** The right to refresh a grant. Its number is a fencing token: the tokens of an earlier lease are not stored. */
interface RefreshLease extends ClaimedRefresh {
  readonly type: AuthorisedType
  readonly appKeys: OauthAppKeys
  readonly isOwnApp: boolean
  /** Null for a custom connection. */
  readonly refreshToken: string | null
  readonly fallback: CachedAccessToken | null
}

type RefreshClaim = { readonly usable: CachedAccessToken } | { readonly lease: RefreshLease } | 'leasedElsewhere'

export class AccessTokenCache {
  readonly #services: AccessTokenServices
  readonly #refreshes = new Map<string, Promise<CachedAccessToken>>()

  constructor(services: AccessTokenServices) {
    this.#services = services
  }

  /** The provider caches the token while the source is open. */
  provide(grantId: string): AccessTokenProvider {
    let cached: CachedAccessToken | null = null
    return {
      token: async (refused) => {
        const isUsable = cached !== null && cached.token !== refused && this.#services.clock.now() < cached.usableUntil
        if (cached === null || !isUsable)
          cached = await withStoreFault(() => this.#obtainOnce(grantId, { refused: refused ?? null }))
        return cached.token
      },
    }
  }

  /** Refreshes the grant even if its access token is still valid: for unused grants, and after a lost reply. */
  async renew(grantId: string): Promise<void> {
    await this.#obtainOnce(grantId, 'overdue')
  }

  /** Concurrent callers in this process share one request. */
  async #obtainOnce(grantId: string, reason: RenewalReason): Promise<CachedAccessToken> {
    const running = this.#refreshes.get(grantId)
    if (running !== undefined) {
      const obtained = await running
      if (reason === 'overdue' || obtained.token !== reason.refused) return obtained
    }
    const own = this.#obtain(grantId, reason).finally(() => {
      if (this.#refreshes.get(grantId) === own) this.#refreshes.delete(grantId)
    })
    this.#refreshes.set(grantId, own)
    return own
  }

  async #obtain(grantId: string, reason: RenewalReason): Promise<CachedAccessToken> {
    const end = performance.now() + waitMaxMs
    while (performance.now() < end) {
      // Across, here and below: a grant belongs to no organisation.
      const claim = await this.#services.store.across((db) => this.#claim(db, grantId, reason))
      // A refresh that is only due need not be waited for: the next poll checks its result.
      if (claim === 'leasedElsewhere' && reason === 'overdue') break
      if (claim === 'leasedElsewhere') await sleep(pollMs)
      else if ('usable' in claim) return claim.usable
      else {
        const fallback = await this.#refresh(claim.lease)
        if (fallback !== null) return fallback
      }
    }
    throw sourceUnreachableFault('The sign-in')
  }

  async #claim(db: Db, grantId: string, reason: RenewalReason): Promise<RefreshClaim> {
    const { clock, types } = this.#services
    const grant = await lockGrant(db, grantId)
    const type = types.get(grant?.type ?? '')
    if (grant === undefined || type === undefined || grant.deadAt !== null) throw signedOutFault(type?.oauth.title)
    const now = clock.now()
    const current = await this.#readCurrent(db, grant, type)
    if (current !== null && isFreshEnough(reason, grant, current, now)) return { usable: current }
    const fallback = usableFallback(reason, grant, current, now)
    if (isRefreshLeased(grant, now)) return fallback === null ? 'leasedElsewhere' : { usable: fallback }
    const app = await this.#readAppKeys(db, grant, type)
    const refreshToken = await this.#decrypt(db, grant, 'refreshToken', type)
    const leaseNumber = await claimRefresh(db, clock, grant)
    return { lease: { grantId, leaseNumber, type, ...app, refreshToken, fallback } }
  }

  /** A token that cannot be decrypted is treated as revoked: a person must authorise again. */
  async #decrypt(
    db: Db,
    grant: GrantRow,
    which: 'accessToken' | 'refreshToken',
    type: AuthorisedType,
  ): Promise<string | null> {
    const token = await decryptOr(undefined, () => decryptToken(db, this.#services, grant, which))
    if (token === undefined) throw signedOutFault(type.oauth.title)
    return token
  }

  async #readCurrent(db: Db, grant: GrantRow, type: AuthorisedType): Promise<CachedAccessToken | null> {
    const token = await this.#decrypt(db, grant, 'accessToken', type)
    if (token === null || grant.accessExpiresAt === null) return null
    const [from, end] = [Date.parse(grant.refreshedAt), Date.parse(grant.accessExpiresAt)]
    const { renewBeforeMs } = type.oauth
    // Some sources refuse to renew a token that is valid for longer.
    const usableUntil = renewBeforeMs === undefined ? from + refreshAfterShare * (end - from) : end - renewBeforeMs
    return { token, usableUntil }
  }

  async #readAppKeys(
    db: Db,
    { appId, clientId }: GrantRow,
    type: AuthorisedType,
  ): Promise<{ appKeys: OauthAppKeys; isOwnApp: boolean }> {
    if (appId !== null) {
      const appKeys = await findOrganisationApp(db, this.#services.secrets, appId)
      if (appKeys === undefined) throw signedOutFault(type.oauth.title)
      return { appKeys, isOwnApp: true }
    }
    // A refresh token is valid only for the app that it was issued to.
    if (type.operatorApp?.clientId !== clientId) throw signedOutFault(type.oauth.title)
    return { appKeys: type.operatorApp, isOwnApp: false }
  }

  /** Returns the fallback token if the refresh failed, or null: then the caller reads the token that is stored now. */
  async #refresh(lease: RefreshLease): Promise<CachedAccessToken | null> {
    const { client } = this.#services
    let tokens: TokenResponse
    try {
      tokens =
        lease.refreshToken === null
          ? await client.requestMachineTokens(lease.type, lease.appKeys)
          : await client.refresh(lease.type, lease.appKeys, lease.refreshToken)
    } catch (error) {
      this.#services.metrics.refreshFailed(lease.type.type)
      if (error instanceof TokenRefused) return this.#refused(lease, error)
      // It is unknown whether the source issued a new token. The lease stays open; the former token is sent again.
      if (lease.fallback !== null) return lease.fallback
      throw sourceUnreachableFault(lease.type.oauth.title, error)
    }
    await this.#storeTokens(lease, tokens)
    return null
  }

  /** Retries while the store is unavailable, because the source may no longer accept the former token. */
  async #storeTokens(lease: RefreshLease, tokens: TokenResponse): Promise<void> {
    for (let left = 5; ; left -= 1) {
      try {
        return await this.#services.store.across((db) => storeTokens(db, this.#services, lease, tokens))
      } catch (error) {
        if (left === 0 || !(error instanceof ApiFault && error.code === 'unavailable')) throw error
        await sleep(500)
      }
    }
  }

  async #refused(lease: RefreshLease, refusal: TokenRefused): Promise<CachedAccessToken | null> {
    const { clock, log, store } = this.#services
    const { title } = lease.type.oauth
    const isMachine = lease.refreshToken === null
    const endsGrant = refusal.code === 'invalid_grant' || (isMachine && appErrorCodes.includes(refusal.code))
    const isDead = await store.across(async (db) => {
      const grant = await lockGrant(db, lease.grantId)
      // A later lease has stored a token or is still open; its result counts.
      if (grant === undefined || grant.version >= lease.leaseNumber || grant.intentVersion !== lease.leaseNumber)
        return null
      await releaseRefresh(db, lease)
      if (!endsGrant) return false
      await markGrantDead(db, clock, lease.grantId)
      // Part of the transaction that marks the grant as dead, so the email is sent once.
      await notifyAdministrators(db, this.#services, lease.grantId, (facts) =>
        authorisationEnded({ ...facts, sourceTitle: title }),
      )
      return true
    })
    if (isDead === null) return null
    if (isDead) throw signedOutFault(title, refusal)
    log.error('a source refuses to renew a sign-in', { code: refusal.code, error: refusal })
    if (lease.fallback !== null) return lease.fallback
    throw appErrorCodes.includes(refusal.code)
      ? appRefusedFault(lease, refusal)
      : sourceUnreachableFault(title, refusal)
  }
}

function isFreshEnough(reason: RenewalReason, grant: GrantRow, current: CachedAccessToken, now: number): boolean {
  return reason === 'overdue' ? !isOverdue(grant, now) : current.token !== reason.refused && now < current.usableUntil
}

function isRefreshLeased({ intentAt }: GrantRow, now: number): boolean {
  return intentAt !== null && now - Date.parse(intentAt) < refreshLeaseMs
}

/** A reply was lost, or the grant has been unused for so long that it needs a refresh. */
function isOverdue({ intentAt, refreshedAt }: GrantRow, now: number): boolean {
  return intentAt !== null || now - Date.parse(refreshedAt) >= keepAliveMs
}

/** OAuth 2 error codes about the app, as opposed to the grant. */
const appErrorCodes = ['invalid_client', 'unauthorized_client']

function usableFallback(
  reason: RenewalReason,
  { accessExpiresAt }: GrantRow,
  current: CachedAccessToken | null,
  now: number,
): CachedAccessToken | null {
  if (reason === 'overdue' || current === null || current.token === reason.refused || accessExpiresAt === null)
    return null
  return Date.parse(accessExpiresAt) - expiryMarginMs > now
    ? { token: current.token, usableUntil: now + expiryMarginMs / 2 }
    : null
}

export function signedOutFault(title = 'The source', cause?: unknown): Fault {
  return new Fault('signIn', {
    code: 'oauth.signed_out',
    notice: `${title} no longer accepts Tributary’s authorisation: it was revoked or has expired. No data that was moved is lost. Connect the connector again under Manage.`,
    cause,
  })
}

function appRefusedFault({ type, isOwnApp }: RefreshLease, cause: unknown): Fault {
  const { title } = type.oauth
  const notice = isOwnApp
    ? `${title} does not accept the client id and secret of your own app. Enter them again under Manage, as ${title} shows them.`
    : `${title} does not accept the client id and secret of Tributary’s app. The operator of this server must correct them.`
  return new Fault('settings', { code: 'oauth.app_refused', notice, cause })
}

function sourceUnreachableFault(title: string, cause?: unknown): Fault {
  return new Fault('passing', {
    code: 'oauth.away',
    notice: `${title} could not be reached to renew the sign-in. Tributary tries again automatically.`,
    cause,
  })
}
