import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { tieOut } from '@tributary/contract/tie-out'
import type { TieOutResultDocument, TieOutResultLine, TieOutResult } from '@tributary/engine/ports/tie-out'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { claimRun } from '../claiming/claim-run.ts'
import { finaliseRun } from './finalise-run.ts'

let app: TestApp
let connectorId: string
let made = 0
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  connectorId = await addProduct(app, { companyName: `Company ${(made += 1)}`, users: [app.idOf('user')] })
})

const params = () => ({ clientId: app.harbour.id, connectorId })

const document = (id: string, date: string): TieOutResultDocument => ({
  kind: 'Invoice',
  id,
  number: `INV-${id}`,
  date,
  contact: 'Ms “Quay” <b>Berth</b>',
  amount: '-12.30',
  wasQuiet: id === '2',
  address: null,
})

function line(period: string, account: string, figures: Partial<TieOutResultLine> = {}): TieOutResultLine {
  const equal = {
    computed: '1234567890.12',
    reported: '1234567890.12',
    difference: '0.00',
    state: 'green',
    notice: null,
    documents: [],
  } as const
  return { period, accountId: account, code: account, name: `Account ${account}`, ...equal, ...figures }
}

const september = [line('2026-09-01', '200'), line('2026-09-01', '610')]
const red = { computed: '-100.00', reported: '-112.30', difference: '12.30', state: 'red' } as const
const october = [
  line('2026-10-01', '9'),
  line('2026-10-01', '10'),
  line('2026-10-01', '610', {
    computed: '5.00',
    reported: '7.00',
    difference: '-2.00',
    state: 'amber',
    notice: 'Revalued by the source.',
  }),
  line('2026-10-01', '200', {
    ...red,
    documents: [document('1', '2026-10-03'), document('2', '2026-10-30'), document('3', '2026-10-09')],
  }),
]

function result(
  state: TieOutResult['state'],
  lines: readonly TieOutResultLine[],
  notice: string | null = null,
): TieOutResult {
  return {
    state,
    notice,
    company: 'Harbour Trading Ltd',
    currency: 'GBP',
    basis: 'documents',
    checkedAt: new Date(0),
    mended: ['2026-09-01'],
    fault: null,
    lines,
  }
}

/** Ends a run with this tie-out; returns the id of the run. */
async function end(tieOut: TieOutResult | null): Promise<string> {
  const started = await app.as.admin.call(runs.process, { params: params(), body: {} })
  const claim = await app.store.across((db) => claimRun(db, started.body.RunId, 'a worker of this test'))
  if (claim === undefined) throw new Error('The run could not be taken.')
  await finaliseRun(app.services, claim, {
    ending: { kind: 'completed', written: 0, deleted: 0 },
    streams: [],
    tieOut,
    withinMs: 0,
  })
  return claim.runId
}

const latest = async (as: TestClient = app.as.admin) => (await as.call(tieOut.latest, { params: params() })).body
const linesOf = async (period: string) =>
  (await app.as.admin.call(tieOut.lines, { params: params(), query: { period } })).body
const history = async () => (await app.as.admin.call(tieOut.history, { params: params() })).body
const state = async () => (await app.as.admin.call(connectors.read, { params: params() })).body.TieOut

test('[API-1 GET tie-out] no tie-out exists before the first run; afterwards its result is on the run, on the connector and by period', async () => {
  expect([await latest(), await history(), await state()]).toEqual([null, [], null])
  const runId = await end(result('red', [...september, ...october], 'Account 200 differs.'))
  expect(await latest()).toEqual({
    RunId: runId,
    Companies: [],
    State: 'red',
    CheckedAtUtc: expect.any(String),
    Notice: 'Account 200 differs.',
    Company: 'Harbour Trading Ltd',
    Currency: 'GBP',
    Basis: 'documents',
    Mended: ['2026-09-01'],
    Periods: [
      { Period: '2026-10-01', State: 'red', Accounts: 4, Differing: 2, Difference: '14.30' },
      { Period: '2026-09-01', State: 'green', Accounts: 2, Differing: 0, Difference: '0.00' },
    ],
  })
  expect(Date.now() - Date.parse((await latest())?.CheckedAtUtc ?? '')).toBeLessThan(60_000)
  expect((await app.as.admin.call(runs.read, { params: { ...params(), runId } })).body.TieOut).toBe('red')
  expect((await app.as.admin.call(runs.list, { params: params() })).body[0]?.TieOut).toBe('red')
  expect(await state()).toBe('red')
})

