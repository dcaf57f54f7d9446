/** Sessions: a row in the store, a short-lived access token that names it, and a refresh token that rotates. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { refreshGraceMs, sessionCacheMs } from '@tributary/contract/limits'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import type { ServerMode } from '../../kernel/config/setting.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import type { Audit } from '../../security/audit/audit.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import { formatSecretWithId, parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import { hashOf, randomSecret } from '../../security/secrets/one-time-codes.ts'
import { leadsTo, successorOf } from './refresh-tokens.ts'
import { type CachedSession, createSessionCache, type SessionCache } from './session-cache.ts'
import {
  toActor,
  findFirstOrganisation,
  findSession,
  listOpenSessions,
  resolveOrganisation,
  type SessionFacts,
} from './session-queries.ts'
import { findExpiry, type SessionEndReason } from './session-expiry.ts'
import { isInMaintenance } from '../../kernel/config/global-configuration.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'

/** The tokens for a browser: the access token for the portal's scripts, the other two in HttpOnly cookies. */
export interface IssuedSession {
  readonly actor: Actor
  readonly accessToken: string
  readonly refreshToken: string
  readonly authoriseToken: string
}

/** Facts about a sign-in that are stored with its session. */
export interface NewSession {
  readonly address: string | null
  /** For display, such as 'Firefox on Windows'. */
  readonly deviceName: string
  /** A second factor was verified, or the device is trusted. */
  readonly hasMfa: boolean
}

interface SessionsOptions {
  readonly store: Store
  readonly audit: Audit
  readonly clock: Clock
  readonly keys: ServerKeys
  /** The number of open sessions that a person may have. */
  readonly max: number
  readonly mode: ServerMode
}

export class Sessions {
  readonly #store: Store
  readonly #audit: Audit
  readonly #clock: Clock
  readonly #tokens: AccessTokens
  readonly #keys: ServerKeys
  readonly #max: number
  readonly #mode: ServerMode
  readonly #cache: SessionCache

  constructor({ store, audit, clock, keys, max, mode }: SessionsOptions) {
    this.#store = store
    this.#audit = audit
    this.#clock = clock
    this.#keys = keys
    this.#tokens = createAccessTokens(keys, clock)
    this.#max = max
    this.#mode = mode
    this.#cache = createSessionCache({ store, clock, mode })
  }

