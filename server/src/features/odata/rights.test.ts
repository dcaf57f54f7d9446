/** Whose rows the feed returns. */
import { assignments } from '@tributary/contract/assignments'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepAccess } from '../../access/logins/keep-access.ts'
import { fillWarehouse, getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { makeToken } from '@tributary/testing/server/identity/make-token.ts'
import { LoadClient, planForLoads, type PlanFixture } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
beforeAll(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  const admin = new LoadClient(app.as.admin)
  await admin.load({ versionId: plan.versionId }, { columns: ['Amount'], rows: [['1']] })
  await admin.load({ helperTableId: plan.ratesId }, { columns: ['Code'], rows: [['EUR']] })
  await fillWarehouse(app, `CREATE SCHEMA shop; CREATE TABLE shop.secret AS SELECT 1 AS id`)
})
afterAll(() => app[Symbol.asyncDispose]())

async function setsOf(as: 'admin' | 'user' | 'superadmin'): Promise<unknown[]> {
  const { body } = await getFeed(app, '/', { as })
  return body.value.map(({ name }) => name)
}

test('[SEE-2] [SEE-8] the feed has the tables and rows that the person may read, and no others', async () => {
  expect(await setsOf('admin')).toEqual(
    expect.arrayContaining(['shop_secret', 'excel_B2SBudget2026', 'excel_B2SRates']),
  )
  expect(await setsOf('superadmin')).toEqual(await setsOf('admin'))
  expect(await setsOf('user')).toEqual(['excel_B2SBudget2026', 'excel_B2SRates'])
  expect((await getFeed(app, '/excel_B2SBudget2026', { as: 'user' })).body.value).toHaveLength(1)
  const hidden = await getFeed(app, '/shop_secret', { as: 'user' })
  const missing = await getFeed(app, '/shop_nothing', { as: 'user' })
  expect([hidden.status, hidden.body.error?.message]).toEqual([404, missing.body.error?.message])
  expect((await getFeed(app, '/$metadata', { as: 'user' })).text).not.toContain('secret')
})

test('[SEE-2] a right that was taken away counts at the next call after the rights are applied', async () => {
  const user = app.idOf('user')
  await app.as.admin.call(assignments.setHelperTablesOfUser, { params: { userId: user }, body: { ids: [] } })
  await keepAccess(app.services)
  expect(await setsOf('user')).toEqual(['excel_B2SBudget2026'])
  expect((await getFeed(app, '/excel_B2SRates', { as: 'user' })).status).toBe(404)
})

test('[SEE-2] a guest may read nothing here, and the error says whom to ask', async () => {
  const { status, body } = await getFeed(app, '/', { as: 'guest' })
  expect([status, body.error?.code]).toEqual([403, 'dataNotReadable'])
})

test.each(['', '/', '/$metadata', '/excel_B2SRates', '/excel_B2SRates/$count', '/excel_B2SRates(1)'])(
  '[SEE-8] a foreign organisation, one that does not exist and no organisation answer alike: %j',
  async (path) => {
    const replies = await Promise.all([
      getFeed(app, path, { as: 'otherAdmin' }),
      getFeed(app, path, { as: 'otherAdmin', organisationId: '11111111-1111-4111-8111-111111111111' }),
      getFeed(app, path, { as: 'otherAdmin', organisationId: 'harbour' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  },
)

test.each(['', '/$metadata', '/excel_B2SRates'])('[SEE-8] without sign-in the feed asks for it: %j', async (path) => {
  const { status, headers, body } = await getFeed(app, path, { as: 'visitor' })
  expect([status, headers['www-authenticate'], body.error?.code]).toEqual([
    401,
    'Basic realm="Tributary", charset="UTF-8"',
    'notSignedIn',
  ])
})

test('[SEE-12] [SEE-8] an access token opens the feed as Bearer and as the password of Basic, whatever the user name', async () => {
  const admin = await addPerson(app, { [app.harbour.id]: 'admin' })
  const { secret } = await makeToken(app, admin, { scopes: ['data.read'] })
  const basic = (user: string) => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  for (const authorization of [`Bearer ${secret}`, basic('anna@demo.example'), basic('')]) {
    const { status, body } = await getFeed(app, '/', { as: 'visitor', headers: { authorization } })
    expect([status, body.value.map(({ name }) => name)]).toEqual([200, await setsOf('admin')])
  }
  const wrong = [`Basic ${Buffer.from('a:b').toString('base64')}`, 'Basic x', `Bearer ${secret}x`, `Digest ${secret}`]
  for (const authorization of wrong)
    expect((await getFeed(app, '/', { as: 'visitor', headers: { authorization } })).status).toBe(401)
  const elsewhere = { as: 'visitor', headers: { authorization: basic('a') }, organisationId: app.summit.id } as const
  expect((await getFeed(app, '/', elsewhere)).status).toBe(404)
})

test('[SEE-12] a token without the scope gets 403 with its name, and an expired one 401 with the time', async () => {
  const admin = await addPerson(app, { [app.harbour.id]: 'admin' })
  const other = await makeToken(app, admin, { scopes: ['status.read'] })
  const refused = await getFeed(app, '/', { as: 'visitor', headers: { authorization: `Bearer ${other.secret}` } })
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'tokenScope'])
  expect(refused.body.error?.message).toContain('data.read')
  const { secret } = await makeToken(app, admin, { scopes: ['data.read'], days: 1 })
  const day = new Date(app.clock.now() + 86_400_000).toISOString().slice(0, 10)
  app.clock.advance(86_400_001)
  const expired = await getFeed(app, '/', { as: 'visitor', headers: { authorization: `Bearer ${secret}` } })
  expect([expired.status, expired.body.error?.code]).toEqual([401, 'tokenExpired'])
  expect(expired.body.error?.message).toContain(`expired on ${day} at `)
})

test('a token in the address opens nothing', async () => {
  const session = await app.as.admin.session()
  const { status } = await getFeed(app, `/?access_token=${session?.accessToken}`, { as: 'visitor' })
  expect(status).toBe(401)
})
