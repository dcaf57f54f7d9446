import { expect, test } from 'vitest'
import type { Mishap } from '../../../../sims/src/uniconta/server.ts'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import type { OpenSource, Stream } from '../../ports/source.ts'
import { simulated } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { unicontaSource } from './source.ts'

const page = '<!DOCTYPE html>\n<html><body>Maintenance</body></html>'
const failing = { status: 500, body: '{"error":{"message":"Timeout expired."}}' }

interface Case {
  readonly what: string
  readonly reply: NonNullable<Mishap['reply']>
  readonly times?: number
  readonly fault: { kind: string; code: string }
}

const cases: readonly Case[] = [
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
    what: 'a question that is not understood',
    reply: { status: 400, body: '{}' },
    fault: { kind: 'data', code: 'uniconta.bad_request' },
  },
  {
    what: 'a password that was changed meanwhile',
    reply: { status: 401, body: '' },
    fault: { kind: 'signIn', code: 'uniconta.refused' },
  },
  {
    what: 'a right that is missing',
    reply: { status: 403, body: '' },
    fault: { kind: 'settings', code: 'uniconta.no_access' },
  },
  {
    what: 'a table that is gone',
    reply: { status: 404, body: '{}' },
    fault: { kind: 'settings', code: 'uniconta.not_found' },
  },
  {
    what: 'a fault of Uniconta that stays',
    reply: failing,
    times: 3,
    fault: { kind: 'passing', code: 'uniconta.failing' },
  },
  {
    what: 'half a JSON text',
    reply: { status: 200, body: '{"value":[{' },
    fault: { kind: 'passing', code: 'uniconta.unreadable_reply' },
  },
  {
    what: 'null for rows, twice',
    reply: { status: 200, body: '{"value":null}' },
    times: 2,
    fault: { kind: 'passing', code: 'uniconta.unreadable_reply' },
  },
  {
    what: 'an empty answer, twice',
    reply: { status: 204, body: '' },
    times: 2,
    fault: { kind: 'passing', code: 'uniconta.unreadable_reply' },
  },
]

test.each(cases)('$what is a fault of the right kind', async ({ reply, times = 1, fault }) => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  there.sim.spoil(...repeated({ kind: 'reply', at: 'GLAccountClient', reply }, times))
  const before = there.sim.requests.length
  const thrown = await faultOf(readAll(source, accounts, null))
  expect({ kind: thrown.kind, code: thrown.code }).toEqual(fault)
  expect(there.sim.requests.length - before).toBe(times)
})

const passing: readonly {
  readonly what: string
  readonly spoil: readonly Mishap[]
  readonly waits: readonly number[]
}[] = [
  { what: 'a connection that breaks twice', spoil: repeated({ kind: 'drop' }, 2), waits: [1_000, 2_000] },
  { what: 'an answer that is cut off', spoil: [{ kind: 'cut' }], waits: [1_000] },
  { what: 'two faults of Uniconta', spoil: repeated({ kind: 'reply', reply: failing }, 2), waits: [1_000, 2_000] },
  { what: 'a 429 that says how long', spoil: [{ kind: 'limit', waitMs: 7_000 }], waits: [7_000] },
  { what: 'a 503 that says how long', spoil: [{ kind: 'limit', status: 503, waitMs: 90_000 }], waits: [90_000] },
  { what: 'a 429 that says nothing', spoil: [{ kind: 'limit' }, { kind: 'limit' }], waits: [5_000, 15_000] },
  {
    what: 'null for rows, once',
    spoil: [{ kind: 'reply', reply: { status: 200, body: '{"value":null}' } }],
    waits: [],
  },
  { what: 'an answer that takes its time', spoil: [{ kind: 'slow', waitMs: 30 }], waits: [] },
]

test.each(passing)('$what is waited out, and nothing is missing', async ({ spoil, waits }) => {
  await using there = await simulated()
  await using source = await there.open()
  const customers = await streamOf(source, 'DebtorClient')
  const before = there.clock.sleeps.length
  there.sim.spoil(...spoil)
  const { rows } = await readAll(source, customers, null)
  expect(rows.get('debtor')).toHaveLength(30)
  expect(there.clock.sleeps.slice(before)).toEqual(waits)
})

test('a limit that stays is told with how long to wait', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  there.sim.spoil(...repeated({ kind: 'limit' }, 6))
  const thrown = await faultOf(readAll(source, accounts, null))
  expect(thrown).toMatchObject({ kind: 'busy', code: 'uniconta.limit_reached' })
  expect(thrown.waitMs).toBeGreaterThan(60_000)
})

test('a password that was changed between two pages is a sign-in fault that says what to do', async () => {
  await using there = await simulated({ pageSize: 10 })
  await using source = await there.open()
  const customers = await streamOf(source, 'DebtorClient')
  const reading = source.read(customers, { since: null, encoding: 'text', log: () => {} })[Symbol.asyncIterator]()
  await reading.next()
  there.sim.password = 'another-one'
  const thrown = await faultOf(reading.next())
  expect(thrown.kind).toBe('signIn')
  expect(thrown.notice).toContain('Enter both again')
})