  /** Throws `maintained` during maintenance, except for the provider. `db` is a transaction across organisations. */
  async start(
    db: Db,
    person: { readonly id: string; readonly isProvider: boolean },
    start: NewSession,
  ): Promise<IssuedSession> {
    const id = randomUUID()
    const secret = randomSecret()
    const now = isoTime(this.#clock.now())
    const organisationId = await findFirstOrganisation(db, person)
    const { id: signingKeyId } = await this.#keys.newest('refresh token', db)
    const row = {
      id,
      userId: person.id,
      organisationId,
      signingKeyId,
      refreshHash: hashOf(secret),
      createdAt: now,
      lastActiveAt: now,
      rotatedAt: now,
      ...start,
    }
    await db.insertInto('session').values(row).execute()
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
   * Exchanges a refresh token; throws `notSignedIn`. With `organisationId` the session switches to that organisation;
   * throws `notFound` if the person has no role there. Does not count as activity.
   */
  async refresh(
    refreshToken: string,
    organisationId: string | undefined,
    auditContext: AuditContext,
  ): Promise<IssuedSession> {
    const token = parseSecretWithId(refreshToken)
    if (token === null) throw new ApiFault('notSignedIn')
    // A refusal is returned and not thrown, so that the transaction commits the end of a session whose token was
    // reused.
    const outcome = await this.#store.across((db) => this.#exchange(db, { ...token, organisationId, auditContext }))
    if (outcome instanceof ApiFault) throw outcome
    return this.#issue(outcome.facts, outcome.secret)
  }

  /** The actor of an access token; throws `notSignedIn`. A passive call does not count as activity. */
  async read(accessToken: string, activity: 'active' | 'passive'): Promise<Actor> {
    const { sid, org } = await this.#tokens.verify(accessToken)
    const cached = await this.requireOpen(sid)
    if (activity === 'active') await this.#cache.recordActivity(sid, cached)
    return toActor(cached.facts, org, this.#clock.now())
  }

  /** For connections that outlive an access token; throws `notSignedIn`. @param maxAgeMs of the cached session. */
  async requireOpen(sessionId: string, maxAgeMs = sessionCacheMs): Promise<CachedSession> {
    const cached = await this.#cache.load(sessionId, maxAgeMs)
    const because = findExpiry(cached.facts, cached.lastActiveAt, this.#clock.now())
    if (because === null) return cached
    // Across: a session belongs to no organisation.
    await this.#store.across((db) => this.end(db, sessionId, because))
    throw new ApiFault('notSignedIn')
  }

  /** Finds a session by its latest refresh token or a former one; null for any other token. */
  async findByRefreshToken(
    db: Db,
    refreshToken: string,
  ): Promise<{ readonly id: string; readonly userId: string } | null> {
    const token = parseSecretWithId(refreshToken)
    if (token === null) return null
    const facts = await findSession(db, this.#mode, token.id, 'lock')
    const key = facts && (await this.#keys.find('refresh token', facts.signingKeyId, db))
    return facts && key && leadsTo(key, token.secret, facts.refreshHash) ? { id: facts.id, userId: facts.userId } : null
  }

  /** The actor of the authorise cookie; throws `notSignedIn`. Does not count as activity. */
  async readAuthoriseToken(authoriseToken: string | undefined): Promise<Actor> {
    const token = parseSecretWithId(authoriseToken ?? '')
    if (token === null) throw new ApiFault('notSignedIn')
    const { facts, lastActiveAt } = await this.#cache.load(token.id)
    const secret = await this.#createAuthoriseSecret(facts)
    if (secret === undefined || !timingSafeEqual(Buffer.from(token.secret), Buffer.from(secret)))
      throw new ApiFault('notSignedIn')
    if (findExpiry(facts, lastActiveAt, this.#clock.now()) !== null) throw new ApiFault('notSignedIn')
    return toActor(facts, facts.organisationId, this.#clock.now())
  }

  async end(db: Db, sessionId: string, because: SessionEndReason): Promise<void> {
    const change = { endedAt: isoTime(this.#clock.now()), endedBecause: because }
    await db.updateTable('session').set(change).where('id', '=', sessionId).where('endedAt', 'is', null).execute()
    this.#cache.forget(db, sessionId)
  }

  /** Ends every session of a person: in this process at the commit, in other processes within five seconds. */
  async endAll(db: Db, userId: string, because: SessionEndReason): Promise<void> {
    for (const id of await listOpenSessions(db, userId)) await this.end(db, id, because)
  }

  /** Ends all sessions of a person except `sessionId`. */
  async endOthers(
    db: Db,
    { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
    because: SessionEndReason,
  ): Promise<void> {
    for (const id of await listOpenSessions(db, userId)) if (id !== sessionId) await this.end(db, id, because)
  }

  /** Whether an open session has reached neither its idle nor its absolute timeout. */
  isAlive(
    { providerRole }: Pick<Actor, 'providerRole'>,
    { createdAt, lastActiveAt }: { createdAt: string; lastActiveAt: string },
  ): boolean {
    return findExpiry({ createdAt, providerRole }, Date.parse(lastActiveAt), this.#clock.now()) === null
  }

  /** Records that the session's person has verified a second factor. */
  async recordMfa(db: Db, sessionId: string): Promise<void> {
    await db.updateTable('session').set({ hasMfa: true }).where('id', '=', sessionId).execute()
    this.#cache.forget(db, sessionId)
  }

  /** Ends the oldest sessions beyond the maximum, never the new one. */
  async #endBeyondMax(db: Db, { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>): Promise<void> {
    const others = (await listOpenSessions(db, userId)).filter((id) => id !== sessionId)
    for (const id of others.slice(this.#max - 1)) await this.end(db, id, 'too many')
  }

  async #exchange(
    db: Db,
    token: { id: string; secret: string; organisationId: string | undefined; auditContext: AuditContext },
  ) {
    const facts = await findSession(db, this.#mode, token.id, 'lock')
    const key = facts && (await this.#keys.find('refresh token', facts.signingKeyId, db))
    if (facts === undefined || key === undefined) return new ApiFault('notSignedIn')
    const because =
      findExpiry(facts, Date.parse(facts.lastActiveAt), this.#clock.now()) ?? this.#findMisuse(facts, token.secret, key)
    if (because !== null) {
      if (because !== 'unknown token') await this.end(db, facts.id, because)
      if (because === 'refresh token reused') await this.#recordReuse(db, facts, token.auditContext)
      return new ApiFault('notSignedIn')
    }
    const organisationId = await resolveOrganisation(db, facts, token.organisationId)
    if (organisationId === undefined) return new ApiFault('notFound')

    const successor = successorOf(key, token.secret)
    const isLatest = hashOf(token.secret).equals(facts.refreshHash)
    const rotation = {
      refreshHash: hashOf(successor),
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

  /** Null for the latest token and, during the grace period, its predecessor: concurrent tabs get one successor. */
  #findMisuse(facts: SessionFacts, secret: string, key: Buffer): 'refresh token reused' | 'unknown token' | null {
    const hash = hashOf(secret)
    if (hash.equals(facts.refreshHash)) return null
    const isFresh = this.#clock.now() - Date.parse(facts.rotatedAt) <= refreshGraceMs
    if (isFresh && facts.formerHash?.equals(hash) === true) return null
    return leadsTo(key, secret, facts.refreshHash) ? 'refresh token reused' : 'unknown token'
  }

  /** A reused token means that the browser's cookie was copied. */
  async #recordReuse(db: Db, facts: SessionFacts, auditContext: AuditContext): Promise<void> {
    const by = withActor(auditContext, { userId: facts.userId, sessionId: facts.id })
    await this.#audit.record(db, by, { organisationId: null, action: 'authn.token_reuse', outcome: 'refused' })
  }

  /** Drops the cached session when the transaction commits. Call it after a change of the session's person. */
  forget(db: Db, sessionId: string): void {
    this.#cache.forget(db, sessionId)
  }

  /** The secret of the authorise cookie; undefined if the key that the session started with is retired. */
  async #createAuthoriseSecret({ id, signingKeyId }: SessionFacts, db?: Db): Promise<string | undefined> {
    const key = await this.#keys.find('authorise cookie', signingKeyId, db)
    return key && createHmac('sha256', key).update(id).digest('base64url')
  }

  /** @param db the caller's transaction, if any. */
  async #issue(facts: SessionFacts, secret: string, db?: Db): Promise<IssuedSession> {
    const authoriseSecret = await this.#createAuthoriseSecret(facts, db)
    if (authoriseSecret === undefined) throw new ApiFault('notSignedIn')
    const actor = toActor(facts, facts.organisationId, this.#clock.now())
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
      authoriseToken: formatSecretWithId({ id: facts.id, secret: authoriseSecret }),
    }
  }
}
