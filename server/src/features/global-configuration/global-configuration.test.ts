import { globalConfiguration, settings as catalogue } from '@tributary/contract/global-configuration'
import { auditLog } from '@tributary/contract/audit-log'
import { connectors } from '@tributary/contract/connectors'
import { organisations } from '@tributary/contract/organisations'
import { signUpRoutes } from '@tributary/contract/sign-up'
import { signInRoutes } from '@tributary/contract/sign-in'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const saveSetting = (key: keyof typeof catalogue, value: 'true' | 'false') =>
  app.as.provideradmin.call(globalConfiguration.save, { body: { key, value } })

describe('provider settings', () => {
  test('[ADMIN-3] [API-1 GET /admin/globalconfiguration] are listed with default and description, values as JSON text', async () => {
    const { body } = await app.as.superadmin.call(globalConfiguration.list)
    expect(body).toEqual(
      Object.entries(catalogue).map(([key, { initial, description }]) => ({
        Key: key,
        Value: String(initial),
        Default: String(initial),
        Description: description,
        ChangedAtUtc: null,
        ChangedBy: null,
      })),
    )
  })

  test('[ADMIN-3] [API-1 POST /admin/globalconfiguration] a change takes effect at once and shows who made it when', async () => {
    expect((await app.services.settings.read()).RequireApproval).toBe(true)
    const { status, body } = await saveSetting('RequireApproval', 'false')
    const changed = { Key: 'RequireApproval', Value: 'false', Default: 'true', ChangedBy: 'Peter Lund' }
    expect([status, body]).toMatchObject([200, { ...changed, ChangedAtUtc: expect.stringMatching(/Z$/u) }])
    expect(Date.parse(body.ChangedAtUtc ?? '')).toBe(app.clock.now())
    expect((await app.as.superadmin.call(globalConfiguration.list)).body).toContainEqual(body)
    expect((await app.services.settings.read()).RequireApproval).toBe(false)
  })

  test('a change is in the audit log with the values before and after; saving the same value changes nothing', async () => {
    await saveSetting('ExternalProviders', 'false')
    app.clock.advance(60_000)
    const { body: again } = await saveSetting('ExternalProviders', 'false')
    expect(Date.parse(again.ChangedAtUtc ?? '')).toBe(app.clock.now() - 60_000)
    await saveSetting('ExternalProviders', 'true')
    const query = { ofProvider: true, action: 'config_changed', search: 'ExternalProviders' }
    const { body: events } = await app.as.superadmin.call(auditLog.list, { query })
    expect(events.map(({ Actor, ObjectId, Detail }) => [Actor, ObjectId, Detail])).toEqual([
      ['Peter Lund', 'ExternalProviders', { before: 'false', after: 'true' }],
      ['Peter Lund', 'ExternalProviders', { before: 'true', after: 'false' }],
    ])
  })

  test('concurrent changes of a setting each record the value before it', async () => {
    await Promise.all(
      ['true', 'false', 'true', 'false'].map((value) => saveSetting('AllowSignUp', value as 'true' | 'false')),
    )
    const query = { ofProvider: true, search: 'AllowSignUp' }
    const { body: events } = await app.as.superadmin.call(auditLog.list, { query })
    const steps = events.toReversed().map(({ Detail }) => [Detail['before'], Detail['after']])
    for (const [at, [before]] of steps.entries()) expect(before).toBe(at === 0 ? 'true' : steps[at - 1]?.[1])
    await saveSetting('AllowSignUp', 'true')
  })
})

describe('in maintenance mode', () => {
  beforeAll(async () => {
    await Promise.all([app.as.admin.session(), app.as.user.session(), app.as.superadmin.session()])
    await saveSetting('MaintenanceMode', 'true')
  })
  test('every call of a role below the provider gets 503 with Retry-After', async () => {
    for (const role of ['admin', 'user'] as const) {
      const reply = await app.as[role].send('GET', '/api/organisations')
      expect(reply).toMatchObject({ status: 503, body: { code: 'maintained' }, headers: { 'retry-after': '5' } })
      expect((await app.as[role].call(connectors.types)).status).toBe(503)
      expect((await app.as[role].call(globalConfiguration.list)).status).toBe(503)
    }
  })

  test('roles below the provider cannot sign in and get no sign-in codes, and sign-up is closed', async () => {
    const signIn = (emailAddress: string) =>
      app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress, password: trialPassword } })
    expect(await signIn('guest@demo.example')).toMatchObject({ status: 503, body: { code: 'maintained' } })
    expect(
      await app.as.visitor.call(signUpRoutes.verify, { query: { emailAddress: 'new@example.com' } }),
    ).toMatchObject({ status: 503 })
    await app.store.across((db) =>
      db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('guest')).execute(),
    )
    expect(await signIn('guest@demo.example')).toMatchObject({ status: 503, body: { code: 'maintained' } })
    expect(await app.emailsTo('guest@demo.example')).toEqual([])
    expect((await signIn('superadmin@demo.example')).status).toBe(200)
  })

  test('the provider continues to work, and health checks are answered', async () => {
    for (const role of ['superadmin', 'provideradmin'] as const)
      expect((await app.as[role].call(organisations.list)).status).toBe(200)
    expect(await app.as.visitor.call(signInRoutes.options)).toMatchObject({ status: 200 })
    expect((await app.as.visitor.send('GET', '/healthz')).status).toBe(200)
    expect((await app.as.visitor.send('GET', '/readyz')).status).toBe(200)
  })

  test('all users continue as soon as it ends', async () => {
    await saveSetting('MaintenanceMode', 'false')
    expect((await app.as.user.call(organisations.list)).status).toBe(200)
  })
})
