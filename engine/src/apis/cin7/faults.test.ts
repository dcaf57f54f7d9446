import { expect, test } from 'vitest'
import type { Cin7InjectedFault } from '@tributary/sims/cin7/injected-faults'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { simulateCin7, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { cin7Source } from './source.ts'

const array = (code: number, text: string): string => JSON.stringify([{ ErrorCode: code, Exception: text }])
const page = '<!DOCTYPE html>\n<html><body>Page not found</body></html>'

interface Cin7ReplyCase {
  readonly what: string
  readonly reply: { status: number; body: string; headers?: Record<string, string> }
  readonly times?: number
  readonly fault: { kind: string; code: string }
}

const cases: readonly Cin7ReplyCase[] = [
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
    what: 'a bad parameter, reported in an array',
    reply: { status: 400, body: array(400, 'Page is wrong') },
    fault: { kind: 'bug', code: 'cin7.bad_request' },
  },
  {
    what: 'a bad parameter, reported in an object',
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
  { what: 'a wrong HTTP method', reply: { status: 405, body: '' }, fault: { kind: 'bug', code: 'cin7.wrong_method' } },
  {
    what: 'a server error that persists',
    reply: { status: 500, body: array(500, 'Object reference not set') },
    times: 3,
    fault: { kind: 'passing', code: 'cin7.failing' },
  },
  {
    what: 'a limit that persists',
    reply: { status: 503, body: 'You have reached 60 calls per 60 seconds API limit.' },
    times: 6,
    fault: { kind: 'busy', code: 'cin7.limit_reached' },
  },
  {
    what: 'truncated JSON',
    reply: { status: 200, body: '{"Total":1,"AccountsList":[{' },
    fault: { kind: 'passing', code: 'cin7.unreadable_reply' },
  },
  {
    what: 'an unknown status',
    reply: { status: 418, body: 'teapot' },
    fault: { kind: 'bug', code: 'cin7.unexpected_reply' },
  },
]

test.each(cases)('$what becomes a fault of the right kind', async ({ reply, times = 1, fault }) => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'account')
  simulation.sim.faults.inject(...repeated({ kind: 'reply', reply }, times))
  const thrown = asFault(await readAll(source, accounts, null).catch((error: unknown) => error))
  expect({ kind: thrown.kind, code: thrown.code }).toEqual(fault)
  if (fault.kind === 'busy') expect(thrown.waitMs).toBeGreaterThan(60_000)
  expect(simulation.sim.requests.filter(({ path }) => path === 'ref/account')).toHaveLength(times)
})

const passing: readonly {
  readonly what: string
  readonly spoil: readonly Cin7InjectedFault[]
  readonly waits: readonly number[]
}[] = [
  { what: 'a connection that breaks twice', spoil: repeated({ kind: 'drop' }, 2), waits: [1_000, 2_000] },
  { what: 'a truncated response', spoil: [{ kind: 'cut' }], waits: [1_000] },
  {
    what: 'two server errors',
    spoil: repeated({ kind: 'reply', reply: { status: 500, body: 'oops' } }, 2),
    waits: [1_000, 2_000],
  },
  { what: 'three refusals by the limit', spoil: repeated({ kind: 'limit' }, 3), waits: [15_000, 30_000, 60_000] },
  {
    what: 'the limit reported with status 200',
    spoil: [{ kind: 'reply', reply: { status: 200, body: 'You have reached 60 calls per 60 seconds' } }],
    waits: [15_000],
  },
  {
    what: 'a 429 with Retry-After',
    spoil: [{ kind: 'reply', reply: { status: 429, body: '', headers: { 'retry-after': '7' } } }],
    waits: [7_000],
  },
]

test.each(passing)('$what: the call is retried, and no row is missing', async ({ spoil, waits }) => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'account')
  simulation.sim.faults.inject(...spoil)
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toHaveLength(9)
  expect(simulation.clock.sleeps).toEqual(waits)
})

test('a limit on purchases, reported under its own status, is waited out as well', async () => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const purchases = await streamOf(source, 'purchase')
  simulation.sim.faults.inject({ kind: 'limit', path: 'purchase' }, { kind: 'limit', path: 'advanced-purchase' })
  const { rows } = await readAll(source, purchases, null)
  expect(rows.get('purchase')).toHaveLength(9)
  expect(simulation.clock.sleeps).toEqual([15_000, 15_000])
})

test('a connection that stays broken is a passing fault after five attempts', async () => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'account')
  simulation.sim.faults.inject(...repeated({ kind: 'drop' }, 5))
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'passing', code: 'cin7.unreachable' })
})

test('an empty response is an empty list', async () => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'account')
  simulation.sim.faults.inject({ kind: 'reply', reply: { status: 204, body: '' } })
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toEqual([])
})

test('a deleted document is reported and left out; the others arrive', async () => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const sales = await streamOf(source, 'sale')
  simulation.sim.faults.inject({
    kind: 'reply',
    path: 'sale',
    reply: { status: 400, body: array(400, 'Sale with specified ID not found') },
  })
  const notices: string[] = []
  let rows = 0
  for await (const batch of source.read(sales, { since: null, encoding: 'text', log: (line) => notices.push(line) }))
    if (batch.table === 'sale') rows += batch.rows
  expect(rows).toBe(13)
  expect(notices.filter((line) => line.includes('has no such record'))).toHaveLength(1)
})

test('no fault contains the key, even if Cin7 echoes it', async () => {
  await using simulation = await simulateCin7()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'account')
  for (const status of [400, 403, 404, 500]) {
    const body = `The key ${simulation.sim.applicationKey} of ${simulation.sim.accountId} is not right`
    simulation.sim.faults.inject(...repeated({ kind: 'reply', reply: { status, body } }, status === 500 ? 3 : 1))
    const thrown = (await readAll(source, accounts, null).catch((error: unknown) => error)) as Fault
    const output = [thrown.notice, thrown.stack, String(thrown.cause), (thrown.cause as Error).stack].join('\n')
    expect(output).toContain(String(status))
    expect(output).not.toContain(simulation.sim.applicationKey)
    expect(output).not.toContain(simulation.sim.accountId)
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

test('[MAN-7] [API-7] Cin7 settings use the API’s names, Account Id and Application Key', () => {
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

function repeated(item: Cin7InjectedFault, times: number): Cin7InjectedFault[] {
  return Array.from({ length: times }, () => item)
}
