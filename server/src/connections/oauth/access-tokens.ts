/**
 * Lends the access token of a grant, and has it renewed: by one at a time over all processes, with the intent committed before the
 * source is asked and the answer stored before it is used. An answer that is lost leaves the intent open; the former token is then
 * tried again, which the source takes for a while. No lock is held while the source is asked.
 */
import type { AccessTokenProvider } from '@tributary/engine/ports/oauth'
import { Fault } from '@tributary/engine/ports/faults'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { withStoreFault } from '../../kernel/store/run-fault-when-store-unreachable.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { Metrics } from '../../kernel/telemetry/metrics.ts'
import { notifyGrantEnded } from './grant-emails.ts'
import { type OauthClient, TokenRefused, type TokenResponse as Given } from './oauth-client.ts'
import {
  releaseRefresh,
  findOwnApp,
  type GrantRow,
  storeTokens,
  lockGrant,
  markGrantDead,
  decryptToken,
  claimRefresh,
} from './grants.ts'
import type { OauthAppKeys, AuthorisedType, AuthorisedTypes } from './authorised-types.ts'

/** How long a turn keeps others from asking: longer than any answer takes, so only one that was lost is waited for in vain. */
export const refreshLeaseMs = 15_000
/** A grant that nobody uses is renewed this often, long before it runs out. */
export const keepAliveMs = 7 * 86_400_000
/** The share of an access token's life after which another is asked for. */
const freshShare = 0.6
const pollMs = 150
const patienceMs = 30_000
/** An old access token is used up to this close to its end where a new one cannot be had just now. */
const marginMs = 60_000

interface AccessTokenServices {
  readonly store: Store
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Log
  readonly mailer: EmailOutbox
  readonly metrics: Metrics
  readonly publicUrl: string
  readonly types: AuthorisedTypes
  readonly client: OauthClient
}

interface CachedAccessToken {
  readonly token: string
  /** Until when it is used without asking again, ms since 1970. */
  readonly until: number
}

/** `refused`: the token that the source takes no more. `overdue`: whether or not the one there is still good. */
type RenewalReason = { readonly refused: string | null } | 'overdue'

interface RefreshLease {
  readonly grantId: string
  readonly turn: number
  readonly type: AuthorisedType
  readonly keys: OauthAppKeys
  readonly isOwnApp: boolean
  /** Null for a custom connection. */
  readonly refreshToken: string | null
  readonly fallback: CachedAccessToken | null
}

type RefreshClaim = { readonly held: CachedAccessToken } | { readonly mine: RefreshLease } | 'theirs'

export class AccessTokenCache {
  readonly #services: AccessTokenServices
  readonly #flights = new Map<string, Promise<CachedAccessToken>>()

  constructor(services: AccessTokenServices) {
    this.#services = services
  }

