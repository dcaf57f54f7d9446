import type { Db } from '../../kernel/store/store.ts'

/** The names that a password of this person must not be made of. */
export async function listNamesEverywhere(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('portalUser')
    .leftJoin('membership', 'membership.userId', 'portalUser.id')
    .leftJoin('organisation', 'organisation.id', 'membership.organisationId')
    .select(['firstName', 'lastName', 'emailAddress', 'companyName'])
    .where('portalUser.id', '=', userId)
    .execute()
  return rows.flatMap((row) => Object.values(row)).filter((name) => name !== null)
}
