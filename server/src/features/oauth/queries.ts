import type { TokenScope } from '@tributary/contract/token-scopes'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

export interface OauthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export function findClient(db: Db, id: string): Promise<OauthClient | undefined> {
  return db.selectFrom('oauthClient').select(['id', 'name', 'redirectUris']).where('id', '=', id).executeTakeFirst()
}

export async function insertClient(
  db: Db,
  client: { readonly name: string; readonly redirectUris: string[]; readonly createdAt: string },
): Promise<string> {
  const { id } = await db.insertInto('oauthClient').values(client).returning('id').executeTakeFirstOrThrow()
  return id
}

/** No person has a token that they allowed it, whether or not that still works. */
const isUnused = sql<boolean>`NOT EXISTS (SELECT FROM apiToken WHERE apiToken.oauthClientId = oauthClient.id)`

export async function countUnusedClients(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('oauthClient')
    .select(db.fn.countAll<number>().as('count'))
    .where(isUnused)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteUnusedClients(db: Db, before: string): Promise<void> {
  await db.deleteFrom('oauthClient').where('createdAt', '<', before).where(isUnused).execute()
}

interface NamedOrganisation {
  readonly id: string
  readonly name: string
}

/** Organisations that allow access tokens. @param ids null: of all. @param db a transaction across organisations. */
export function listTokenOrganisations(db: Db, ids: readonly string[] | null): Promise<NamedOrganisation[]> {
  let query = db
    .selectFrom('organisation')
    .select(['id', 'companyName as name'])
    .where('archivedAt', 'is', null)
    .where('allowsTokens', '=', true)
    .orderBy('companyName')
    .orderBy('id')
  if (ids !== null) query = query.where(sql<boolean>`id = ANY (${ids}::uuid[])`)
  return query.execute()
}

export interface NewCode {
  readonly codeHash: Buffer
  readonly userId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly scopes: TokenScope[]
  readonly expiresAt: string
}

export async function insertCode(db: Db, organisationId: string, code: NewCode): Promise<void> {
  await db
    .insertInto('oauthCode')
    .values({ ...code, organisationId })
    .execute()
}

/** Locks the code, so that of concurrent exchanges one issues tokens. It determines the organisation. */
export function lockCodeEverywhere(db: Db, codeHash: Buffer) {
  return db
    .selectFrom('oauthCode')
    .innerJoin('oauthClient', 'oauthClient.id', 'oauthCode.clientId')
    .select(['organisationId', 'userId', 'clientId', 'redirectUri', 'challenge', 'scopes', 'expiresAt', 'usedAt'])
    .select(['tokenId', 'oauthClient.name as clientName'])
    .where('codeHash', '=', codeHash)
    .forUpdate('oauthCode')
    .executeTakeFirst()
}
export type LockedCode = NonNullable<Awaited<ReturnType<typeof lockCodeEverywhere>>>

export async function markCodeUsed(
  db: Db,
  organisationId: string,
  { codeHash, ...change }: { readonly codeHash: Buffer; readonly usedAt: string; readonly tokenId?: string },
): Promise<void> {
  await db
    .updateTable('oauthCode')
    .set(change)
    .where('organisationId', '=', organisationId)
    .where('codeHash', '=', codeHash)
    .execute()
}

export interface NewAssistantToken {
  readonly userId: string
  readonly oauthClientId: string
  readonly name: string
  readonly scopes: TokenScope[]
  readonly createdAt: string
  readonly expiresAt: string
}

export async function insertAssistantToken(
  db: Db,
  organisationId: string,
  { userId, ...token }: NewAssistantToken,
): Promise<string> {
  const { id } = await db
    .insertInto('apiToken')
    .values({ ...token, organisationId, userId, createdBy: userId, secretHash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Ends what the person allowed the client before, except the token `keptId`. */
export async function revokeFormerTokens(
  db: Db,
  organisationId: string,
  {
    keptId,
    userId,
    clientId,
    revokedAt,
  }: { readonly keptId: string; readonly userId: string; readonly clientId: string; readonly revokedAt: string },
): Promise<void> {
  await db
    .updateTable('apiToken')
    .set({ revokedAt, revokedBy: userId })
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .where('oauthClientId', '=', clientId)
    .where('id', '<>', keptId)
    .where('revokedAt', 'is', null)
    .execute()
}

export interface NewSecret {
  readonly secretHash: Buffer
  readonly tokenId: string
  readonly kind: 'access' | 'refresh'
  readonly expiresAt: string
}

export async function insertSecrets(db: Db, organisationId: string, secrets: readonly NewSecret[]): Promise<void> {
  await db
    .insertInto('oauthSecret')
    .values(secrets.map((secret) => ({ ...secret, organisationId })))
    .execute()
}

/** Locks the token with its secret, so that of concurrent refreshes one succeeds. It determines the organisation. */
export function lockSecretEverywhere(db: Db, secretHash: Buffer) {
  return db
    .selectFrom('oauthSecret')
    .innerJoin('apiToken', 'apiToken.id', 'oauthSecret.tokenId')
    .select(['oauthSecret.organisationId', 'tokenId', 'kind', 'usedAt', 'oauthSecret.expiresAt', 'revokedAt'])
    .select(['apiToken.userId', 'apiToken.name as clientName', 'apiToken.expiresAt as endsAt', 'scopes'])
    .select(sql<string>`apiToken.oauthClientId`.as('clientId'))
    .where('oauthSecret.secretHash', '=', secretHash)
    .forUpdate()
    .executeTakeFirst()
}
export type LockedSecret = NonNullable<Awaited<ReturnType<typeof lockSecretEverywhere>>>

export async function markSecretUsed(
  db: Db,
  organisationId: string,
  { secretHash, usedAt }: { readonly secretHash: Buffer; readonly usedAt: string },
): Promise<void> {
  await db
    .updateTable('oauthSecret')
    .set({ usedAt })
    .where('organisationId', '=', organisationId)
    .where('secretHash', '=', secretHash)
    .execute()
}

/** Ends the token with all its secrets. False if it had ended before. */
export async function endToken(
  db: Db,
  organisationId: string,
  { tokenId, revokedAt }: { readonly tokenId: string; readonly revokedAt: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiToken')
    .set({ revokedAt })
    .where('organisationId', '=', organisationId)
    .where('id', '=', tokenId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
