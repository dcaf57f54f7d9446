/** Reads tokens with their owners, and counts their use. Across: a token is read before its organisation is known. */
import type { RoleName } from '@tributary/contract/capabilities'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { isoTime } from '../../kernel/clock.ts'

/** A token that is not revoked, of an active owner who has a role in its organisation, which is not archived. */
export function findToken(db: Db, secretHash: Buffer) {
  return db
    .selectFrom('apiToken')
    .innerJoin('portalUser', 'portalUser.id', 'apiToken.userId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .innerJoin('organisation', 'organisation.id', 'apiToken.organisationId')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.userId', '=', 'apiToken.userId')
        .onRef('membership.organisationId', '=', 'apiToken.organisationId'),
    )
    .innerJoin('role', (join) =>
      join.on(sql<boolean>`role.id = coalesce(portalUser.providerRoleId, membership.roleId)`),
    )
    .select(['apiToken.id', 'apiToken.userId', 'apiToken.organisationId', 'apiToken.scopes', 'apiToken.expiresAt'])
    .select(['firstName', 'lastName', 'emailAddress', 'passwordIsTemporary', 'organisation.allowsTokens'])
    .select(sql<RoleName>`role.name`.as('role'))
    .where('secretHash', '=', secretHash)
    .where('revokedAt', 'is', null)
    .where('status.name', '=', 'active')
    .where('organisation.archivedAt', 'is', null)
    .executeTakeFirst()
}
export type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>

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
