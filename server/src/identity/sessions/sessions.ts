/** Sessions: a row each, a short-lived access token that names it, and a refresh token that changes with every use. */
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { refreshGraceMs, sessionCacheMs } from '@tributary/contract/limits'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import type { ServerMode } from '../../kernel/config/setting.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Audit } from '../../security/audit/audit.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import { formatSecretWithId, parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import { type RefreshChain, tokenHash } from './refresh-tokens.ts'
import { type CachedSession, SessionCache } from './session-cache.ts'
import { SessionCookies } from './session-key-tokens.ts'
import {
  actorOf,
  findFirstOrganisation,
  findSession,
  listOpen,
  speakingFor,
  type SessionFacts,
} from './session-queries.ts'
import { findExpiry } from './session-expiry.ts'
import { isInMaintenance } from '../../kernel/config/global-configuration.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { AccessTokens } from './access-tokens.ts'

/** What a browser is given: the access token for the portal, the other two in cookies that scripts cannot read. */
export interface Issued {
  readonly actor: Actor
  readonly accessToken: string
  readonly refreshToken: string
  readonly authoriseToken: string
}

export type EndedBecause =
  | 'signed out'
  | 'signed out elsewhere'
  | 'too many'
  | 'idle'
  | 'too old'
  | 'refresh token reused'
  | 'second factor'
  | 'locked'
  | 'archived'
  | 'new password'
  | 'new role'
  | 'removed'
  | 'ended by an administrator'

/** Where a session begins, and how sure we are of the person. */
export interface NewSession {
  readonly address: string | null
  /** In words: 'Firefox on Windows'. */
  readonly deviceName: string
  /** A second factor was proven, or the browser is one that is trusted. */
  readonly hasMfa: boolean
}

interface SessionsOptions {
  readonly store: Store
  readonly audit: Audit
  readonly clock: Clock
  readonly keys: ServerKeys
  /** How many a person may have at once. */
  readonly max: number
  readonly mode: ServerMode
}

export class Sessions {
  readonly #store: Store
  readonly #audit: Audit
  readonly #clock: Clock
  readonly #tokens: AccessTokens
  readonly #cookies: SessionCookies
  readonly #max: number
  readonly #mode: ServerMode
  readonly #cache: SessionCache

  constructor({ store, audit, clock, keys, max, mode }: SessionsOptions) {
    this.#store = store
    this.#audit = audit
    this.#clock = clock
    this.#cookies = new SessionCookies(keys)
    this.#tokens = new AccessTokens(keys, clock)
    this.#max = max
    this.#mode = mode
    this.#cache = new SessionCache({ store, clock, mode })
  }

  /** For a person who has just proven who they are; `db` is a transaction across. Throws `maintained` where only the provider may in. */
  async start(
    db: Db,
    person: { readonly id: string; readonly isProvider: boolean },
    start: NewSession,
  ): Promise<Issued> {
    const id = randomUUID()
    const secret = randomBytes(32).toString('base64url')
    const now = isoTime(this.#clock.now())
    const organisationId = await findFirstOrganisation(db, person)
    const signingKeyId = await this.#cookies.newestKey(db)
    const row = {
      id,
      userId: person.id,
      organisationId,
      signingKeyId,
      createdAt: now,
      lastActiveAt: now,
      rotatedAt: now,
      ...start,
    }
    await db
      .insertInto('session')
      .values({ ...row, refreshHash: tokenHash(secret) })
      .execute()
    await db
      .updateTable('portalUser')
      .set({ lastSignInAt: now, failedSignIns: 0 })
      .where('id', '=', person.id)
      .execute()
    await this.#endBeyondMax(db, { userId: person.id, sessionId: id })
    const facts = await findSession(db, this.#mode, id)
    if (facts === undefined) throw new ApiFault('notSignedIn')
    if (facts.providerRole === null && (await isInMaintenance(db))) throw new ApiFault('maintained')
    return this.#issue(facts, secret, db)
  }

  /**
   * Exchanges a refresh token; throws `notSignedIn`. With `organisationId` the session speaks for that organisation from
   * now on; `notFound` where the person is nobody there. Does not count as activity.
   */
  async refresh(
    refreshToken: string,
    { organisationId, auditContext }: { organisationId: string | undefined; auditContext: AuditContext },
  ): Promise<Issued> {
    const token = parseSecretWithId(refreshToken)
    if (token === null) throw new ApiFault('notSignedIn')
    // A refusal leaves the transaction as a value: thrown, it would undo the end of a session whose token was reused.
    const outcome = await this.#store.across((db) => this.#exchange(db, { ...token, organisationId, auditContext }))
    if (outcome instanceof ApiFault) throw outcome
    return this.#issue(outcome.facts, outcome.secret)
  }

  /** The person behind an access token; throws `notSignedIn`. A passive call does not count as activity. */
  async read(accessToken: string, activity: 'active' | 'passive'): Promise<Actor> {
    const { sid, org } = await this.#tokens.verify(accessToken)
    const cached = await this.requireOpen(sid)
    if (activity === 'active') await this.#cache.noteActivity(sid, cached)
    return actorOf(cached.facts, org)
  }

  /** For what outlives an access token; throws `notSignedIn`. @param maxAgeMs how old the knowledge of it may be. */
  async requireOpen(sessionId: string, maxAgeMs = sessionCacheMs): Promise<CachedSession> {
    const cached = await this.#cache.load(sessionId, maxAgeMs)
    const because = findExpiry(cached.facts, cached.lastActiveAt, this.#clock.now())
    if (because === null) return cached
    // Across: a session belongs to no organisation.
    await this.#store.across((db) => this.end(db, sessionId, because))
    throw new ApiFault('notSignedIn')
  }

  /** Whose session it is, by its latest refresh token or a former one; null for anything else. */
  async ofRefreshToken(db: Db, refreshToken: string): Promise<{ readonly id: string; readonly userId: string } | null> {
    const token = parseSecretWithId(refreshToken)
    if (token === null) return null
    const facts = await findSession(db, this.#mode, token.id, 'lock')
    const chain = facts && (await this.#cookies.chainOf(db, facts))
    return facts && chain?.leadsTo(token.secret, facts.refreshHash) === true
      ? { id: facts.id, userId: facts.userId }
      : null
  }

  /** The person behind the cookie that follows a call from another site; throws `notSignedIn`. Does not count as activity. */
  async ofAuthoriseToken(authoriseToken: string | undefined): Promise<Actor> {
    const token = parseSecretWithId(authoriseToken ?? '')
    if (token === null) throw new ApiFault('notSignedIn')
    const { facts, lastActiveAt } = await this.#cache.load(token.id)
    const seal = await this.#cookies.authoriseSeal(facts)
    if (seal === undefined || !timingSafeEqual(Buffer.from(token.secret), Buffer.from(seal)))
      throw new ApiFault('notSignedIn')
    if (findExpiry(facts, lastActiveAt, this.#clock.now()) !== null) throw new ApiFault('notSignedIn')
    return actorOf(facts, facts.organisationId)
  }

  async end(db: Db, sessionId: string, because: EndedBecause): Promise<void> {
    const change = { endedAt: isoTime(this.#clock.now()), endedBecause: because }
    await db.updateTable('session').set(change).where('id', '=', sessionId).where('endedAt', 'is', null).execute()
    this.#cache.forget(db, sessionId)
  }

  /** Ends every session of a person: here with the commit, in other processes within five seconds. */
  async endAllOf(db: Db, userId: string, because: EndedBecause): Promise<void> {
    for (const id of await listOpen(db, userId)) await this.end(db, id, because)
  }

  /** Ends all of a person's sessions but the one that acts. */
  async endOthersOf(
    db: Db,
    { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
    because: EndedBecause,
  ): Promise<void> {
    for (const id of await listOpen(db, userId)) if (id !== sessionId) await this.end(db, id, because)
  }

  /** Whether a session of that person, though nobody has ended it, has not run out by itself. */
  isAlive(
    { providerRole }: Pick<Actor, 'providerRole'>,
    { createdAt, lastActiveAt }: { createdAt: string; lastActiveAt: string },
  ): boolean {
    return findExpiry({ createdAt, providerRole }, Date.parse(lastActiveAt), this.#clock.now()) === null
  }

  /** The session's person has just proven a second factor. */
  async noteMfa(db: Db, sessionId: string): Promise<void> {
    await db.updateTable('session').set({ hasMfa: true }).where('id', '=', sessionId).execute()
    this.#cache.forget(db, sessionId)
  }

  /** The oldest go, never the one that has just begun. */
  async #endBeyondMax(db: Db, { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>): Promise<void> {
    const others = (await listOpen(db, userId)).filter((id) => id !== sessionId)
    for (const id of others.slice(this.#max - 1)) await this.end(db, id, 'too many')
  }

  async #exchange(
    db: Db,
    asked: { id: string; secret: string; organisationId: string | undefined; auditContext: AuditContext },
  ) {
    const facts = await findSession(db, this.#mode, asked.id, 'lock')
    const chain = facts === undefined ? undefined : await this.#cookies.chainOf(db, facts)
    if (facts === undefined || chain === undefined) return new ApiFault('notSignedIn')
    const because =
      findExpiry(facts, Date.parse(facts.lastActiveAt), this.#clock.now()) ?? this.#misuse(facts, asked.secret, chain)
    if (because !== null) {
      if (because !== 'unknown token') await this.end(db, facts.id, because)
      if (because === 'refresh token reused') await this.#recordReuse(db, facts, asked.auditContext)
      return new ApiFault('notSignedIn')
    }
    const organisationId = await speakingFor(db, facts, asked.organisationId)
    if (organisationId === undefined) return new ApiFault('notFound')

    const successor = chain.successor(asked.secret)
    const isLatest = tokenHash(asked.secret).equals(facts.refreshHash)
    const rotation = {
      refreshHash: tokenHash(successor),
      formerHash: facts.refreshHash,
      rotatedAt: isoTime(this.#clock.now()),
    }
    await db
      .updateTable('session')
      .set({ organisationId, ...(isLatest && rotation) })
      .where('id', '=', facts.id)
      .execute()
    this.#cache.forget(db, facts.id)
    return { facts: { ...facts, organisationId }, secret: successor }
  }

  /** Null for the latest token and, for a short while, for the one before: tabs that refresh at once all get the same successor. */
  #misuse(facts: SessionFacts, secret: string, chain: RefreshChain): 'refresh token reused' | 'unknown token' | null {
    const hash = tokenHash(secret)
    if (hash.equals(facts.refreshHash)) return null
    const isFresh = this.#clock.now() - Date.parse(facts.rotatedAt) <= refreshGraceMs
    if (isFresh && facts.formerHash?.equals(hash) === true) return null
    return chain.leadsTo(secret, facts.refreshHash) ? 'refresh token reused' : 'unknown token'
  }

  /** Somebody has a copy of a cookie that only the browser should have. */
  async #recordReuse(db: Db, facts: SessionFacts, auditContext: AuditContext): Promise<void> {
    const by = withActor(auditContext, { userId: facts.userId, sessionId: facts.id })
    await this.#audit.record(db, by, { organisationId: null, action: 'authn.token_reuse', outcome: 'refused' })
  }

  /** For a change of the session's person: drops the cached session when the transaction commits. */
  forget(db: Db, sessionId: string): void {
    this.#cache.forget(db, sessionId)
  }

  /** @param db of the caller's transaction, where there is one. */
  async #issue(facts: SessionFacts, secret: string, db?: Db): Promise<Issued> {
    const seal = await this.#cookies.authoriseSeal(facts, db)
    if (seal === undefined) throw new ApiFault('notSignedIn')
    const actor = actorOf(facts, facts.organisationId)
    const claims = {
      sid: facts.id,
      sub: facts.userId,
      role: actor.role,
      roleLevel: actor.roleLevel,
      org: facts.organisationId,
    }
    return {
      actor,
      accessToken: await this.#tokens.sign(claims, db),
      refreshToken: formatSecretWithId({ id: facts.id, secret }),
      authoriseToken: formatSecretWithId({ id: facts.id, secret: seal }),
    }
  }
}
