/**
 * Erases a person: deletes or pseudonymises everything that identifies them, in every table. What they did stays, under a number.
 * `features/privacy/erased-person.test.ts` searches the whole store for remains.
 */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { LockedPerson } from './lock-people.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

interface ErasureSubject {
  readonly id: string
  /** In lower case. */
  readonly address: string
  /** False: the person never proved that the address is theirs, so what waits under it elsewhere may be another person's. */
  readonly isProven: boolean
  readonly firstName: string
  readonly lastName: string
  /** Replaces the name, so that records stay readable. The same everywhere. */
  readonly pseudonym: string
  /** The organisations that they are a member of. */
  readonly organisationIds: readonly string[]
  /** Their sign-ups. */
  readonly registrationIds: readonly string[]
}

/** Call it in a transaction across organisations that has locked the person. @param now in UTC. */
export async function erasePerson(
  db: Db,
  { id, emailAddress, firstName, lastName, roles }: LockedPerson,
  now: string,
): Promise<void> {
  const address = emailAddress.toLowerCase()
  const number = await allocateErasedNumber(db)
  const { isProven } = await db
    .selectFrom('portalUser')
    .select('isProven')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const registrationIds = await listRegistrations(db, { id, address, isProven })
  const names = { address, firstName, lastName, pseudonym: `Deleted user #${number}` }
  const subject = { id, isProven, ...names, organisationIds: Object.keys(roles), registrationIds }
  const approvalIds = await eraseSignUps(db, subject, now)
  await eraseSignInMethods(db, subject)
  await eraseActivity(db, subject)
  await eraseAudit(db, subject, approvalIds)
  const placeholder = {
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
      ...placeholder,
      statusId,
      providerRoleId: null,
      msOid: null,
      requiresMfa: false,
      lastSignInAt: null,
      failedSignIns: 0,
    })
    .set({ locale: null, timeZone: null, keyboardShortcuts: true, density: 'comfortable', tableColumns: '{}' })
    .set({ erasedNumber: number, erasedAt: now })
    .where('id', '=', id)
    .execute()
}

async function allocateErasedNumber(db: Db): Promise<number> {
  await lockForTransaction(db, 'erasedNumbers')
  const { number } = await db
    .selectFrom('portalUser')
    .select(sql<number>`coalesce(max(erasedNumber), 0) + 1`.as('number'))
    .executeTakeFirstOrThrow()
  return number
}

