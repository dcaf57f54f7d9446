import { connectors } from '@tributary/contract/connectors'
import { overview } from '@tributary/contract/overview'
import { runs } from '@tributary/contract/runs'
import { streams } from '@tributary/contract/streams'
import { verifications } from '@tributary/contract/verifications'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { insertConnectorWithRuns } from '@tributary/testing/server/connectors/connector-with-runs.ts'
import {
  insertStream,
  rowDifference,
  storeVerifications,
  streamVerification,
} from '@tributary/testing/server/connectors/verification-fixtures.ts'

let app: TestApp
let connectorId: string
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
})
afterAll(() => app[Symbol.asyncDispose]())

let connectorCount = 0
beforeEach(async () => {
  connectorId = await insertConnectorWithRuns(app, app.harbour.id, { name: `Shop ${(connectorCount += 1)}`, runs: [] })
  await app.store.within(app.harbour.id, async (db) => {
    for (const name of ['sale', 'sale_line']) await insertStream(db, connector(), name)
  })
})

const connector = () => ({ organisationId: app.harbour.id, connectorId })
const params = () => ({ clientId: app.harbour.id, connectorId })
const store = (
  ...[results, options]: [Parameters<typeof storeVerifications>[2], Parameters<typeof storeVerifications>[3]?]
) => app.store.within(app.harbour.id, (db) => storeVerifications(db, connector(), results, options))
const read = async (as: TestClient = app.as.admin) => (await as.call(verifications.read, { params: params() })).body
const table = async (name: string) => (await read()).Tables.find(({ Name }) => Name === name)
const differences = async (query = {}) =>
  (await app.as.admin.call(verifications.differences, { params: params(), query })).body

test('[TRUST-2] a table is not verified until a verification has ended; then it says when, and how many rows', async () => {
  expect(await table('sale')).toMatchObject({ State: 'none', CheckedAtUtc: null })
  const checkedAt = new Date('2026-11-28T07:12:00.000Z')
  await store([streamVerification('sale', { rows: 50_271, checkedAt, streamedColumns: ['sale.note', 'sale.tags'] })])
  const shown = { State: 'identical', Method: 'checksums', Rows: 50_271, Differences: 0, ColumnsRowByRow: 2 }
  expect(await table('sale')).toMatchObject({ ...shown, ProvenAtUtc: expect.stringMatching(/^2026-11-28T07:12:00/u) })
  const list = (await app.as.admin.call(streams.list, { params: params() })).body
  expect(list.map(({ Name, Verification }) => [Name, Verification?.State ?? null])).toEqual([
    ['sale', 'identical'],
    ['sale_line', null],
  ])
  expect(list[0]?.Verification).toMatchObject(shown)
})

test('[TRUST-5] the verdict of a source is proven, sampled or not provable, as its weakest table', async () => {
  const verdict = async () => (await app.as.admin.call(connectors.read, { params: params() })).body.Verification
  await store([streamVerification('sale')])
  expect(await verdict()).toMatchObject({ Verdict: null, Tables: 2, Verified: 1 })
  await store([streamVerification('sale_line')])
  expect(await verdict()).toMatchObject({ Verdict: 'proven', Verified: 2, Rows: 200, CheckedAtUtc: expect.any(String) })
  const { Connectors } = (await app.as.admin.call(overview.read, { params: { clientId: app.harbour.id } })).body
  expect(Connectors.find(({ Id }) => Id === connectorId)?.Verification.Verdict).toBe('proven')
  await store([streamVerification('sale', { method: 'sample' })])
  expect(await verdict()).toMatchObject({ Verdict: 'sampled' })
  await store(
    ['sale', 'sale_line'].map((name) =>
      streamVerification(name, { method: 'sample', outcome: 'notProvable', rows: 0 }),
    ),
  )
  expect(await verdict()).toMatchObject({ Verdict: 'notProvable' })
})

