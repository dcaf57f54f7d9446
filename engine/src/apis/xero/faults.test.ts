import { expect, test } from 'vitest'
import type { XeroInjectedFault } from '@tributary/sims/xero/api/injected-faults'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import { streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { simulateXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import { xeroAuthorising } from './oauth.ts'
import { xeroSource } from './source.ts'

const page = '<!DOCTYPE html>\n<html><body>Down for maintenance</body></html>'
const xml = '<Response xmlns="http://www.w3.org/2001/XMLSchema"><Status>OK</Status></Response>'

interface XeroReplyCase {
  readonly what: string
  readonly reply: NonNullable<XeroInjectedFault['reply']>
  readonly times?: number
  readonly fault: { kind: string; code: string }
}

const cases: readonly XeroReplyCase[] = [
  {
    what: 'a web page that persists',
    reply: { status: 200, body: page },
    times: 3,
    fault: { kind: 'passing', code: 'xero.failing' },
  },
  {
    what: 'XML that persists',
    reply: { status: 200, body: xml },
    times: 3,
    fault: { kind: 'passing', code: 'xero.failing' },
  },
  {
    what: 'a rejected filter',
    reply: { status: 400, body: '{"ErrorNumber":16,"Type":"QueryParseException","Message":"No property"}' },
    fault: { kind: 'data', code: 'xero.bad_request' },
  },
  {
    what: 'a redirect',
    reply: { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/stolen' } },
    fault: { kind: 'settings', code: 'xero.redirected' },
  },
  {
    what: 'a server error that persists',
    reply: { status: 500, body: 'oops' },
    times: 3,
    fault: { kind: 'passing', code: 'xero.failing' },
  },
  {
    what: 'an outage that persists',
    reply: { status: 503, body: 'The Organisation is not available' },
    times: 6,
    fault: { kind: 'busy', code: 'xero.limit_reached' },
  },
  {
    what: 'truncated JSON',
    reply: { status: 200, body: '{"Accounts":[{' },
    fault: { kind: 'passing', code: 'xero.unreadable_reply' },
  },
  {
    what: 'a response without its list',
    reply: { status: 200, body: '{"Status":"OK"}' },
    fault: { kind: 'data', code: 'xero.unknown_shape' },
  },
  {
    what: 'rows without their id',
    reply: { status: 200, body: '{"Accounts":[{"Code":"200"}]}' },
    fault: { kind: 'data', code: 'xero.unknown_shape' },
  },
]

test.each(cases)('$what becomes a fault of the right kind', async ({ reply, times = 1, fault }) => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  simulation.sim.faults.inject({ kind: 'reply', path: 'accounts', reply, times })
  const thrown = asFault(await readAll(source, accounts, null).catch((error: unknown) => error))
  expect({ kind: thrown.kind, code: thrown.code }).toEqual(fault)
  expect(simulation.sim.requests.filter(({ path }) => path === 'accounts')).toHaveLength(times)
})

const passing: readonly {
  readonly what: string
  readonly spoil: XeroInjectedFault
  readonly waits: readonly number[]
}[] = [
  {
    what: 'a connection that breaks twice',
    spoil: { kind: 'drop', path: 'accounts', times: 2 },
    waits: [1_000, 2_000],
  },
  { what: 'a truncated response', spoil: { kind: 'cut', path: 'accounts' }, waits: [1_000] },
  {
    what: 'two server errors',
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

test.each(passing)('$what: the call is retried, and no row is missing', async ({ spoil, waits }) => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  simulation.sim.faults.inject(spoil)
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toHaveLength(simulation.sim.readRows(simulation.tenantId, 'Accounts').length)
  expect(simulation.clock.sleeps).toEqual(waits)
})

test('an expired token is renewed once in the middle of a read, and no row is missing', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  simulation.clock.advance(31 * 60_000)
  const { rows } = await readAll(source, accounts, null)
  expect(rows.get('account')).toHaveLength(simulation.sim.readRows(simulation.tenantId, 'Accounts').length)
  expect(simulation.authorisation.renewals).toHaveLength(1)
  expect(simulation.clock.sleeps).toEqual([])
})

test('a renewed token that is refused as well requires a new sign-in, after one renewal', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  const body = '{"Type":null,"Title":"Unauthorized","Status":401,"Detail":"TokenInvalidSignature"}'
  simulation.sim.faults.inject({ kind: 'reply', path: 'accounts', reply: { status: 401, body }, times: 9 })
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'signIn', code: 'xero.refused' })
  expect(simulation.authorisation.renewals).toHaveLength(1)
})

