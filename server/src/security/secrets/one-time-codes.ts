/** One-time codes for links in emails: 256 random bits, stored as a hash, with an expiry. A newer code replaces earlier ones. */
import { createHash, randomBytes } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { IdentitySchema } from '../../kernel/store/schema/identity.ts'
import type { Db } from '../../kernel/store/store.ts'

type LinkCodePurpose = IdentitySchema['linkCode']['purpose']

export interface LinkCode {
  readonly subjectId: string
  readonly payload: Readonly<Record<string, unknown>>
}

interface NewLinkCode {
  readonly purpose: LinkCodePurpose
  readonly subjectId: string
  readonly lifeMs: number
  readonly payload?: Readonly<Record<string, unknown>>
  /** False keeps earlier codes for the same subject valid: two approvers have a link each. */
  readonly replaces?: boolean
}

/** 256 random bits, for use in an address, a cookie or a header. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the code for the link. It must not be stored or logged. */
export async function createLinkCode(
  db: Db,
  clock: Clock,
  { purpose, subjectId, lifeMs, payload = {}, replaces = true }: NewLinkCode,
): Promise<string> {
  const code = randomSecret()
  if (replaces)
    await db.deleteFrom('linkCode').where('subjectId', '=', subjectId).where('purpose', '=', purpose).execute()
  const row = { codeHash: hashOf(code), purpose, subjectId, payload: JSON.stringify(payload) }
  await db
    .insertInto('linkCode')
    .values({ ...row, createdAt: isoTime(clock.now()), expiresAt: isoTime(clock.now() + lifeMs) })
    .execute()
  return code
}

/** Reads a code without redeeming it. Null if it is unknown, used or expired. */
export async function readLinkCode(
  db: Db,
  clock: Clock,
  purpose: LinkCodePurpose,
  code: string,
): Promise<LinkCode | null> {
  const found = await db
    .selectFrom('linkCode')
    .select(['subjectId', 'payload'])
    .where('codeHash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', isoTime(clock.now()))
    .$castTo<LinkCode>()
    .executeTakeFirst()
  return found ?? null
}

/** Redeems the code atomically: of concurrent callers exactly one gets the result, the others null. */
export async function redeemLinkCode(
  db: Db,
  clock: Clock,
  purpose: LinkCodePurpose,
  code: string,
): Promise<LinkCode | null> {
  const now = isoTime(clock.now())
  const redeemed = await db
    .updateTable('linkCode')
    .set({ usedAt: now })
    .where('codeHash', '=', hashOf(code))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['subjectId', 'payload'])
    .$castTo<LinkCode>()
    .executeTakeFirst()
  return redeemed ?? null
}

/** The stored form of a code, a reference or a cookie. */
export function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
