import { auditLog } from '@tributary/contract/audit-log'
import { globalConfiguration } from '@tributary/contract/global-configuration'
import { organisations } from '@tributary/contract/organisations'
import { organisationTokens, tokens } from '@tributary/contract/tokens'
import { tokenLimits } from '@tributary/contract/token-scopes'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { confirmSecondFactor, makeToken } from '@tributary/testing/server/identity/make-token.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { warnBeforeExpiry } from './warn-before-expiry.ts'

const dayMs = 86_400_000
let app: TestApp
let person: AddedPerson
let body: { organisationId: string; name: string; scopes: string[] }
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  person = await addPerson(app, { [app.harbour.id]: 'user' })
  body = { organisationId: app.harbour.id, name: 'Spreadsheet', scopes: ['status.read'] }
})

test('[SEE-12] a token is made with a second factor, shown once with its prefix, and works until its expiry after 90 days', async () => {
  const made = await makeToken(app, person, { scopes: ['status.read'] })
  expect(made.secret).toMatch(/^trib_pat_[0-9A-Za-z]{49}$/u)
  expect(made.token).toMatchObject({
    Name: 'Export',
    OrganisationId: app.harbour.id,
    Organisation: app.harbour.companyName,
    Scopes: ['status.read'],
    LastUsedAtUtc: null,
    RecentCalls: 0,
    RevokedAtUtc: null,
  })
  expect(Date.parse(made.token.ExpiresAtUtc) - Date.parse(made.token.CreatedAtUtc)).toBe(90 * dayMs)
  expect((await made.call(organisations.list)).status).toBe(200)
  const listed = await person.client.call(tokens.list)
  expect(listed.body).toHaveLength(1)
  expect(JSON.stringify(listed.body)).not.toContain(made.secret)
})

test('[SEE-12] without a choice a token expires after 90 days; more than a year, no scope and unknown scopes are refused', async () => {
  await confirmSecondFactor(app, person)
  const { status, body: created } = await person.client.call(tokens.create, { body })
  expect([status, Date.parse(created.Token.ExpiresAtUtc) - app.clock.now()]).toEqual([201, 90 * dayMs])
  for (const [change, field, sentence] of [
    [{ days: 366 }, 'days', 'must be at most 365'],
    [{ days: 0 }, 'days', 'must be at least 1'],
    [{ scopes: [] }, 'scopes', 'must be at least 1 entries long'],
    [{ scopes: ['all'] }, 'scopes.0', /^must be one of data\.read, /u],
    [{ name: ' ' }, 'name', 'must not be empty'],
  ] as const) {
    const reply = await person.client.call(tokens.create, { body: { ...body, ...change } })
    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'badInput',
        fields: { [field]: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence) },
      },
    })
  }
})

test('[SEE-12] making a token needs a fresh second factor in this session: neither a fresh sign-in nor the password is one', async () => {
  await person.client.signIn()
  const create = () => person.client.call(tokens.create, { body })
  expect(await create()).toMatchObject({ status: 403, body: { code: 'factorNeeded' } })
  await confirmSecondFactor(app, person)
  expect((await create()).status).toBe(201)
  app.clock.advance(15 * 60_000 + 1)
  await person.client.refresh()
  expect(await create()).toMatchObject({ status: 403, body: { code: 'proofNeeded' } })
  // Of a person with a password, a code by email is the second factor but no re-authentication.
  await confirmSecondFactor(app, person)
  expect(await create()).toMatchObject({ status: 403, body: { code: 'proofNeeded' } })
  await person.client.signIn()
  expect(await create()).toMatchObject({ status: 403, body: { code: 'factorNeeded' } })
})

test('[SEE-12] the store holds only a hash, and a token with a wrong checksum is refused like an unknown one', async () => {
  const { secret } = await makeToken(app, person)
  const { rows } = await app.store.across((db) =>
    sql<{ row: string }>`SELECT apiToken::text AS row FROM apiToken`.execute(db),
  )
  expect(rows.some(({ row }) => row.includes(secret.slice(9, 40)))).toBe(false)
  const altered = `${secret.slice(0, 20)}${secret[20] === 'a' ? 'b' : 'a'}${secret.slice(21)}`
  for (const other of [altered, secret.slice(0, -1), `${secret}0`, 'trib_pat_', secret.toLowerCase()]) {
    const headers = { authorization: `Bearer ${other}` }
    expect((await app.as.visitor.send('GET', '/api/organisations', { headers })).status).toBe(401)
  }
})

