/** Taking a member out of the organisation. Who is then in none, and no provider's, is erased: runs and the audit log keep an id. */
import { sql } from 'kysely'
import { ApiFault } from '../../platform/fault.ts'
import type { Db } from '../../platform/store.ts'
import { type Hand, record } from './hand.ts'
import { lockMember, type Person, requireMember, requireOtherAdmins, roleOf } from './people.ts'
import { deleteInvitations } from './queries.ts'

export async function removeUser(hand: Hand, userId: string): Promise<void> {
  const { parts, actor, organisationId } = hand
  await requireMember(hand, userId)
  if (actor.userId === userId) throw new ApiFault('ownRole')
  // Across: whether the person is a member anywhere else decides what is left of them.
  await parts.store.across(async (db) => {
    const { target } = await lockMember(db, hand, userId)
    await requireOtherAdmins(db, target, [organisationId])
    // Their assignments to connectors go with it.
    await db.deleteFrom('membership').where('organisationId', '=', organisationId).where('userId', '=', userId).execute()
    // One that they did not use would let them in again.
    await deleteInvitations(db, organisationId, { emailAddress: target.emailAddress })
    await parts.sessions.endAllOf(db, userId, 'removed')
    const object = { type: 'user', id: userId }
    await record(db, hand, { action: 'authz.membership_removed', object, detail: { role: roleOf(target, organisationId) } })
    if (Object.keys(target.roles).length > 1 || target.providerRole !== null) return
    await erase(db, target)
    await record(db, hand, { action: 'user.deleted', object })
  })
}

const secretsOf = ['device', 'totp', 'passkey', 'recoveryCode', 'externalIdentity', 'externalLogin', 'verification'] as const

/** The row stays, for runs and decisions name it; nothing in it, or beside it, says any more who it was. */
async function erase(db: Db, { id, emailAddress }: Person): Promise<void> {
  for (const table of secretsOf) await db.deleteFrom(table).where('userId', '=', id).execute()
  await db.deleteFrom('linkCode').where('subjectId', '=', id).execute()
  await db.updateTable('session').set({ address: null, deviceName: null }).where('userId', '=', id).execute()
  const nobody = { firstName: 'Deleted', lastName: 'user', emailAddress: `deleted-${id}@deleted.invalid`, passwordHash: null }
  const { id: statusId } = await db.selectFrom('status').select('id').where('name', '=', 'archived').executeTakeFirstOrThrow()
  await db
    .updateTable('portalUser')
    .set({ ...nobody, statusId, msOid: null, requiresMfa: false, lastSignInAt: null })
    .where('id', '=', id)
    .execute()
  const wasTheirs = sql<boolean>`lower(email_address) = ${emailAddress.toLowerCase()}`
  const context = JSON.stringify({ Description: 'The applicant has been deleted.' })
  await db
    .updateTable('approval')
    // Nobody is left to be let in.
    .set({ context, status: sql`CASE status WHEN 'PENDING' THEN 'REJECTED' ELSE status END` })
    .where('registrationId', 'in', (made) => made.selectFrom('registration').select('id').where(wasTheirs))
    .execute()
  await db
    .deleteFrom('linkCode')
    .where('subjectId', 'in', (made) => made.selectFrom('registration').select('id').where(wasTheirs))
    .execute()
  const { passwordHash, ...named } = nobody
  await db
    .updateTable('registration')
    .set({ ...named, passwordHash, issuer: null, subject: null })
    .where(wasTheirs)
    .execute()
  await db.deleteFrom('invitation').where('acceptedAt', 'is not', null).where(wasTheirs).execute()
}