test('[TRUST-2] rows that differ are listed with both values and their cause, until the table is identical', async () => {
  const found = [
    rowDifference('7'),
    rowDifference('8', { kind: 'missing', columns: [], cause: 'rejected' }),
    rowDifference('9', {
      columns: [{ name: 'note', source: 'a'.repeat(2_000), target: null }],
      cause: 'writtenAtTarget',
    }),
  ]
  await store([
    streamVerification('sale', { outcome: 'different', differences: found }),
    streamVerification('sale_line'),
  ])
  expect(await table('sale')).toMatchObject({ State: 'different', Differences: 3, ProvenAtUtc: null })
  expect((await read()).Source).toMatchObject({ Verdict: null, Differing: 1, Differences: 3 })
  const rows = await differences()
  expect(rows.map(({ Key, Kind, Cause, IsRepaired }) => [Key, Kind, Cause, IsRepaired])).toEqual([
    [{ id: '7' }, 'different', 'stampNotMoved', false],
    [{ id: '8' }, 'missing', 'rejected', false],
    [{ id: '9' }, 'different', 'writtenAtTarget', false],
  ])
  expect(rows[0]?.Columns).toEqual([{ Name: 'total', Source: '12.30', Target: '12.3' }])
  expect(rows[2]?.Columns[0]?.Source).toHaveLength(1_001)
  expect(await differences({ stream: 'sale_line' })).toEqual([])
  expect((await differences({ page: 2, pageSize: 2 })).map(({ Key }) => Key)).toEqual([{ id: '9' }])
  await store([streamVerification('sale')])
  expect([await table('sale'), await differences()]).toMatchObject([{ State: 'identical', Differences: 0 }, []])
})

test('[TRUST-2] a repair that corrects every row makes the table identical, and the rows stay listed as repaired', async () => {
  const isRepaired = true
  const repaired = [rowDifference('7', { isRepaired }), rowDifference('8', { isRepaired })]
  await store([streamVerification('sale', { outcome: 'different', differences: repaired })], { mode: 'repair' })
  expect(await table('sale')).toMatchObject({ State: 'identical', Differences: 0, Repaired: 2 })
  expect((await differences()).map(({ IsRepaired }) => IsRepaired)).toEqual([true, true])
  const half = [rowDifference('7', { isRepaired }), rowDifference('8')]
  await store([streamVerification('sale', { outcome: 'different', differences: half })], { mode: 'repair' })
  expect(await table('sale')).toMatchObject({ State: 'different', Differences: 1, Repaired: 1 })
})

test('[TRUST-2] slices add up: a table is verified when the last one has ended, and a difference shows at once', async () => {
  const began = new Date('2026-11-28T05:00:00.000Z')
  await store([streamVerification('sale', { outcome: 'unfinished', cursor: '100', checkedAt: began })])
  expect(await table('sale')).toMatchObject({ State: 'none', RowsSoFar: 100 })
  await store(
    [streamVerification('sale', { outcome: 'different', cursor: '200', differences: [rowDifference('150')] })],
    {
      isContinued: true,
    },
  )
  expect(await table('sale')).toMatchObject({ State: 'different', Differences: 1, RowsSoFar: 200 })
  await store([streamVerification('sale', { rows: 7 })], { isContinued: true })
  const ended = { State: 'different', Differences: 1, Rows: 207, RowsSoFar: null, ProvenAtUtc: null }
  expect(await table('sale')).toMatchObject({ ...ended, CheckedAtUtc: expect.stringMatching(/^2026-11-28T05:00/u) })
  expect(await differences()).toHaveLength(1)
})

test('[TRUST-2] a verification that fails is shown, and keeps what is known of the rows', async () => {
  await store([streamVerification('sale', { outcome: 'different', differences: [rowDifference('7')] })])
  await store([streamVerification('sale', { outcome: 'failed', rows: 0, notice: 'The source refused the login.' })])
  expect(await table('sale')).toMatchObject({
    State: 'different',
    Differences: 1,
    Notice: 'The source refused the login.',
  })
  expect(await differences()).toHaveLength(1)
  await store([streamVerification('sale_line'), streamVerification('sale')])
  await store([streamVerification('sale_line', { outcome: 'failed', rows: 0, notice: 'Gone.' })])
  expect((await read()).Source).toMatchObject({ Verdict: null, Failed: 1, Verified: 2 })
})

test('[TRUST-2] the history has the verdicts by run, the latest first', async () => {
  const first = await store([streamVerification('sale'), streamVerification('sale_line')])
  const second = await store([streamVerification('sale', { outcome: 'different', differences: [rowDifference('7')] })])
  const { body } = await app.as.admin.call(verifications.history, { params: params(), query: {} })
  expect(body.map(({ RunId, Stream, Outcome, Differences }) => [RunId, Stream, Outcome, Differences])).toEqual([
    [second, 'sale', 'different', 1],
    [first, 'sale', 'identical', 0],
    [first, 'sale_line', 'identical', 0],
  ])
})

test('[TRUST-2] a table that was not verified for more than seven days is overdue', async () => {
  const old = new Date(Date.now() - 8 * 86_400_000)
  await store([streamVerification('sale', { checkedAt: old }), streamVerification('sale_line')])
  expect((await read()).Source).toMatchObject({ Overdue: 1 })
})

