/** Erasing a person: what says who they were goes, wherever it is. What they did stays, under a number. `features/privacy/erased-person.test.ts` looks for the rest. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { LockedPerson } from './lock-people.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

interface Erasing {
  readonly id: string
  /** In small letters. */
  readonly address: string
  /** False: nobody has shown that the address is theirs, so what waits under it elsewhere may be somebody else's. */
  readonly isProven: boolean
  readonly firstName: string
  readonly lastName: string
  /** By which who did what stays readable; the same in every place. */
  readonly pseudonym: string
  /** Where they are a member until now. */
  readonly organisationIds: readonly string[]
  /** Sign-ups of theirs. */
  readonly registrationIds: readonly string[]
}

/** Part of a transaction across that holds the person. @param now in UTC. */
export async function erase(
  db: Db,
  { id, emailAddress, firstName, lastName, roles }: LockedPerson,
  now: string,
): Promise<void> {
  const address = emailAddress.toLowerCase()
  const number = await takeNumber(db)
  const { isProven } = await db
    .selectFrom('portalUser')
    .select('isProven')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const registrationIds = await listRegistrations(db, { id, address, isProven })
  const names = { address, firstName, lastName, pseudonym: `Deleted user #${number}` }
  const erasing = { id, isProven, ...names, organisationIds: Object.keys(roles), registrationIds }
  const approvalIds = await eraseSignUps(db, erasing, now)
  await eraseWaysIn(db, erasing)
  await eraseTraces(db, erasing)
  await eraseAudit(db, erasing, approvalIds)
  const nobody = {
    firstName: 'Deleted',
    lastName: `user #${number}`,
    emailAddress: `deleted-${id}@deleted.invalid`,
    passwordHash: null,
  }
  const { id: statusId } = await db
    .selectFrom('status')
    .select('id')
    .where('name', '=', 'archived')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('portalUser')
    .set({
      ...nobody,
      statusId,
      providerRoleId: null,
      msOid: null,
      requiresMfa: false,
      lastSignInAt: null,
      failedSignIns: 0,
    })
    .set({ erasedNumber: number, erasedAt: now })
    .where('id', '=', id)
    .execute()
}

async function takeNumber(db: Db): Promise<number> {
  await lockForTransaction(db, 'erasedNumbers')
  const { number } = await db
    .selectFrom('portalUser')
    .select(sql<number>`coalesce(max(erasedNumber), 0) + 1`.as('number'))
    .executeTakeFirstOrThrow()
  return number
}

async function listRegistrations(
  db: Db,
  { id, address, isProven }: Pick<Erasing, 'id' | 'address' | 'isProven'>,
): Promise<readonly string[]> {
  const found = await db
    .selectFrom('registration')
    .select('id')
    .where(
      sql<boolean>`((lower(emailAddress) = ${address} AND (${isProven} OR finalisedAt IS NOT NULL)) OR linkedUserId = ${id}
        OR (issuer, subject) IN (SELECT known.issuer, known.subject FROM externalIdentity AS known WHERE known.userId = ${id}))`,
    )
    .execute()
  return found.map((one) => one.id)
}

/** Answers the ids of what they had asked for. */
async function eraseSignUps(
  db: Db,
  { address, isProven, id, registrationIds, organisationIds }: Erasing,
  now: string,
): Promise<readonly string[]> {
  const theirs = sql<boolean>`registrationId = ANY (${registrationIds})`
  const context = JSON.stringify({ Description: 'The applicant has been deleted.' })
  // Nobody is left to be let in.
  const status = sql<'PENDING' | 'APPROVED' | 'REJECTED'>`CASE status WHEN 'PENDING' THEN 'REJECTED' ELSE status END`
  const decidedAt = sql<string>`coalesce(decidedAt, ${now}::timestamptz)`
  const decided = await db
    .updateTable('approval')
    .set({ context, status, decidedAt })
    .where(theirs)
    .returning('id')
    .execute()
  const invited = await db
    .deleteFrom('invitation')
    .where(sql<boolean>`lower(emailAddress) = ${address}`)
    .where(sql<boolean>`(${isProven} OR acceptedAt IS NOT NULL OR organisationId = ANY (${organisationIds}::uuid[]))`)
    .returning('id')
    .execute()
  const subjects = [id, ...registrationIds, ...[...decided, ...invited].map((one) => one.id)]
  await db
    .deleteFrom('linkCode')
    .where(sql<boolean>`(subjectId = ANY (${subjects}::uuid[]) OR payload ->> 'userId' = ${id})`)
    .execute()
  await db
    .deleteFrom('registration')
    .where(
      sql<boolean>`id = ANY (${registrationIds}) AND NOT EXISTS (SELECT FROM approval WHERE approval.registrationId = registration.id)`,
    )
    .execute()
  const nobody = {
    firstName: 'Deleted',
    lastName: 'user',
    emailAddress: `deleted-${id}@deleted.invalid`,
    companyName: 'Deleted',
  }
  await db
    .updateTable('registration')
    .set({ ...nobody, passwordHash: null, issuer: null, subject: null, provider: null, browserHash: null, msOid: null })
    .where(sql<boolean>`id = ANY (${registrationIds})`)
    .execute()
  return decided.map((one) => one.id)
}

