import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startXero } from '../server.ts'
import type { XeroSimulatorOptions, XeroSimulator } from '../server.ts'
import { movableClock, reader, start } from '@tributary/testing/sims/xero/api-caller.ts'
import type { ApiReply } from '@tributary/testing/sims/xero/api-caller.ts'
import type { XeroRow } from './value-format.ts'

const clock = movableClock()
let sim: XeroSimulator
let get: ReturnType<typeof reader>

beforeAll(async () => {
  sim = await startXero({ clock, seed: 9, size: 'trial', tier: 'advanced' })
  for (let step = 0; step < 40; step += 1) {
    clock.advance(3_600_000)
    sim.tick()
  }
})
beforeEach(() => {
  clock.advance(60_000)
  get = reader(sim)
})
afterAll(() => sim.close())

async function another(options: Partial<XeroSimulatorOptions>) {
  const own = movableClock()
  const size = { months: 2, contacts: 6, items: 4, invoices: 30, invoicesMax: 40 }
  const started = await startXero({ clock: own, seed: 4, size, ...options })
  onTestFinished(() => started.close())
  return { sim: started, clock: own, get: reader(started) }
}

const rowsOf = ({ body }: ApiReply, key: string): readonly XeroRow[] => body[key] as readonly XeroRow[]
const tenant = (): string => sim.companies[0]?.tenantId ?? ''
const at = (stamp: unknown): number => Number(/-?\d+/.exec(String(stamp))?.[0])

test.each([
  'Invoices',
  'Contacts',
  'CreditNotes',
  'Payments',
  'BankTransactions',
  'ManualJournals',
  'Overpayments',
  'Prepayments',
  'PurchaseOrders',
])('pages of %s return each record once and report the total', async (endpoint) => {
  const all = rowsOf(await get(`${endpoint}?page=1&pageSize=1000`), endpoint)
  const first = await get(`${endpoint}?page=1&pageSize=7`)
  expect(first.body['pagination']).toEqual({
    page: 1,
    pageSize: 7,
    pageCount: Math.ceil(all.length / 7),
    itemCount: all.length,
  })
  const second = rowsOf(await get(`${endpoint}?page=2&pageSize=7`), endpoint)
  expect([...rowsOf(first, endpoint), ...second]).toEqual(all.slice(0, 14))
  expect(all.length).toBeGreaterThan(3)
})

test('a list without a page has no lines and no pagination; pages hold 100 records by default, 1,000 at most', async () => {
  const { body } = await get('Invoices')
  expect(body['pagination']).toBeUndefined()
  expect((body['Invoices'] as XeroRow[]).every(({ LineItems }) => (LineItems as XeroRow[]).length === 0)).toBe(true)
  expect(rowsOf(await get('Invoices?page=1'), 'Invoices')).toHaveLength(100)
  expect(await get('Invoices?page=1&pageSize=1001')).toMatchObject({
    status: 400,
    body: { ErrorNumber: 10, Type: 'ValidationException' },
  })
})

test('quotes and linked transactions come in pages of 100, without pagination details', async () => {
  const { body } = await get('Quotes?page=1&pageSize=3')
  expect(body['pagination']).toBeUndefined()
  for (const endpoint of ['Quotes', 'LinkedTransactions']) {
    const first = rowsOf(await get(`${endpoint}?page=1&pageSize=3`), endpoint)
    const second = rowsOf(await get(`${endpoint}?page=2`), endpoint)
    expect(first).toHaveLength(100)
    expect(new Set([...first, ...second].map((row) => Object.values(row)[0])).size).toBe(
      sim.readRows(tenant(), endpoint).length,
    )
  }
})

test('If-Modified-Since filters by the second; other time formats are rejected', async () => {
  const since = new Date(start + 20 * 3_600_000).toISOString().slice(0, 19)
  const changed = rowsOf(await get('Invoices?page=1&pageSize=1000', { 'if-modified-since': since }), 'Invoices')
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.every(({ UpdatedDateUTC }) => at(UpdatedDateUTC) > Date.parse(`${since}Z`))).toBe(true)
  for (const form of [`${since}Z`, `${since}.000`, 'yesterday'])
    expect((await get('Invoices', { 'if-modified-since': form })).status).toBe(400)
})