test('[TRUST-1] rows that were left out are counted, and a table whose rows could not be decided is not proven by that', async () => {
  const old = new Date(Date.now() - 8 * 86_400_000)
  await store([streamVerification('sale', { checkedAt: old }), streamVerification('sale_line', { newerRows: 3 })])
  expect(await table('sale_line')).toMatchObject({ State: 'identical', NewerRows: 3 })
  await store([streamVerification('sale', { outcome: 'pending', newerRows: 2, differences: [rowDifference('7')] })])
  expect((await read()).Source).toMatchObject({ Verdict: null, NewerRows: 5, Overdue: 1 })
  expect(await table('sale')).toMatchObject({ State: 'pending', ProvenAtUtc: old.toISOString() })
  await store([streamVerification('sale')])
  expect((await read()).Source).toMatchObject({ Verdict: 'proven', NewerRows: 3, Overdue: 0 })
})

test('[TRUST-2] values are only for administrators and users assigned to the connector, never for guests', async () => {
  await store([streamVerification('sale', { outcome: 'different', differences: [rowDifference('7')] })])
  const status = async (as: TestClient) =>
    (await as.call(verifications.differences, { params: params(), query: {} })).status
  const user = await addPerson(app, { [app.harbour.id]: 'user' })
  const guest = await addPerson(app, { [app.harbour.id]: 'guest' })
  expect(await status(user.client)).toBe(404)
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('connectorUser')
      .values([user, guest].map(({ id }) => ({ ...connector(), userId: id })))
      .execute(),
  )
  expect([await status(user.client), await status(app.as.admin), await status(app.as.superadmin)]).toEqual([
    200, 200, 200,
  ])
  expect([await status(guest.client), await status(app.as.otherAdmin)]).toEqual([403, 404])
  expect((await read(guest.client)).Tables[0]).toMatchObject({ State: 'different', Differences: 1 })
})

test('[TRUST-2] who may refresh a connector may verify it; only administrators repair; unknown tables are refused', async () => {
  const user = await addPerson(app, { [app.harbour.id]: 'user' })
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('connectorUser')
      .values({ ...connector(), userId: user.id })
      .execute(),
  )
  const start = (as: TestClient, body: object) => as.call(verifications.start, { params: params(), body })
  expect((await start(user.client, { repair: true })).status).toBe(403)
  expect((await start(app.as.otherAdmin, {})).status).toBe(404)
  expect(await start(user.client, { streams: ['none'] })).toMatchObject({ status: 400 })
  const started = await start(user.client, { streams: ['sale'] })
  expect(started.status).toBe(202)
  const run = { ...params(), runId: started.body.RunId }
  expect((await app.as.admin.call(runs.read, { params: run })).body).toMatchObject({
    Mode: 'verify',
    OnlyStreams: ['sale'],
  })
  expect((await start(app.as.admin, { repair: true })).status).toBe(409)
})

test('[TRUST-2] a verification gives way to a run that moves rows, and never counts as one', async () => {
  const { body } = await app.as.admin.call(verifications.start, { params: params(), body: {} })
  expect((await app.as.admin.call(connectors.read, { params: params() })).body).toMatchObject({
    Log: null,
    RecentRuns: [],
  })
  const moved = await app.as.admin.call(runs.process, { params: params(), body: {} })
  expect(moved.status).toBe(202)
  const run = { ...params(), runId: body.RunId }
  expect((await app.as.admin.call(runs.read, { params: run })).body).toMatchObject({
    Status: 'CANCELLED',
    Notice: expect.stringContaining('gave way'),
  })
})

test('[TRUST-2] administrators set when tables are verified', async () => {
  const save = (as: TestClient, body: { schedule: string | null; secondsAfterRuns: number }) =>
    as.call(verifications.saveSettings, { params: params(), body })
  expect((await read()).Settings).toMatchObject({ Schedule: '0 2 * * 0', SecondsAfterRuns: 20 })
  expect((await save(app.as.admin, { schedule: 'often', secondsAfterRuns: 20 })).status).toBe(400)
  expect((await save(app.as.user, { schedule: null, secondsAfterRuns: 20 })).status).toBe(403)
  const { body } = await save(app.as.admin, { schedule: '0 3 * * *', secondsAfterRuns: 60 })
  expect(body).toMatchObject({ Schedule: '0 3 * * *', SecondsAfterRuns: 60, NextAtUtc: expect.any(String) })
  const events = await findAuditEvents(app.store, 'connector.verification_set')
  expect(events.at(-1)?.detail).toMatchObject({ after: { schedule: '0 3 * * *', secondsAfterRuns: 60 } })
})