async function listRegistrations(
  db: Db,
  { id, address, isProven }: Pick<ErasureSubject, 'id' | 'address' | 'isProven'>,
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

/** Returns the ids of the person's requests for approval. */
async function eraseSignUps(
  db: Db,
  { address, isProven, id, registrationIds, organisationIds }: ErasureSubject,
  now: string,
): Promise<readonly string[]> {
  const isTheirs = sql<boolean>`registrationId = ANY (${registrationIds})`
  const context = JSON.stringify({ Description: 'The applicant has been deleted.' })
  // A pending request has no applicant left to grant access to.
  const status = sql<'PENDING' | 'APPROVED' | 'REJECTED'>`CASE status WHEN 'PENDING' THEN 'REJECTED' ELSE status END`
  const decidedAt = sql<string>`coalesce(decidedAt, ${now}::timestamptz)`
  const decided = await db
    .updateTable('approval')
    .set({ context, status, decidedAt, rejectionReason: null })
    .where(isTheirs)
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
  const placeholder = {
    firstName: 'Deleted',
    lastName: 'user',
    emailAddress: `deleted-${id}@deleted.invalid`,
    companyName: 'Deleted',
  }
  await db
    .updateTable('registration')
    .set({
      ...placeholder,
      passwordHash: null,
      issuer: null,
      subject: null,
      provider: null,
      browserHash: null,
      msOid: null,
    })
    .where(sql<boolean>`id = ANY (${registrationIds})`)
    .execute()
  return decided.map((one) => one.id)
}

const signInTables = [
  'device',
  'totp',
  'passkey',
  'recoveryCode',
  'externalLogin',
  'verification',
  'authorisation',
] as const

async function eraseSignInMethods(db: Db, { id, address, isProven }: ErasureSubject): Promise<void> {
  await db
    .deleteFrom('pendingIdentity')
    .where(
      sql<boolean>`((lower(emailAddress) = ${address} AND ${isProven})
        OR (issuer, subject) IN (SELECT known.issuer, known.subject FROM externalIdentity AS known WHERE known.userId = ${id}))`,
    )
    .execute()
  for (const table of [...signInTables, 'externalIdentity'] as const)
    await db.deleteFrom(table).where('userId', '=', id).execute()
  // Verifications of a sign-up have no account yet.
  await db
    .deleteFrom('verification')
    .where(sql<boolean>`(lower(payload ->> 'sendTo') = ${address} AND ${isProven})`)
    .execute()
  await db.updateTable('session').set({ address: null, deviceName: null }).where('userId', '=', id).execute()
}

async function eraseActivity(db: Db, subject: ErasureSubject): Promise<void> {
  const { id, address, isProven, pseudonym } = subject
  // Includes unsent mail, unless the address is unproven and another person is invited or signs up with it.
  await db
    .deleteFrom('mail')
    .where(sql<boolean>`lower(recipient) = ${address}`)
    .where(
      sql<boolean>`(${isProven} OR NOT EXISTS (SELECT FROM invitation WHERE lower(emailAddress) = ${address}
        UNION ALL SELECT FROM registration WHERE lower(emailAddress) = ${address}))`,
    )
    .execute()
  await db.deleteFrom('savedQuery').where('userId', '=', id).where('isShared', '=', false).execute()
  await db
    .updateTable('auditorRoom')
    .set({ firstName: 'Deleted', lastName: 'user', emailAddress: `deleted-${id}@deleted.invalid` })
    .where(sql<boolean>`(userId = ${id} OR (lower(emailAddress) = ${address} AND ${isProven}))`)
    .execute()
  for (const table of ['loadFile', 'alert', 'alertChannel', 'oauthCode', 'apiToken', 'queryRun'] as const)
    await db.deleteFrom(table).where('userId', '=', id).execute()
  await db
    .updateTable('run')
    .set({ notice: `Cancelled by ${pseudonym}.` })
    .where('cancelledBy', '=', id)
    // A run that ended before it saw the cancellation has a notice about its result.
    .where('notice', 'like', 'Cancelled by %')
    .execute()
  await sql`UPDATE connector SET alertUsers = nullif(array_remove(alertUsers, ${id}::uuid), '{}') WHERE ${id}::uuid = ANY (alertUsers)`.execute(
    db,
  )
  // The connectors keep the grant; only who gave it is removed.
  await db
    .updateTable('oauthGrant')
    .set({ emailAddress: null, name: pseudonym, person: sql`'deleted-' || id` })
    .where(sql<boolean>`(givenBy = ${id} OR (lower(emailAddress) = ${address} AND ${isProven}))`)
    .execute()
  // Holds a name, or the address followed by a remark.
  await sql`UPDATE loadSlice SET formerBy = ${pseudonym} WHERE formerBy IS NOT NULL AND (lower(formerBy) = ${address}
    OR starts_with(lower(formerBy), ${`${address} `}) OR formerLoadId IN (SELECT id FROM load WHERE userId = ${id}))`.execute(
    db,
  )
}

/**
 * Deletes personal data of audit events: addresses and browsers of the person's events, and their name in searches and assignments
 * of others. The events themselves stay, so that the hash chain remains valid.
 */
async function eraseAudit(
  db: Db,
  { id, address, firstName, lastName, organisationIds }: ErasureSubject,
  approvalIds: readonly string[],
): Promise<void> {
  // Requests for approval were made by a sign-up, before the account existed.
  const objectIds = [id, ...approvalIds]
  const isTheirs = sql<boolean>`eventId IN (SELECT id FROM auditEvent WHERE actorId = ${id}
    OR (objectId = ANY (${objectIds}::text[]) AND actorId IS NULL))`
  await db.deleteFrom('auditPersonal').where(isTheirs).execute()
  const name = `${firstName} ${lastName}`
  const words = [address, firstName, lastName, name]
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
  // A namesake in another organisation is a different person, and others' events are evidence. Delete the name only where the
  // person was known.
  const isWhereKnown = sql<boolean>`(organisationId IS NULL OR organisationId = ANY (${organisationIds}::uuid[]) OR organisationId IN (
    SELECT event.organisationId FROM auditEvent AS event WHERE event.actorId = ${id} OR event.objectId = ${id}))`
  // One or two letters occur in nearly every search.
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