test('a window of dates that is too much for Uniconta is read again in halves, and nothing is missing or doubled', async () => {
  await using there = await simulated({ pageSize: 5 })
  await using source = await there.open()
  const entries = await streamOf(source, 'GLTransClient')
  const { rows: before } = await readAll(source, entries, null)
  there.sim.spoil(...repeated({ kind: 'reply', at: '$skip=10', reply: failing }, 6))
  const { rows } = await readAll(source, entries, null)
  const keys = (all: typeof rows) => new Set((all.get('gl_trans') ?? []).map((row) => JSON.stringify(row)))
  expect(keys(rows)).toEqual(keys(before))
  expect(keys(rows).size).toBe(390)
})

test('a list whose pages lead round in a circle is given up, not read for ever', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  const next = '/odata/4415/GLAccountClient?$skip=0'
  const reply = { status: 200, body: JSON.stringify({ value: [{ RowId: 1 }], '@odata.nextLink': next }) }
  there.sim.spoil(...repeated({ kind: 'reply', at: 'GLAccountClient', reply }, 5))
  expect(await faultOf(readAll(source, accounts, null))).toMatchObject({
    kind: 'passing',
    code: 'uniconta.unreadable_reply',
  })
})

test('a table that is changed between two pages so that its rows cannot be told apart is not stored', async () => {
  await using there = await simulated({ pageSize: 10 })
  await using source = await there.open()
  const customers = await streamOf(source, 'DebtorClient')
  const reply = { status: 200, body: '{"value":[{"Account":"1001","NewId":5}]}' }
  there.sim.spoil({ kind: 'reply', at: '$skip=10', reply })
  const thrown = await faultOf(readAll(source, customers, null))
  expect(thrown).toMatchObject({ kind: 'data', code: 'uniconta.shape_changed' })
  expect(thrown.notice).toContain('RowId')
})

test('credentials go to the address in the settings only, wherever a link points', async () => {
  await using there = await simulated({ pageSize: 10 })
  await using source = await there.open()
  const { rows } = await readAll(source, await streamOf(source, 'DebtorClient'), null)
  expect(rows.get('debtor')).toHaveLength(30)
  expect(new Set(there.sim.requests.map(({ host }) => host))).toEqual(new Set([new URL(there.sim.url).host]))
})

test.each([
  'https://elsewhere.example//169.254.169.254/latest',
  'https://elsewhere.example/\\\\169.254.169.254/latest',
])('a link to the next page that hides another host in its path is not followed: %s', async (next) => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  const reply = { status: 200, body: JSON.stringify({ value: [{ RowId: 1 }], '@odata.nextLink': next }) }
  const hosts = () => new Set(there.sim.requests.map(({ host }) => host))
  there.sim.spoil({ kind: 'reply', at: 'GLAccountClient', reply })
  expect(await faultOf(readAll(source, accounts, null))).toMatchObject({
    kind: 'passing',
    code: 'uniconta.unreadable_reply',
  })
  expect(hosts()).toEqual(new Set([new URL(there.sim.url).host]))
})

test('no fault holds the password, even where Uniconta sends it back', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const accounts = await streamOf(source, 'GLAccountClient')
  const coded = Buffer.from(`${there.sim.username}:${there.sim.password}`).toString('base64')
  for (const status of [400, 401, 403, 404, 500]) {
    const reply = { status, body: `Basic ${coded} means ${there.sim.password}, which is not right` }
    there.sim.spoil(...repeated({ kind: 'reply', reply }, status === 500 ? 3 : 1))
    const thrown = await faultOf(readAll(source, accounts, null))
    const told = [thrown.notice, thrown.stack, String(thrown.cause), (thrown.cause as Error).stack].join('\n')
    expect(told).toContain(String(status))
    expect(told).not.toContain(there.sim.password)
    expect(told).not.toContain(coded)
  }
})

test('most of a day’s calls being used up is told once a day, before Uniconta becomes slow', async () => {
  await using there = await simulated({ companies: 1 })
  const told: string[] = []
  for (let run = 0; run < 70; run += 1) {
    await using source = await there.open()
    for (const name of ['GLAccountClient', 'DebtorClient']) {
      const stream = await streamOf(source, name)
      for await (const batch of source.read(stream, { since: null, encoding: 'text', log: (line) => told.push(line) }))
        expect(batch.rows).toBeGreaterThan(0)
    }
    if (run === 0)
      for (let call = there.sim.requests.length; call < 2_500; call += 27) await (await there.open()).streams()
  }
  expect(there.sim.requests.length).toBeGreaterThan(4_000)
  expect(told).toEqual([expect.stringContaining('Beyond 5,000 Uniconta becomes slow')])
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
])('settings that cannot work say which and why: $says', ({ given, field, says }) => {
  const thrown = thrownBy(() => unicontaSource.parse(given))
  expect(thrown).toMatchObject({ kind: 'settings', field })
  expect(thrown.notice).toContain(says)
})

test('[MAN-7] [API-7] Uniconta asks for Username and Password under their names of the API', () => {
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

function repeated(item: Mishap, times: number): Mishap[] {
  return Array.from({ length: times }, () => item)
}
