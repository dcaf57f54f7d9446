/**
 * Open tasks for the administrators of a trial: an invitation and sign-up requests; and people who are locked or
 * archived.
 */
import { trialOrganisations, trialPersonId } from './people.ts'
import type { Db, Store } from '../kernel/store/store.ts'

const [harbour] = trialOrganisations
const organisationId = harbour.id
const adminId = trialPersonId('admin@demo.example')
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const members = [
  { firstName: 'Lena', lastName: 'Stone', emailAddress: 'lena.stone@demo.example', role: 'user', status: 'locked' },
  { firstName: 'Arne', lastName: 'Vik', emailAddress: 'arne.vik@demo.example', role: 'guest', status: 'archived' },
] as const

export async function seedRequests(store: Store): Promise<void> {
  // Across: a request for a new organisation belongs to none, and people may belong to several.
  await store.across(async (db) => {
    for (const member of members) await insertMember(db, member)
    await insertInvitation(db)
    await insertRequest(db, {
      firstName: 'Jonas',
      lastName: 'Reed',
      companyName: harbour.companyName,
      joins: true,
      ageMs: 3 * hourMs,
    })
    await insertRequest(db, {
      firstName: 'Mia',
      lastName: 'Grant',
      companyName: 'Northwind Bakery',
      joins: false,
      ageMs: 7 * hourMs,
    })
    await insertRejectedRequest(db)
  })
}

async function insertMember(db: Db, { role, status, ...person }: (typeof members)[number]): Promise<void> {
  // They have the trial's password, which works once an administrator unlocks or restores them.
  const { passwordHash } = await db
    .selectFrom('portalUser')
    .select('passwordHash')
    .where('id', '=', adminId)
    .executeTakeFirstOrThrow()
  const { id: userId } = await db
    .insertInto('portalUser')
    .values((values) => ({
      ...person,
      passwordHash,
      statusId: values.selectFrom('status').select('id').where('name', '=', status),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('membership')
    .values((values) => ({
      organisationId,
      userId,
      roleId: values.selectFrom('role').select('id').where('name', '=', role),
    }))
    .execute()
}

async function insertInvitation(db: Db): Promise<void> {
  const person = { firstName: 'Ingrid', lastName: 'Holm', emailAddress: 'ingrid.holm@demo.example' }
  await db
    .insertInto('invitation')
    .values((values) => ({
      ...person,
      organisationId,
      roleId: values.selectFrom('role').select('id').where('name', '=', 'user'),
      invitedBy: adminId,
    }))
    .execute()
}

interface TrialSignUp {
  readonly firstName: string
  readonly lastName: string
  readonly companyName: string
  /** False if the request is for a new organisation. */
  readonly joins: boolean
  readonly ageMs: number
}

/** Returns the id of the request. */
async function insertRequest(db: Db, { firstName, lastName, companyName, joins, ageMs }: TrialSignUp): Promise<string> {
  const createdAt = new Date(Date.now() - ageMs)
  const emailAddress = `${firstName}.${lastName}@demo.example`.toLowerCase()
  const { id: registrationId } = await db
    .insertInto('registration')
    .values({ firstName, lastName, emailAddress, companyName, verifiedAt: createdAt, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const request = joins ? `asks to join ${companyName}` : `asks for the new organisation ${companyName}`
  const { id } = await db
    .insertInto('approval')
    .values({
      organisationId: joins ? organisationId : null,
      registrationId,
      type: joins ? 'JOIN_ORGANISATION' : 'NEW_ORGANISATION',
      context: JSON.stringify({
        Description: `${firstName} ${lastName} (${emailAddress}) ${request}.`,
        ApplicantName: `${firstName} ${lastName}`,
        CompanyName: companyName,
      }),
      createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function insertRejectedRequest(db: Db): Promise<void> {
  const id = await insertRequest(db, {
    firstName: 'Rolf',
    lastName: 'Adler',
    companyName: harbour.companyName,
    joins: true,
    ageMs: 9 * dayMs,
  })
  const decision = { status: 'REJECTED', decidedAt: new Date(Date.now() - 8 * dayMs), decidedBy: adminId } as const
  await db
    .updateTable('approval')
    .set(decision)
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}
