import { expect, test } from 'vitest'
import type { Mishap } from '@tributary/sims/cin7/injected-faults'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { simulated, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { cin7Source } from './source.ts'

const array = (code: number, text: string): string => JSON.stringify([{ ErrorCode: code, Exception: text }])
const page = '<!DOCTYPE html>\n<html><body>Page not found</body></html>'

interface Case {
  readonly what: string
  readonly reply: { status: number; body: string; headers?: Record<string, string> }
  readonly times?: number
  readonly fault: { kind: string; code: string }
}

const cases: readonly Case[] = [
  {
    what: 'a web page in place of data',
    reply: { status: 200, body: page },
    fault: { kind: 'settings', code: 'cin7.not_available' },
  },
  {
    what: 'a redirect',
    reply: { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/stolen' } },
    fault: { kind: 'settings', code: 'cin7.redirected' },
  },
  {
    what: 'a bad parameter, told in an array',
    reply: { status: 400, body: array(400, 'Page is wrong') },
    fault: { kind: 'bug', code: 'cin7.bad_request' },
  },
  {
    what: 'a bad parameter, told in an object',
    reply: { status: 400, body: '{"ErrorCode":400,"Exception":"Page is wrong"}' },
    fault: { kind: 'bug', code: 'cin7.bad_request' },
  },
  {
    what: 'refused credentials',
    reply: { status: 403, body: 'Incorrect credentials!' },
    fault: { kind: 'signIn', code: 'cin7.refused' },
  },
  {
    what: 'a path that does not exist',
    reply: { status: 404, body: array(404, 'No such path') },
    fault: { kind: 'settings', code: 'cin7.not_found' },
  },
  { what: 'a wrong verb', reply: { status: 405, body: '' }, fault: { kind: 'bug', code: 'cin7.wrong_method' } },
  {
    what: 'a fault of Cin7 that stays',
    reply: { status: 500, body: array(500, 'Object reference not set') },
    times: 3,
    fault: { kind: 'passing', code: 'cin7.failing' },
  },
  {
    what: 'a limit that stays',
    reply: { status: 503, body: 'You have reached 60 calls per 60 seconds API limit.' },
    times: 6,
    fault: { kind: 'busy', code: 'cin7.limit_reached' },
  },
  {
    what: 'half a JSON text',
    reply: { status: 200, body: '{"Total":1,"AccountsList":[{' },
    fault: { kind: 'passing', code: 'cin7.unreadable_reply' },
  },
  {
    what: 'a status nobody knows',
    reply: { status: 418, body: 'teapot' },
    fault: { kind: 'bug', code: 'cin7.unexpected_reply' },
  },
]

test.each(cases)('$what is a fault of the right kind', async ({ reply, times = 1, fault }) => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'account')
  there.sim.mishaps.order(...repeated({ kind: 'reply', reply }, times))
  const thrown = asFault(await readAll(source, accounts, null).catch((error: unknown) => error))
  expect({ kind: thrown.kind, code: thrown.code }).toEqual(fault)
  if (fault.kind === 'busy') expect(thrown.waitMs).toBeGreaterThan(60_000)
  expect(there.sim.requests.filter(({ path }) => path === 'ref/account')).toHaveLength(times)
})

const passing: readonly {
  readonly what: string
  readonly spoil: readonly Mishap[]
  readonly waits: readonly number[]
}[] = [
  { what: 'a connection that breaks twice', spoil: repeated({ kind: 'drop' }, 2), waits: [1_000, 2_000] },
  { what: 'an answer that is cut off', spoil: [{ kind: 'cut' }], waits: [1_000] },
  {
    what: 'two faults of Cin7',
    spoil: repeated({ kind: 'reply', reply: { status: 500, body: 'oops' } }, 2),
    waits: [1_000, 2_000],
  },
  { what: 'three refusals by the limit', spoil: repeated({ kind: 'limit' }, 3), waits: [15_000, 30_000, 60_000] },
  {
    what: 'the limit told with status 200',
    spoil: [{ kind: 'reply', reply: { status: 200, body: 'You have reached 60 calls per 60 seconds' } }],
    waits: [15_000],
  },
  {
    what: 'a 429 that says how long',
    spoil: [{ kind: 'reply', reply: { status: 429, body: '', headers: { 'retry-after': '7' } } }],
    waits: [7_000],
  },
]

