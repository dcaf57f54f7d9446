/** Trips to a source as the store has them, and the choice that is left after one. */
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

export const tripMs = 10 * 60_000
/** How long somebody may take to choose among the companies that they opened. */
const choiceMs = 3_600_000

export interface Trip {
  readonly id: string
  readonly organisationId: string
  readonly type: string
  /** Null: the provider's app. */
  readonly appId: string | null
  /** The connector that is to be connected again. */
  readonly connectorId: string | null
}

interface Departing extends Trip {
  readonly userId: string
  readonly sessionId: string
  readonly state: string
  readonly browser: string
  readonly nonce: string
  readonly pkceVerifier: string
}

interface Kept {
  readonly secrets: Secrets
  readonly clock: Clock
}

export async function insertTrip(
  db: Db,
  { secrets, clock }: Kept,
  { state, browser, pkceVerifier, ...trip }: Departing,
): Promise<void> {
  const now = clock.now()
  const { organisationId } = trip
  await db
    .deleteFrom('authorisation')
    .where('organisationId', '=', organisationId)
    .where('expiresAt', '<', isoTime(now))
    .execute()
  await db
    .insertInto('authorisation')
    .values({
      ...trip,
      stateHash: hashOf(state),
      browserHash: hashOf(browser),
      pkceVerifier: await secrets.encrypt(db, verifierPlace(trip), pkceVerifier),
      createdAt: isoTime(now),
      expiresAt: isoTime(now + tripMs),
    })
    .execute()
}

interface TripKeys {
  readonly type: string
  readonly state: string
  readonly browser: string
  readonly userId: string
  readonly sessionId: string
}

export interface TakenTrip extends Trip {
  readonly nonce: string
  readonly pkceVerifier: string
}

/** Uses the trip up: one answer, to the browser and the session that left on it. In a transaction across: the state alone names the trip. */
export async function takeTripAnywhere(
  db: Db,
  { secrets, clock }: Kept,
  keys: TripKeys,
): Promise<TakenTrip | undefined> {
  const now = isoTime(clock.now())
  const taken = await db
    .updateTable('authorisation')
    .set({ usedAt: now })
    .where('stateHash', '=', hashOf(keys.state))
    .where('browserHash', '=', hashOf(keys.browser))
    .where('type', '=', keys.type)
    .where('userId', '=', keys.userId)
    .where('sessionId', '=', keys.sessionId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['id', 'organisationId', 'type', 'appId', 'connectorId', 'nonce', 'pkceVerifier'])
    .executeTakeFirst()
  if (taken === undefined) return undefined
  const pkceVerifier = await decryptOr(undefined, () => secrets.decrypt(db, verifierPlace(taken), taken.pkceVerifier))
  return pkceVerifier === undefined ? undefined : { ...taken, pkceVerifier }
}

function verifierPlace({ id, organisationId }: Pick<Trip, 'id' | 'organisationId'>) {
  return { organisationId, table: 'authorisation', column: 'pkce_verifier', row: id }
}

export async function forgetTrip(db: Db, { id, organisationId }: Pick<Trip, 'id' | 'organisationId'>): Promise<void> {
  await db.deleteFrom('authorisation').where('organisationId', '=', organisationId).where('id', '=', id).execute()
}

/** What the person who made the trip may choose from, for an hour. */
export async function keepChoice(
  db: Db,
  clock: Clock,
  { id, organisationId }: Trip,
  choice: { readonly grantId: string; readonly tenantIds: readonly string[] },
): Promise<void> {
  await db
    .updateTable('authorisation')
    .set({ grantId: choice.grantId, tenantIds: [...choice.tenantIds], expiresAt: isoTime(clock.now() + choiceMs) })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export interface Chooser {
  readonly organisationId: string
  readonly userId: string
  readonly authorisationId: string
}

/** Undefined for one that is another person's, has been chosen from, or is older than an hour. */
export async function findChoice(db: Db, clock: Clock, chooser: Chooser) {
  const found = await openChoices(db, clock, chooser).executeTakeFirst()
  return found?.grantId == null ? undefined : { ...found, grantId: found.grantId, tenantIds: found.tenantIds ?? [] }
}
export type Choice = NonNullable<Awaited<ReturnType<typeof findChoice>>>

/** The same, held until the transaction ends, and used up with it. */
export async function takeChoice(db: Db, clock: Clock, chooser: Chooser): Promise<Choice | undefined> {
  const found = await openChoices(db, clock, chooser).forUpdate().executeTakeFirst()
  if (found?.grantId == null) return undefined
  await db
    .updateTable('authorisation')
    .set({ chosenAt: isoTime(clock.now()) })
    .where('organisationId', '=', chooser.organisationId)
    .where('id', '=', found.id)
    .execute()
  return { ...found, grantId: found.grantId, tenantIds: found.tenantIds ?? [] }
}

function openChoices(db: Db, clock: Clock, { organisationId, userId, authorisationId }: Chooser) {
  return db
    .selectFrom('authorisation')
    .select(['id', 'organisationId', 'type', 'connectorId', 'grantId', 'tenantIds'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', authorisationId)
    .where('userId', '=', userId)
    .where('chosenAt', 'is', null)
    .where('expiresAt', '>', isoTime(clock.now()))
}
