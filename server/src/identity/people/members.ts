/** The members of an organisation. */
import { may } from '@tributary/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../kernel/http/actor.ts'
import { matchesSearch } from '../../kernel/store/search.ts'
import type { Db } from '../../kernel/store/store.ts'

/** What an actor sees of the organisation's members. */
export type SeenMemberFields = 'all' | 'names'

export function seenMemberFields({ roleLevel }: Actor): SeenMemberFields {
  return may(roleLevel, 'seeExcel') ? 'all' : 'names'
}

/** Whether the fields that an actor sees of a member contain the search term. */
export function matchesMember(search: string | undefined, fields: SeenMemberFields): RawBuilder<boolean> {
  const address = fields === 'all' ? sql`|| ' ' || emailAddress` : sql``
  return matchesSearch(sql`firstName || ' ' || lastName ${address}`, search)
}

/** Members with their account and its status. */
export function selectMembers(db: Db, organisationId: string) {
  return db
    .selectFrom('membership')
    .innerJoin('portalUser', 'portalUser.id', 'membership.userId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .where('membership.organisationId', '=', organisationId)
}

/** Members by first name, with the columns of a list. */
export function selectNamedMembers(db: Db, organisationId: string) {
  return selectMembers(db, organisationId)
    .select(['portalUser.id', 'firstName', 'lastName', 'emailAddress'])
    .select(sql<{ name: string }>`json_build_object('name', status.name)`.as('status'))
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('portalUser.id')
}

/** The given ids that are members of the organisation. */
export async function filterMembers(
  db: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('membership')
    .select('userId')
    .where('organisationId', '=', organisationId)
    .where('userId', 'in', [...userIds])
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

export async function isMember(db: Db, organisationId: string, userId: string): Promise<boolean> {
  return (await filterMembers(db, organisationId, [userId])).size > 0
}
