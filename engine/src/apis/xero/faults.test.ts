import { expect, test } from 'vitest'
import type { Mishap } from '@tributary/sims/xero/api/injected-faults'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import { streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { simulated } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import { xeroAuthorising } from './authorising.ts'
import { xeroSource } from './source.ts'

const page = '<!DOCTYPE html>\n<html><body>Down for maintenance</body></html>'
const xml = '<Response xmlns="http://www.w3.org/2001/XMLSchema"><Status>OK</Status></Response>'

interface Case {
  readonly what: string
  readonly reply: NonNullable<Mishap['reply']>
  readonly times?: number
  readonly fault: { kind: string; code: string }
}

const cases: readonly Case[] = [
  {
    what: 'a web page that stays',
    reply: { status: 200, body: page },
    times: 3,
    fault: { kind: 'passing', code: 'xero.failing' },
  },
  {
    what: 'XML that stays',
    reply: { status: 200, body: xml },
    times: 3,
    fault: { kind: 'passing', code: 'xero.failing' },
  },
  {
    what: 'a filter that Xero does not take',
    reply: { status: 400, body: '{"ErrorNumber":16,"Type":"QueryParseException","Message":"No property"}' },
    fault: { kind: 'data', code: 'xero.bad_request' },
  },
  {
    what: 'a redirect',
    reply: { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/stolen' } },
    fault: { kind: 'settings', code: 'xero.redirected' },
  },
  {
    what: 'a fault of Xero that stays',
    reply: { status: 500, body: 'oops' },
    times: 3,
    fault: { kind: 'passing', code: 'xero.failing' },
  },
  {
    what: 'an outage that stays',
    reply: { status: 503, body: 'The Organisation is not available' },
    times: 6,
    fault: { kind: 'busy', code: 'xero.limit_reached' },
  },
  {
    what: 'half a JSON text',
    reply: { status: 200, body: '{"Accounts":[{' },
    fault: { kind: 'passing', code: 'xero.unreadable_reply' },
  },
  {
    what: 'an answer without its list',
    reply: { status: 200, body: '{"Status":"OK"}' },
    fault: { kind: 'data', code: 'xero.unknown_shape' },
  },
  {
    what: 'rows without their id',
    reply: { status: 200, body: '{"Accounts":[{"Code":"200"}]}' },
    fault: { kind: 'data', code: 'xero.unknown_shape' },
  },
]

test.each(cases)('$what is a fault of the right kind', async ({ reply, times = 1, fault }) => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  there.sim.mishaps.order({ kind: 'reply', path: 'accounts', reply, times })
  const thrown = asFault(await readAll(source, accounts, null).catch((error: unknown) => error))
  expect({ kind: thrown.kind, code: thrown.code }).toEqual(fault)
  expect(there.sim.requests.filter(({ path }) => path === 'accounts')).toHaveLength(times)
})

const passing: readonly { readonly what: string; readonly spoil: Mishap; readonly waits: readonly number[] }[] = [
  {
    what: 'a connection that breaks twice',
    spoil: { kind: 'drop', path: 'accounts', times: 2 },
    waits: [1_000, 2_000],
  },
  { what: 'an answer that is cut off', spoil: { kind: 'cut', path: 'accounts' }, waits: [1_000] },
  {
    what: 'two faults of Xero',
    spoil: { kind: 'reply', path: 'accounts', times: 2, reply: { status: 500, body: 'oops' } },
    waits: [1_000, 2_000],
  },
  {
    what: 'a web page in place of data',
    spoil: { kind: 'reply', path: 'accounts', reply: { status: 200, body: page } },
    waits: [1_000],
  },
  {
    what: 'XML in place of data',
    spoil: { kind: 'reply', path: 'accounts', reply: { status: 200, body: xml } },
    waits: [1_000],
  },
  {
    what: 'a short outage',
    spoil: { kind: 'reply', path: 'accounts', reply: { status: 503, body: '' } },
    waits: [5_000],
  },
]

test.each(passing)('$what is waited out, and nothing is missing', async ({ spoil, waits }) => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  there.sim.mishaps.order(spoil)
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toHaveLength(there.sim.tell(there.tenantId, 'Accounts').length)
  expect(there.clock.sleeps).toEqual(waits)
})

test('a token that has expired is renewed once, in the midst of a reading, and nothing is missing', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  there.clock.advance(31 * 60_000)
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toHaveLength(there.sim.tell(there.tenantId, 'Accounts').length)
  expect(there.authorisation.renewals).toHaveLength(1)
  expect(there.clock.sleeps).toEqual([])
})

