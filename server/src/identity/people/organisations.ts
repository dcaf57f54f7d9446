/** Creates organisations, and reads their names and time zones. */
import { sql } from 'kysely'
import { badField, nameTakenFault } from '../../kernel/http/api-fault.ts'
import { keyOf } from '../../kernel/text/slug.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/**
 * Returns the id. Throws `nameTaken` if the name is taken, ignoring case. `db` is a transaction across organisations.
 */
export async function insertOrganisation(
  db: Db,
  organisation: { readonly companyName: string; readonly timeZone?: string },
): Promise<string> {
  // Serialises inserts: two concurrent ones with similar names would get the same key.
  await lockForTransaction(db, 'organisationKeys')
  const { companyName } = organisation
  const similar = await db
    .selectFrom('organisation')
    .select('key')
    .where('key', 'like', `${keyOf(companyName, 'organisation')}%`)
    .execute()
  const key = keyOf(companyName, 'organisation', new Set(similar.map((taken) => taken.key)))
  const inserted = await db
    .insertInto('organisation')
    .values({ ...organisation, key })
    .onConflict((conflict) => conflict.expression(sql`lower(companyName)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) throw nameTakenFault(companyName, 'companyName')
  return inserted.id
}

export async function findTimeZone(db: Db, organisationId: string): Promise<string> {
  const { timeZone } = await db
    .selectFrom('organisation')
    .select('timeZone')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return timeZone
}

/** The zone in which the caller counts days: the organisation's unless the caller names another one that is known here. */
export async function resolveTimeZone(db: Db, organisationId: string, requested: string | undefined): Promise<string> {
  return canonicalTimeZone(requested ?? '') ?? (await findTimeZone(db, organisationId))
}

/**
 * Requires a name of the IANA database, such as `Europe/London` or `UTC`. Offsets are refused: they have no daylight
 * saving time.
 */
export function requireTimeZone(field: string, timeZone: string): void {
  if (canonicalTimeZone(timeZone) === null) throw badField(field, 'is not a time zone such as Europe/London')
}

/** One name for all spellings, so that what is cached by time zone stays small. Null if this server does not know it. */
function canonicalTimeZone(timeZone: string): string | null {
  if (!/^[A-Za-z]/u.test(timeZone)) return null
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export async function getCompanyName(db: Db, organisationId: string): Promise<string> {
  const { companyName } = await db
    .selectFrom('organisation')
    .select('companyName')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return companyName
}
