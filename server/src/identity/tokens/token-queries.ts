/** Reads tokens with their owners, and counts their use. Across: a token is read before its organisation is known. */
import type { RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { isoTime } from '../../kernel/clock.ts'

/** A token that a person or a service account presents. */
export function findToken(db: Db, secretHash: Buffer) {
  return selectWorkingTokens(db)
    .select('apiToken.expiresAt')
    .where('apiToken.secretHash', '=', secretHash)
    .executeTakeFirst()
}
export type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>

/** The token of an assistant, by an access token of OAuth, which expires earlier. */
export function findAssistantToken(db: Db, secretHash: Buffer): Promise<FoundToken | undefined> {
  return selectWorkingTokens(db)
    .innerJoin('oauthSecret', 'oauthSecret.tokenId', 'apiToken.id')
    .select('oauthSecret.expiresAt')
    .where('oauthSecret.secretHash', '=', secretHash)
    .where('oauthSecret.kind', '=', 'access')
    .executeTakeFirst()
}

export function findTokenById(db: Db, organisationId: string, tokenId: string): Promise<FoundToken | undefined> {
  return selectWorkingTokens(db)
    .select('apiToken.expiresAt')
    .where('apiToken.organisationId', '=', organisationId)
    .where('apiToken.id', '=', tokenId)
    .executeTakeFirst()
}

/** Tokens that are not revoked, of active owners who have a role in their organisation, which is not archived. */
function selectWorkingTokens(db: Db) {
  return db
    .selectFrom('apiToken')
    .innerJoin('portalUser', 'portalUser.id', 'apiToken.userId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .innerJoin('organisation', 'organisation.id', 'apiToken.organisationId')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.userId', '=', 'apiToken.userId')
        .onRef('membership.organisationId', '=', 'apiToken.organisationId')
        // An auditor room is for a person in the portal, where what they look at is recorded.
        .on('membership.expiresAt', 'is', null),
    )
    .innerJoin('role', (join) =>
      join.on(sql<boolean>`role.id = coalesce(portalUser.providerRoleId, membership.roleId)`),
    )
    .select(['apiToken.id', 'apiToken.userId', 'apiToken.organisationId', 'apiToken.scopes'])
    .select(['firstName', 'lastName', 'emailAddress', 'passwordIsTemporary', 'organisation.allowsTokens'])
    .select(sql<RoleName>`role.name`.as('role'))
    .where('revokedAt', 'is', null)
    .where('status.name', '=', 'active')
    .where('organisation.archivedAt', 'is', null)
}

/** The owner's tokens in the organisation that still work. Locks the owner, so that two concurrent calls do not exceed the maximum. */
export async function countValidTokens(
  db: Db,
  organisationId: string,
  { userId, now }: { readonly userId: string; readonly now: string },
): Promise<number> {
  await db.selectFrom('portalUser').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('apiToken')
    .select(db.fn.countAll<number>().as('count'))
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

export interface TokenUse {
  readonly at: number
  readonly address: string
  readonly program: string
}

/** Counts a call of the day, in UTC, and records it as the last use. */
export async function recordTokenUse(
  db: Db,
  { id: tokenId, organisationId }: Pick<FoundToken, 'id' | 'organisationId'>,
  { at, address, program }: TokenUse,
): Promise<void> {
  const time = isoTime(at)
  await db
    .with('used', (query) =>
      query
        .updateTable('apiToken')
        .set({ lastUsedAt: time, lastUsedAddress: address, lastUsedProgram: program })
        .where('id', '=', tokenId),
    )
    .insertInto('apiTokenUse')
    .values({ organisationId, tokenId, day: time.slice(0, 10), calls: 1 })
    .onConflict((conflict) => conflict.columns(['tokenId', 'day']).doUpdateSet({ calls: sql`apiTokenUse.calls + 1` }))
    .execute()
}