test.each(passing)('$what is waited out, and nothing is missing', async ({ spoil, waits }) => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'account')
  there.sim.mishaps.order(...spoil)
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toHaveLength(9)
  expect(there.clock.sleeps).toEqual(waits)
})

test('a purchase tells the limit under a status of its own, and that is waited out too', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const purchases = await streamOf(source, 'purchase')
  there.sim.mishaps.order({ kind: 'limit', path: 'purchase' }, { kind: 'limit', path: 'advanced-purchase' })
  const { rows } = await readAll(source, purchases, null)
  expect(rows.get('purchase')).toHaveLength(9)
  expect(there.clock.sleeps).toEqual([15_000, 15_000])
})

test('a connection that stays broken is a passing fault after five tries', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'account')
  there.sim.mishaps.order(...repeated({ kind: 'drop' }, 5))
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'passing', code: 'cin7.unreachable' })
})

test('an empty answer is an empty list', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'account')
  there.sim.mishaps.order({ kind: 'reply', reply: { status: 204, body: '' } })
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toEqual([])
})

test('a document that is gone is told and left out; the others come', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const sales = await streamOf(source, 'sale')
  there.sim.mishaps.order({
    kind: 'reply',
    path: 'sale',
    reply: { status: 400, body: array(400, 'Sale with specified ID not found') },
  })
  const told: string[] = []
  let rows = 0
  for await (const batch of source.read(sales, { since: null, encoding: 'text', log: (line) => told.push(line) }))
    if (batch.table === 'sale') rows += batch.rows
  expect(rows).toBe(13)
  expect(told.filter((line) => line.includes('has no such record'))).toHaveLength(1)
})

test('no fault holds the key, even where Cin7 sends it back', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'account')
  for (const status of [400, 403, 404, 500]) {
    const body = `The key ${there.sim.applicationKey} of ${there.sim.accountId} is not right`
    there.sim.mishaps.order(...repeated({ kind: 'reply', reply: { status, body } }, status === 500 ? 3 : 1))
    const thrown = (await readAll(source, accounts, null).catch((error: unknown) => error)) as Fault
    const told = [thrown.notice, thrown.stack, String(thrown.cause), (thrown.cause as Error).stack].join('\n')
    expect(told).toContain(String(status))
    expect(told).not.toContain(there.sim.applicationKey)
    expect(told).not.toContain(there.sim.accountId)
  }
})

test.each([
  {
    given: { 'cin7.accountId': 'harbour_api', 'cin7.applicationKey': 'x' },
    field: 'cin7.accountId',
    says: 'these look like Cin7 Omni credentials',
  },
  {
    given: { 'cin7.accountId': '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', 'cin7.applicationKey': 'abc123' },
    field: 'cin7.applicationKey',
    says: 'these look like Cin7 Omni credentials',
  },
  { given: { 'cin7.applicationKey': 'x' }, field: 'cin7.accountId', says: 'Enter the Account Id' },
  { given: both({ 'cin7.address': 'http://cin7.example/ExternalApi/v2/' }), field: 'cin7.address', says: 'https://' },
  { given: both({ 'cin7.address': 'https://user:word@cin7.example/' }), field: 'cin7.address', says: 'https://' },
])('settings that cannot work say which and why: $says', ({ given, field, says }) => {
  const thrown = thrownBy(() => cin7Source.parse(given))
  expect(thrown).toMatchObject({ kind: 'settings', field })
  expect(thrown.notice).toContain(says)
})

test('[MAN-7] [API-7] Cin7 asks for Account Id and Application Key under their names of the API', () => {
  const [section] = cin7Source.sections
  expect(section?.shape).toBe('plain')
  expect(
    section?.fields.filter(({ hidden }) => hidden !== true).map(({ key, label, kind }) => [key, label, kind]),
  ).toEqual([
    ['cin7.accountId', 'Account Id', 'text'],
    ['cin7.applicationKey', 'Application Key', 'secret'],
  ])
})

function both(more: Record<string, string>): Record<string, string> {
  return {
    'cin7.accountId': '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
    'cin7.applicationKey': '7b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
    ...more,
  }
}

function thrownBy(work: () => unknown): Fault {
  try {
    work()
  } catch (error) {
    return asFault(error)
  }
  throw new Error('Nothing was thrown.')
}

function repeated(item: Mishap, times: number): Mishap[] {
  return Array.from({ length: times }, () => item)
}
