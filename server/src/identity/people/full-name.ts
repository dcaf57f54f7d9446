/** How people are named in lists. */
import { type RawBuilder, sql } from 'kysely'

/** 'First Last' of the `portalUser` that was joined, or the id in that column where the person is gone. */
export function fullNameOr(column: string): RawBuilder<string | null> {
  return sql<string | null>`coalesce(portalUser.firstName || ' ' || portalUser.lastName, ${sql.ref(column)}::text)`
}
