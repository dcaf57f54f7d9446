import { globalConfiguration } from '@tributary/contract/global-configuration'
import { readyBy } from '@tributary/contract/ready-by'
import { users } from '@tributary/contract/users'
import { completedRun } from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { ReadyByRig } from '@tributary/testing/server/ready-by/ready-by-rig.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fireAllDue } from '../runs/scheduling/fire-schedules.ts'
import { keepReadyBy } from './keep-ready-by.ts'

const minuteMs = 60_000

let rig: ReadyByRig
beforeAll(async () => {
  rig = await ReadyByRig.open()
})
afterAll(() => rig[Symbol.asyncDispose]())

const minutesUntil = (time: string | null | undefined) => Math.round((Date.parse(time ?? '') - Date.now()) / minuteMs)

test('[SCALE-3] a start is planned backwards from the promised time and the measured duration, at once when the wish changes', async () => {
  const connectorId = await rig.addConnector()
  await rig.wish(connectorId, 120)
  const { Next } = await rig.read(connectorId)
  expect(Next).toMatchObject({ StartedAtUtc: null, RunId: null, Obstacle: null, Notice: null })
  // A run takes a minute, and starts ten minutes before it must.
  expect(minutesUntil(Next?.StartAtUtc)).toBeGreaterThanOrEqual(107)
  expect(minutesUntil(Next?.StartAtUtc)).toBeLessThanOrEqual(110)
  await rig.wish(connectorId, 240)
  const later = (await rig.read(connectorId)).Next
  expect(minutesUntil(later?.StartAtUtc)).toBeGreaterThan(220)
  const body = { follows: 'none' as const }
  await rig.app.as.admin.call(readyBy.save, { params: rig.params(connectorId), body })
  await rig.keep()
  expect(await rig.read(connectorId)).toMatchObject({ Follows: 'none', Wish: null, Next: null })
})

test('[SCALE-3] a planned start fires exactly one run, however often and from how many workers at once it is polled', async () => {
  const connectorId = await rig.addConnector()
  await rig.wish(connectorId, 120)
  await rig.keep()
  expect(await rig.runsOf(connectorId)).toEqual([])
  await rig.pass(connectorId, 111)
  await Promise.all([rig.keep(), rig.keep(), rig.keep()])
  await rig.keep()
  const [run, ...others] = await rig.runsOf(connectorId)
  expect(others).toEqual([])
  expect(run).toMatchObject({ Mode: 'incremental', Trigger: 'schedule', Status: 'QUEUED' })
  const { Next } = await rig.read(connectorId)
  expect(Next).toMatchObject({ StartAtUtc: null, StartedAtUtc: expect.any(String), RunId: run?.Id })
})

test('[SCALE-3] no run starts if one that began within the hours of the promise has completed or is under way', async () => {
  const [completed, underWay, older, partial] = [
    await rig.addConnector(),
    await rig.addConnector(),
    await rig.addConnector(),
    await rig.addConnector(),
  ]
  await rig.addRun(completed, completedRun(rig.app, 30 * minuteMs))
  await rig.addRun(underWay, { status: 'RUNNING', startedAt: new Date() })
  await rig.addRun(older, completedRun(rig.app, 300 * minuteMs))
  await rig.addRun(partial, { ...completedRun(rig.app, 30 * minuteMs), onlyStreams: ['sale'] })
  for (const connectorId of [completed, underWay, older, partial]) {
    await rig.wish(connectorId, 120)
    await rig.pass(connectorId, 111)
  }
  await rig.keep()
  const started = async (connectorId: string) =>
    (await rig.runsOf(connectorId)).filter(({ Status }) => Status === 'QUEUED').length
  expect([await started(completed), await started(underWay), await started(older), await started(partial)]).toEqual([
    0, 0, 1, 1,
  ])
  expect((await rig.read(completed)).Next).toMatchObject({
    StartedAtUtc: expect.any(String),
    RunId: expect.any(String),
  })
})

test('[SCALE-3] a schedule continues next to it, and what it has brought is not read twice', async () => {
  const connectorId = await rig.addConnector({ change: { schedule: '0 6 * * *' } })
  await rig.wish(connectorId, 60)
  await rig.pass(connectorId, 51)
  await rig.change(connectorId, { nextRunAt: new Date(0) })
  await fireAllDue(rig.app.services)
  await rig.keep()
  expect(await rig.runsOf(connectorId)).toHaveLength(1)
})

