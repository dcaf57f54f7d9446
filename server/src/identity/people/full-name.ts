/** The names of people in lists. */
import { type RawBuilder, sql } from 'kysely'

/** 'First Last' of the joined `portalUser`, or the id in the column if the user was deleted. */
export function selectFullName(column: string): RawBuilder<string | null> {
  return sql<string | null>`coalesce(portalUser.firstName || ' ' || portalUser.lastName, ${sql.ref(column)}::text)`
}