test('ordering by last change is consistent over pages; ordered manual journals ignore paging', async () => {
  const times = rowsOf(await get('Invoices?page=1&pageSize=200&order=UpdatedDateUTC%20ASC'), 'Invoices').map(
    ({ UpdatedDateUTC }) => at(UpdatedDateUTC),
  )
  expect(times).toEqual(times.toSorted((left, right) => left - right))
  const all = sim.readRows(tenant(), 'ManualJournals').length
  const since = { 'if-modified-since': '2027-01-01T00:00:00' }
  expect(
    rowsOf(await get('ManualJournals?page=1&pageSize=2&order=UpdatedDateUTC', since), 'ManualJournals'),
  ).toHaveLength(all)
  expect(rowsOf(await get('ManualJournals?page=1&pageSize=2'), 'ManualJournals')).toHaveLength(2)
})

test('deleted invoices require their status by name; archived contacts and deleted transfers require a parameter', async () => {
  const statuses = async (query: string) =>
    new Set(rowsOf(await get(`Invoices?page=1&pageSize=1000${query}`), 'Invoices').map(({ Status }) => Status))
  expect(await statuses('')).not.toContain('DELETED')
  expect(await statuses('')).toContain('VOIDED')
  expect(await statuses('&Statuses=DELETED,VOIDED')).toEqual(new Set(['DELETED', 'VOIDED']))
  const count = async (path: string, key: string) => rowsOf(await get(path), key).length
  expect(await count('BankTransfers?includeDeleted=true', 'BankTransfers')).toBeGreaterThan(
    await count('BankTransfers', 'BankTransfers'),
  )
})

test('filters support days, statuses and combinations', async () => {
  const where = 'Date >= DateTime(2026, 03, 01) AND Date < DateTime(2026, 04, 01) && Status=="PAID"'
  const rows = rowsOf(await get(`Invoices?page=1&pageSize=1000&where=${encodeURIComponent(where)}`), 'Invoices')
  const expected = sim
    .readRows(tenant(), 'Invoices')
    .filter(({ DateString, Status }) => String(DateString).startsWith('2026-03') && Status === 'PAID')
  expect(rows.map(({ InvoiceID }) => InvoiceID)).toEqual(expected.map(({ InvoiceID }) => InvoiceID))
  expect(rows.length).toBeGreaterThan(3)
  expect(await get('Invoices?where=Colour%3D%3D%22red%22')).toMatchObject({
    status: 400,
    body: { Type: 'QueryParseException' },
  })
  expect((await get('Invoices?where=Date%20%3E%3E%205')).status).toBe(400)
})

test('purchase orders filter by their own date parameters', async () => {
  const rows = rowsOf(await get('PurchaseOrders?page=1&DateFrom=2026-05-01&DateTo=2026-05-31'), 'PurchaseOrders')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.every(({ DateString }) => String(DateString).startsWith('2026-05'))).toBe(true)
})

test('prices have two decimals, or four on request', async () => {
  const decimals = async (query: string): Promise<number[]> =>
    [...(await get(`Items${query}`)).text.matchAll(/"UnitPrice":\d+\.(\d+)/g)].map(([, digits = '']) => digits.length)
  expect(new Set(await decimals(''))).toEqual(new Set([2]))
  expect(new Set(await decimals('?unitdp=4'))).toEqual(new Set([4]))
})

