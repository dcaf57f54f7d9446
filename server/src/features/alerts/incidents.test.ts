import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AlertRig, openAlertRig, type AlertRun } from '@tributary/testing/server/connectors/alert-rig.ts'
import { watchConnectors } from './open-and-close-incidents.ts'

const minuteMs = 60_000
let rig: AlertRig
beforeAll(async () => {
  rig = await openAlertRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

describe('an incident', () => {
  test('opens when a run fails and closes when one completes, with one message each however often connectors are checked', async () => {
    const runId = await rig.fail()
    await rig.watchConnectors()
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([
      { RunId: runId, Kind: 'signIn', Notice: 'The source refused the password.', ClosedAtUtc: null },
    ])
    expect(await rig.subjects()).toEqual(['Web shop needs attention'])
    await rig.fail()
    await rig.watchConnectors()
    expect(await rig.incidents()).toHaveLength(1)
    await rig.run({ status: 'COMPLETED' })
    await rig.watchConnectors()
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
    expect(await rig.subjects()).toEqual(['Web shop needs attention', 'Web shop works again'])
    await rig.fail()
    await rig.watchConnectors()
    expect(await rig.incidents()).toHaveLength(2)
    expect(await rig.subjects()).toHaveLength(3)
  })

  test('of a full run stays open when a run of some tables completes; one of some tables closes', async () => {
    const onlyStreams = ['public.invoice']
    await rig.fail()
    await rig.watchConnectors()
    await rig.run({ status: 'COMPLETED', onlyStreams })
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: null }])
    await rig.run({ status: 'COMPLETED' })
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
    await rig.run({ status: 'FAILED', faultKind: 'signIn', onlyStreams })
    await rig.watchConnectors()
    await rig.run({ status: 'COMPLETED', onlyStreams })
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([
      { ClosedAtUtc: expect.any(String) },
      { ClosedAtUtc: expect.any(String) },
    ])
  })

  test('sends an email with the notice of the run and a link to it', async () => {
    const runId = await rig.fail()
    await rig.watchConnectors()
    const [email] = await rig.app.emailsTo('admin@demo.example')
    expect(email?.paragraphs.join(' ')).toContain('The source refused the password.')
    expect(email?.paragraphs.join(' ')).toContain('Harbour Trading')
    expect(email?.action?.url).toContain(
      `/connectors/postgres/refresh?organisation=${rig.app.harbour.id}&connector=${rig.connectorId}&run=${runId}`,
    )
  })

  test.each<[string, AlertRun]>([
    ['a run was cancelled', { status: 'CANCELLED' }],
    ['a run completed', { status: 'COMPLETED' }],
    ['a run has been running for less than half an hour', { status: 'RUNNING', agoMs: 29 * minuteMs }],
    ['a run waits for a busy source', { status: 'WAITING', faultKind: 'busy', agoMs: minuteMs }],
    [
      'a run waits until the daily limit of a source resets',
      { status: 'WAITING', faultKind: 'busy', agoMs: 600 * minuteMs, retryInMs: minuteMs },
    ],
    ['a run resumes after the daily limit', { status: 'RUNNING', agoMs: 600 * minuteMs, retryInMs: -29 * minuteMs }],
  ])('does not open when %s', async (_, past) => {
    await rig.run(past)
    await rig.watchConnectors()
    expect(await rig.incidents()).toEqual([])
  })

  test.each<[string, AlertRun, string]>([
    ['a run takes longer than half an hour', { status: 'RUNNING', agoMs: 31 * minuteMs }, 'stalled'],
    [
      'a run should have resumed long ago',
      { status: 'WAITING', faultKind: 'busy', agoMs: 600 * minuteMs, retryInMs: -31 * minuteMs },
      'stalled',
    ],
    [
      'a run waits until a user signs in at the source',
      { status: 'WAITING', faultKind: 'signIn', notice: 'Sign in again.' },
      'signIn',
    ],
  ])('opens when %s, and closes when the run completes', async (_, past, kind) => {
    const id = await rig.run(past)
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ RunId: id, Kind: kind, ClosedAtUtc: null }])
    await rig.complete(id)
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
  })

  test('opens while the target is down, and closes once the target is up and a run has completed', async () => {
    const set = (since: Date | null) => rig.set({ targetDownSince: since })
    await set(new Date())
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ RunId: null, Kind: 'passing', ClosedAtUtc: null }])
    await rig.run({ status: 'COMPLETED' })
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: null }])
    await set(null)
    await rig.watchConnectors()
    expect(await rig.subjects()).toEqual(['Web shop needs attention', 'Web shop works again'])
  })

  test('closes without a message when the connector is disconnected, and does not reopen when it is connected again', async () => {
    await rig.fail()
    await rig.watchConnectors()
    await rig.app.as.admin.call(connectors.disconnectAll, { params: { clientId: rig.app.harbour.id } })
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
    await rig.set({ status: 'CONNECTED' })
    await rig.watchConnectors()
    expect(await rig.incidents()).toHaveLength(1)
    expect(await rig.subjects()).toEqual(['Web shop needs attention'])
  })

  test('is mailed to the chosen members instead of the administrators, and to no one if the list is empty', async () => {
    await rig.app.as.admin.call(alerts.save, {
      params: rig.params,
      body: { users: [rig.app.idOf('user')], webhook: null },
    })
    await rig.fail()
    await rig.watchConnectors()
    expect([await rig.subjects(), await rig.subjects('user@demo.example')]).toEqual([[], ['Web shop needs attention']])
    await rig.app.as.admin.call(alerts.save, { params: rig.params, body: { users: [], webhook: null } })
    await rig.run({ status: 'COMPLETED' })
    await rig.watchConnectors()
    expect([await rig.subjects(), await rig.subjects('user@demo.example')]).toEqual([[], ['Web shop needs attention']])
  })

  test('is not opened if its email cannot be queued, which does not stop other incidents', async () => {
    await rig.fail()
    await failAtSummit()
    const { mailer } = rig.app.services
    const enqueue: typeof mailer.enqueue = (db, recipient, email) =>
      recipient === 'admin@other.example' ? mailer.enqueue(db, recipient, email) : Promise.reject(new Error('no mail'))
    await expect(watchConnectors({ ...rig.app.services, mailer: { ...mailer, enqueue } })).rejects.toThrow('no mail')
    expect(await rig.incidents()).toEqual([])
    expect(await rig.subjects('admin@other.example')).toEqual(['Their shop needs attention'])
    await rig.watchConnectors()
    expect(await rig.subjects()).toEqual(['Web shop needs attention'])
  })
})

async function failAtSummit(): Promise<void> {
  const organisationId = rig.app.summit.id
  const shop = { organisationId, key: 'their-shop', type: 'postgres', name: 'Their shop', originalName: 'Their shop' }
  await rig.app.store.within(organisationId, async (db) => {
    const { id: connectorId } = await db.insertInto('connector').values(shop).returning('id').executeTakeFirstOrThrow()
    const run = { organisationId, connectorId, mode: 'full', trigger: 'schedule', status: 'FAILED' } as const
    await db
      .insertInto('run')
      .values({ ...run, completedAt: new Date() })
      .execute()
  })
}
