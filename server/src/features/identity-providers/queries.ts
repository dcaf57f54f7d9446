import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ExternalPerson } from '../../identity/providers/oidc-provider.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type Account, selectAccounts } from '../../identity/people/accounts.ts'

export type OidcFlowPurpose = 'signin' | 'signup' | 'link'

/** A stored OpenID Connect flow. */
export interface OidcFlow {
  readonly purpose: OidcFlowPurpose
  /** The user who links an identity; null for a sign-in or a sign-up. */
  readonly userId: string | null
  readonly nonce: string
  readonly pkceVerifier: string
  readonly returnPath: string | null
}

interface OidcFlowKeys {
  readonly stateHash: Buffer
  readonly browserHash: Buffer
  readonly provider: string
}

export const oidcFlowMs = 10 * 60_000

export async function insertOidcFlow(db: Db, clock: Clock, flow: OidcFlow & OidcFlowKeys): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('externalLogin').where('expiresAt', '<', isoTime(now)).execute()
  await db
    .insertInto('externalLogin')
    .values({ ...flow, createdAt: isoTime(now), expiresAt: isoTime(now + oidcFlowMs) })
    .execute()
}

/** Atomic and single-use: of concurrent callbacks exactly one succeeds, and only in the browser that began the flow. */
export function claimOidcFlow(
  db: Db,
  clock: Clock,
  { stateHash, browserHash, provider }: OidcFlowKeys,
): Promise<OidcFlow | undefined> {
  const now = isoTime(clock.now())
  return db
    .updateTable('externalLogin')
    .set({ usedAt: now })
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', browserHash)
    .where('provider', '=', provider)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['purpose', 'userId', 'nonce', 'pkceVerifier', 'returnPath'])
    .executeTakeFirst()
}

/** Finds the account by issuer and subject, never by an email address. */
export function findLinkedUser(db: Db, { issuer, subject }: ExternalPerson): Promise<Account | undefined> {
  return selectAccounts(db)
    .innerJoin('externalIdentity', 'externalIdentity.userId', 'portalUser.id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Finds the account by the Microsoft object id that an administrator has entered. */
export async function findUserByMicrosoftId(db: Db, { msOid }: ExternalPerson): Promise<Account | undefined> {
  return msOid === null ? undefined : selectAccounts(db).where('msOid', '=', msOid).executeTakeFirst()
}

/**
 * Prevents a concurrent password change, which would end the sessions, until the transaction ends. Returns the email
 * address.
 */
export async function lockAccountForShare(db: Db, userId: string): Promise<string> {
  const query = db.selectFrom('portalUser').select('emailAddress').where('id', '=', userId).forShare()
  return (await query.executeTakeFirstOrThrow()).emailAddress
}

interface IdentityToLink {
  readonly person: ExternalPerson
  readonly provider: string
  readonly userId: string
}

/** Idempotent. Returns false if the identity is linked to another account. */
export async function linkIdentity(
  db: Db,
  clock: Clock,
  { person, provider, userId }: IdentityToLink,
): Promise<boolean> {
  const { issuer, subject, emailAddress } = person
  const now = isoTime(clock.now())
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('externalIdentity')
    .values({ issuer, subject, provider, userId, emailAddress, createdAt: now, lastUsedAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'subject'])
        .doUpdateSet({ lastUsedAt: now, emailAddress })
        .where('externalIdentity.userId', '=', userId),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

interface NewPendingIdentity {
  readonly atidHash: Buffer
  readonly person: ExternalPerson
  readonly provider: string
  readonly lifeMs: number
}

export async function insertPendingIdentity(
  db: Db,
  clock: Clock,
  { atidHash, person, provider, lifeMs }: NewPendingIdentity,
): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('pendingIdentity').where('expiresAt', '<', isoTime(now)).execute()
  await db
    .insertInto('pendingIdentity')
    .values({ ...person, atidHash, provider, expiresAt: isoTime(now + lifeMs) })
    .execute()
}