test('journals come in pages of 100 after a number, and only for apps of the advanced tier', async () => {
  const first = rowsOf(await get('Journals'), 'Journals')
  expect(first.map(({ JournalNumber }) => JournalNumber)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(rowsOf(await get('Journals?offset=100'), 'Journals')[0]).toMatchObject({ JournalNumber: 101 })
  const core = await another({})
  expect(await core.get('Journals')).toMatchObject({ status: 401, body: { Detail: 'AuthorizationUnsuccessful' } })
})

test('lines of a budget and members of a contact group are returned only by id', async () => {
  const [budget] = rowsOf(await get('Budgets'), 'Budgets')
  expect(budget?.['BudgetLines']).toEqual([])
  const [whole] = rowsOf(await get(`Budgets/${String(budget?.['BudgetID'])}`), 'Budgets')
  expect(whole?.['BudgetLines']).not.toEqual([])
  expect((await get('Invoices/11111111-1111-4111-a111-111111111111')).status).toBe(404)
  expect((await get('Dreams')).status).toBe(404)
})

test('a query over too many documents is refused with error 51, until it is narrowed', async () => {
  const { get } = await another({ documentsMax: 20 })
  expect(await get('Invoices?page=1')).toMatchObject({
    status: 400,
    body: { ErrorNumber: 51, Type: 'HighVolumeException' },
  })
  const where = encodeURIComponent('Date >= DateTime(2026, 11, 01)')
  expect((await get(`Invoices?page=1&where=${where}`)).status).toBe(200)
})

test('without an Accept header the response is XML; a missing scope is 401, a missing company 403', async () => {
  const xml = await get('Organisation', { accept: '*/*' })
  expect([xml.headers.get('content-type'), xml.text.slice(0, 5)]).toEqual(['text/xml; charset=utf-8', '<?xml'])
  const narrow = reader(sim, sim.issueToken(0, undefined, ['accounting.settings.read']).accessToken)
  expect((await narrow('Accounts')).status).toBe(200)
  expect(await narrow('Contacts')).toMatchObject({ status: 401, body: { Detail: 'AuthorizationUnsuccessful' } })
  expect((await get('Accounts', { 'xero-tenant-id': '' })).status).toBe(403)
  expect((await reader(sim, 'nonsense')('Accounts')).status).toBe(401)
})

test('every response reports the remaining calls; the 61st call of a minute is refused with a Retry-After', async () => {
  const { sim, clock, get } = await another({})
  clock.advance(60_000)
  for (let call = 1; call <= 60; call += 1) {
    const { headers } = await get('Currencies')
    expect(headers.get('x-minlimit-remaining')).toBe(String(60 - call))
  }
  expect(sim.refusedCalls).toBe(0)
  const refused = await get('Currencies')
  expect([refused.status, refused.headers.get('x-rate-limit-problem')]).toEqual([429, 'minute'])
  expect(sim.refusedCalls).toBe(1)
  clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
  expect((await get('Currencies')).status).toBe(200)
})

test('the daily limit and the limit of five concurrent calls hold', async () => {
  const day = await another({ limits: { perDay: 2 } })
  await day.get('Currencies')
  await day.get('Currencies')
  const refused = await day.get('Currencies')
  expect([refused.status, refused.headers.get('x-rate-limit-problem')]).toEqual([429, 'day'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)

  const many = await another({})
  many.sim.faults.inject({ kind: 'slow', waitMs: 200, times: 6 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => many.get('Currencies')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429])
  expect(answers.find(({ status }) => status === 429)?.headers.get('x-rate-limit-problem')).toBe('concurrent')
})

test('each company has its own limit per minute', async () => {
  const { sim } = await another({ limits: { perMinute: 1 } })
  const token = sim.issueToken().accessToken
  const [first = '', second = ''] = sim.companies.map(({ tenantId }) => tenantId)
  expect((await reader(sim, token, first)('Currencies')).status).toBe(200)
  expect((await reader(sim, token, first)('Currencies')).status).toBe(429)
  expect((await reader(sim, token, second)('Currencies')).status).toBe(200)
})

test('injected faults drop, cut, limit, replace and reshape responses', async () => {
  const { sim, get } = await another({})
  sim.faults.inject({ kind: 'drop' }, { kind: 'cut' }, { kind: 'limit', problem: 'day', waitMs: 5_000_000 })
  await expect(get('Accounts')).rejects.toThrow('fetch failed')
  await expect(get('Accounts')).rejects.toThrow('terminated')
  const limited = await get('Accounts')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5000'])
  sim.faults.inject(
    { kind: 'reply', path: 'accounts', reply: { status: 503, body: 'down' } },
    { kind: 'reshape', reshape: () => ({ Odd: true }) },
  )
  expect((await get('Accounts')).text).toBe('down')
  expect((await get('Accounts')).body).toEqual({ Odd: true })
  expect(sim.requests.map(({ status }) => status)).toEqual([0, 200, 429, 503, 200])
})
