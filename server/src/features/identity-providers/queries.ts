import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ExternalPerson } from '../../identity/providers/oidc-provider.ts'
import type { Db } from '../../kernel/store/store.ts'

export type Purpose = 'signin' | 'signup' | 'link'

/** A trip to a provider, as it is kept. */
export interface KeptTrip {
  readonly purpose: Purpose
  /** Who is linking; null for somebody who is not signed in. */
  readonly userId: string | null
  readonly nonce: string
  readonly pkceVerifier: string
  readonly returnPath: string | null
}

interface TripKeys {
  readonly stateHash: Buffer
  readonly browserHash: Buffer
  readonly provider: string
}

export const tripMs = 10 * 60_000

export async function insertTrip(db: Db, clock: Clock, trip: KeptTrip & TripKeys): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('externalLogin').where('expiresAt', '<', isoTime(now)).execute()
  await db
    .insertInto('externalLogin')
    .values({ ...trip, createdAt: isoTime(now), expiresAt: isoTime(now + tripMs) })
    .execute()
}

/** Uses the trip up: of all who come back with it exactly one gets an answer, and only in the browser that left with it. */
export function takeTrip(
  db: Db,
  clock: Clock,
  { stateHash, browserHash, provider }: TripKeys,
): Promise<KeptTrip | undefined> {
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

export interface LinkedUser {
  readonly id: string
  readonly status: string
}

/** Whose identity it is: by issuer and subject, never by an address. */
export function findLinkedUser(db: Db, { issuer, subject }: ExternalPerson): Promise<LinkedUser | undefined> {
  return db
    .selectFrom('externalIdentity')
    .innerJoin('portalUser', 'portalUser.id', 'externalIdentity.userId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'status.name as status'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Whose Microsoft account an administrator has entered. */
export async function findUserOfMicrosoft(db: Db, { msOid }: ExternalPerson): Promise<LinkedUser | undefined> {
  if (msOid === null) return undefined
  return db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select(['portalUser.id', 'status.name as status'])
    .where('msOid', '=', msOid)
    .executeTakeFirst()
}

/** Until the transaction ends nobody gives the account a new password, which would end its sessions. Answers its address. */
export async function holdAccount(db: Db, userId: string): Promise<string> {
  const held = db.selectFrom('portalUser').select('emailAddress').where('id', '=', userId).forShare()
  return (await held.executeTakeFirstOrThrow()).emailAddress
}

interface Link {
  readonly person: ExternalPerson
  readonly provider: string
  readonly userId: string
}

/** False where the identity is somebody else's already. */
export async function linkIdentity(db: Db, clock: Clock, { person, provider, userId }: Link): Promise<boolean> {
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

interface Pending {
  readonly atidHash: Buffer
  readonly person: ExternalPerson
  readonly provider: string
  readonly lifeMs: number
}

export async function insertPendingIdentity(
  db: Db,
  clock: Clock,
  { atidHash, person, provider, lifeMs }: Pending,
): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('pendingIdentity').where('expiresAt', '<', isoTime(now)).execute()
  await db
    .insertInto('pendingIdentity')
    .values({ ...person, atidHash, provider, expiresAt: isoTime(now + lifeMs) })
    .execute()
}
