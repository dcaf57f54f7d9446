import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Cin7Simulator } from '../../../../sims/src/cin7/server.ts'
import { connectCin7, smallCompany as size } from '@tributary/testing/engine/apis/cin7-connector.ts'

const dayMs = 86_400_000

test('[ENG-1] [ENG-2] a year of a company is copied row by row, and later edits, voids and deletions follow', async () => {
  const year = { ...size, sales: 160, purchases: 80, salesMax: 220, purchasesMax: 110, tasks: 8, days: 365 }
  await using cin7 = await connectCin7({ size: year })
  expect(await cin7.run()).toMatchObject({ status: 'completed', fault: null })
  expect(await cin7.differences()).toEqual([])
  const [before] = await cin7.query(`select (select count(*) from sale where status = 'VOIDED') as voided`)
  const tasksBefore = taskIds(cin7.sim)

  for (let hour = 0; hour < 120; hour += 1) {
    cin7.clock.advance(dayMs / 24)
    cin7.sim.tick()
  }
  const calls = cin7.sim.requests.length
  expect(await cin7.run()).toMatchObject({ status: 'completed', fault: null })
  expect(await cin7.differences()).toEqual([])
  const [after] = await cin7.query(`select (select count(*) from sale where status = 'VOIDED') as voided`)
  expect(Number(after?.['voided'])).toBeGreaterThan(Number(before?.['voided']))
  const tasksAfter = new Set(taskIds(cin7.sim))
  expect(tasksBefore.some((id) => !tasksAfter.has(id))).toBe(true)
  const { sales, purchases } = cin7.sim.company
  expect(cin7.sim.requests.slice(calls).filter(({ query }) => query['id'] !== undefined).length).toBeLessThan(
    sales.length + purchases.length,
  )
  expect(cin7.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
})

test('[ENG-1] an incremental sync requests only changes and copies all of them', async () => {
  await using cin7 = await connectCin7({ size })
  await cin7.run()
  cin7.clock.advance(3_600_000)
  await cin7.run()
  cin7.clock.advance(3_600_000)
  cin7.sim.tick()
  cin7.clock.advance(3_600_000)
  const before = cin7.sim.requests.length
  expect(await cin7.run()).toMatchObject({ status: 'completed' })
  expect(await cin7.differences()).toEqual([])
  const asked = cin7.sim.requests.slice(before)
  expect(asked.filter(({ query }) => query['id'] !== undefined).length).toBeLessThan(6)
  // Open tasks, one of each kind, are read each time; keys are compared once a day.
  expect(asked.filter(({ query }) => query['taskid'] !== undefined).length).toBeLessThan(10)
  expect(
    asked.filter(({ path }) => path === 'salelist').every(({ query }) => query['updatedsince'] !== undefined),
  ).toBe(true)
})

test('[ENG-1] if the daily calls are used up, the run reports when to continue, and the next days finish the rest', async () => {
  // Finished streams are read again after a day, one call per list: the daily limit must allow more than that.
  await using cin7 = await connectCin7({ size: { ...size, sales: 120, salesMax: 140 }, limits: { daily: 150 } })
  const runId = randomUUID()
  let days = 0
  for (; days < 12; days += 1) {
    const outcome = await cin7.run({ runId })
    if (outcome.status === 'completed') break
    expect(outcome.fault).toMatchObject({ kind: 'busy', code: 'cin7.limit_reached' })
    expect(outcome.fault?.waitMs).toBeGreaterThan(0)
    cin7.clock.advance(dayMs)
  }
  expect(await cin7.differences()).toEqual([])
  expect(days).toBeLessThanOrEqual(6)
})

function taskIds({ company }: Cin7Simulator): string[] {
  return Object.values(company.tasks).flatMap((tasks) => tasks.map(({ ID }) => ID))
}
