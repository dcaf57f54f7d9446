import { publicationActions } from '@tributary/contract/publication-actions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifySignature } from '@tributary/testing/server/connectors/webhook-receiver.ts'
import { type ActionRig, openActionRig } from '@tributary/testing/server/publishing/action-rig.ts'
import { dbtStatus } from '@tributary/testing/server/publishing/simulated-dbt.ts'

let rig: ActionRig
beforeAll(async () => {
  rig = await openActionRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const first = async (actionId: string) => (await rig.runs(actionId))[0]

describe('a webhook after a publication', () => {
  test('[TRUST-13] gets one signed message that names what was published', async () => {
    const { secret } = await rig.add(rig.webhookInput)
    const number = await rig.publish()
    await rig.work()
    await rig.work()
    expect(rig.receiver.received).toHaveLength(1)
    const [message] = rig.receiver.received
    if (message === undefined) throw new Error('There is no message.')
    expect(verifySignature(message, secret).isGood).toBe(true)
    expect(JSON.parse(message.body)).toEqual({
      Event: 'published',
      OrganisationId: rig.app.harbour.id,
      Publication: {
        SetId: rig.setId,
        Target: 'Tributary’s own warehouse',
        Number: number,
        Connectors: [
          {
            Id: rig.connectorId,
            Name: 'Web shop',
            Type: 'postgres',
            RunId: expect.any(String),
            MomentUtc: '2026-06-30T06:00:00.123456Z',
          },
        ],
      },
    })
  })

  test('[TRUST-13] gets every publication in its order, with the same id at each attempt', async () => {
    const { id } = await rig.add(rig.webhookInput)
    rig.receiver.respond = () => ({ status: 503 })
    await rig.publish()
    await rig.publish()
    await rig.work()
    expect(rig.receiver.received).toHaveLength(1)
    rig.receiver.respond = () => ({ status: 204 })
    await rig.workLater()
    await rig.workLater()
    const numbers = rig.receiver.received.map(({ body }) => (JSON.parse(body) as PublishedMessage).Publication.Number)
    const [one = 0, again, next] = numbers
    expect([again, next]).toEqual([one, one + 1])
    const ids = rig.receiver.received.map(({ headers }) => headers['tributary-delivery'])
    expect([ids[0] === ids[1], new Set(ids).size]).toEqual([true, 2])
    expect((await rig.runs(id)).map(({ Status, Attempts }) => [Status, Attempts])).toEqual([
      ['COMPLETED', 1],
      ['COMPLETED', 2],
    ])
    expect((await rig.runs(id))[1]?.Log.map(({ Notice }) => Notice)).toEqual([
      'It answered 503.',
      'The webhook accepted the message.',
    ])
  })

  test('[TRUST-13] follows only the set that it names, and nothing while it is switched off', async () => {
    const { id } = await rig.add({ ...rig.webhookInput, setId: rig.setId })
    const { id: offId } = await rig.add({ ...rig.webhookInput, isOn: false })
    await rig.publish({ setId: rig.app.summit.id })
    expect(await rig.runs(id)).toEqual([])
    await rig.publish()
    expect([(await rig.runs(id)).length, (await rig.runs(offId)).length]).toEqual([1, 0])
  })
})

interface PublishedMessage {
  readonly Publication: { readonly Number: number }
}

describe('a refresh of Power BI', () => {
  test('[TRUST-13] begins after the publication and reports its result, although each token expires meanwhile', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    await rig.publish()
    await rig.work()
    expect(rig.powerBi.refreshes).toMatchObject([{ refreshType: 'ViaApi', status: 'Unknown' }])
    expect(await first(id)).toMatchObject({ Status: 'RUNNING', Attempts: 1, Notice: 'Power BI accepted the refresh.' })
    rig.powerBi.expireTokens()
    await rig.workLater()
    await rig.workLater()
    expect(await first(id)).toMatchObject({ Status: 'RUNNING', Notice: 'The refresh is under way.' })
    rig.powerBi.endRefresh('Completed')
    await rig.workLater()
    expect(await first(id)).toMatchObject({
      Status: 'COMPLETED',
      DueAtUtc: null,
      Log: [
        { Status: 202, Notice: 'Power BI accepted the refresh.', DurationMs: expect.any(Number) },
        { Status: 200, Notice: 'The refresh is under way.' },
        { Status: 200, Notice: 'Power BI has refreshed the dataset.' },
      ],
    })
    expect(rig.powerBi.refreshes).toHaveLength(1)
  })

  test('[TRUST-13] never exceeds the 8 refreshes of 24 hours, whoever began them, and waits for the next free time', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (const hoursAgo of [23, 20, 16, 12, 8, 6, 4]) rig.powerBi.addRefresh('Scheduled', hoursAgo)
    // Neither counts: the first is too old, the second on demand.
    rig.powerBi.addRefresh('Scheduled', 25)
    rig.powerBi.addRefresh('OnDemand', 2)
    await rig.publish()
    await rig.work()
    rig.powerBi.endRefresh('Completed')
    await rig.workLater()
    expect(await first(id)).toMatchObject({ Status: 'COMPLETED' })
    await rig.publish()
    await rig.work()
    const waiting = await first(id)
    expect(waiting).toMatchObject({
      Status: 'WAITING',
      Attempts: 0,
      Notice: expect.stringContaining('8 refreshes of 24 hours'),
    })
    const waitHours = (Date.parse(waiting?.DueAtUtc ?? '') - Date.now()) / 3_600_000
    expect([waitHours > 0.9, waitHours < 1.1]).toEqual([true, true])
    const posted = () =>
      rig.powerBi.received.filter(({ method, path }) => method === 'POST' && path.includes('refreshes'))
    expect(posted()).toHaveLength(1)
    // The oldest leaves the 24 hours.
    const oldest = rig.powerBi.refreshes.findLast(
      ({ startTime }) => Date.parse(startTime) > Date.now() - 24 * 3_600_000,
    )
    if (oldest !== undefined) oldest.startTime = new Date(Date.now() - 24.1 * 3_600_000).toISOString()
    await rig.workLater()
    expect([(await first(id))?.Status, posted().length]).toEqual(['RUNNING', 2])
  })

  test('[TRUST-13] may begin 48 times in 24 hours in Premium', async () => {
    const premium = { ...rig.powerBiInput.powerBi, capacity: 'premium' as const }
    const { id } = await rig.add({ ...rig.powerBiInput, powerBi: premium })
    rig.powerBi.limit = 48
    for (let count = 0; count < 47; count += 1) rig.powerBi.addRefresh('ViaApi', 0.4 * count + 0.1)
    await rig.publish()
    await rig.work()
    rig.powerBi.endRefresh('Completed')
    await rig.workLater()
    await rig.publish()
    await rig.work()
    expect((await rig.runs(id)).map(({ Status }) => Status)).toEqual(['WAITING', 'COMPLETED'])
  })

  test('[TRUST-13] counts refreshes that the history of Power BI does not show yet', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (let count = 0; count < 8; count += 1) {
      await rig.publish()
      await rig.work()
      rig.powerBi.endRefresh('Completed')
      await rig.workLater()
    }
    rig.powerBi.refreshes.length = 0
    await rig.publish()
    await rig.work()
    expect(await first(id)).toMatchObject({ Status: 'WAITING', Notice: expect.stringContaining('used up') })
  })

  test('[TRUST-13] that waits gives way to a newer publication, and its log says so', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    for (let count = 0; count < 8; count += 1) rig.powerBi.addRefresh('Scheduled', count + 1)
    await rig.publish()
    await rig.work()
    await rig.publish()
    await rig.work()
    expect((await rig.runs(id)).map(({ Status, Notice }) => [Status, Notice])).toEqual([
      ['WAITING', expect.stringContaining('used up')],
      ['DROPPED', 'A newer publication replaced it before it began.'],
    ])
    rig.powerBi.refreshes.length = 0
    await rig.workLater()
    expect((await rig.runs(id)).map(({ Status }) => Status)).toEqual(['RUNNING', 'DROPPED'])
  })

  test('[TRUST-13] waits for one that is under way, and as long as Power BI asks', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    rig.powerBi.addRefresh('Scheduled', 0)
    Object.assign(rig.powerBi.refreshes[0] ?? {}, { status: 'Unknown', endTime: undefined })
    await rig.publish()
    await rig.work()
    expect(await first(id)).toMatchObject({
      Status: 'WAITING',
      Attempts: 0,
      Notice: expect.stringContaining('under way'),
    })
    rig.powerBi.endRefresh('Completed')
    rig.powerBi.faults.push({ status: 429, headers: { 'retry-after': '600' } })
    await rig.workLater()
    const waiting = await first(id)
    const waitMs = Date.parse(waiting?.DueAtUtc ?? '') - Date.now()
    expect([waiting?.Attempts, waitMs > 500_000, waitMs <= 600_000]).toEqual([0, true, true])
    await rig.workLater()
    expect((await first(id))?.Status).toBe('RUNNING')
    await rig.publish()
    await rig.workLater()
    expect((await rig.runs(id)).map(({ Status }) => Status)).toEqual(['WAITING', 'RUNNING'])
  })

  test('[TRUST-13] is tried again after a problem of the service, and not after a refusal', async () => {
    const { id } = await rig.add(rig.powerBiInput)
    rig.powerBi.faults.push({ status: 503 })
    await rig.publish()
    await rig.work()
    expect(await first(id)).toMatchObject({ Status: 'WAITING', Attempts: 1, Notice: 'Power BI answered 503.' })
    await rig.workLater()
    expect(await first(id)).toMatchObject({ Status: 'RUNNING', Attempts: 2 })
    rig.powerBi.endRefresh('Failed', 'ModelRefreshFailed_CredentialsNotSpecified')
    await rig.workLater()
    expect(await first(id)).toMatchObject({
      Status: 'FAILED',
      Notice: expect.stringContaining('ModelRefreshFailed_CredentialsNotSpecified'),
    })
    rig.powerBi.isMember = false
    await rig.publish()
    await rig.work()
    expect(await first(id)).toMatchObject({ Status: 'FAILED', Attempts: 1 })
  })
})

