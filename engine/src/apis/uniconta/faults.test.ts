import { expect, test } from 'vitest'
import type { UnicontaInjectedFault } from '../../../../sims/src/uniconta/server.ts'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import type { OpenSource, Stream } from '../../ports/source.ts'
import { simulateUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { unicontaSource } from './source.ts'

const page = '<!DOCTYPE html>\n<html><body>Maintenance</body></html>'
const failing = { status: 500, body: '{"error":{"message":"Timeout expired."}}' }

interface UnicontaReplyCase {
  readonly what: string
  readonly reply: NonNullable<UnicontaInjectedFault['reply']>
  readonly times?: number
  readonly fault: { kind: string; code: string }
}

const cases: readonly UnicontaReplyCase[] = [
  {
    what: 'a web page in place of rows',
    reply: { status: 200, body: page },
    fault: { kind: 'settings', code: 'uniconta.not_available' },
  },
  {
    what: 'a redirect',
    reply: { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/stolen' } },
    fault: { kind: 'settings', code: 'uniconta.redirected' },
  },
  {
    what: 'a rejected request',
    reply: { status: 400, body: '{}' },
    fault: { kind: 'data', code: 'uniconta.bad_request' },
  },
  {
    what: 'a password that was changed during the run',
    reply: { status: 401, body: '' },
    fault: { kind: 'signIn', code: 'uniconta.refused' },
  },
  {
    what: 'a missing permission',
    reply: { status: 403, body: '' },
    fault: { kind: 'settings', code: 'uniconta.no_access' },
  },
  {
    what: 'a deleted table',
    reply: { status: 404, body: '{}' },
    fault: { kind: 'settings', code: 'uniconta.not_found' },
  },
  {
    what: 'a server error that persists',
    reply: failing,
    times: 3,
    fault: { kind: 'passing', code: 'uniconta.failing' },
  },
  {
    what: 'truncated JSON',
    reply: { status: 200, body: '{"value":[{' },
    fault: { kind: 'passing', code: 'uniconta.unreadable_reply' },
  },
  {
    what: 'null instead of rows, twice',
    reply: { status: 200, body: '{"value":null}' },
    times: 2,
    fault: { kind: 'passing', code: 'uniconta.unreadable_reply' },
  },
  {
    what: 'an empty response, twice',
    reply: { status: 204, body: '' },
    times: 2,
    fault: { kind: 'passing', code: 'uniconta.unreadable_reply' },
  },
]

test.each(cases)('$what becomes a fault of the right kind', async ({ reply, times = 1, fault }) => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  simulation.sim.injectFaults(...repeated({ kind: 'reply', at: 'GLAccountClient', reply }, times))
  const before = simulation.sim.requests.length
  const thrown = await faultOf(readAll(source, accounts, null))
  expect({ kind: thrown.kind, code: thrown.code }).toEqual(fault)
  expect(simulation.sim.requests.length - before).toBe(times)
})

const passing: readonly {
  readonly what: string
  readonly spoil: readonly UnicontaInjectedFault[]
  readonly waits: readonly number[]
}[] = [
  { what: 'a connection that breaks twice', spoil: repeated({ kind: 'drop' }, 2), waits: [1_000, 2_000] },
  { what: 'a truncated response', spoil: [{ kind: 'cut' }], waits: [1_000] },
  { what: 'two server errors', spoil: repeated({ kind: 'reply', reply: failing }, 2), waits: [1_000, 2_000] },
  { what: 'a 429 with Retry-After', spoil: [{ kind: 'limit', waitMs: 7_000 }], waits: [7_000] },
  { what: 'a 503 with Retry-After', spoil: [{ kind: 'limit', status: 503, waitMs: 90_000 }], waits: [90_000] },
  { what: 'a 429 without Retry-After', spoil: [{ kind: 'limit' }, { kind: 'limit' }], waits: [5_000, 15_000] },
  {
    what: 'null instead of rows, once',
    spoil: [{ kind: 'reply', reply: { status: 200, body: '{"value":null}' } }],
    waits: [],
  },
  { what: 'a slow response', spoil: [{ kind: 'slow', waitMs: 30 }], waits: [] },
]

test.each(passing)('$what: the call is retried, and no row is missing', async ({ spoil, waits }) => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const customers = await streamOf(source, 'DebtorClient')
  const before = simulation.clock.sleeps.length
  simulation.sim.injectFaults(...spoil)
  const { rows } = await readAll(source, customers, null)
  expect(rows.get('debtor')).toHaveLength(30)
  expect(simulation.clock.sleeps.slice(before)).toEqual(waits)
})

