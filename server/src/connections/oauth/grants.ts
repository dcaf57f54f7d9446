/**
 * Grants as the store has them: a row for what one person has given to one app. Whoever asks the source for a new token takes a turn
 * and commits it before asking. Turns are numbered, and only a later turn than the one that stored the last token stores another.
 * All in transactions across: a grant may serve several organisations.
 */
import { randomUUID } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { OauthPerson, TokenResponse } from './oauth-client.ts'

export type GrantRow = NonNullable<Awaited<ReturnType<typeof lockGrant>>>

/** Held until the transaction ends. */
export function lockGrant(db: Db, grantId: string) {
  return db.selectFrom('oauthGrant').selectAll().where('id', '=', grantId).forUpdate().executeTakeFirst()
}

export interface GrantServices {
  readonly secrets: Secrets
  readonly clock: Clock
}

export interface GrantOwner {
  readonly type: string
  /** Null: the app of whoever runs this server. */
  readonly appId: string | null
  readonly clientId: string
  /** Null for a custom connection, which needs nobody. */
  readonly person: OauthPerson | null
  /** The person's account here. */
  readonly givenBy?: string
}

/** What a person has just given, in the place of what they gave to that app before. Answers the grant's id. */
export async function storeGrant(
  db: Db,
  kept: GrantServices,
  giver: GrantOwner,
  tokens: TokenResponse,
): Promise<string> {
  const { type, appId, clientId } = giver
  const person = giver.person?.id ?? ''
  await db
    .insertInto('oauthGrant')
    .values({ id: randomUUID(), type, appId, clientId, person })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const grant = await db
    .selectFrom('oauthGrant')
    .select(['id', 'version', 'intentVersion', 'scopes'])
    .where('type', '=', type)
    .where('appId', 'is not distinct from', appId)
    .where('clientId', '=', clientId)
    .where('person', '=', person)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db
    .updateTable('oauthGrant')
    .set({
      ...(await sealed(db, kept, grant.id, tokens)),
      emailAddress: giver.person?.emailAddress ?? null,
      name: giver.person?.name ?? null,
      givenBy: giver.givenBy ?? null,
      // Beyond every turn that is under way with the former token.
      version: Math.max(grant.version, grant.intentVersion ?? 0) + 1,
      intentVersion: null,
      intentAt: null,
      deadAt: null,
      warnedAt: null,
      toldAt: null,
    })
    .where('id', '=', grant.id)
    .execute()
  return grant.id
}

/** Takes the next turn; it counts once the transaction is committed. Answers its number. */
export async function claimRefresh(db: Db, clock: Clock, { id, version, intentVersion }: GrantRow): Promise<number> {
  const turn = Math.max(version, intentVersion ?? 0) + 1
  await db
    .updateTable('oauthGrant')
    .set({ intentVersion: turn, intentAt: isoTime(clock.now()) })
    .where('id', '=', id)
    .execute()
  return turn
}

/** The tokens that came of a turn, unless a later one has stored others. Whose turn is still open stays so. */
export async function storeTokens(
  db: Db,
  kept: GrantServices,
  { grantId, turn }: ClaimedRefresh,
  tokens: TokenResponse,
): Promise<void> {
  const grant = await lockGrant(db, grantId)
  if (grant === undefined || grant.version >= turn) return
  await db
    .updateTable('oauthGrant')
    .set({
      ...(await sealed(db, kept, grantId, tokens)),
      version: turn,
      ...(grant.intentVersion === turn && { intentVersion: null, intentAt: null }),
      warnedAt: null,
    })
    .where('id', '=', grantId)
    .execute()
}

export interface ClaimedRefresh {
  readonly grantId: string
  readonly turn: number
}

/** The source has answered, but not with a token. */
export async function releaseRefresh(db: Db, { grantId, turn }: ClaimedRefresh): Promise<void> {
  await db
    .updateTable('oauthGrant')
    .set({ intentVersion: null, intentAt: null })
    .where('id', '=', grantId)
    .where('intentVersion', '=', turn)
    .execute()
}

/** Both tokens go; the row stays, so that people see whose grant it was. */
export async function markGrantDead(db: Db, clock: Clock, grantId: string): Promise<void> {
  const now = isoTime(clock.now())
  const nothing = { refreshToken: null, accessToken: null, accessExpiresAt: null, intentVersion: null, intentAt: null }
  await db
    .updateTable('oauthGrant')
    .set({ ...nothing, deadAt: now, toldAt: now })
    .where('id', '=', grantId)
    .execute()
}

/** Null where the grant has none: no refresh token for a custom connection, neither once it is dead. */
export async function decryptToken(
  db: Db,
  { secrets }: Pick<GrantServices, 'secrets'>,
  grant: Pick<GrantRow, 'id' | 'accessToken' | 'refreshToken'>,
  which: 'accessToken' | 'refreshToken',
): Promise<string | null> {
  const text = grant[which]
  return text === null ? null : secrets.decrypt(db, placeOf(grant.id, columns[which]), text)
}

const columns = { accessToken: 'access_token', refreshToken: 'refresh_token' } as const

async function sealed(
  db: Db,
  { secrets, clock }: GrantServices,
  grantId: string,
  { accessToken, refreshToken, expiresInMs, scopes }: TokenResponse,
) {
  const now = clock.now()
  return {
    refreshToken:
      refreshToken === null ? null : await secrets.encrypt(db, placeOf(grantId, columns.refreshToken), refreshToken),
    accessToken: await secrets.encrypt(db, placeOf(grantId, columns.accessToken), accessToken),
    accessExpiresAt: isoTime(now + expiresInMs),
    refreshedAt: isoTime(now),
    ...(scopes.length > 0 && { scopes: [...scopes] }),
  }
}

function placeOf(grantId: string, column: string) {
  return { organisationId: null, table: 'oauth_grant', column, row: grantId }
}

/** Where the keys of the app are that the grant was given to. */
export async function findOwnApp(db: Db, secrets: Secrets, appId: string) {
  const app = await db.selectFrom('oauthApp').selectAll().where('id', '=', appId).executeTakeFirst()
  if (app === undefined) return undefined
  const { organisationId, kind, clientId } = app
  return {
    organisationId,
    kind,
    clientId,
    clientSecret: await secrets.decrypt(db, appSecretLocation(organisationId, appId), app.clientSecret),
  }
}

export function appSecretLocation(organisationId: string, appId: string) {
  return { organisationId, table: 'oauth_app', column: 'client_secret', row: appId }
}

/** Which of the grants nobody uses: no connector, and no choice that is still open. Their tokens go with them. */
export async function deleteUnusedGrants(db: Db, clock: Clock, grantIds?: readonly string[]): Promise<void> {
  await db
    .deleteFrom('oauthGrant')
    .$if(grantIds !== undefined, (query) => query.where('id', 'in', [...(grantIds ?? [])]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('connectorTenant').select('grantId').whereRef('connectorTenant.grantId', '=', 'oauthGrant.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('authorisation')
            .select('grantId')
            .whereRef('authorisation.grantId', '=', 'oauthGrant.id')
            .where('chosenAt', 'is', null)
            .where('expiresAt', '>', isoTime(clock.now())),
        ),
      ),
    )
    .execute()
}