test('the largest differences come first, exact to the last digit, with their documents', async () => {
  await end(result('red', [...september, ...october]))
  const lines = await linesOf('2026-10-01')
  expect(lines.map(({ AccountId, Difference, State, Documents }) => [AccountId, Difference, State, Documents])).toEqual(
    [
      ['200', '12.30', 'red', 3],
      ['610', '-2.00', 'amber', 0],
      ['9', '0.00', 'green', 0],
      ['10', '0.00', 'green', 0],
    ],
  )
  expect(lines[2]).toMatchObject({ Computed: '1234567890.12', Reported: '1234567890.12', Name: 'Account 9' })
  expect(await linesOf('2026-08-01')).toEqual([])
  const documents = async (accountId: string) =>
    (await app.as.admin.call(tieOut.documents, { params: params(), query: { period: '2026-10-01', accountId } })).body
  expect((await documents('200')).map(({ Id, Amount, WasQuiet }) => [Id, Amount, WasQuiet])).toEqual([
    ['2', '-12.30', true],
    ['3', '-12.30', false],
    ['1', '-12.30', false],
  ])
  expect([await documents('9'), await documents('unknown')]).toEqual([[], []])
})

test('a month before anything could have happened is refused with a sentence', async () => {
  const query = { period: '0000-01-01' }
  for (const reply of [
    await app.as.admin.call(tieOut.lines, { params: params(), query }),
    await app.as.admin.call(tieOut.documents, { params: params(), query: { ...query, accountId: '200' } }),
  ])
    expect([reply.status, reply.body]).toMatchObject([400, { fields: { period: expect.any(String) } }])
})

test('a later tie-out replaces the lines, a run without one keeps them, and the history has the result of each', async () => {
  const first = await end(result('red', october, 'Account 200 differs.'))
  const second = await end(result('green', september))
  await end(null)
  expect(await latest()).toMatchObject({ RunId: second, State: 'green', Periods: [{ Period: '2026-09-01' }] })
  expect(await linesOf('2026-10-01')).toEqual([])
  expect(await history()).toMatchObject([
    { RunId: second, State: 'green', Differing: 0, Notice: null },
    { RunId: first, State: 'red', Differing: 2, Notice: 'Account 200 differs.' },
  ])
  expect([
    await state(),
    (await app.as.admin.call(runs.list, { params: params() })).body.map(({ TieOut }) => TieOut),
  ]).toEqual(['green', [null, 'green', 'red']])
})

test('thousands of lines are stored completely', async () => {
  const many = Array.from({ length: 4_500 }, (_, at) => line('2026-07-01', String(at).padStart(4, '0')))
  await end(result('green', many))
  expect(await latest()).toMatchObject({ Periods: [{ Accounts: 4_500, Differing: 0 }] })
})

test('tie-outs are visible to users who see the connector, but not to organisations it is shared with', async () => {
  await end(result('red', october))
  const calls = [tieOut.latest, tieOut.history] as const
  for (const route of calls) {
    expect((await app.as.user.call(route, { params: params() })).status).toBe(200)
    for (const speaker of ['guest', 'otherAdmin'] as const)
      expect((await app.as[speaker].call(route, { params: params() })).status).toBe(404)
    expect((await app.as.visitor.call(route, { params: params() })).status).toBe(401)
  }
  const query = { period: '2026-10-01' }
  expect((await app.as.guest.call(tieOut.lines, { params: params(), query })).status).toBe(404)
  await app.as.superadmin.call(connectors.assignOrganisations, {
    params: { connectorId },
    body: { organisations: [app.summit.id] },
  })
  const guests = { clientId: app.summit.id, connectorId }
  const { body: shared } = await app.as.otherAdmin.call(connectors.read, { params: guests })
  expect(shared).toMatchObject({ SharedBy: 'Harbour Trading', TieOut: null })
  const { body: pastRuns } = await app.as.otherAdmin.call(runs.list, { params: guests })
  expect(pastRuns.map(({ TieOut }) => TieOut)).toEqual([null])
  for (const route of calls) expect((await app.as.otherAdmin.call(route, { params: guests })).status).toBe(404)
})