describe('a dbt job', () => {
  test('[TRUST-13] runs after the publication, and each of its states is read', async () => {
    const { id } = await rig.add(rig.dbtInput)
    await rig.publish()
    await rig.work()
    const [run] = rig.dbt.runs
    expect(run?.cause).toContain('Tributary')
    const notices: (string | null | undefined)[] = []
    for (const status of [dbtStatus.queued, dbtStatus.starting, dbtStatus.running, dbtStatus.success]) {
      if (run !== undefined) run.status = status
      await rig.workLater()
      notices.push((await first(id))?.Notice)
    }
    expect(notices).toEqual([
      'The job waits in dbt.',
      'The job waits in dbt.',
      'The job is running.',
      'dbt has completed the job.',
    ])
    expect(await first(id)).toMatchObject({ Status: 'COMPLETED', Attempts: 1 })
  })

  test('[TRUST-13] that fails or is cancelled has failed', async () => {
    const { id } = await rig.add(rig.dbtInput)
    for (const status of [dbtStatus.error, dbtStatus.cancelled]) {
      await rig.publish()
      await rig.work()
      Object.assign(rig.dbt.runs.at(-1) ?? {}, { status })
      await rig.workLater()
    }
    expect((await rig.runs(id)).map(({ Status, Notice }) => [Status, Notice])).toEqual([
      ['FAILED', expect.stringContaining('was cancelled in dbt')],
      ['FAILED', expect.stringContaining('The job failed')],
    ])
  })
})

