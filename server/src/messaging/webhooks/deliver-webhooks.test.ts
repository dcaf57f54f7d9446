import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import { verifySignature } from '@tributary/testing/server/connectors/webhook-receiver.ts'
import { deliverDue } from './deliver-webhooks.ts'
import { type AlertRig, openAlertRig } from '@tributary/testing/server/connectors/alert-rig.ts'

let rig: AlertRig
beforeAll(async () => {
  rig = await openAlertRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

describe('the webhook of an incident', () => {
  test('receives one signed message when the incident opens and one when it closes, despite concurrent senders', async () => {
    const runId = await rig.fail()
    await rig.watchConnectors()
    await Promise.all([deliverDue(rig.app.services), deliverDue(rig.app.services)])
    await rig.run({ status: 'COMPLETED' })
    await rig.watchConnectors()
    await Promise.all([deliverDue(rig.app.services), deliverDue(rig.app.services)])
    const events = rig.receiver.received.map(({ body }) => JSON.parse(body) as { Event: string })
    expect(events).toMatchObject([
      {
        Event: 'opened',
        Connector: { Id: rig.connectorId, Name: 'Web shop' },
        Incident: { RunId: runId, Kind: 'signIn', ClosedAtUtc: null },
      },
      { Event: 'recovered', Incident: { RunId: runId, ClosedAtUtc: expect.any(String) } },
    ])
    for (const message of rig.receiver.received) expect(verifySignature(message, rig.secret).isGood).toBe(true)
    expect((await rig.incidents())[0]?.Deliveries.map(({ Event, Status }) => [Event, Status])).toEqual([
      ['recovered', 'DELIVERED'],
      ['opened', 'DELIVERED'],
    ])
  })

  test('receives retries with the same delivery id until it accepts the message, for up to a day', async () => {
    rig.receiver.respond = () => ({ status: 503 })
    await rig.fail()
    await rig.watchConnectors()
    await deliverDue(rig.app.services)
    expect((await rig.incidents())[0]?.Deliveries).toMatchObject([{ Status: 'WAITING', Notice: 'It answered 503.' }])
    await deliverDue(rig.app.services)
    expect(rig.receiver.received).toHaveLength(1)
    rig.receiver.respond = () => ({ status: 200 })
    await rig.makeDue()
    await deliverDue(rig.app.services)
    expect(new Set(rig.receiver.received.map(({ headers }) => headers['tributary-delivery'])).size).toBe(1)
    expect((await rig.incidents())[0]?.Deliveries).toMatchObject([{ Status: 'DELIVERED', Notice: null }])

    rig.receiver.respond = () => ({ status: 410 })
    await rig.run({ status: 'COMPLETED' })
    await rig.watchConnectors()
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await rig.makeDue()
      await deliverDue(rig.app.services)
    }
    expect(rig.receiver.received).toHaveLength(2 + 14)
    expect((await rig.incidents())[0]?.Deliveries[0]).toMatchObject({ Status: 'FAILED', Notice: 'It answered 410.' })
  })

  test('is retried with exponential backoff over a day', async () => {
    rig.receiver.respond = () => ({ status: 503 })
    await rig.fail()
    await rig.watchConnectors()
    let waitedMs = 0
    for (let attempt = 1; attempt < 14; attempt += 1) {
      await deliverDue(rig.app.services)
      const [row] = await rig.app.store.across((db) =>
        db.selectFrom('webhookDelivery').select('dueAt').where('dueAt', 'is not', null).execute(),
      )
      waitedMs += Date.parse(row?.dueAt ?? '') - Date.now()
      await rig.makeDue()
    }
    expect(waitedMs / 3_600_000).toBeGreaterThan(23)
    expect(waitedMs / 3_600_000).toBeLessThan(25)
  })
})

describe('worker processes', () => {
  const workerOptions = (env: Readonly<Record<string, string>>, allow: string) => {
    const { host, port } = inject('postgres')
    return {
      connection: rig.app.connection,
      warehouse: rig.app.services.warehouse,
      masterKey: rig.masterKey.toString('base64'),
      env,
      allowHosts: [`${host}:${port}`, allow],
      options: { pollMs: 100 },
    }
  }

  test('report an incident once and its end once, although one is killed while it sends', async () => {
    const trial = workerOptions({}, new URL(rig.receiver.url).host)
    await using doomed = await spawnWorker(trial)
    // The worker is killed before it can record that its message was accepted.
    let isKilled = false
    rig.receiver.respond = async () => {
      if (!isKilled) {
        isKilled = true
        await doomed.kill('SIGKILL')
      }
      return { status: 204 }
    }
    await rig.fail()
    await until(
      async () => rig.receiver.received.length,
      (count) => count === 1,
    )
    await using workers = new AsyncDisposableStack()
    workers.use(await spawnWorker(trial))
    workers.use(await spawnWorker(trial))
    await rig.app.store.across((db) =>
      db
        .updateTable('webhookDelivery')
        .set({ dueAt: new Date(0) })
        .where('dueAt', 'is not', null)
        .execute(),
    )
    await until(
      () => rig.incidents(),
      ([incident]) => incident?.Deliveries[0]?.Status === 'DELIVERED',
    )
    await rig.run({ status: 'COMPLETED' })
    await until(
      () => rig.incidents(),
      ([incident]) => incident?.Deliveries[0]?.Event === 'recovered' && incident.Deliveries[0].Status === 'DELIVERED',
    )
    expect(await rig.subjects()).toEqual(['Web shop needs attention', 'Web shop works again'])
    const ids = rig.receiver.received.map(({ headers, body }) => [
      (JSON.parse(body) as { Event: string }).Event,
      headers['tributary-delivery'],
    ])
    // The interrupted message arrived twice with one id, the other once.
    expect(ids.map(([event]) => event)).toEqual(['opened', 'opened', 'recovered'])
    expect(new Set(ids.map(([, id]) => id)).size).toBe(2)
  })

  test('send incident emails by SMTP in production', async () => {
    await using smtp = await startMailServer()
    const production = {
      TRIBUTARY_MODE: 'production',
      TRIBUTARY_PUBLIC_URL: 'https://tributary.example',
      TRIBUTARY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    }
    await using workers = new AsyncDisposableStack()
    workers.use(await spawnWorker(workerOptions(production, 'nowhere.invalid:1')))
    await rig.fail()
    await until(
      async () => smtp.received.length,
      (count) => count > 0,
    )
    await rig.run({ status: 'COMPLETED' })
    await until(
      async () => smtp.received.length,
      (count) => count > 1,
    )
    expect(smtp.received.map(({ recipients, email }) => [recipients, email.subject])).toEqual([
      [['admin@demo.example'], 'Web shop needs attention'],
      [['admin@demo.example'], 'Web shop works again'],
    ])
  })
})
