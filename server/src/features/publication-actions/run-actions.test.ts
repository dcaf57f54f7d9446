import { publicationActions } from '@tributary/contract/publication-actions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { verifySignature } from '@tributary/testing/server/connectors/webhook-receiver.ts'
import { type ActionRig, openActionRig } from '@tributary/testing/server/publishing/action-rig.ts'
import { dbtStatus } from '@tributary/testing/server/publishing/simulated-dbt.ts'

let rig: ActionRig
beforeAll(async () => {
  rig = await openActionRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

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
      notices.push((await rig.latestRun(id))?.Notice)
    }
    expect(notices).toEqual([
      'The job waits in dbt.',
      'The job waits in dbt.',
      'The job is running.',
      'dbt has completed the job.',
    ])
    expect(await rig.latestRun(id)).toMatchObject({ Status: 'COMPLETED', Attempts: 1 })
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
    const events = await findAuditEvents(rig.app.store, 'publication_action.started')
    expect(events.at(-1)).toMatchObject({ actorId: rig.app.idOf('admin'), objectId: id })
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
    expect([rig.receiver.received.length, (await rig.latestRun(id))?.Status]).toEqual([14, 'FAILED'])
    const { id: reportId } = await rig.add(rig.powerBiInput)
    for (let count = 0; count < 8; count += 1) rig.powerBi.addRefresh('Scheduled', count + 1)
    await rig.publish()
    await rig.work()
    const createdAt = new Date(Date.now() - 49 * 3_600_000)
    await rig.app.store.across((db) => db.updateTable('publicationActionRun').set({ createdAt }).execute())
    await rig.workLater()
    expect((await rig.latestRun(reportId))?.Status).toBe('FAILED')
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
    expect(await rig.latestRun(id)).toMatchObject({
      Status: 'DROPPED',
      Notice: expect.stringContaining('switched off'),
    })
    await rig.workLater()
    expect(rig.receiver.received).toHaveLength(1)
    expect((await rig.app.as.admin.call(publicationActions.remove, { params })).status).toBe(204)
    expect((await rig.app.as.admin.call(publicationActions.runs, { params })).status).toBe(404)
  })
})