const waysIn = ['device', 'totp', 'passkey', 'recoveryCode', 'externalLogin', 'verification', 'authorisation'] as const

async function eraseWaysIn(db: Db, { id, address, isProven }: Erasing): Promise<void> {
  await db
    .deleteFrom('pendingIdentity')
    .where(
      sql<boolean>`((lower(emailAddress) = ${address} AND ${isProven})
        OR (issuer, subject) IN (SELECT known.issuer, known.subject FROM externalIdentity AS known WHERE known.userId = ${id}))`,
    )
    .execute()
  for (const table of [...waysIn, 'externalIdentity'] as const)
    await db.deleteFrom(table).where('userId', '=', id).execute()
  // Of a sign-up, which no account stands behind yet.
  await db
    .deleteFrom('verification')
    .where(sql<boolean>`(lower(payload ->> 'sendTo') = ${address} AND ${isProven})`)
    .execute()
  await db.updateTable('session').set({ address: null, deviceName: null }).where('userId', '=', id).execute()
}

async function eraseTraces(db: Db, erasing: Erasing): Promise<void> {
  const { id, address, isProven, pseudonym } = erasing
  // Also what still waits to go out: there is nobody left to write to, but for whoever else is invited or signs up there.
  await db
    .deleteFrom('mail')
    .where(sql<boolean>`lower(recipient) = ${address}`)
    .where(
      sql<boolean>`(${isProven} OR NOT EXISTS (SELECT FROM invitation WHERE lower(emailAddress) = ${address}
        UNION ALL SELECT FROM registration WHERE lower(emailAddress) = ${address}))`,
    )
    .execute()
  await db.deleteFrom('loadFile').where('userId', '=', id).execute()
  await db
    .updateTable('run')
    .set({ notice: `Cancelled by ${pseudonym}.` })
    .where('cancelledBy', '=', id)
    // One that had ended before it saw the wish says what it came to.
    .where('notice', 'like', 'Cancelled by %')
    .execute()
  await sql`UPDATE connector SET alertUsers = nullif(array_remove(alertUsers, ${id}::uuid), '{}') WHERE ${id}::uuid = ANY (alertUsers)`.execute(
    db,
  )
  // The connectors that sign in by it go on; only who gave it is told no more.
  await db
    .updateTable('oauthGrant')
    .set({ emailAddress: null, name: pseudonym, person: sql`'deleted-' || id` })
    .where(sql<boolean>`(givenBy = ${id} OR (lower(emailAddress) = ${address} AND ${isProven}))`)
    .execute()
  // A name; or the address, with a remark behind it.
  await sql`UPDATE loadSlice SET formerBy = ${pseudonym} WHERE formerBy IS NOT NULL AND (lower(formerBy) = ${address}
    OR starts_with(lower(formerBy), ${`${address} `}) OR formerLoadId IN (SELECT id FROM load WHERE userId = ${id}))`.execute(
    db,
  )
}

/** Who did what stays, and the chain of hashes with it; from where and with what goes, and where others looked for or linked the name. */
async function eraseAudit(
  db: Db,
  { id, address, firstName, lastName, organisationIds }: Erasing,
  approvalIds: readonly string[],
): Promise<void> {
  // Before they had an account: what they asked for by a sign-up.
  const befell = [id, ...approvalIds]
  const isTheirs = sql<boolean>`eventId IN (SELECT id FROM auditEvent WHERE actorId = ${id}
    OR (objectId = ANY (${befell}::text[]) AND actorId IS NULL))`
  await db.deleteFrom('auditPersonal').where(isTheirs).execute()
  const name = `${firstName} ${lastName}`
  const words = [address, firstName, lastName, name]
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
  // A namesake elsewhere is somebody else, and what others' events say is evidence: a name reaches no further than its person did.
  const isWhereKnown = sql<boolean>`(organisationId IS NULL OR organisationId = ANY (${organisationIds}::uuid[]) OR organisationId IN (
    SELECT event.organisationId FROM auditEvent AS event WHERE event.actorId = ${id} OR event.objectId = ${id}))`
  // One or two letters are part of nearly everything that is looked for.
  const isName = sql<boolean>`(
    EXISTS (SELECT FROM unnest(${words}::text[]) AS word WHERE lower(btrim(fields ->> 'search')) = word
      OR (length(word) > 2 AND strpos(lower(fields ->> 'search'), word) > 0))
    OR EXISTS (SELECT FROM unnest(ARRAY['added', 'removed']) AS list WHERE fields -> list ? ${name}))`
  const isLinked = sql<boolean>`EXISTS (SELECT FROM auditEvent AS event WHERE event.id = eventId AND (detail -> 'addedIds' ? ${id} OR detail -> 'removedIds' ? ${id}))`
  await db
    .deleteFrom('auditPersonal')
    .where(sql<boolean>`fields ?| '{search,added,removed}'`)
    .where(sql<boolean>`((${isName} AND ${isWhereKnown}) OR ${isLinked})`)
    .execute()
}
