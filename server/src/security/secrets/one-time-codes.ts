/** Codes of links in mails: 256 random bits, kept as a hash, in force for a while, used once; a newer one replaces those before it. */
import { createHash, randomBytes } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { IdentitySchema } from '../../kernel/store/schema/identity.ts'
import type { Db } from '../../kernel/store/store.ts'

type Purpose = IdentitySchema['linkCode']['purpose']

export interface LinkCode {
  readonly subjectId: string
  readonly payload: Readonly<Record<string, unknown>>
}

interface Making {
  readonly purpose: Purpose
  readonly subjectId: string
  readonly lifeMs: number
  readonly payload?: Readonly<Record<string, unknown>>
  /** False leaves earlier codes for the same thing in force: two approvers have a link each. */
  readonly replaces?: boolean
}

/** The code to put into the link; it is told to nobody else. */
export async function makeLinkCode(
  db: Db,
  clock: Clock,
  { purpose, subjectId, lifeMs, payload = {}, replaces = true }: Making,
): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  if (replaces)
    await db.deleteFrom('linkCode').where('subjectId', '=', subjectId).where('purpose', '=', purpose).execute()
  const row = { codeHash: hashOf(code), purpose, subjectId, payload: JSON.stringify(payload) }
  await db
    .insertInto('linkCode')
    .values({ ...row, createdAt: isoTime(clock.now()), expiresAt: isoTime(clock.now() + lifeMs) })
    .execute()
  return code
}

/** What the code is about, without using it; null for one that is unknown, used or too old. */
export async function readLinkCode(
  db: Db,
  clock: Clock,
  { purpose, code }: { purpose: Purpose; code: string },
): Promise<LinkCode | null> {
  const found = await db
    .selectFrom('linkCode')
    .select(['subjectId', 'payload'])
    .where('codeHash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(clock.now()))
    .executeTakeFirst()
  return found === undefined ? null : { subjectId: found.subjectId, payload: found.payload as LinkCode['payload'] }
}

/** Uses the code up: of all who try at once exactly one gets an answer, the others null. */
export async function takeLinkCode(
  db: Db,
  clock: Clock,
  { purpose, code }: { purpose: Purpose; code: string },
): Promise<LinkCode | null> {
  const now = isoTime(clock.now())
  const taken = await db
    .updateTable('linkCode')
    .set({ usedAt: now })
    .where('codeHash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['subjectId', 'payload'])
    .executeTakeFirst()
  return taken === undefined ? null : { subjectId: taken.subjectId, payload: taken.payload as LinkCode['payload'] }
}

/** How a code, a reference or a cookie is kept. */
export function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
