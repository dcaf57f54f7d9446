import type { RoleName } from '@tributary/contract/capabilities'
import { nameMax } from '@tributary/contract/limits'
import type { ApiToken, OwnedApiToken, ServiceAccount, TokenPolicy } from '@tributary/contract/tokens'
import type { TokenScope } from '@tributary/contract/token-scopes'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import { selectMembers } from '../../identity/people/members.ts'
import type { Db } from '../../kernel/store/store.ts'

const recentDays = 30

function selectTokens(db: Db) {
  return db
    .selectFrom('apiToken')
    .innerJoin('organisation', 'organisation.id', 'apiToken.organisationId')
    .select(['apiToken.id', 'apiToken.name', 'apiToken.organisationId', 'companyName as organisation', 'scopes'])
    .select(['apiToken.createdAt as createdAtUtc', 'expiresAt as expiresAtUtc', 'lastUsedAt as lastUsedAtUtc'])
    .select(['lastUsedAddress', 'lastUsedProgram', 'revokedAt as revokedAtUtc'])
    .select(sql<boolean>`oauthClientId IS NOT NULL`.as('isAssistant'))
    .select(
      sql<number>`(SELECT coalesce(sum(calls), 0)::int FROM apiTokenUse
          WHERE apiTokenUse.tokenId = apiToken.id AND day > (now() - ${recentDays} * interval '1 day')::date)`.as(
        'recentCalls',
      ),
    )
    .orderBy('apiToken.createdAt', 'desc')
    .orderBy('apiToken.id')
}

/** The person's tokens of all organisations. @param db a transaction across organisations. */
export function listOwnTokensEverywhere(db: Db, userId: string): Promise<Camel<ApiToken>[]> {
  return selectTokens(db).where('apiToken.userId', '=', userId).execute()
}

export function listTokens(db: Db, organisationId: string): Promise<Camel<OwnedApiToken>[]> {
  return selectTokens(db)
    .innerJoin('portalUser', 'portalUser.id', 'apiToken.userId')
    .select(['apiToken.userId as ownerId', 'portalUser.isService as isServiceAccount'])
    .select(sql<string>`firstName || ' ' || lastName`.as('owner'))
    .where('apiToken.organisationId', '=', organisationId)
    .execute()
}

export function getToken(db: Db, organisationId: string, tokenId: string): Promise<Camel<ApiToken>> {
  return selectTokens(db)
    .where('apiToken.organisationId', '=', organisationId)
    .where('apiToken.id', '=', tokenId)
    .executeTakeFirstOrThrow()
}

export interface NewTokenRow {
  readonly userId: string
  readonly name: string
  readonly secretHash: Buffer
  readonly scopes: TokenScope[]
  readonly createdAt: string
  readonly createdBy: string
  readonly expiresAt: string
}

export async function insertToken(db: Db, organisationId: string, row: NewTokenRow): Promise<string> {
  const { id } = await db
    .insertInto('apiToken')
    .values({ ...row, organisationId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Replaces the secret of a service account's token. Undefined if the organisation has no such token, or if it is revoked. */
export function replaceSecret(
  db: Db,
  organisationId: string,
  { tokenId, ...change }: { readonly tokenId: string; readonly secretHash: Buffer; readonly expiresAt: string },
) {
  return db
    .updateTable('apiToken')
    .from('portalUser')
    .set({ ...change, expiryMailedAt: null })
    .whereRef('portalUser.id', '=', 'apiToken.userId')
    .where('portalUser.isService', '=', true)
    .where('apiToken.organisationId', '=', organisationId)
    .where('apiToken.id', '=', tokenId)
    .where('revokedAt', 'is', null)
    .returning(['apiToken.id', 'apiToken.userId'])
    .executeTakeFirst()
}

export interface Revocation {
  readonly revokedAt: string
  readonly revokedBy: string
}

/** The ids of the tokens that were not revoked before. */
export async function revokeTokens(
  db: Db,
  organisationId: string,
  which: { readonly tokenId: string } | { readonly userId: string },
  revocation: Revocation,
): Promise<readonly string[]> {
  const [column, value] = 'tokenId' in which ? (['id', which.tokenId] as const) : (['userId', which.userId] as const)
  const revoked = await db
    .updateTable('apiToken')
    .set(revocation)
    .where('organisationId', '=', organisationId)
    .where(column, '=', value)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
  return revoked.map(({ id }) => id)
}

export async function hasToken(db: Db, organisationId: string, tokenId: string): Promise<boolean> {
  const found = await db
    .selectFrom('apiToken')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return found !== undefined
}

/** Until the transaction ends. */
export async function lockOrganisation(db: Db, organisationId: string): Promise<void> {
  await db.selectFrom('organisation').select('id').where('id', '=', organisationId).forNoKeyUpdate().execute()
}

export async function readOwnPolicy(db: Db, organisationId: string): Promise<Pick<Camel<TokenPolicy>, 'allowed'>> {
  const { allowsTokens: allowed } = await db
    .selectFrom('organisation')
    .select('allowsTokens')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return { allowed }
}

/** False if it was so before. */
export async function savePolicy(db: Db, organisationId: string, allowed: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organisation')
    .set({ allowsTokens: allowed })
    .where('id', '=', organisationId)
    .where('allowsTokens', '<>', allowed)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function selectServiceAccounts(db: Db, organisationId: string) {
  return selectMembers(db, organisationId)
    .innerJoin('role', 'role.id', 'membership.roleId')
    .where('portalUser.isService', '=', true)
    .select(['portalUser.id', 'firstName as name', 'status.name as status', 'portalUser.createdAt as createdAtUtc'])
    .select(sql<Extract<RoleName, 'admin' | 'user'>>`role.name`.as('role'))
    .select(
      sql<number>`(SELECT count(*)::int FROM apiToken WHERE apiToken.organisationId = ${organisationId}
        AND apiToken.userId = portalUser.id AND revokedAt IS NULL AND expiresAt > now())`.as('validTokens'),
    )
    .orderBy('firstName')
    .orderBy('portalUser.id')
}

export function listServiceAccounts(db: Db, organisationId: string): Promise<Camel<ServiceAccount>[]> {
  return selectServiceAccounts(db, organisationId).execute()
}

export function findServiceAccount(
  db: Db,
  organisationId: string,
  id: string,
): Promise<Camel<ServiceAccount> | undefined> {
  return selectServiceAccounts(db, organisationId).where('portalUser.id', '=', id).executeTakeFirst()
}

/** What people see as the last name, on every screen that names users. */
const serviceMark = '(service account)'

/** Adds the account as a member. @param db a transaction across organisations, because accounts belong to none. */
export async function insertServiceAccount(
  db: Db,
  organisationId: string,
  { name, role }: { readonly name: string; readonly role: 'admin' | 'user' },
): Promise<string> {
  const { id: userId } = await db
    .insertInto('portalUser')
    .values({
      firstName: name.slice(0, nameMax),
      lastName: serviceMark,
      // No mail can reach it (RFC 2606), and no one can prove that it is theirs.
      emailAddress: sql<string>`'service-' || gen_random_uuid() || '@service.invalid'`,
      passwordHash: null,
      isService: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('membership')
    .values((values) => ({
      organisationId,
      userId,
      roleId: values.selectFrom('role').select('id').where('name', '=', role),
    }))
    .execute()
  return userId
}