test('[SCALE-3] a promise is kept by a complete run that began within its hours, counted once, and the next one is planned', async () => {
  const connectorId = await rig.addConnector()
  await rig.wish(connectorId, 120)
  await rig.pass(connectorId, 111)
  await rig.keep()
  await rig.changeRun(connectorId, { status: 'COMPLETED', startedAt: new Date(), completedAt: new Date() })
  await rig.pass(connectorId, 0)
  await rig.app.store.across((db) =>
    db
      .updateTable('readyByPlan')
      .set({ dueAt: new Date(Date.now() + 500) })
      .where('connectorId', '=', connectorId)
      .execute(),
  )
  await expect
    .poll(async () => (await rig.keep(), (await rig.read(connectorId)).Counts), { timeout: 15_000 })
    .toEqual({ Kept: 1, Missed: 0 })
  await rig.keep()
  const { Counts, Next, Missed } = await rig.read(connectorId)
  expect(Counts).toEqual({ Kept: 1, Missed: 0 })
  expect(Missed).toEqual([])
  expect(minutesUntil(Next?.DueAtUtc)).toBeGreaterThan(0)
})

test.each([
  [
    'failed',
    'runFailed',
    { status: 'FAILED', completedAt: new Date(), notice: 'The source is away.' },
    'The source is away.',
  ],
  ['was cancelled', 'runCancelled', { status: 'CANCELLED', completedAt: new Date() }, 'The run was cancelled.'],
  [
    'takes longer than the last ones',
    'tookLonger',
    { status: 'RUNNING', startedAt: new Date(Date.now() - 15 * minuteMs) },
    'longer',
  ],
  ['waited for others', 'startedLate', {}, 'until other runs had ended'],
] as const)(
  '[SCALE-3] a promise whose run %s is missed, with the reason and when the rows were ready after all',
  async (_, reason, change, words) => {
    const connectorId = await rig.addConnector()
    await rig.wish(connectorId, 120)
    await rig.pass(connectorId, 111)
    await rig.keep()
    await rig.changeRun(connectorId, change)
    await rig.pass(connectorId, 15)
    await rig.keep()
    await rig.keep()
    const { Counts, Missed } = await rig.read(connectorId)
    expect(Counts).toEqual({ Kept: 0, Missed: 1 })
    expect(Missed).toMatchObject([{ Reason: reason, Notice: expect.stringContaining(words), ReadyAtUtc: null }])
    await rig.changeRun(connectorId, { status: 'CANCELLED', completedAt: new Date() })
    await rig.addRun(connectorId, completedRun(rig.app, 0))
    expect((await rig.read(connectorId)).Missed).toMatchObject([{ ReadyAtUtc: expect.any(String) }])
  },
)

test('[SCALE-3] promises that came due while no worker ran are counted as missed, each once', async () => {
  const connectorId = await rig.addConnector()
  await rig.wish(connectorId, 120)
  await rig.pass(connectorId, 3 * 24 * 60)
  const day = sql<string>`changedAt - interval '5 days'`
  await rig.app.store.within(rig.app.harbour.id, (db) =>
    db.updateTable('readyByWish').set({ changedAt: day }).where('connectorId', '=', connectorId).execute(),
  )
  for (let poll = 0; poll < 6; poll += 1) await rig.keep()
  const { Counts, Missed, Next } = await rig.read(connectorId)
  expect(Counts).toEqual({ Kept: 0, Missed: 3 })
  expect(Missed.map(({ Reason }) => Reason)).toEqual(['notStarted', 'notStarted', 'notStarted'])
  expect(minutesUntil(Next?.DueAtUtc)).toBeGreaterThan(0)
})

test('[SCALE-3] a run that takes longer than the rows may be old is named when it is planned, with what to do', async () => {
  const slow = (agoDays: number) => {
    const startedAt = new Date(rig.app.clock.now() - agoDays * 24 * 60 * minuteMs)
    const completedAt = new Date(startedAt.getTime() + 150 * minuteMs)
    return { status: 'COMPLETED' as const, queuedAt: startedAt, startedAt, completedAt }
  }
  const connectorId = await rig.addConnector({ runs: [slow(3), slow(2)] })
  await rig.wish(connectorId, 300, 2)
  expect((await rig.read(connectorId)).Next).toMatchObject({
    Obstacle: 'tooLong',
    Notice: 'A run takes about 2 h 30 min, and may begin at most 2 h before. Allow older rows, or move fewer tables.',
  })
})

test('[SCALE-3] the allowance of a key, which other connectors share, is planned by day', async () => {
  const limited = { change: { type: 'xero' } }
  const [first, second] = [await rig.addConnector(limited), await rig.addConnector(limited)]
  const organisationId = rig.app.harbour.id
  await rig.app.store.within(organisationId, (db) =>
    db
      .insertInto('dailyCalls')
      .values(
        [first, second].map((connectorId) => ({
          organisationId,
          connectorId,
          limitKey: 'shared key',
          stream: '',
          calls: 3_000,
          day: new Date(Date.now() - 3 * 24 * 60 * minuteMs).toISOString().slice(0, 10),
        })),
      )
      .execute(),
  )
  await rig.wish(first, 20, 1)
  await rig.wish(second, 20, 1)
  const obstacles = [(await rig.read(first)).Next?.Obstacle, (await rig.read(second)).Next?.Obstacle]
  expect(obstacles).toEqual([null, 'allowance'])
  expect((await rig.read(second)).Next?.Notice).toContain('Xero allows 5,000 calls a day for one key')
})