test('a missing scope fails only its own tables and is named; the others are moved', async () => {
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

test('journals are offered only if the application may read them, without a fault otherwise', async () => {
  await using plain = await simulateXero({ size: tinySize, tier: 'core' })
  await using advanced = await simulateXero({ size: tinySize, tier: 'advanced' })
  const offered = async ({ open }: typeof plain): Promise<readonly string[]> => {
    await using source = await open()
    return (await source.streams()).map(({ name }) => name)
  }
  expect(await offered(plain)).not.toContain('Journals')
  expect(await offered(advanced)).toContain('Journals')
  expect((await offered(plain)).length).toBe((await offered(advanced)).length - 1)
})

test('expense claims are left out without a fault if the application may not read them', async () => {
  const scopes = xeroAuthorising.scopes.filter((scope) => !scope.includes('classicexpenses'))
  await using simulation = await simulateXero({ size: tinySize, scopes })
  await using source = await simulation.open()
  const offered = (await source.streams()).map(({ name }) => name)
  expect(offered).toContain('Invoices')
  expect(offered.filter((name) => name === 'ExpenseClaims' || name === 'Receipts')).toEqual([])
})

test('a company that was disconnected in Xero requires a new sign-in, before and during a run', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  simulation.sim.disconnect(simulation.tenantId)
  const disconnected = {
    kind: 'signIn',
    code: 'xero.disconnected',
    notice: expect.stringContaining('may have been disconnected'),
  }
  await expect(readAll(source, accounts, null)).rejects.toMatchObject(disconnected)
  await expect(source.streams()).rejects.toMatchObject(disconnected)
  expect((await source.check()).map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'skipped'])
})

test('a connected company without read access is distinguished from a disconnected one', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  simulation.sim.faults.inject({
    kind: 'reply',
    path: 'accounts',
    reply: { status: 403, body: '{"Title":"Forbidden","Status":403}' },
  })
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'settings', code: 'xero.forbidden' })
})

test('a budget that is deleted between the list and its lines is left out', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const budgets = await streamOf(source, 'Budgets')
  const [first] = simulation.sim.readRows(simulation.tenantId, 'Budgets') as readonly { BudgetID: string }[]
  simulation.sim.faults.inject({
    kind: 'reply',
    path: `budgets/${first?.BudgetID}`,
    reply: { status: 404, body: 'The resource cannot be found' },
  })
  const { rows } = await readAll(source, budgets, null)
  expect(rows.get('budget')).toHaveLength(simulation.sim.readRows(simulation.tenantId, 'Budgets').length - 1)
})

test('no fault contains a token, even if Xero echoes it', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  const token = await simulation.authorisation.token()
  for (const status of [400, 403, 404, 500]) {
    simulation.sim.faults.inject({
      kind: 'reply',
      path: 'accounts',
      times: status === 500 ? 3 : 1,
      reply: { status, body: `The token ${token} is not right` },
    })
    const thrown = (await readAll(source, accounts, null).catch((error: unknown) => error)) as Fault
    const output = [thrown.notice, thrown.stack, String(thrown.cause), (thrown.cause as Error).stack].join('\n')
    expect(output).toContain(String(status))
    expect(output).not.toContain(token)
  }
})

test('without a company nothing is opened, and the notice says what to do', () => {
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
