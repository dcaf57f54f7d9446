import { randomUUID } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import type { FaultReply } from '@tributary/contract/faults'
import { accounting } from '@tributary/contract/accounting'
import { runs } from '@tributary/contract/runs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const started =
  'Your sync has started successfully. Typically this will take 5-15 minutes to finish depending on the number of transactions you have processed in Xero since the last sync. You can start the sync of another organisation now if you wish.'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Audit events, newest first. */
async function events(action: string): Promise<readonly unknown[]> {
  const rows = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('auditEvent')
      .select(['detail', 'objectId'])
      .where('organisationId', '=', app.harbour.id)
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .execute(),
  )
  return rows
}

/** Completes the connector's runs and backdates their start. */
async function backdateRuns(connectorId: string, seconds: number): Promise<void> {
  await app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('run')
      .set({
        queuedAt: sql<string>`now() - ${seconds} * interval '1 second'`,
        status: 'COMPLETED',
        completedAt: sql<string>`now()`,
      })
      .where('connectorId', '=', connectorId)
      .execute(),
  )
}

function startSync(
  connectorId: string,
  speaker: 'superadmin' | 'admin' | 'user' | 'guest' | 'otherAdmin' | 'visitor' = 'admin',
) {
  return app.as[speaker].send<FaultReply & { RunId?: string }>(
    'POST',
    `/api/xero2sqlproducts/${connectorId}/incremental`,
  )
}

describe('my products', () => {
  test('[ACC-3] are empty without a linked company, and exclude connectors of other sources', async () => {
    const shop = { organisationId: app.harbour.id, key: 'shop', type: 'postgres', name: 'Shop', originalName: 'Shop' }
    const { id } = await app.store.within(app.harbour.id, (db) =>
      db.insertInto('connector').values(shop).returning('id').executeTakeFirstOrThrow(),
    )
    expect((await app.as.superadmin.call(accounting.mine)).body).toEqual([])
    expect((await startSync(id)).status).toBe(404)
    expect((await app.as.admin.call(accounting.credentials, { params: { connectorId: id } })).status).toBe(404)
  })

  test('[ACC-2] [API-1 GET /me/xero2sqlproducts] administrators see all products of their organisation, sorted by name, others those they are assigned to', async () => {
    const [user, guest] = [app.idOf('user'), app.idOf('guest')]
    const names = ['Zebra Ltd', 'anchor Ltd', 'Mango 10', 'Mango 9'] as const
    const [zebra, anchor] = [
      await addProduct(app, { companyName: names[0], users: [user] }),
      await addProduct(app, { companyName: names[1], users: [user, guest] }),
    ]
    await addProduct(app, { companyName: names[2] })
    await addProduct(app, { companyName: names[3] })
    await addProduct(app, { companyName: 'Summit Foods Ltd', organisationId: app.summit.id })
    const listCompanyNames = async (
      speaker: 'superadmin' | 'provideradmin' | 'admin' | 'user' | 'guest' | 'otherAdmin',
      query = {},
    ) => (await app.as[speaker].call(accounting.mine, { query })).body.map(({ CompanyName }) => CompanyName)
    for (const speaker of ['superadmin', 'provideradmin', 'admin'] as const)
      expect(await listCompanyNames(speaker)).toEqual(['anchor Ltd', 'Mango 9', 'Mango 10', 'Zebra Ltd'])
    expect(await listCompanyNames('user')).toEqual(['anchor Ltd', 'Zebra Ltd'])
    expect(await listCompanyNames('guest')).toEqual(['anchor Ltd'])
    expect(await listCompanyNames('otherAdmin')).toEqual(['Summit Foods Ltd'])
    expect(await listCompanyNames('superadmin', { orgId: app.summit.id })).toEqual(['Summit Foods Ltd'])
    expect((await app.as.admin.call(accounting.mine, { query: { orgId: app.summit.id } })).status).toBe(404)
    const { body } = await app.as.user.call(accounting.mine)
    expect(body[1]).toEqual({
      Id: zebra,
      CompanyName: 'Zebra Ltd',
      LastIncrementalTriggerDate: null,
      NextTriggerAtUtc: null,
      Type: 'xero',
      Name: 'Zebra Ltd',
      Status: 'CONNECTED',
      Log: null,
      TieOut: null,
    })
    await app.as.admin.call(connectors.remove, { params: { clientId: app.harbour.id, connectorId: anchor } })
    expect(await listCompanyNames('guest')).toEqual([])
  })
})

