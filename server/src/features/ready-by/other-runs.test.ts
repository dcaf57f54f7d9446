/** Promised runs are planned next to those that schedules and people start. */
import { completedRun } from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { ReadyByRig } from '@tributary/testing/server/ready-by/ready-by-rig.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepReadyBy } from './keep-ready-by.ts'
import { readUsualLoad } from './sample-load.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let rig: ReadyByRig
beforeEach(async () => {
  rig = await ReadyByRig.open()
})
afterEach(() => rig[Symbol.asyncDispose]())

/** The workers have room for so many runs that have not been measured. */
const reportWorkers = (runs: number) => keepReadyBy(rig.app.services, { worker: 'one', memoryMb: runs * 256 })

/** A connector whose runs took so long. */
function addSlow(minutes: number): Promise<string> {
  const runs = Array.from({ length: 3 }, (_, at) => {
    const startedAt = new Date(rig.app.clock.now() - (at + 2) * dayMs)
    const completedAt = new Date(startedAt.getTime() + minutes * minuteMs)
    return { status: 'COMPLETED' as const, queuedAt: startedAt, startedAt, completedAt }
  })
  return rig.addConnector({ runs })
}

const across = (text: ReturnType<typeof sql>) => rig.app.store.across((db) => text.execute(db))

/** What the runs of a connector need, as measured. */
const setNeed = (connectorId: string, minutes: number) =>
  across(sql`INSERT INTO runNeed (organisationId, connectorId, mode, rows, memoryMb, seconds)
    SELECT organisationId, id, 'incremental', 1, 20, ${minutes * 60} FROM connector WHERE id = ${connectorId}`)

const usualAlways = (runs: number) =>
  across(sql`INSERT INTO runLoad (quarter, runs, weeks, beganAt, sampled, samples, sampledAt)
    SELECT quarter, ${runs}, 4, now() - interval '7 days', ${runs}, 1, now() FROM generate_series(0, 671) AS quarter`)

/** Plans two runs of 40 minutes for the same time. Returns how far their starts are apart, in minutes, and what prevents them. */
async function planTwo(inMinutes = 200) {
  const ids = [await addSlow(40), await addSlow(40)]
  for (const id of ids) await rig.wish(id, inMinutes, 3)
  const plans = await Promise.all(ids.map(async (id) => (await rig.read(id)).Next))
  const [first = 0, second = 0] = plans.map((plan) => Date.parse(plan?.StartAtUtc ?? ''))
  return { apart: Math.round(Math.abs(second - first) / minuteMs), obstacles: plans.map((plan) => plan?.Obstacle) }
}

test('[SCALE-3] without other runs two runs of an organisation are planned at the same time', async () => {
  await reportWorkers(2)
  const { apart, obstacles } = await planTwo()
  expect(obstacles).toEqual([null, null])
  expect(apart).toBeLessThan(2)
})

test('[SCALE-3] runs that workers usually execute at that time of the week take from their room, but never all of it', async () => {
  await usualAlways(50)
  await reportWorkers(2)
  const { apart, obstacles } = await planTwo()
  expect(obstacles).toEqual([null, null])
  expect(apart).toBeGreaterThanOrEqual(40)
})

test('[SCALE-3] a run that a person has started counts until its expected end', async () => {
  await reportWorkers(2)
  const byHand = await rig.addConnector()
  await setNeed(byHand, 300)
  await rig.addRun(byHand, { status: 'RUNNING', trigger: 'person', startedAt: new Date() })
  const { apart, obstacles } = await planTwo()
  expect(obstacles).toEqual([null, null])
  expect(apart).toBeGreaterThanOrEqual(40)
})

test('[SCALE-3] the schedules of an organisation take from its share, unless their connectors have a promise', async () => {
  await reportWorkers(50)
  const scheduled = await rig.addConnector({ change: { schedule: '*/15 * * * *', nextRunAt: new Date() } })
  await setNeed(scheduled, 15)
  expect((await planTwo()).apart).toBeGreaterThanOrEqual(40)
  await rig.wish(scheduled, 600, 1)
  expect((await planTwo(320)).apart).toBeLessThan(2)
})

test('[SCALE-3] the load is sampled once a minute without runs of promises, and later weeks count more', async () => {
  const [promised, byHand] = [await rig.addConnector(), await rig.addConnector()]
  await rig.wish(promised, 120)
  await rig.pass(promised, 111)
  await rig.keep()
  await rig.changeRun(promised, { status: 'RUNNING', startedAt: new Date() })
  await rig.addRun(byHand, { status: 'RUNNING', trigger: 'person', startedAt: new Date() })
  await rig.addRun(await rig.addConnector(), completedRun(rig.app, minuteMs))
  const read = async () => Math.max(...(await rig.app.store.across(readUsualLoad)))
  await across(sql`DELETE FROM runLoad`)
  await rig.keep()
  await rig.keep()
  const samples = await rig.app.store.across((db) => db.selectFrom('runLoad').select(['samples', 'sampled']).execute())
  expect(samples).toEqual([{ samples: 1, sampled: 1 }])
  expect(await read()).toBe(1)
  // A week later: of five runs, one is there again.
  await across(
    sql`UPDATE runLoad SET sampled = 5, beganAt = beganAt - interval '7 days', sampledAt = sampledAt - interval '7 days'`,
  )
  await rig.keep()
  expect(await read()).toBe(3)
})
