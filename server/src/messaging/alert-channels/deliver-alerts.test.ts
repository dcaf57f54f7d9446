import { alertChannels } from '@tributary/contract/alert-channels'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type ChannelRig, openChannelRig } from '@tributary/testing/server/alerts/channel-rig.ts'
import { cardTexts } from '@tributary/testing/server/alerts/simulated-teams.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'

let rig: ChannelRig
beforeAll(async () => {
  rig = await openChannelRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const texts = () => rig.slack.posted.map(({ text }) => text)

describe('a message to a channel', () => {
  test('[UX-ALERT-7] is sent again later if the service has a problem, and in its order', async () => {
    await rig.addChannel()
    rig.slack.faults.push({ status: 503 })
    await rig.fail()
    await rig.poll()
    expect(texts()).toEqual([])
    await rig.run({ status: 'COMPLETED' })
    await rig.poll()
    expect([texts(), rig.slack.received.length]).toEqual([[], 1])
    await rig.makeDue()
    await rig.poll()
    expect(texts()).toEqual(['Web shop needs attention', 'Web shop works again'])
    expect(new Set(rig.slack.received.map(({ body }) => body)).size).toBe(2)
  })

  test('[UX-ALERT-7] waits as long as the service asks, with all others to the same address', async () => {
    await rig.addChannel()
    rig.slack.limit = 1
    rig.slack.retryAfter = 90
    await rig.fail()
    await rig.poll()
    await rig.run({ status: 'COMPLETED' })
    await rig.poll()
    await rig.fail()
    await rig.poll()
    const rows = () =>
      rig.app.store.across((db) =>
        db.selectFrom('alertDelivery').select(['attempts', 'dueAt', 'notice']).where('dueAt', 'is not', null).execute(),
      )
    // The third message waits for the second, which is refused again and makes both wait.
    await rig.makeDue()
    await rig.poll()
    const waiting = await rows()
    expect(rig.slack.received.length).toBeLessThanOrEqual(3)
    expect(waiting).toHaveLength(2)
    for (const { dueAt } of waiting) {
      const waitMs = Date.parse(dueAt ?? '') - Date.now()
      expect([waitMs > 60_000, waitMs < 95_000]).toEqual([true, true])
    }
    // A refusal by a rate limit is no failed attempt.
    for (let count = 0; count < 20; count += 1) {
      await rig.makeDue()
      await rig.poll()
    }
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([0, 0])
    rig.slack.limit = Infinity
    await rig.makeDue()
    await rig.poll()
    expect(texts()).toEqual(['Web shop needs attention', 'Web shop works again', 'Web shop needs attention'])
  })

  test('[UX-ALERT-7] is given up a day after a rate limit, and after fourteen failed attempts', async () => {
    await rig.addChannel()
    rig.slack.limit = 0
    await rig.fail()
    await rig.poll()
    const status = async () => (await rig.incidents())[0]?.Deliveries.map(({ Status }) => Status)
    expect(await status()).toEqual(['WAITING'])
    const createdAt = new Date(Date.now() - 25 * 3_600_000)
    await rig.app.store.across((db) => db.updateTable('alertDelivery').set({ createdAt }).execute())
    await rig.makeDue()
    await rig.poll()
    expect(await status()).toEqual(['FAILED'])
    rig.slack.clear()
    rig.slack.faults.push(...Array.from({ length: 20 }, () => ({ status: 503 })))
    await rig.run({ status: 'COMPLETED' })
    for (let count = 0; count < 20; count += 1) {
      await rig.poll()
      await rig.makeDue()
    }
    expect([await status(), rig.slack.received.length]).toEqual([['FAILED', 'FAILED'], 14])
  })

  test('[UX-ALERT-7] is not sent again if the service refuses it for good', async () => {
    await rig.addChannel()
    rig.slack.faults.push({ status: 404, body: 'no_service' })
    await rig.fail()
    await rig.poll()
    await rig.makeDue()
    await rig.poll()
    expect(rig.slack.received).toHaveLength(1)
    const { body } = await rig.app.as.admin.call(alertChannels.list, { params: rig.clientId })
    expect(body.Channels).toMatchObject([
      { LastDelivery: { Status: 'FAILED', Notice: expect.stringContaining('no_service') } },
    ])
  })

  test('[UX-ALERT-11] that is given up is mailed to the owner of the channel, once until one arrives', async () => {
    await rig.addChannel()
    await rig.assign('user')
    await rig.addOwnChannel(rig.app.as.user, { ...rig.teamsInput, name: 'My team' })
    const gone = { status: 410, body: 'channel_is_archived' }
    rig.slack.faults.push(gone, gone)
    rig.teams.state = 'deleted'
    await rig.failAndRecover()
    const lost = (name: string) => `Alerts no longer reach ${name}`
    expect((await rig.subjects()).filter((subject) => subject.startsWith('Alerts'))).toEqual([lost('Data team')])
    expect(await rig.subjects('user@demo.example')).toEqual([lost('My team')])
    const [mail] = (await rig.app.emailsTo('user@demo.example')).filter(({ subject }) => subject === lost('My team'))
    expect([mail?.paragraphs.join(' '), mail?.action?.url]).toEqual([
      expect.stringContaining('WorkflowNotFound'),
      expect.stringContaining('/profile'),
    ])
    await rig.failAndRecover()
    expect(texts()).toHaveLength(2)
    rig.slack.faults.push(gone)
    await rig.fail()
    await rig.poll()
    expect((await rig.subjects()).filter((subject) => subject.startsWith('Alerts'))).toHaveLength(2)
    expect(await rig.subjects('user@demo.example')).toEqual([lost('My team')])
  })
})

describe('worker processes', () => {
  const startWorker = () => {
    const { host, port } = inject('postgres')
    return spawnWorker({
      connection: rig.app.connection,
      warehouse: rig.app.services.warehouse,
      masterKey: rig.masterKey.toString('base64'),
      env: {},
      allowHosts: [`${host}:${port}`, ...[rig.slack.url, rig.teams.url].map((url) => new URL(url).host)],
      options: { pollMs: 100 },
    })
  }

  test('[UX-ALERT-9] report an incident and its end once, although each is stopped and replaced', async () => {
    await rig.addChannel()
    await rig.addChannel(rig.teamsInput)
    await using workers = new AsyncDisposableStack()
    const first = workers.use(await startWorker())
    const second = workers.use(await startWorker())
    await rig.fail()
    await until(
      async () => rig.slack.posted.length + rig.teams.posted.length,
      (count) => count === 2,
    )
    await first.kill('SIGTERM')
    workers.use(await startWorker())
    await second.kill('SIGTERM')
    await rig.run({ status: 'COMPLETED' })
    await until(
      async () => rig.slack.posted.length + rig.teams.posted.length,
      (count) => count >= 4,
    )
    workers.use(await startWorker())
    await rig.poll()
    expect(texts()).toEqual(['Web shop needs attention', 'Web shop works again'])
    expect(rig.teams.posted.map((card) => cardTexts(card)[0])).toEqual(texts())
    expect(await rig.subjects()).toEqual(texts())
  })
})