  /** For as long as a source is open. */
  provide(grantId: string): AccessTokenProvider {
    let held: CachedAccessToken | null = null
    return {
      token: async (refused) => {
        const isGood = held !== null && held.token !== refused && this.#services.clock.now() < held.until
        if (held === null || !isGood)
          held = await withStoreFault(() => this.#once(grantId, { refused: refused ?? null }))
        return held.token
      },
    }
  }

  /** Asks for a new token though the one there may still be good; for grants that nobody uses, and for answers that were lost. */
  async renew(grantId: string): Promise<void> {
    await this.#once(grantId, 'overdue')
  }

  /** All in this process who want the grant's token at the same time ask once. */
  async #once(grantId: string, wish: RenewalReason): Promise<CachedAccessToken> {
    const flight = this.#flights.get(grantId)
    if (flight !== undefined) {
      const held = await flight
      if (wish === 'overdue' || held.token !== wish.refused) return held
    }
    const own = this.#obtain(grantId, wish).finally(() => {
      if (this.#flights.get(grantId) === own) this.#flights.delete(grantId)
    })
    this.#flights.set(grantId, own)
    return own
  }

  async #obtain(grantId: string, wish: RenewalReason): Promise<CachedAccessToken> {
    const end = performance.now() + patienceMs
    while (performance.now() < end) {
      // Across, here and below: a grant belongs to no organisation.
      const step = await this.#services.store.across((db) => this.#look(db, grantId, wish))
      // Nobody waits for a renewal that is only due: the next round sees whether it went well.
      if (step === 'theirs' && wish === 'overdue') break
      if (step === 'theirs') await sleep(pollMs)
      else if ('held' in step) return step.held
      else {
        const held = await this.#ask(step.mine)
        if (held !== null) return held
      }
    }
    throw sourceUnreachableFault('The sign-in')
  }

  async #look(db: Db, grantId: string, wish: RenewalReason): Promise<RefreshClaim> {
    const { clock, types } = this.#services
    const grant = await lockGrant(db, grantId)
    const type = types.get(grant?.type ?? '')
    if (grant === undefined || type === undefined || grant.deadAt !== null)
      throw signedOutFault(type?.authorising.title)
    const now = clock.now()
    const current = await this.#current(db, grant, type)
    if (current !== null && isFreshEnough(wish, grant, current, now)) return { held: current }
    const fallback = stillGood(wish, grant, current, now)
    if (isLeaseHeld(grant, now)) return fallback === null ? 'theirs' : { held: fallback }
    const keys = await this.#keysOf(db, grant, type)
    const refreshToken = await this.#open(db, grant, 'refreshToken', type)
    return { mine: { grantId, turn: await claimRefresh(db, clock, grant), type, ...keys, refreshToken, fallback } }
  }

  /** What cannot be read any more has to be given anew, as what the source took back. */
  async #open(
    db: Db,
    grant: GrantRow,
    which: 'accessToken' | 'refreshToken',
    type: AuthorisedType,
  ): Promise<string | null> {
    const token = await decryptOr(undefined, () => decryptToken(db, this.#services, grant, which))
    if (token === undefined) throw signedOutFault(type.authorising.title)
    return token
  }

  async #current(db: Db, grant: GrantRow, type: AuthorisedType): Promise<CachedAccessToken | null> {
    const token = await this.#open(db, grant, 'accessToken', type)
    if (token === null || grant.accessExpiresAt === null) return null
    const from = Date.parse(grant.refreshedAt)
    return { token, until: from + freshShare * (Date.parse(grant.accessExpiresAt) - from) }
  }

  async #keysOf(
    db: Db,
    { appId, clientId }: GrantRow,
    type: AuthorisedType,
  ): Promise<{ keys: OauthAppKeys; isOwnApp: boolean }> {
    if (appId !== null) {
      const keys = await findOwnApp(db, this.#services.secrets, appId)
      if (keys === undefined) throw signedOutFault(type.authorising.title)
      return { keys, isOwnApp: true }
    }
    // A refresh token is worth nothing to another app than the one it was given to.
    if (type.provider?.clientId !== clientId) throw signedOutFault(type.authorising.title)
    return { keys: type.provider, isOwnApp: false }
  }

  /** Null where somebody else has stored a token meanwhile: then that one is to be used. */
  async #ask(turn: RefreshLease): Promise<CachedAccessToken | null> {
    const { client } = this.#services
    let given: Given
    try {
      given =
        turn.refreshToken === null
          ? await client.machineTokens(turn.type, turn.keys)
          : await client.refresh(turn.type, turn.keys, turn.refreshToken)
    } catch (error) {
      this.#services.metrics.refreshFailed(turn.type.type)
      if (error instanceof TokenRefused) return this.#refused(turn, error)
      // Whether the source has given a new token is not known: the turn stays open, and the former token is tried again.
      if (turn.fallback !== null) return turn.fallback
      throw sourceUnreachableFault(turn.type.authorising.title, error)
    }
    await this.#store(turn, given)
    return null
  }

  /** The answer is in hand: it is not given up because the database stumbles. */
  async #store(turn: RefreshLease, given: Given): Promise<void> {
    for (let left = 5; ; left -= 1) {
      try {
        return await this.#services.store.across((db) => storeTokens(db, this.#services, turn, given))
      } catch (error) {
        if (left === 0 || !(error instanceof ApiFault && error.code === 'unavailable')) throw error
        await sleep(500)
      }
    }
  }

  async #refused(turn: RefreshLease, refusal: TokenRefused): Promise<CachedAccessToken | null> {
    const { clock, log, store } = this.#services
    const { authorising } = turn.type
    const isMachine = turn.refreshToken === null
    const endsGrant = refusal.code === 'invalid_grant' || (isMachine && appErrorCodes.includes(refusal.code))
    const isDead = await store.across(async (db) => {
      const grant = await lockGrant(db, turn.grantId)
      // Who came later has stored a token, or is still asking and will hear more than this turn did.
      if (grant === undefined || grant.version >= turn.turn || grant.intentVersion !== turn.turn) return null
      await releaseRefresh(db, turn)
      if (!endsGrant) return false
      await markGrantDead(db, clock, turn.grantId)
      await notifyGrantEnded(db, this.#services, { grantId: turn.grantId, title: authorising.title })
      return true
    })
    if (isDead === null) return null
    if (isDead) throw signedOutFault(authorising.title, refusal)
    log.error('a source refuses to renew a sign-in', { code: refusal.code, error: refusal })
    if (turn.fallback !== null) return turn.fallback
    throw appErrorCodes.includes(refusal.code)
      ? appRefusedFault(turn, refusal)
      : sourceUnreachableFault(authorising.title, refusal)
  }
}