describe('a synchronisation by hand', () => {
  test('[ACC-5] [API-4] starts a run of the connector, with the message of the specification, and is in the audit log', async () => {
    const id = await addProduct(app, { companyName: 'Harbour Trading Ltd' })
    const { status, body } = await startSync(id)
    expect([status, body]).toEqual([200, { statusCode: 200, message: started, RunId: expect.any(String) }])
    const { body: list } = await app.as.admin.call(runs.list, { params: { clientId: app.harbour.id, connectorId: id } })
    expect(list).toMatchObject([
      { Id: body.RunId, Mode: 'incremental', Trigger: 'person', TriggeredBy: 'Amara Okafor', TieOut: null },
    ])
    expect(await events('sync.triggered')).toMatchObject([{ objectId: id, detail: { runId: body.RunId } }])
  })

  test('[ACC-4] [ACC-8] [API-4] is refused within fifteen minutes of the last one, with the minutes by the server’s clock, not the caller’s', async () => {
    const id = await addProduct(app, { companyName: 'Quick {n} & Co' })
    await startSync(id)
    for (const [seconds, minutes] of [
      [0, 0],
      [59, 0],
      [7 * 60 + 59, 7],
      [14 * 60 + 58, 14],
    ] as const) {
      await backdateRuns(id, seconds)
      const message = `Please wait 15 minutes from last refresh. It has been ${minutes} minutes since Quick {n} & Co was last refreshed.`
      const { status, body } = await startSync(id)
      expect([status, body]).toMatchObject([429, { statusCode: 429, message, code: 'syncTooSoon' }])
    }
    app.clock.advance(20 * 60_000)
    // Their access tokens have expired.
    for (const speaker of ['superadmin', 'admin', 'user', 'guest', 'otherAdmin'] as const)
      await app.as[speaker].signIn()
    expect((await startSync(id)).status).toBe(429)
    const { body: products } = await app.as.admin.call(accounting.mine)
    const { LastIncrementalTriggerDate: last, NextTriggerAtUtc: next } = products.find(({ Id }) => Id === id) ?? {}
    expect(Date.parse(next ?? '') - Date.parse(last ?? '')).toBe(15 * 60_000)
    await backdateRuns(id, 15 * 60 + 1)
    expect((await app.as.admin.call(accounting.mine)).body.find(({ Id }) => Id === id)).toMatchObject({
      NextTriggerAtUtc: null,
    })
    expect((await startSync(id)).status).toBe(200)
  })

  test('[ACC-4] of a hundred concurrent calls one starts a run, and the others are refused', async () => {
    const id = await addProduct(app, { companyName: 'Busy Ltd' })
    const replies = await Promise.all(Array.from({ length: 100 }, () => startSync(id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'syncTooSoon')).toHaveLength(99)
    const { body: list } = await app.as.admin.call(runs.list, { params: { clientId: app.harbour.id, connectorId: id } })
    expect(list).toHaveLength(1)
  })

  test('[ACC-4] ignores runs of the schedule, but counts those of Refresh', async () => {
    const [scheduled, refreshed] = [
      await addProduct(app, { companyName: 'On time' }),
      await addProduct(app, { companyName: 'Pressed' }),
    ]
    const run = {
      organisationId: app.harbour.id,
      connectorId: scheduled,
      mode: 'incremental',
      trigger: 'schedule',
      status: 'COMPLETED',
    } as const
    await app.store.within(app.harbour.id, (db) => db.insertInto('run').values(run).execute())
    expect((await startSync(scheduled)).status).toBe(200)
    await app.as.admin.call(runs.process, { params: { clientId: app.harbour.id, connectorId: refreshed }, body: {} })
    expect((await startSync(refreshed)).body.code).toBe('syncTooSoon')
  })

  test('[ACC-8] is refused with a message while a run is under way, and for a disconnected product', async () => {
    const id = await addProduct(app, { companyName: 'Slow Ltd' })
    await startSync(id)
    await app.store.within(app.harbour.id, (db) =>
      db
        .updateTable('run')
        .set({ queuedAt: sql<string>`now() - interval '16 minutes'`, status: 'RUNNING' })
        .where('connectorId', '=', id)
        .execute(),
    )
    expect((await startSync(id)).body).toMatchObject({
      statusCode: 409,
      code: 'alreadyRunning',
      message: expect.stringContaining('already running'),
    })
    await app.store.within(app.harbour.id, (db) =>
      db.updateTable('connector').set({ status: 'DISCONNECTED' }).where('id', '=', id).execute(),
    )
    expect((await startSync(id)).body).toMatchObject({ code: 'notConnected' })
    await backdateRuns(id, 60)
    expect((await startSync(id)).body).toMatchObject({ code: 'notConnected' })
  })

  test('[ACC-2] is open to assigned users, and other organisations’ products are not found', async () => {
    const [ours, theirs] = [
      await addProduct(app, { companyName: 'Assigned', users: [app.idOf('user')] }),
      await addProduct(app, { companyName: 'Theirs', organisationId: app.summit.id }),
    ]
    expect((await startSync(ours, 'visitor')).status).toBe(401)
    expect((await startSync(ours, 'otherAdmin')).status).toBe(404)
    expect((await startSync(ours, 'guest')).status).toBe(404)
    expect((await startSync(theirs)).status).toBe(404)
    expect((await startSync(randomUUID())).status).toBe(404)
    expect((await startSync(ours, 'user')).status).toBe(200)
    expect((await startSync(theirs, 'superadmin')).status).toBe(200)
  })
})