test('a renewed token that is refused as well asks for a person, after one renewal', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  const body = '{"Type":null,"Title":"Unauthorized","Status":401,"Detail":"TokenInvalidSignature"}'
  there.sim.mishaps.order({ kind: 'reply', path: 'accounts', reply: { status: 401, body }, times: 9 })
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'signIn', code: 'xero.refused' })
  expect(there.authorisation.renewals).toHaveLength(1)
})

test('a right that was not granted fails its own tables and names it; the others are moved', async () => {
  const scopes = xeroAuthorising.scopes.filter((scope) => scope !== 'accounting.contacts.read')
  await using xero = await connectXero({ size: tinySize, scopes })
  const outcome = await xero.run({ streams: ['Accounts', 'Contacts', 'Invoices'] })
  expect(outcome).toMatchObject({ status: 'failed', fault: { kind: 'settings', code: 'xero.no_scope' } })
  expect(outcome.fault?.notice).toContain('accounting.contacts.read')
  expect(
    outcome.streams.filter(({ progress }) => progress.phase === 'done').map(({ progress }) => progress.stream),
  ).toEqual(['Accounts', 'Invoices'])
  expect(xero.authorisation.renewals).toEqual([])
})

test('journals are offered only where Xero lets the application read them, and that is no failure', async () => {
  await using plain = await simulated({ size: tinySize, tier: 'core' })
  await using advanced = await simulated({ size: tinySize, tier: 'advanced' })
  const offered = async ({ open }: typeof plain): Promise<readonly string[]> => {
    await using source = await open()
    return (await source.streams()).map(({ name }) => name)
  }
  expect(await offered(plain)).not.toContain('Journals')
  expect(await offered(advanced)).toContain('Journals')
  expect((await offered(plain)).length).toBe((await offered(advanced)).length - 1)
})

test('expense claims, which Xero lets few applications read, are left out where it does not, and that is no failure', async () => {
  const scopes = xeroAuthorising.scopes.filter((scope) => !scope.includes('classicexpenses'))
  await using there = await simulated({ size: tinySize, scopes })
  await using source = await there.open()
  const offered = (await source.streams()).map(({ name }) => name)
  expect(offered).toContain('Invoices')
  expect(offered.filter((name) => name === 'ExpenseClaims' || name === 'Receipts')).toEqual([])
})

test('a company that was disconnected in Xero asks for a person, before and in the midst of a run', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  there.sim.disconnect(there.tenantId)
  const disconnected = {
    kind: 'signIn',
    code: 'xero.disconnected',
    notice: expect.stringContaining('may have been disconnected'),
  }
  await expect(readAll(source, accounts, null)).rejects.toMatchObject(disconnected)
  await expect(source.streams()).rejects.toMatchObject(disconnected)
  expect((await source.check()).map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'skipped'])
})

test('a company that is connected but may not be read is told apart from one that is not', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  there.sim.mishaps.order({
    kind: 'reply',
    path: 'accounts',
    reply: { status: 403, body: '{"Title":"Forbidden","Status":403}' },
  })
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'settings', code: 'xero.forbidden' })
})

test('a budget that goes between the list and its lines is left out', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const budgets = await streamOf(source, 'Budgets')
  const [first] = there.sim.tell(there.tenantId, 'Budgets') as readonly { BudgetID: string }[]
  there.sim.mishaps.order({
    kind: 'reply',
    path: `budgets/${first?.BudgetID}`,
    reply: { status: 404, body: 'The resource cannot be found' },
  })
  const { rows } = await readAll(source, budgets, null)
  expect(rows.get('budget')).toHaveLength(there.sim.tell(there.tenantId, 'Budgets').length - 1)
})

test('no fault holds a token, even where Xero sends it back', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  const token = await there.authorisation.token()
  for (const status of [400, 403, 404, 500]) {
    there.sim.mishaps.order({
      kind: 'reply',
      path: 'accounts',
      times: status === 500 ? 3 : 1,
      reply: { status, body: `The token ${token} is not right` },
    })
    const thrown = (await readAll(source, accounts, null).catch((error: unknown) => error)) as Fault
    const told = [thrown.notice, thrown.stack, String(thrown.cause), (thrown.cause as Error).stack].join('\n')
    expect(told).toContain(String(status))
    expect(told).not.toContain(token)
  }
})

test('without a company nothing is opened, and the sentence says what to do', () => {
  expect(() => xeroSource.parse({})).toThrow(
    expect.objectContaining({ kind: 'settings', notice: expect.stringContaining('Connect it') }),
  )
  expect(() =>
    xeroSource.parse({
      'xero.tenantId': '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
      'xero.address': 'http://xero.example/',
    }),
  ).toThrow(expect.objectContaining({ kind: 'settings', field: 'xero.address' }))
  expect(xeroSource.sections.flatMap(({ fields }) => fields.filter(({ hidden }) => hidden !== true))).toEqual([])
})
