/**
 * OAuth grants in the store: a row for what one person has granted to one app. A refresh commits a numbered lease
 * before the request. The number is a fencing token: only a lease later than the one that stored the current token may
 * store another. Every `db` here is a transaction across organisations, because a grant may serve several.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import { randomUUID } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { OauthPerson, TokenResponse } from './oauth-client.ts'

export type GrantRow = NonNullable<Awaited<ReturnType<typeof lockGrant>>>

/** Locks the row until the transaction ends. */
export function lockGrant(db: Db, grantId: string) {
  return db.selectFrom('oauthGrant').selectAll().where('id', '=', grantId).forUpdate().executeTakeFirst()
}

export type GrantServices = Pick<SecurityServices, 'clock' | 'secrets'>

export interface GrantOwner {
  readonly type: string
  /** An app of an organisation; null for the app of the server's operator. */
  readonly appId: string | null
  readonly clientId: string
  /** Null for a custom connection, which involves no person. */
  readonly person: OauthPerson | null
  /** The id of the person's user in Tributary. */
  readonly givenBy?: string
}

/** Stores a new grant, which replaces an earlier one of the same person and app. Returns the grant's id. */
export async function storeGrant(
  db: Db,
  services: GrantServices,
  owner: GrantOwner,
  tokens: TokenResponse,
): Promise<string> {
  const { type, appId, clientId } = owner
  const person = owner.person?.id ?? ''
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
      ...(await encryptTokens(db, services, grant.id, tokens)),
      emailAddress: owner.person?.emailAddress ?? null,
      name: owner.person?.name ?? null,
      givenBy: owner.givenBy ?? null,
      // Higher than every open lease, so that a refresh of the former token cannot overwrite the new one.
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

/** Claims the next lease, which is valid once the transaction is committed. Returns its number. */
export async function claimRefresh(db: Db, clock: Clock, { id, version, intentVersion }: GrantRow): Promise<number> {
  const leaseNumber = Math.max(version, intentVersion ?? 0) + 1
  await db
    .updateTable('oauthGrant')
    .set({ intentVersion: leaseNumber, intentAt: isoTime(clock.now()) })
    .where('id', '=', id)
    .execute()
  return leaseNumber
}

/** Stores the tokens of a lease, unless a later lease has stored others. A later lease that is open stays open. */
export async function storeTokens(
  db: Db,
  services: GrantServices,
  { grantId, leaseNumber }: ClaimedRefresh,
  tokens: TokenResponse,
): Promise<void> {
  const grant = await lockGrant(db, grantId)
  if (grant === undefined || grant.version >= leaseNumber) return
  await db
    .updateTable('oauthGrant')
    .set({
      ...(await encryptTokens(db, services, grantId, tokens)),
      version: leaseNumber,
      ...(grant.intentVersion === leaseNumber && { intentVersion: null, intentAt: null }),
      warnedAt: null,
    })
    .where('id', '=', grantId)
    .execute()
}

export interface ClaimedRefresh {
  readonly grantId: string
  readonly leaseNumber: number
}

/** Ends a lease whose request the source refused. */
export async function releaseRefresh(db: Db, { grantId, leaseNumber }: ClaimedRefresh): Promise<void> {
  await db
    .updateTable('oauthGrant')
    .set({ intentVersion: null, intentAt: null })
    .where('id', '=', grantId)
    .where('intentVersion', '=', leaseNumber)
    .execute()
}

/** Deletes both tokens. The row stays, so that people can see whose grant it was. */
export async function markGrantDead(db: Db, clock: Clock, grantId: string): Promise<void> {
  const now = isoTime(clock.now())
  const cleared = { refreshToken: null, accessToken: null, accessExpiresAt: null, intentVersion: null, intentAt: null }
  await db
    .updateTable('oauthGrant')
    .set({ ...cleared, deadAt: now, toldAt: now })
    .where('id', '=', grantId)
    .execute()
}

/** Null if the grant has no such token: a custom connection has no refresh token, a dead grant has neither. */
export async function decryptToken(
  db: Db,
  { secrets }: Pick<GrantServices, 'secrets'>,
  grant: Pick<GrantRow, 'id' | 'accessToken' | 'refreshToken'>,
  which: 'accessToken' | 'refreshToken',
): Promise<string | null> {
  const encrypted = grant[which]
  return encrypted === null ? null : secrets.decrypt(db, tokenLocation(grant.id, tokenColumns[which]), encrypted)
}

const tokenColumns = { accessToken: 'access_token', refreshToken: 'refresh_token' } as const

async function encryptTokens(
  db: Db,
  { secrets, clock }: GrantServices,
  grantId: string,
  { accessToken, refreshToken, expiresInMs, scopes }: TokenResponse,
) {
  const now = clock.now()
  return {
    refreshToken:
      refreshToken === null
        ? null
        : await secrets.encrypt(db, tokenLocation(grantId, tokenColumns.refreshToken), refreshToken),
    accessToken: await secrets.encrypt(db, tokenLocation(grantId, tokenColumns.accessToken), accessToken),
    accessExpiresAt: isoTime(now + expiresInMs),
    refreshedAt: isoTime(now),
    ...(scopes.length > 0 && { scopes: [...scopes] }),
  }
}

function tokenLocation(grantId: string, column: string) {
  return { organisationId: null, table: 'oauth_grant', column, row: grantId }
}

/** The client id and secret of an organisation's own OAuth app; undefined if it no longer exists. */
export async function findOrganisationApp(db: Db, secrets: Secrets, appId: string) {
  const app = await db.selectFrom('oauthApp').selectAll().where('id', '=', appId).executeTakeFirst()
  if (app === undefined) return undefined
  const clientSecret = await secrets.decrypt(db, appSecretLocation(app.organisationId, appId), app.clientSecret)
  return { ...app, clientSecret }
}

export function appSecretLocation(organisationId: string, appId: string) {
  return { organisationId, table: 'oauth_app', column: 'client_secret', row: appId }
}

/**
 * Deletes grants, with their tokens, that no connector and no open authorisation uses.
 * @param grantIds limits the search.
 */
export async function deleteUnusedGrants(db: Db, clock: Clock, grantIds?: readonly string[]): Promise<void> {
  await db
    .deleteFrom('oauthGrant')
    .$if(grantIds !== undefined, (query) => query.where('id', 'in', [...(grantIds ?? [])]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('connectorCompany').select('grantId').whereRef('connectorCompany.grantId', '=', 'oauthGrant.id'),
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