function isFreshEnough(wish: RenewalReason, grant: GrantRow, current: CachedAccessToken, now: number): boolean {
  return wish === 'overdue' ? !isOverdue(grant, now) : current.token !== wish.refused && now < current.until
}

function isLeaseHeld({ intentAt }: GrantRow, now: number): boolean {
  return intentAt !== null && now - Date.parse(intentAt) < refreshLeaseMs
}

/** An answer was lost, or nobody has needed the grant for so long that it would run out. */
function isOverdue({ intentAt, refreshedAt }: GrantRow, now: number): boolean {
  return intentAt !== null || now - Date.parse(refreshedAt) >= keepAliveMs
}

/** Answers that are about the app and not about what a person gave it. */
const appErrorCodes = ['invalid_client', 'unauthorized_client']

function stillGood(
  wish: RenewalReason,
  { accessExpiresAt }: GrantRow,
  current: CachedAccessToken | null,
  now: number,
): CachedAccessToken | null {
  if (wish === 'overdue' || current === null || current.token === wish.refused || accessExpiresAt === null) return null
  return Date.parse(accessExpiresAt) - marginMs > now ? { token: current.token, until: now + marginMs / 2 } : null
}

export function signedOutFault(title = 'The source', cause?: unknown): Fault {
  return new Fault('signIn', {
    code: 'oauth.signed_out',
    notice: `${title} no longer lets Tributary in: the authorisation was taken back or has run out. Connect the connector again under Manage; nothing that was moved is lost.`,
    cause,
  })
}

function appRefusedFault({ type, isOwnApp }: RefreshLease, cause: unknown): Fault {
  const { title } = type.authorising
  const notice = isOwnApp
    ? `${title} does not take the client id and secret of your own app. Enter them again under Manage, as ${title} shows them.`
    : `${title} does not take the client id and secret of Tributary’s app. Whoever runs this server must correct them.`
  return new Fault('settings', { code: 'oauth.app_refused', notice, cause })
}

function sourceUnreachableFault(title: string, cause?: unknown): Fault {
  return new Fault('passing', {
    code: 'oauth.away',
    notice: `${title} could not be asked for a new token just now. Tributary tries again by itself.`,
    cause,
  })
}
