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

/** Of the latest audit events, newest first. */
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

/** As if what has been started were so much older. */
async function age(connectorId: string, seconds: number): Promise<void> {
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

function press(
  connectorId: string,
  speaker: 'superadmin' | 'admin' | 'user' | 'guest' | 'otherAdmin' | 'visitor' = 'admin',
) {
  return app.as[speaker].send<FaultReply & { RunId?: string }>(
    'POST',
    `/api/xero2sqlproducts/${connectorId}/incremental`,
  )
}

describe('my products', () => {
  test('[ACC-3] are none where nothing is linked, and connectors of other sources are none', async () => {
    const shop = { organisationId: app.harbour.id, key: 'shop', type: 'postgres', name: 'Shop', originalName: 'Shop' }
    const { id } = await app.store.within(app.harbour.id, (db) =>
      db.insertInto('connector').values(shop).returning('id').executeTakeFirstOrThrow(),
    )
    expect((await app.as.superadmin.call(accounting.mine)).body).toEqual([])
    expect((await press(id)).status).toBe(404)
    expect((await app.as.admin.call(accounting.credentials, { params: { connectorId: id } })).status).toBe(404)
  })

  test('[ACC-2] [API-1 GET /me/xero2sqlproducts] administrators see all of their organisation by name, others those they are assigned to', async () => {
    const [user, guest] = [app.idOf('user'), app.idOf('guest')]
    const names = ['Zebra Ltd', 'anchor Ltd', 'Mango 10', 'Mango 9'] as const
    const [zebra, anchor] = [
      await addProduct(app, { companyName: names[0], users: [user] }),
      await addProduct(app, { companyName: names[1], users: [user, guest] }),
    ]
    await addProduct(app, { companyName: names[2] })
    await addProduct(app, { companyName: names[3] })
    await addProduct(app, { companyName: 'Summit Foods Ltd', organisationId: app.summit.id })
    const told = async (
      speaker: 'superadmin' | 'provideradmin' | 'admin' | 'user' | 'guest' | 'otherAdmin',
      query = {},
    ) => (await app.as[speaker].call(accounting.mine, { query })).body.map(({ CompanyName }) => CompanyName)
    for (const speaker of ['superadmin', 'provideradmin', 'admin'] as const)
      expect(await told(speaker)).toEqual(['anchor Ltd', 'Mango 9', 'Mango 10', 'Zebra Ltd'])
    expect(await told('user')).toEqual(['anchor Ltd', 'Zebra Ltd'])
    expect(await told('guest')).toEqual(['anchor Ltd'])
    expect(await told('otherAdmin')).toEqual(['Summit Foods Ltd'])
    expect(await told('superadmin', { orgId: app.summit.id })).toEqual(['Summit Foods Ltd'])
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
    expect(await told('guest')).toEqual([])
  })
})

describe('a synchronisation by hand', () => {
  test('[ACC-5] [API-4] starts the run of the connector, in the words of the specification, and is in the audit log', async () => {
    const id = await addProduct(app, { companyName: 'Harbour Trading Ltd' })
    const { status, body } = await press(id)
    expect([status, body]).toEqual([200, { statusCode: 200, message: started, RunId: expect.any(String) }])
    const { body: list } = await app.as.admin.call(runs.list, { params: { clientId: app.harbour.id, connectorId: id } })
    expect(list).toMatchObject([
      { Id: body.RunId, Mode: 'incremental', Trigger: 'person', TriggeredBy: 'Amara Okafor', TieOut: null },
    ])
    expect(await events('sync.triggered')).toMatchObject([{ objectId: id, detail: { runId: body.RunId } }])
  })

  test('[ACC-4] [ACC-8] [API-4] is refused within fifteen minutes of the last one, with the minutes by the server’s clock, whatever the caller’s says', async () => {
    const id = await addProduct(app, { companyName: 'Quick {n} & Co' })
    await press(id)
    for (const [seconds, minutes] of [
      [0, 0],
      [59, 0],
      [7 * 60 + 59, 7],
      [14 * 60 + 58, 14],
    ] as const) {
      await age(id, seconds)
      const message = `Please wait 15 minutes from last refresh. It has been ${minutes} minutes since Quick {n} & Co was last refreshed.`
      const { status, body } = await press(id)
      expect([status, body]).toMatchObject([429, { statusCode: 429, message, code: 'syncTooSoon' }])
    }
    app.clock.advance(20 * 60_000)
    // Their tokens are as old by now.
    for (const speaker of ['superadmin', 'admin', 'user', 'guest', 'otherAdmin'] as const)
      await app.as[speaker].signIn()
    expect((await press(id)).status).toBe(429)
    const { body: products } = await app.as.admin.call(accounting.mine)
    const { LastIncrementalTriggerDate: last, NextTriggerAtUtc: next } = products.find(({ Id }) => Id === id) ?? {}
    expect(Date.parse(next ?? '') - Date.parse(last ?? '')).toBe(15 * 60_000)
    await age(id, 15 * 60 + 1)
    expect((await app.as.admin.call(accounting.mine)).body.find(({ Id }) => Id === id)).toMatchObject({
      NextTriggerAtUtc: null,
    })
    expect((await press(id)).status).toBe(200)
  })

  test('[ACC-4] of a hundred at once one starts, and the others are told to wait', async () => {
    const id = await addProduct(app, { companyName: 'Busy Ltd' })
    const replies = await Promise.all(Array.from({ length: 100 }, () => press(id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'syncTooSoon')).toHaveLength(99)
    const { body: list } = await app.as.admin.call(runs.list, { params: { clientId: app.harbour.id, connectorId: id } })
    expect(list).toHaveLength(1)
  })

  test('[ACC-4] does not wait for what the schedule has started, but for what Refresh has', async () => {
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
    expect((await press(scheduled)).status).toBe(200)
    await app.as.admin.call(runs.process, { params: { clientId: app.harbour.id, connectorId: refreshed }, body: {} })
    expect((await press(refreshed)).body.code).toBe('syncTooSoon')
  })

  test('[ACC-8] of one that is under way or disconnected is refused with a sentence', async () => {
    const id = await addProduct(app, { companyName: 'Slow Ltd' })
    await press(id)
    await app.store.within(app.harbour.id, (db) =>
      db
        .updateTable('run')
        .set({ queuedAt: sql<string>`now() - interval '16 minutes'`, status: 'RUNNING' })
        .where('connectorId', '=', id)
        .execute(),
    )
    expect((await press(id)).body).toMatchObject({
      statusCode: 409,
      code: 'alreadyRunning',
      message: expect.stringContaining('already running'),
    })
    await app.store.within(app.harbour.id, (db) =>
      db.updateTable('connector').set({ status: 'DISCONNECTED' }).where('id', '=', id).execute(),
    )
    expect((await press(id)).body).toMatchObject({ code: 'notConnected' })
    await age(id, 60)
    expect((await press(id)).body).toMatchObject({ code: 'notConnected' })
  })

  test('[ACC-2] is for whoever is assigned, and of other organisations’ products there is nothing here', async () => {
    const [ours, theirs] = [
      await addProduct(app, { companyName: 'Assigned', users: [app.idOf('user')] }),
      await addProduct(app, { companyName: 'Theirs', organisationId: app.summit.id }),
    ]
    expect((await press(ours, 'visitor')).status).toBe(401)
    expect((await press(ours, 'otherAdmin')).status).toBe(404)
    expect((await press(ours, 'guest')).status).toBe(404)
    expect((await press(theirs)).status).toBe(404)
    expect((await press(randomUUID())).status).toBe(404)
    expect((await press(ours, 'user')).status).toBe(200)
    expect((await press(theirs, 'superadmin')).status).toBe(200)
  })
})
