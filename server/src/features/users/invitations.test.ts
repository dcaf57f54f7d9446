import { organisations } from '@tributary/contract/organisations'
import { invitationMs } from '@tributary/contract/limits'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLinkCode } from '../../security/secrets/one-time-codes.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const body = (emailAddress: string, role: Parameters<typeof roleIdOf>[0] = 'user') => ({
  firstName: 'Ines',
  lastName: 'Invited',
  emailAddress,
  roleId: roleIdOf(role),
})

/** The codes of the links mailed to the address, oldest first. */
async function codesTo(emailAddress: string): Promise<readonly string[]> {
  const emails = await app.emailsTo(emailAddress)
  return emails.map(({ action }) => new URL(action?.url ?? '').searchParams.get('code') ?? '')
}

const read = (code: string) => app.store.across((db) => readLinkCode(db, app.clock, 'invitation', code))

test('[API-1 POST /invitations] an invitation goes out by mail with a link that holds for seven days', async () => {
  const { status, body: created } = await app.as.admin.call(users.invite, { body: body('ines@harbour.example') })
  expect([status, created]).toEqual([
    201,
    {
      Id: expect.any(String),
      FirstName: 'Ines',
      LastName: 'Invited',
      EmailAddress: 'ines@harbour.example',
      Role: { Id: roleIdOf('user'), Name: 'user' },
      SentAtUtc: expect.any(String),
      ExpiresAtUtc: expect.any(String),
    },
  ])
  expect(Date.parse(created.ExpiresAtUtc) - Date.parse(created.SentAtUtc)).toBe(invitationMs)
  const [email] = await app.emailsTo('ines@harbour.example')
  expect(email).toMatchObject({ template: 'invitation', subject: 'Amara Okafor invites you to Harbour Trading' })
  expect(email?.action?.url).toMatch(/^http:\/\/localhost:3000\/signup\/finalise\?code=[\w-]{43}$/)
  const [code = ''] = await codesTo('ines@harbour.example')
  expect(await read(code)).toMatchObject({ subjectId: created.Id })
})

test('[API-1 POST /invitations] known and unknown addresses get the same reply, which hides accounts of other organisations', async () => {
  const known = await addPerson(app, { [app.summit.id]: 'user' })
  const replies = []
  for (const emailAddress of [known.emailAddress, 'unknown@harbour.example'])
    replies.push(await app.as.admin.call(users.invite, { body: body(emailAddress) }))
  const shapes = replies.map(({ status, body: created }) => ({
    status,
    names: Object.keys(created),
    first: created.FirstName,
  }))
  expect(shapes[0]).toEqual(shapes[1])
})

test('[API-1 POST /invitations] members and people already invited are refused, in upper or lower case', async () => {
  for (const emailAddress of ['User@demo.example', 'user@DEMO.example']) {
    const { status, body: fault } = await app.as.admin.call(users.invite, { body: body(emailAddress) })
    expect([status, fault]).toEqual([409, expect.objectContaining({ code: 'alreadyMember' })])
  }
  const twice = await Promise.all(
    ['twice@harbour.example', 'Twice@harbour.example'].map((one) =>
      app.as.admin.call(users.invite, { body: body(one) }),
    ),
  )
  expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('[ROLE-1] an invitation grants neither more rights than the inviter has nor a provider role', async () => {
  expect((await app.as.admin.call(users.invite, { body: body('a@harbour.example', 'superadmin') })).body).toMatchObject(
    {
      code: 'roleTooHigh',
    },
  )
  expect(
    (await app.as.superadmin.call(users.invite, { body: body('a@harbour.example', 'superadmin') })).body,
  ).toMatchObject({
    code: 'badInput',
    fields: { roleId: expect.any(String) },
  })
})

test('[API-1 POST /invitations/:invitationId/send] resending replaces the link and restarts its seven days', async () => {
  const { body: created } = await app.as.admin.call(users.invite, { body: body('again@harbour.example') })
  app.clock.advance(60_000)
  const params = { invitationId: created.Id }
  const { body: sent } = await app.as.admin.call(users.resendInvitation, { params })
  expect(Date.parse(sent.ExpiresAtUtc) - Date.parse(created.ExpiresAtUtc)).toBe(60_000)
  const [first = '', second = ''] = await codesTo('again@harbour.example')
  expect([await read(first), (await read(second))?.subjectId]).toEqual([null, created.Id])
  const statuses = []
  for (let round = 0; round < 5; round += 1)
    statuses.push((await app.as.admin.call(users.resendInvitation, { params })).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
})

test('[API-1 GET /invitations] open invitations are listed, newest first, without withdrawn ones, whose link is revoked', async () => {
  app.clock.advance(1_000)
  const { body: created } = await app.as.admin.call(users.invite, { body: body('withdrawn@harbour.example') })
  expect((await app.as.admin.call(users.invitations)).body[0]).toEqual(created)
  expect((await app.as.admin.call(users.withdrawInvitation, { params: { invitationId: created.Id } })).status).toBe(204)
  expect((await app.as.admin.call(users.invitations)).body.map(({ Id }) => Id)).not.toContain(created.Id)
  const [code = ''] = await codesTo('withdrawn@harbour.example')
  expect(await read(code)).toBe(null)
  expect((await app.as.admin.call(users.withdrawInvitation, { params: { invitationId: created.Id } })).status).toBe(404)
  expect((await app.as.admin.call(users.resendInvitation, { params: { invitationId: created.Id } })).status).toBe(404)
  const withdrawn = {
    actorId: app.idOf('admin'),
    organisationId: app.harbour.id,
    outcome: 'success',
    objectId: created.Id,
  }
  expect(await findAuditEvents(app.store, 'user.invitation_withdrawn')).toMatchObject([withdrawn])
})

test('[API-1 POST /users] adding a user deletes their open invitation', async () => {
  await app.as.admin.call(users.invite, { body: body('added@harbour.example') })
  const added = { ...body('Added@harbour.example'), password: 'a-good-one-77' }
  expect((await app.as.admin.call(users.create, { body: added })).status).toBe(201)
  expect((await app.as.admin.call(users.invitations)).body.map(({ EmailAddress }) => EmailAddress)).not.toContain(
    'added@harbour.example',
  )
  expect((await app.as.admin.call(organisations.users)).body.map(({ EmailAddress }) => EmailAddress)).toContain(
    'Added@harbour.example',
  )
})

test('[API-1 POST /invitations] an organisation sends at most fifty invitations an hour', async () => {
  const { client } = await addPerson(app, { [app.summit.id]: 'admin' })
  const statuses = []
  for (let count = 0; count < 51; count += 1)
    statuses.push((await client.call(users.invite, { body: body(`many-${count}@summit.example`) })).status)
  expect(statuses).toEqual([...Array.from({ length: 50 }, () => 201), 429])
  app.clock.advance(3_600_001)
  await client.signIn()
  expect((await client.call(users.invite, { body: body('later@summit.example') })).status).toBe(201)
})