test('[SEE-12] every call is counted, with the time, the address and the program of the last one', async () => {
  const made = await makeToken(app, person)
  await Promise.all(Array.from({ length: 7 }, () => made.call(organisations.list)))
  const [listed] = (await person.client.call(tokens.list)).body
  expect(listed).toMatchObject({ RecentCalls: 7, LastUsedAddress: '127.0.0.1', LastUsedProgram: 'export-script/1.0' })
  expect(Date.parse(listed?.LastUsedAtUtc ?? '')).toBe(app.clock.now())
})

test('[SEE-12] a person has at most twenty valid tokens in an organisation, also if they are made at the same time', async () => {
  await confirmSecondFactor(app, person)
  const create = () => person.client.call(tokens.create, { body })
  const replies = await Promise.all(Array.from({ length: tokenLimits.perOwnerMax + 3 }, create))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(tokenLimits.perOwnerMax)
  expect(await create()).toMatchObject({
    status: 409,
    body: {
      code: 'tokensMax',
      message: 'There are 20 access tokens already. Revoke one that is no longer used, then make the new one.',
    },
  })
  const [first] = (await person.client.call(tokens.list)).body
  await person.client.call(tokens.revoke, { params: { accessTokenId: first?.Id ?? '' } })
  expect((await create()).status).toBe(201)
})

test('[SEE-12] an expired token is refused with the time of its expiry', async () => {
  const made = await makeToken(app, person, { days: 1 })
  app.clock.advance(dayMs)
  const at = `${made.token.ExpiresAtUtc.slice(0, 10)} at ${made.token.ExpiresAtUtc.slice(11, 16)} UTC`
  expect(await made.call(organisations.list)).toMatchObject({
    status: 401,
    body: { code: 'tokenExpired', message: expect.stringContaining(`expired on ${at}`) as string },
  })
})

test('[SEE-12] a person revokes one of their tokens or all; a foreign one does not exist for them', async () => {
  const [one, two, three] = [await makeToken(app, person), await makeToken(app, person), await makeToken(app, person)]
  const stranger = await addPerson(app, { [app.harbour.id]: 'admin' })
  const params = { accessTokenId: one.token.Id }
  expect((await stranger.client.call(tokens.revoke, { params })).status).toBe(404)
  expect((await stranger.client.call(tokens.revokeAll)).status).toBe(204)
  expect((await one.call(organisations.list)).status).toBe(200)
  expect((await person.client.call(tokens.revoke, { params })).status).toBe(204)
  expect((await person.client.call(tokens.revoke, { params })).status).toBe(204)
  expect((await one.call(organisations.list)).status).toBe(401)
  expect((await two.call(organisations.list)).status).toBe(200)
  expect((await person.client.call(tokens.revokeAll)).status).toBe(204)
  expect([(await two.call(organisations.list)).status, (await three.call(organisations.list)).status]).toEqual([
    401, 401,
  ])
})

test('[SEE-12] the administrators see the organisation’s tokens with owner and scopes, and revoke them; others do not', async () => {
  const made = await makeToken(app, person, { scopes: ['data.read'] })
  const params = { clientId: app.harbour.id, accessTokenId: made.token.Id }
  const { body: listed } = await app.as.admin.call(organisationTokens.list, { params })
  expect(listed.find(({ Id }) => Id === made.token.Id)).toMatchObject({
    OwnerId: person.id,
    Owner: 'Added Person',
    Scopes: ['data.read'],
    IsServiceAccount: false,
  })
  expect((await app.as.otherAdmin.call(organisationTokens.revoke, { params })).status).toBe(404)
  const elsewhere = { ...params, clientId: app.summit.id }
  expect((await app.as.otherAdmin.call(organisationTokens.revoke, { params: elsewhere })).status).toBe(404)
  expect((await app.as.user.call(organisationTokens.revoke, { params })).status).toBe(403)
  expect((await made.call(organisations.list)).status).toBe(200)
  expect((await app.as.provideradmin.call(organisationTokens.revoke, { params })).status).toBe(204)
  expect((await made.call(organisations.list)).status).toBe(401)
})

