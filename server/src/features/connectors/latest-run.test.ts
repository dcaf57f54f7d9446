import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  completedRun,
  insertConnectorWithRuns,
  type NewRun,
} from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let user: AddedPerson
beforeAll(async () => {
  app = await testApp()
  user = await addPerson(app, { [app.harbour.id]: 'user' })
})
afterAll(() => app[Symbol.asyncDispose]())

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ago = (ms: number) => new Date(app.clock.now() - ms)
const after = (agoMs: number, durationMs: number, change: NewRun = {}) =>
  completedRun(app, agoMs, { completedAt: ago(agoMs - durationMs), ...change })

let names = 0
const addConnector = (runs: readonly NewRun[], change = {}) =>
  insertConnectorWithRuns(app, app.harbour.id, { name: `latest ${++names}`, runs, change })

async function read(connectorId: string, client: TestClient = app.as.admin, clientId: string = app.harbour.id) {
  const { status, body } = await client.call(connectors.read, { params: { clientId, connectorId } })
  expect(status).toBe(200)
  return body
}

test('[UX-CARDS-1] a connector shows what its latest run moved, and how long it took against the median of those of the same mode', async () => {
  const id = await addConnector([
    after(9 * hourMs, 50 * minuteMs, { mode: 'full' }),
    after(8 * hourMs, 2 * minuteMs),
    after(7 * hourMs, 30 * minuteMs, { status: 'FAILED' }),
    after(6 * hourMs, 4 * minuteMs),
    after(5 * hourMs, 1_000, { onlyStreams: ['orders'] }),
    after(4 * hourMs, 3 * minuteMs),
    after(hourMs, 6 * minuteMs, { rowsWritten: 1_204, rowsDeleted: 3 }),
  ])
  expect((await read(id)).LatestRun).toEqual({
    RowsWritten: 1_204,
    RowsDeleted: 3,
    StartedAtUtc: expect.stringContaining(ago(hourMs).toISOString().slice(0, 19)),
    DurationMs: 6 * minuteMs,
    UsualDurationMs: 3 * minuteMs,
  })
})

test('[UX-CARDS-1] nothing is usual before three completed runs, and for a run of selected tables', async () => {
  const two = [after(3 * hourMs, minuteMs), after(2 * hourMs, minuteMs)]
  const usual = async (runs: readonly NewRun[]) => (await read(await addConnector(runs))).LatestRun?.UsualDurationMs
  expect(await usual([...two, after(hourMs, minuteMs)])).toBeNull()
  expect(await usual([after(4 * hourMs, minuteMs), ...two, after(hourMs, minuteMs)])).toBe(minuteMs)
  const selected = after(hourMs, minuteMs, { onlyStreams: ['orders'] })
  expect(await usual([after(4 * hourMs, minuteMs), ...two, selected])).toBeNull()
  expect((await read(await addConnector([]))).LatestRun).toBeNull()
})

test('[UX-CARDS-1] a run in progress has the rows so far and no duration yet', async () => {
  const running = { status: 'RUNNING', queuedAt: ago(minuteMs), startedAt: ago(minuteMs), rowsWritten: 7 } as const
  expect((await read(await addConnector([running]))).LatestRun).toMatchObject({ RowsWritten: 7, DurationMs: null })
})

test('[UX-CARDS-2] the rows are as fresh as the start of the latest completed run of all tables, and late after the scheduled time', async () => {
  // Every hour on the hour; the grace period is half an hour.
  const sinceHourMs = app.clock.now() % hourMs
  const id = await addConnector(
    [after(sinceHourMs + 3 * hourMs, minuteMs), after(10 * minuteMs, minuteMs, { status: 'FAILED' })],
    { schedule: '0 * * * *' },
  )
  const { FreshAtUtc, LateSinceUtc } = await read(id)
  expect(Date.parse(FreshAtUtc ?? '')).toBe(ago(sinceHourMs + 3 * hourMs).getTime())
  expect(Date.parse(LateSinceUtc ?? '') % hourMs).toBe(0)
  const byHand = await read(await addConnector([]))
  expect([byHand.FreshAtUtc, byHand.LateSinceUtc]).toEqual([null, null])
})

test('[UX-CARDS-1] [UX-CARDS-2] who sees the connector sees both, also an organisation that it is shared with; others see nothing', async () => {
  const connectorId = await addConnector([after(hourMs, minuteMs, { rowsWritten: 5 })])
  const params = { clientId: app.harbour.id, connectorId }
  expect((await user.client.call(connectors.read, { params })).status).toBe(404)
  expect((await app.as.otherAdmin.call(connectors.read, { params })).status).toBe(404)
  await app.store.within(app.harbour.id, async (db) => {
    const { id: organisationId } = app.harbour
    await db.insertInto('connectorUser').values({ organisationId, connectorId, userId: user.id }).execute()
    await db.insertInto('connectorShare').values({ organisationId, connectorId, guestId: app.summit.id }).execute()
  })
  const callers: readonly (readonly [TestClient, string])[] = [
    [user.client, app.harbour.id],
    [app.as.superadmin, app.harbour.id],
    [app.as.otherAdmin, app.summit.id],
  ]
  for (const [client, clientId] of callers) {
    const { LatestRun, FreshAtUtc } = await read(connectorId, client, clientId)
    expect([LatestRun?.RowsWritten, FreshAtUtc === null]).toEqual([5, false])
    const { body } = await client.call(connectors.list, { params: { clientId } })
    expect(body.find(({ Id }) => Id === connectorId)).toMatchObject({ LatestRun, FreshAtUtc })
  }
})