test('a persistent limit is reported with its waiting time', async () => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  simulation.sim.injectFaults(...repeated({ kind: 'limit' }, 6))
  const thrown = await faultOf(readAll(source, accounts, null))
  expect(thrown).toMatchObject({ kind: 'busy', code: 'uniconta.limit_reached' })
  expect(thrown.waitMs).toBeGreaterThan(60_000)
})

test('a password change between two pages is a sign-in fault with instructions', async () => {
  await using simulation = await simulateUniconta({ pageSize: 10 })
  await using source = await simulation.open()
  const customers = await streamOf(source, 'DebtorClient')
  const reading = source.read(customers, { since: null, encoding: 'text', log: () => {} })[Symbol.asyncIterator]()
  await reading.next()
  simulation.sim.password = 'another-one'
  const thrown = await faultOf(reading.next())
  expect(thrown.kind).toBe('signIn')
  expect(thrown.notice).toContain('Enter both again')
})

test('a date window that is too much for Uniconta is halved, and no row is missing or duplicated', async () => {
  await using simulation = await simulateUniconta({ pageSize: 5 })
  await using source = await simulation.open()
  const entries = await streamOf(source, 'GLTransClient')
  const { rows: before } = await readAll(source, entries, null)
  simulation.sim.injectFaults(...repeated({ kind: 'reply', at: '$skip=10', reply: failing }, 6))
  const { rows } = await readAll(source, entries, null)
  const keys = (all: typeof rows) => new Set((all.get('gl_trans') ?? []).map((row) => JSON.stringify(row)))
  expect(keys(rows)).toEqual(keys(before))
  expect(keys(rows).size).toBe(390)
})

test('pages that link in a circle fail instead of being read forever', async () => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  const next = '/odata/4415/GLAccountClient?$skip=0'
  const reply = { status: 200, body: JSON.stringify({ value: [{ RowId: 1 }], '@odata.nextLink': next }) }
  simulation.sim.injectFaults(...repeated({ kind: 'reply', at: 'GLAccountClient', reply }, 5))
  expect(await faultOf(readAll(source, accounts, null))).toMatchObject({
    kind: 'passing',
    code: 'uniconta.unreadable_reply',
  })
})

test('a table that loses its key between two pages is not stored', async () => {
  await using simulation = await simulateUniconta({ pageSize: 10 })
  await using source = await simulation.open()
  const customers = await streamOf(source, 'DebtorClient')
  const reply = { status: 200, body: '{"value":[{"Account":"1001","NewId":5}]}' }
  simulation.sim.injectFaults({ kind: 'reply', at: '$skip=10', reply })
  const thrown = await faultOf(readAll(source, customers, null))
  expect(thrown).toMatchObject({ kind: 'data', code: 'uniconta.shape_changed' })
  expect(thrown.notice).toContain('RowId')
})

test('credentials go only to the configured address, wherever a link points', async () => {
  await using simulation = await simulateUniconta({ pageSize: 10 })
  await using source = await simulation.open()
  const { rows } = await readAll(source, await streamOf(source, 'DebtorClient'), null)
  expect(rows.get('debtor')).toHaveLength(30)
  expect(new Set(simulation.sim.requests.map(({ host }) => host))).toEqual(new Set([new URL(simulation.sim.url).host]))
})

test.each([
  'https://elsewhere.example//169.254.169.254/latest',
  'https://elsewhere.example/\\\\169.254.169.254/latest',
])('a next link that hides another host in its path is not followed: %s', async (next) => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  const reply = { status: 200, body: JSON.stringify({ value: [{ RowId: 1 }], '@odata.nextLink': next }) }
  const hosts = () => new Set(simulation.sim.requests.map(({ host }) => host))
  simulation.sim.injectFaults({ kind: 'reply', at: 'GLAccountClient', reply })
  expect(await faultOf(readAll(source, accounts, null))).toMatchObject({
    kind: 'passing',
    code: 'uniconta.unreadable_reply',
  })
  expect(hosts()).toEqual(new Set([new URL(simulation.sim.url).host]))
})

