/** How people are named in lists. */
import { type RawBuilder, sql } from 'kysely'

/** 'First Last' of the `portal_user` that was joined, or the id in that column where the person is gone. */
export function fullNameOr(column: string): RawBuilder<string | null> {
  return sql<string | null>`coalesce(portal_user.first_name || ' ' || portal_user.last_name, ${sql.ref(column)}::text)`
}
