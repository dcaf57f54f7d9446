import type { FaultReply } from '@tributary/contract/faults'
import { preferences, type PreferencesChange } from '@tributary/contract/preferences'
import { preferenceLimits } from '@tributary/contract/limits'
import { privacy } from '@tributary/contract/privacy'
import { signInRoutes } from '@tributary/contract/sign-in'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const defaults = { Locale: null, TimeZone: null, KeyboardShortcuts: true, Density: 'comfortable', Tables: {} }
const save = (body: PreferencesChange) => app.as.user.call(preferences.save, { body })
const read = async () => (await app.as.user.call(preferences.read)).body

test('[UX-PREF-1] [API-1 GET /profile/preferences] a person who has chosen nothing has the defaults', async () => {
  for (const role of ['superadmin', 'provideradmin', 'admin', 'user', 'guest'] as const)
    expect((await app.as[role].call(preferences.read)).body).toEqual(defaults)
})

test('[UX-PREF-1] [API-1 PUT /profile/preferences] a change keeps what it does not mention, and concerns its sender only', async () => {
  const chosen = { Locale: 'en-GB', TimeZone: 'Pacific/Auckland', Density: 'compact', KeyboardShortcuts: false }
  const { status, body } = await save({
    locale: 'en-gb',
    timeZone: 'Pacific/Auckland',
    keyboardShortcuts: false,
    density: 'compact',
  })
  expect([status, body]).toEqual([200, { ...chosen, Tables: {} }])
  expect((await save({ tables: { users: ['name', 'role'] } })).body).toEqual({
    ...chosen,
    Tables: { users: ['name', 'role'] },
  })
  expect((await save({ locale: null })).body).toEqual({ ...chosen, Locale: null, Tables: { users: ['name', 'role'] } })
  expect((await app.as.guest.call(preferences.read)).body).toEqual(defaults)
})

test('[UX-PREF-1] changes of two tables at once keep both, and null removes one', async () => {
  await Promise.all([save({ tables: { users: ['name'] } }), save({ tables: { runs: ['state'] } })])
  expect((await read()).Tables).toEqual({ users: ['name'], runs: ['state'] })
  await save({ tables: { users: null, never: null } })
  expect((await read()).Tables).toEqual({ runs: ['state'] })
})

test('[UX-PREF-1] preferences are there after signing out and in again, in another browser', async () => {
  const account = { emailAddress: 'user@demo.example', password: trialPassword }
  const browser = new TestClient(app.http, account)
  await browser.call(preferences.save, { body: { locale: 'de-DE' } })
  expect((await browser.call(signInRoutes.signOut)).status).toBe(204)
  expect((await new TestClient(app.http, account).call(preferences.read)).body.Locale).toBe('de-DE')
})

test('[UX-PREF-6] the reply to a sign-in and to a renewal of the session has them, so that the first paint does', async () => {
  await save({ locale: 'en-NZ', density: 'compact' })
  const chosen = { ...defaults, Locale: 'en-NZ', Density: 'compact' }
  const browser = new TestClient(app.http, { emailAddress: 'user@demo.example', password: trialPassword })
  expect((await browser.signIn()).preferences).toEqual(chosen)
  expect((await browser.refresh()).preferences).toEqual(chosen)
})

test('[UX-PREF-1] a value that is not one is refused with its field, and changes nothing', async () => {
  const { tablesMax, columnsMax } = preferenceLimits
  const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`)
  const refused: readonly (readonly [string, object])[] = [
    ['locale', { locale: 'xx-invalid-locale-tag' }],
    ['locale', { locale: 'tlh' }],
    ['locale', { locale: '' }],
    ['locale', { locale: `en-GB-x-${'a'.repeat(40)}` }],
    ['timeZone', { timeZone: 'Mars/Olympus' }],
    ['timeZone', { timeZone: '+01:00' }],
    ['density', { density: 'airy' }],
    ['keyboardShortcuts', { keyboardShortcuts: 'no' }],
    ['tables', { tables: Object.fromEntries(many(tablesMax + 1).map((name) => [name, []])) }],
    ['tables.users', { tables: { users: many(columnsMax + 1) } }],
    ['tables.users.0', { tables: { users: ['x'.repeat(100)] } }],
    ['tables.user list', { tables: { 'user list': ['name'] } }],
  ]
  for (const [field, body] of refused) {
    const reply = await app.as.user.send<FaultReply>('PUT', '/api/profile/preferences', {
      body: { density: 'compact', ...body },
    })
    expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([400, [field]])
  }
  expect(await read()).toEqual(defaults)
})

test('[UX-PREF-1] the limit of tables counts those that are kept', async () => {
  const { tablesMax } = preferenceLimits
  const tables = Object.fromEntries(Array.from({ length: tablesMax }, (_, at) => [`n${at}`, ['name']]))
  expect((await save({ tables })).status).toBe(200)
  expect((await save({ tables: { another: ['name'] } })).status).toBe(400)
  expect((await save({ tables: { another: ['name'], n0: null } })).status).toBe(200)
  const wide = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(60, 'x'))
  expect((await save({ tables: { one: wide, two: wide, three: wide } })).status).toBe(400)
})

test('[UX-PREF-2] a changed locale or time zone is in the audit log; the appearance of the portal is not', async () => {
  await save({ locale: 'en-NZ', timeZone: 'Pacific/Auckland', density: 'compact' })
  await save({ locale: 'en-NZ', keyboardShortcuts: false, tables: { users: ['name'] } })
  const events = await findAuditEvents(app.store, 'user.preferences_changed')
  expect(events).toMatchObject([
    { actorId: app.idOf('user'), organisationId: null, detail: { fields: ['locale', 'timeZone'] } },
  ])
})

test('[UX-PREF-2] the export of one’s data contains the preferences', async () => {
  await save({ locale: 'fr-CH', tables: { users: ['name'] } })
  const { body } = await app.as.user.call(privacy.ownExport, { query: {} })
  expect(body.Tables['portal_user']).toMatchObject([{ locale: 'fr-CH', table_columns: { users: ['name'] } }])
})
