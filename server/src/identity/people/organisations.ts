/** Organisations: made by the provider's hand or by the approval of a sign-up, and the clock that each goes by. */
import { sql } from 'kysely'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { keyOf } from '../../kernel/text/slug.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/** Answers its id; throws `nameTaken` for a name that differs from another at most in capitals. `db` is a transaction across. */
export async function insertOrganisation(
  db: Db,
  organisation: { readonly companyName: string; readonly timeZone?: string },
): Promise<string> {
  // One after the other: two of similar names at the same moment would be given the same key.
  await lockForTransaction(db, 'organisationKeys')
  const { companyName } = organisation
  const like = await db
    .selectFrom('organisation')
    .select('key')
    .where('key', 'like', `${keyOf(companyName, 'organisation')}%`)
    .execute()
  const key = keyOf(companyName, 'organisation', new Set(like.map((taken) => taken.key)))
  const made = await db
    .insertInto('organisation')
    .values({ ...organisation, key })
    .onConflict((conflict) => conflict.expression(sql`lower(companyName)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined)
    throw new ApiFault('nameTaken', { values: { name: companyName }, fields: { companyName: 'is taken' } })
  return made.id
}

export async function findTimeZone(db: Db, organisationId: string): Promise<string> {
  const { timeZone } = await db
    .selectFrom('organisation')
    .select('timeZone')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  return timeZone
}

/** Refuses what is no name of the IANA database, such as `Europe/London` or `UTC`. Mere offsets know no summer time. */
export function requireTimeZone(field: string, timeZone: string): void {
  if (/^[A-Za-z]/u.test(timeZone) && isKnown(timeZone)) return
  throw badField(field, 'is not a time zone such as Europe/London')
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