test('[SCALE-3] what prevents every run is named and, once it is over, planned without', async () => {
  const connectorId = await rig.addConnector()
  await rig.wish(connectorId, 120)
  const obstacle = async () => {
    await rig.keep()
    return (await rig.read(connectorId)).Next?.Obstacle
  }
  await rig.change(connectorId, { targetDownSince: new Date() })
  expect(await obstacle()).toBe('targetDown')
  await rig.pass(connectorId, 111)
  await rig.keep()
  expect(await rig.runsOf(connectorId)).toEqual([])
  await rig.change(connectorId, { targetDownSince: null, awaitsApproval: true })
  expect(await obstacle()).toBe('awaitsApproval')
  await rig.addRun(connectorId, { status: 'FAILED', faultKind: 'signIn', completedAt: new Date() })
  await rig.change(connectorId, { awaitsApproval: false })
  expect(await obstacle()).toBe('signIn')
  await rig.change(connectorId, { status: 'DISCONNECTED' })
  await rig.keep()
  expect((await rig.read(connectorId)).Next).toBeNull()
})

test('[SCALE-3] schedules that are switched off start nothing, and the promises say so', async () => {
  const connectorId = await rig.addConnector()
  const turn = (value: 'true' | 'false') =>
    rig.app.as.superadmin.call(globalConfiguration.save, { body: { key: 'ScheduledRuns', value } })
  await turn('false')
  await rig.wish(connectorId, 120)
  expect((await rig.read(connectorId)).Next).toMatchObject({ Obstacle: 'schedulesOff' })
  await rig.pass(connectorId, 111)
  await rig.keep()
  expect(await rig.runsOf(connectorId)).toEqual([])
  await turn('true')
})

test('[SCALE-3] starts keep to the runs that the workers and an organisation execute at once', async () => {
  await keepReadyBy(rig.app.services, { worker: 'one', memoryMb: 6 * 128 })
  const long = Array.from({ length: 3 }, (_, at) => {
    const startedAt = new Date(rig.app.clock.now() - (at + 2) * 24 * 60 * minuteMs)
    return {
      status: 'COMPLETED' as const,
      queuedAt: startedAt,
      startedAt,
      completedAt: new Date(startedAt.getTime() + 50 * minuteMs),
    }
  })
  const ids = await Promise.all(Array.from({ length: 5 }, () => rig.addConnector({ runs: long })))
  for (const id of ids) await rig.wish(id, 200, 3)
  const plans = await Promise.all(ids.map(async (id) => (await rig.read(id)).Next))
  const kept = plans.filter((plan) => plan?.Obstacle === null)
  expect(kept.length).toBeGreaterThan(1)
  expect(plans.filter((plan) => plan?.Obstacle === 'organisationShare').length).toBeGreaterThan(0)
})

test('[SCALE-3] an organisation’s wish is planned for all of its connectors and new ones, and ends with its archiving', async () => {
  const { app } = rig
  const params = { clientId: app.summit.id }
  const body = { wish: rig.wishIn(180) }
  await app.as.otherAdmin.call(readyBy.saveOrganisation, { params, body })
  const insert = (key: string) =>
    app.store.within(app.summit.id, (db) =>
      db
        .insertInto('connector')
        .values({ organisationId: app.summit.id, key, type: 'postgres', name: key, originalName: key })
        .execute(),
    )
  await insert('new-one')
  await rig.keep()
  const read = async () => (await app.as.otherAdmin.call(readyBy.readOrganisation, { params })).body
  const { Connectors, Wish } = await read()
  expect(Wish).toEqual({ Time: body.wish.time, Days: body.wish.days, MaxAgeHours: 4 })
  expect(Connectors.map(({ Name }) => Name)).toContain('new-one')
  expect(Connectors.map(({ Next }) => Next?.Obstacle ?? null)).toEqual(Connectors.map(() => null))
  const archive = (archived: boolean) =>
    app.as.provideradmin.call(users.archiveOrganisation, { params, body: { archived } })
  await archive(true)
  await rig.keep()
  const plans = () => app.store.within(app.summit.id, (db) => db.selectFrom('readyByPlan').selectAll().execute())
  expect(await plans()).toEqual([])
  await archive(false)
  await rig.keep()
  expect((await plans()).length).toBe(Connectors.length)
})