describe('a run', () => {
  test('[TRUST-13] is started by a person, too', async () => {
    const { id } = await rig.add(rig.dbtInput)
    const params = { ...rig.clientId, actionId: id }
    const { status, body } = await rig.app.as.admin.call(publicationActions.run, { params })
    expect([status, body]).toMatchObject([202, { Trigger: 'person', Status: 'WAITING', Log: [] }])
    await rig.work()
    expect(rig.dbt.runs).toHaveLength(1)
    expect((await rig.app.as.admin.call(publicationActions.list, { params: rig.clientId })).body).toMatchObject([
      { LastRun: { Status: 'RUNNING', Attempts: 1, Notice: 'dbt started the job.', EndedAtUtc: null } },
    ])
  })

  test('[TRUST-13] is given up after fourteen attempts, and one that waits for two days', async () => {
    const { id } = await rig.add(rig.webhookInput)
    rig.receiver.respond = () => ({ status: 503 })
    await rig.publish()
    for (let count = 0; count < 16; count += 1) await rig.workLater()
    expect([rig.receiver.received.length, (await first(id))?.Status]).toEqual([14, 'FAILED'])
    const { id: reportId } = await rig.add(rig.powerBiInput)
    for (let count = 0; count < 8; count += 1) rig.powerBi.addRefresh('Scheduled', count + 1)
    await rig.publish()
    await rig.work()
    const createdAt = new Date(Date.now() - 49 * 3_600_000)
    await rig.app.store.across((db) => db.updateTable('publicationActionRun').set({ createdAt }).execute())
    await rig.workLater()
    expect((await first(reportId))?.Status).toBe('FAILED')
  })

  test('[TRUST-13] that waits ends when its action is switched off or removed', async () => {
    const { id } = await rig.add(rig.webhookInput)
    rig.receiver.respond = () => ({ status: 503 })
    await rig.publish()
    await rig.work()
    const address = (await rig.app.as.admin.call(publicationActions.list, { params: rig.clientId })).body[0]?.Webhook
    const body = { ...rig.webhookInput, isOn: false, webhook: { address: address?.Address ?? '' } }
    const params = { ...rig.clientId, actionId: id }
    expect((await rig.app.as.admin.call(publicationActions.save, { params, body })).body).toMatchObject({ IsOn: false })
    expect(await first(id)).toMatchObject({ Status: 'DROPPED', Notice: expect.stringContaining('switched off') })
    await rig.workLater()
    expect(rig.receiver.received).toHaveLength(1)
    expect((await rig.app.as.admin.call(publicationActions.remove, { params })).status).toBe(204)
    expect((await rig.app.as.admin.call(publicationActions.runs, { params })).status).toBe(404)
  })
})

describe('an action that fails', () => {
  test('[TRUST-13] is an incident for the administrators, once, and is reported again when it works', async () => {
    await rig.add(rig.dbtInput)
    const failures = async () => {
      await rig.publish()
      await rig.work()
      Object.assign(rig.dbt.runs.at(-1) ?? {}, { status: dbtStatus.error })
      await rig.workLater()
    }
    await failures()
    await failures()
    const subjects = async () => (await rig.app.emailsTo('admin@demo.example')).map(({ subject }) => subject)
    expect(await subjects()).toEqual(['Nightly models did not follow the publication'])
    expect((await rig.app.emailsTo('user@demo.example')).length).toBe(0)
    await rig.publish()
    await rig.work()
    Object.assign(rig.dbt.runs.at(-1) ?? {}, { status: dbtStatus.success })
    await rig.workLater()
    expect(await subjects()).toEqual(['Nightly models did not follow the publication', 'Nightly models works again'])
  })
})