test('no fault contains the password, even if Uniconta echoes it', async () => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  const coded = Buffer.from(`${simulation.sim.username}:${simulation.sim.password}`).toString('base64')
  for (const status of [400, 401, 403, 404, 500]) {
    const reply = { status, body: `Basic ${coded} means ${simulation.sim.password}, which is not right` }
    simulation.sim.injectFaults(...repeated({ kind: 'reply', reply }, status === 500 ? 3 : 1))
    const thrown = await faultOf(readAll(source, accounts, null))
    const output = [thrown.notice, thrown.stack, String(thrown.cause), (thrown.cause as Error).stack].join('\n')
    expect(output).toContain(String(status))
    expect(output).not.toContain(simulation.sim.password)
    expect(output).not.toContain(coded)
  }
})

test('the warning about the daily calls is reported once a day, before Uniconta becomes slow', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  const notices: string[] = []
  for (let run = 0; run < 70; run += 1) {
    await using source = await simulation.open()
    for (const name of ['GLAccountClient', 'DebtorClient']) {
      const stream = await streamOf(source, name)
      for await (const batch of source.read(stream, {
        since: null,
        encoding: 'text',
        log: (line) => notices.push(line),
      }))
        expect(batch.rows).toBeGreaterThan(0)
    }
    if (run === 0)
      for (let call = simulation.sim.requests.length; call < 2_500; call += 27)
        await (await simulation.open()).streams()
  }
  expect(simulation.sim.requests.length).toBeGreaterThan(4_000)
  expect(notices).toEqual([expect.stringContaining('Beyond 5,000 Uniconta becomes slow')])
})

test.each([
  { given: { 'uniconta.password': 'x' }, field: 'uniconta.username', says: 'Enter the user name' },
  { given: { 'uniconta.username': 'anna' }, field: 'uniconta.password', says: 'Enter the password' },
  { given: both({ 'uniconta.username': 'anna:x' }), field: 'uniconta.username', says: 'holds no colon' },
  {
    given: both({ 'uniconta.address': 'http://uniconta.example/odata/' }),
    field: 'uniconta.address',
    says: 'https://',
  },
  {
    given: both({ 'uniconta.address': 'https://user:word@uniconta.example/' }),
    field: 'uniconta.address',
    says: 'https://',
  },
])('invalid settings are rejected with the field and the reason: $says', ({ given, field, says }) => {
  const thrown = thrownBy(() => unicontaSource.parse(given))
  expect(thrown).toMatchObject({ kind: 'settings', field })
  expect(thrown.notice).toContain(says)
})

test('[MAN-7] [API-7] Uniconta settings use the API’s names, Username and Password', () => {
  const [section] = unicontaSource.sections
  expect(section?.shape).toBe('plain')
  expect(section?.fields.filter(({ required }) => required).map(({ key, label, kind }) => [key, label, kind])).toEqual([
    ['uniconta.username', 'Username', 'text'],
    ['uniconta.password', 'Password', 'secret'],
  ])
})

function both(more: Record<string, string>): Record<string, string> {
  return { 'uniconta.username': 'anna', 'uniconta.password': 'word', ...more }
}

async function streamOf(source: OpenSource, name: string): Promise<Stream> {
  const found = (await source.streams()).find((stream) => stream.name === name)
  if (found === undefined) throw new Error(`There is no stream ${name}.`)
  return found
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  expect(thrown).not.toBeNull()
  return asFault(thrown)
}

function thrownBy(work: () => unknown): Fault {
  try {
    work()
  } catch (error) {
    return asFault(error)
  }
  throw new Error('Nothing was thrown.')
}

function repeated(item: UnicontaInjectedFault, times: number): UnicontaInjectedFault[] {
  return Array.from({ length: times }, () => item)
}