test('[SEE-12] switched off by the organisation or by the provider, tokens neither work nor can be made, and the error says who decides', async () => {
  const made = await makeToken(app, person)
  const params = { clientId: app.harbour.id }
  const setPolicy = (allowed: boolean) => app.as.admin.call(organisationTokens.setPolicy, { params, body: { allowed } })
  expect((await setPolicy(false)).body).toEqual({ Allowed: false, AllowedByProvider: true })
  const refusedHere = {
    status: 403,
    body: { code: 'tokensOff', message: expect.stringContaining('an administrator') as string },
  }
  expect(await made.call(organisations.list)).toMatchObject(refusedHere)
  expect(await person.client.call(tokens.create, { body })).toMatchObject(refusedHere)
  await setPolicy(true)
  expect((await made.call(organisations.list)).status).toBe(200)

  const setSwitch = (value: string) =>
    app.as.superadmin.call(globalConfiguration.save, { body: { key: 'AccessTokens', value } })
  expect((await setSwitch('false')).status).toBe(200)
  app.clock.advance(5_000)
  const refusedEverywhere = {
    status: 403,
    body: { code: 'tokensOff', message: expect.stringContaining('the provider') as string },
  }
  expect(await made.call(organisations.list)).toMatchObject(refusedEverywhere)
  expect(await person.client.call(tokens.create, { body })).toMatchObject(refusedEverywhere)
  expect((await person.client.call(organisationTokens.policy, { params })).body).toEqual({
    Allowed: true,
    AllowedByProvider: false,
  })
  await setSwitch('true')
  expect((await made.call(organisations.list)).status).toBe(200)
})

test('[SEE-12] the maker is mailed, and the owner again seven days before the expiry, once', async () => {
  const made = await makeToken(app, person, { name: 'Ledger feed' })
  const subjects = async () => (await app.emailsTo(person.emailAddress)).map(({ subject }) => subject)
  expect((await subjects()).at(-1)).toBe(`An access token for ${app.harbour.companyName} was made`)
  await makeToken(app, person, { name: 'For a day', days: 10 })
  const before = (await subjects()).length
  app.clock.advance(82 * dayMs)
  await warnBeforeExpiry(app.services)
  expect(await subjects()).toHaveLength(before)
  app.clock.advance(dayMs)
  await Promise.all([warnBeforeExpiry(app.services), warnBeforeExpiry(app.services)])
  await warnBeforeExpiry(app.services)
  const mails = (await app.emailsTo(person.emailAddress)).slice(before)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe(`An access token for ${app.harbour.companyName} expires soon`)
  expect(mails[0]?.paragraphs.join(' ')).toContain('“Ledger feed”')
  expect(mails[0]?.paragraphs.join(' ')).toContain(made.token.ExpiresAtUtc.slice(0, 10))
})

test('[SEE-12] making, revoking and switching are in the organisation’s audit log, and calls name the token as their session', async () => {
  const made = await makeToken(app, person, { name: 'Audited', scopes: ['status.read'] })
  const { organisationId } = body
  expect((await made.call(auditLog.list, { query: { orgId: organisationId } })).status).toBe(403)
  await person.client.call(tokens.revoke, { params: { accessTokenId: made.token.Id } })
  await app.as.admin.signIn()
  const params = { clientId: organisationId }
  for (const allowed of [false, true, true])
    await app.as.admin.call(organisationTokens.setPolicy, { params, body: { allowed } })
  const switched = { orgId: organisationId, action: 'api_token.policy_changed', actor: app.idOf('admin') }
  const { body: switches } = await app.as.admin.call(auditLog.list, { query: switched })
  expect(switches.slice(0, 2).map(({ Detail }) => Detail)).toEqual([{ after: true }, { after: false }])
  const { body: events } = await app.as.admin.call(auditLog.list, {
    query: { orgId: organisationId, actor: person.id },
  })
  const ofToken = events.filter(({ ObjectId }) => ObjectId === made.token.Id)
  expect(ofToken.map(({ Action, ObjectName }) => [Action, ObjectName])).toEqual([
    ['api_token.revoked', 'Audited'],
    ['api_token.created', 'Audited'],
  ])
  expect(ofToken[1]?.Detail).toMatchObject({ owner: person.id, scopes: ['status.read'] })
  expect(events).toContainEqual(
    expect.objectContaining({ Action: 'authz.denied', Outcome: 'refused', Detail: { route: 'GET /audit-events' } }),
  )
  const [refused] = await app.store.within(organisationId, (db) =>
    db
      .selectFrom('auditEvent')
      .select('sessionId')
      .where('organisationId', '=', organisationId)
      .where('actorId', '=', person.id)
      .where('action', '=', 'authz.denied')
      .execute(),
  )
  expect(refused?.sessionId).toBe(made.token.Id)
})
