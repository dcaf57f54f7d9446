/** Stored OAuth flows of sources, and the company choice that a flow may end with. */
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

export const oauthFlowMs = 10 * 60_000
/** How long the user may take to choose companies. */
const choiceMs = 3_600_000

export interface OauthFlow {
  readonly id: string
  readonly organisationId: string
  readonly type: string
  /** Null for the provider's app. */
  readonly appId: string | null
  /** The connector to reconnect; null to add connectors. */
  readonly connectorId: string | null
}

interface NewOauthFlow extends OauthFlow {
  readonly userId: string
  readonly sessionId: string
  readonly state: string
  readonly browser: string
  readonly nonce: string
  readonly pkceVerifier: string
}

interface OauthFlowServices {
  readonly secrets: Secrets
  readonly clock: Clock
}

export async function insertFlow(
  db: Db,
  { secrets, clock }: OauthFlowServices,
  { state, browser, pkceVerifier, ...flow }: NewOauthFlow,
): Promise<void> {
  const now = clock.now()
  const { organisationId } = flow
  await db
    .deleteFrom('authorisation')
    .where('organisationId', '=', organisationId)
    .where('expiresAt', '<', isoTime(now))
    .execute()
  await db
    .insertInto('authorisation')
    .values({
      ...flow,
      stateHash: hashOf(state),
      browserHash: hashOf(browser),
      pkceVerifier: await secrets.encrypt(db, verifierLocation(flow), pkceVerifier),
      createdAt: isoTime(now),
      expiresAt: isoTime(now + oauthFlowMs),
    })
    .execute()
}

interface OauthFlowKeys {
  readonly type: string
  readonly state: string
  readonly browser: string
  readonly userId: string
  readonly sessionId: string
}

export interface ClaimedOauthFlow extends OauthFlow {
  readonly nonce: string
  readonly pkceVerifier: string
}

/**
 * Atomic and single-use: succeeds for one callback, in the browser and the session that began the flow. Runs in a
 * transaction across, because only the state identifies the flow.
 */
export async function claimFlowEverywhere(
  db: Db,
  { secrets, clock }: OauthFlowServices,
  keys: OauthFlowKeys,
): Promise<ClaimedOauthFlow | undefined> {
  const now = isoTime(clock.now())
  const claimed = await db
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
  if (claimed === undefined) return undefined
  const pkceVerifier = await decryptOr(undefined, () =>
    secrets.decrypt(db, verifierLocation(claimed), claimed.pkceVerifier),
  )
  return pkceVerifier === undefined ? undefined : { ...claimed, pkceVerifier }
}

function verifierLocation({ id, organisationId }: Pick<OauthFlow, 'id' | 'organisationId'>) {
  return { organisationId, table: 'authorisation', column: 'pkce_verifier', row: id }
}

export async function deleteFlow(
  db: Db,
  { id, organisationId }: Pick<OauthFlow, 'id' | 'organisationId'>,
): Promise<void> {
  await db.deleteFrom('authorisation').where('organisationId', '=', organisationId).where('id', '=', id).execute()
}

/** Stores the companies that the user may choose from, for one hour. */
export async function storeCompanyChoice(
  db: Db,
  clock: Clock,
  { id, organisationId }: OauthFlow,
  choice: { readonly grantId: string; readonly tenantIds: readonly string[] },
): Promise<void> {
  await db
    .updateTable('authorisation')
    .set({ grantId: choice.grantId, tenantIds: [...choice.tenantIds], expiresAt: isoTime(clock.now() + choiceMs) })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export interface CompanyChoiceKeys {
  readonly organisationId: string
  readonly userId: string
  readonly authorisationId: string
}

/** Returns undefined if the choice belongs to another user, was used, or is older than an hour. */
export async function findCompanyChoice(db: Db, clock: Clock, chooser: CompanyChoiceKeys) {
  const found = await selectOpenChoice(db, clock, chooser).executeTakeFirst()
  return found?.grantId == null ? undefined : { ...found, grantId: found.grantId, tenantIds: found.tenantIds ?? [] }
}
export type CompanyChoice = NonNullable<Awaited<ReturnType<typeof findCompanyChoice>>>

/** Like `findChoice`, but locks the row until the end of the transaction and marks it as used. */
export async function redeemCompanyChoice(
  db: Db,
  clock: Clock,
  chooser: CompanyChoiceKeys,
): Promise<CompanyChoice | undefined> {
  const found = await selectOpenChoice(db, clock, chooser).forUpdate().executeTakeFirst()
  if (found?.grantId == null) return undefined
  await db
    .updateTable('authorisation')
    .set({ chosenAt: isoTime(clock.now()) })
    .where('organisationId', '=', chooser.organisationId)
    .where('id', '=', found.id)
    .execute()
  return { ...found, grantId: found.grantId, tenantIds: found.tenantIds ?? [] }
}

function selectOpenChoice(db: Db, clock: Clock, { organisationId, userId, authorisationId }: CompanyChoiceKeys) {
  return db
    .selectFrom('authorisation')
    .select(['id', 'organisationId', 'type', 'connectorId', 'grantId', 'tenantIds'])
    .where('organisationId', '=', organisationId)
    .where('id', '=', authorisationId)
    .where('userId', '=', userId)
    .where('chosenAt', 'is', null)
    .where('expiresAt', '>', isoTime(clock.now()))
}
