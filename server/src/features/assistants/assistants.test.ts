import { assistants } from '@tributary/contract/assistants'
import { auditLog } from '@tributary/contract/audit-log'
import { globalConfiguration } from '@tributary/contract/global-configuration'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { switchForProvider, xeroTerms } from '@tributary/testing/server/access/assistant-fixture.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { assistantsAllowed, listAssistantConnectors } from '../../access/assistants/switches.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.as.admin.signIn())

const params = () => ({ clientId: app.harbour.id })
const read = async (as = app.as.admin) => (await as.call(assistants.policy, { params: params() })).body
const setSource = (sourceType: string, body: { allowed: boolean; acceptedTerms: string | null }, as = app.as.admin) =>
  as.call(assistants.setSource, { params: { ...params(), sourceType }, body })
const isOpen = async (type: string) => (await read()).Sources.find((source) => source.Type === type)?.Allowed
const isAllowed = () => app.store.within(app.harbour.id, (db) => assistantsAllowed(db, app.harbour.id))

test('[SEE-13] assistants are off until the provider and the organisation have both switched them on', async () => {
  expect(await read()).toMatchObject({ Allowed: false, AllowedByProvider: false })
  const { body: settings } = await app.as.superadmin.call(globalConfiguration.list)
  expect(settings.find(({ Key }) => Key === 'Assistants')).toMatchObject({ Value: 'false', Default: 'false' })
  expect(await isAllowed()).toBe(false)
  const { body } = await app.as.admin.call(assistants.setPolicy, { params: params(), body: { allowed: true } })
  expect(body).toMatchObject({ Allowed: true, AllowedByProvider: false })
  expect(await isAllowed()).toBe(false)
  await switchForProvider(app, true)
  expect(await isAllowed()).toBe(true)
  expect(await app.store.within(app.summit.id, (db) => assistantsAllowed(db, app.summit.id))).toBe(false)
  await switchForProvider(app, false)
  expect(await isAllowed()).toBe(false)
  expect(await app.store.within(app.harbour.id, (db) => listAssistantConnectors(db, app.harbour.id))).toEqual([])
})

test('[SEE-13] every source is open to assistants except Xero, whose terms are named with what they forbid', async () => {
  const { Sources } = await read()
  expect(Sources.filter(({ Allowed }) => !Allowed).map(({ Type }) => Type)).toEqual(['xero'])
  expect(Sources.filter(({ Terms }) => Terms !== null)).toEqual([
    expect.objectContaining({
      Title: 'Xero',
      Terms: {
        Name: xeroTerms,
        Address: expect.stringMatching(/^https:\/\/developer\.xero\.com\//u),
        Restriction: expect.stringContaining('forbid'),
      },
      ChangedBy: null,
    }),
  ])
  expect((await setSource('cin7', { allowed: false, acceptedTerms: null })).status).toBe(200)
  expect(await isOpen('cin7')).toBe(false)
  await setSource('cin7', { allowed: true, acceptedTerms: null })
  expect(await isOpen('cin7')).toBe(true)
})

test('[SEE-13] Xero opens only after an administrator of the organisation has confirmed its terms by their name', async () => {
  for (const acceptedTerms of [null, '', 'Yes', `${xeroTerms} `])
    expect(await setSource('xero', { allowed: true, acceptedTerms })).toMatchObject({
      status: 400,
      body: { code: 'badInput', fields: { acceptedTerms: expect.stringContaining(xeroTerms) } },
    })
  await app.as.superadmin.signIn()
  const byProvider = await setSource('xero', { allowed: true, acceptedTerms: xeroTerms }, app.as.superadmin)
  expect(byProvider).toMatchObject({ status: 403, body: { code: 'assistantTerms' } })
  expect(await isOpen('xero')).toBe(false)
  expect((await setSource('xero', { allowed: true, acceptedTerms: xeroTerms })).status).toBe(200)
  expect((await read()).Sources.find(({ Type }) => Type === 'xero')).toMatchObject({
    Allowed: true,
    ChangedBy: expect.any(String),
    ChangedAtUtc: expect.any(String),
  })
  // Closing needs no confirmation, and the provider may do it; opening again needs a new one.
  expect((await setSource('xero', { allowed: false, acceptedTerms: null }, app.as.superadmin)).status).toBe(200)
  expect((await setSource('xero', { allowed: true, acceptedTerms: null })).status).toBe(400)
  expect(await isOpen('xero')).toBe(false)
})

test('[SEE-13] an unknown source answers 404, and the switches of another organisation are out of reach', async () => {
  expect((await setSource('nothing', { allowed: true, acceptedTerms: null })).status).toBe(404)
  expect((await app.as.otherAdmin.call(assistants.policy, { params: params() })).status).toBe(404)
  await app.as.otherAdmin.signIn()
  const foreign = await app.as.otherAdmin.call(assistants.setPolicy, { params: params(), body: { allowed: true } })
  expect(foreign.status).toBe(404)
  expect((await setSource('cin7', { allowed: false, acceptedTerms: null }, app.as.otherAdmin)).status).toBe(404)
})

test('[SEE-13] a person and a guest see the switches and cannot turn them', async () => {
  for (const as of [app.as.user, app.as.guest]) {
    await as.signIn()
    expect((await read(as)).Sources.length).toBeGreaterThan(3)
    expect((await as.call(assistants.setPolicy, { params: params(), body: { allowed: true } })).status).toBe(403)
    expect((await setSource('cin7', { allowed: false, acceptedTerms: null }, as)).status).toBe(403)
  }
})

test('[SEE-13] each change of a switch is in the audit log, with the terms that were confirmed', async () => {
  await app.as.admin.call(assistants.setPolicy, { params: params(), body: { allowed: false } })
  for (const allowed of [true, true, false])
    await app.as.admin.call(assistants.setPolicy, { params: params(), body: { allowed } })
  await setSource('xero', { allowed: true, acceptedTerms: xeroTerms })
  const list = async (action: string) =>
    (await app.as.admin.call(auditLog.list, { query: { orgId: app.harbour.id, action } })).body
  expect((await list('assistants.switched')).slice(0, 2).map(({ Detail }) => Detail)).toEqual([
    { after: false },
    { after: true },
  ])
  expect((await list('assistants.source_switched'))[0]?.Detail).toEqual({
    source: 'xero',
    after: true,
    terms: xeroTerms,
  })
})
