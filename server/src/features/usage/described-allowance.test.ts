/** The allowance that a source description declares, tried on Exact Online: 5,000 calls in a day. */
import { globalConfiguration, type SettingKey } from '@tributary/contract/global-configuration'
import { runs } from '@tributary/contract/runs'
import { usage } from '@tributary/contract/usage'
import { type ExactApp, openExactApp } from '@tributary/testing/server/connectors/exact-app.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'

let world: ExactApp
let worker: Worker
let params: { readonly clientId: string; readonly connectorId: string }
beforeAll(async () => {
  world = await openExactApp()
  worker = await startWorker(world.app.services, { pollMs: 200 })
  const at = await world.authorise({ person: 1 })
  params = { clientId: world.app.harbour.id, connectorId: at.searchParams.get('connected') ?? '' }
  await untilLastRun(['COMPLETED'])
})
afterAll(async () => {
  await worker.stop()
  await world[Symbol.asyncDispose]()
})

const admin = () => world.app.as.admin
const readUsage = async () => (await admin().call(usage.read, { params, query: { days: 30 } })).body
const turn = (key: SettingKey, value: 'true' | 'false') =>
  world.app.as.superadmin.call(globalConfiguration.save, { body: { key, value } })

async function untilLastRun(states: readonly string[]) {
  const list = await until(
    async () => (await admin().call(runs.list, { params })).body,
    ([last]) => states.includes(last?.Status ?? ''),
    60_000,
  )
  return list[0]
}

const start = (as: 'admin' | 'provideradmin' = 'admin') => world.app.as[as].call(runs.process, { params, body: {} })

/** Sets the calls of the connector's credentials today. */
async function useUp(calls: number): Promise<void> {
  await world.app.store.within(world.app.harbour.id, async (db) => {
    const own = db.selectFrom('dailyCalls').select('limitKey').where('limitKey', '<>', '').limit(1)
    await db.updateTable('dailyCalls').set({ calls: 0 }).where('limitKey', '=', own).execute()
    const { rows } = await sql<{ stream: string }>`SELECT min(stream) AS stream FROM dailyCalls`.execute(db)
    await db
      .updateTable('dailyCalls')
      .set({ calls })
      .where('limitKey', '=', own)
      .where('stream', '=', rows[0]?.stream ?? '')
      .execute()
  })
}

test('[SRC-6] the calls page of a described source shows its calls by table against the allowance of its description', async () => {
  const { Limit, Streams, Days, Month, Today } = await readUsage()
  // Without those of the sign-in: who the person is, and which companies they see.
  const made = world.exact.requests.filter(({ target }) => /\/v1\/\d+\/(?!hrm\/)/u.test(target)).length
  expect(Limit).toEqual({ Calls: 5_000, Per: 'day' })
  expect(Days.at(-1)?.Calls).toBe(made)
  expect(Streams.map(({ Name }) => Name)).toEqual(expect.arrayContaining(['transaction_line', 'gl_account']))
  expect(Month).toMatchObject({ Used: made, Allowed: expect.any(Number), Forecast: null })
  expect(Month.Allowed).toBeGreaterThanOrEqual(28 * 5_000)
  expect(Today).toMatchObject({ Calls: made, State: 'open' })
})

test('[SRC-6] a run of a described source that would exceed the allowance waits for the next day and sends no call', async () => {
  await useUp(4_750)
  const before = world.exact.requests.length
  expect((await start()).status).toBe(202)
  const waiting = await untilLastRun(['WAITING'])
  expect(world.exact.requests.length).toBe(before)
  expect(waiting?.Notice).toMatch(/^4,750 of the 5,000 calls that Exact Online allows in a day are used/u)
  const { Today } = await readUsage()
  expect(Today.State).toBe('used')
  expect(Math.abs(Date.parse(waiting?.RetryAtUtc ?? '') - Date.parse(Today.EndsAtUtc))).toBeLessThan(60_000)
  await admin().call(runs.cancel, { params: { ...params, runId: waiting?.Id ?? '' } })
})

test('[SRC-6] the provider’s rules apply to a described source: no run by hand near its allowance', async () => {
  await turn('RefuseManualNearAllowance', 'true')
  await useUp(4_000)
  for (const as of ['admin', 'provideradmin'] as const)
    expect(await start(as)).toMatchObject({ status: 409, body: { code: 'allowanceNearlyUsed' } })
  expect((await readUsage()).Today.State).toBe('near')
  await turn('RefuseManualNearAllowance', 'false')
  await useUp(100)
  expect((await start()).status).toBe(202)
  expect(await untilLastRun(['COMPLETED'])).toMatchObject({ Status: 'COMPLETED' })
})

test('[SRC-6] seven days of calls of a described source give a forecast for the month', async () => {
  await world.app.store.within(world.app.harbour.id, async (db) => {
    for (let daysAgo = 1; daysAgo <= 8; daysAgo += 1)
      await sql`INSERT INTO dailyCalls (organisationId, connectorId, day, stream, limitKey, calls, bytes)
        SELECT organisationId, connectorId, day - ${daysAgo}::int, stream, limitKey, 200, bytes FROM dailyCalls
        WHERE day = (now() AT TIME ZONE 'UTC')::date AND stream = 'transaction_line'`.execute(db)
  })
  const { Month } = await readUsage()
  expect(Month.Forecast).toBeGreaterThanOrEqual(Month.Used)
})
