/** Business Central: rows, changes, deletions, interruptions, several companies, and its trial balance. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testDescribedTables } from '@tributary/testing/conformance/source/dictionary-suite.ts'
import { testSource } from '@tributary/testing/conformance/source/source-suite.ts'
import {
  connectBusinessCentral,
  simulateBusinessCentral,
} from '@tributary/testing/engine/described/business-central.ts'
import { postSale } from '@tributary/sims/business-central/activity'
import type { Company } from '@tributary/sims/business-central/company'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const completed = { status: 'completed', fault: null }

type Connector = Awaited<ReturnType<typeof connectBusinessCentral>>

function companyOf({ sim }: Pick<Connector, 'sim'>, at = 0): Company {
  const company = sim.companies[at]
  if (company === undefined) throw new Error('There is no such company.')
  return company
}

/** Postings, changes and deletions in the first company. */
function trade(there: Pick<Connector, 'sim' | 'clock'>): void {
  const company = companyOf(there)
  const { random } = there.sim
  there.clock.advance(20 * minuteMs)
  postSale(company, random, '2026-03-01')
  const [customer] = company.rows('customers')
  if (customer !== undefined)
    company.put('customers', { ...customer, displayName: `Renamed ${random.between(1, 999)}` })
  const draft = company.rows('salesInvoices')[2]
  if (draft !== undefined) company.remove('salesInvoices', String(draft['id']))
  const changed = company.rows('salesInvoices')[0]
  if (changed !== undefined) company.put('salesInvoices', { ...changed, salesperson: 'LM', salesInvoiceLines: [] })
}

testSource('Business Central, simulated', async () => {
  const simulation = await simulateBusinessCentral()
  const { sim } = simulation
  const refused = 'bc8Q~NotTheSecretOfTheApp'
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () => simulation.open(undefined, { 'business-central.secret': refused }),
    async change() {
      trade(simulation)
      return ['salesInvoices', 'generalLedgerEntries']
    },
    rows: { accounts: 10, salesInvoices: companyOf({ sim }).rows('salesInvoices').length },
    secrets: [sim.secret, refused],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})

testDescribedTables('Business Central', async () => {
  await using simulation = await simulateBusinessCentral()
  await using source = await simulation.open()
  return (await source.streams()).flatMap(({ table, children }) => [table, ...children])
})

test('[SEE-6] Business Central: every column has a text that was written for it', async () => {
  await using simulation = await simulateBusinessCentral()
  await using source = await simulation.open()
  const tables = (await source.streams()).flatMap(({ table, children }) => [table, ...children])
  const general = tables.flatMap(({ name, columns }) =>
    columns
      .filter(({ description }) => description?.includes('in its metadata') !== false)
      .map((column) => `${name}.${column.name}`),
  )
  expect(general).toEqual([])
})

describe('[SRC-8] Business Central', () => {
  test.each(['postgres', 'mysql'] as const)(
    '[SRC-5] [SRC-12] all companies arrive row for row in %s, with changes and deletions, and tie out to 0.00',
    async (to) => {
      await using there = await connectBusinessCentral({ companies: ['CRONUS DK', 'CRONUS DE'], pageSize: 7 }, to)
      expect(await there.run()).toMatchObject({ ...completed, tieOut: { state: 'green', company: '2 companies' } })
      expect(await there.differences()).toEqual([])
      for (let round = 0; round < 3; round += 1) {
        trade(there)
        there.clock.advance(dayMs)
        const { tieOut, ...outcome } = await there.run()
        expect(outcome).toMatchObject(completed)
        expect(tieOut).toMatchObject({ state: 'green', fault: null, mended: [] })
        expect(await there.differences()).toEqual([])
      }
      expect(there.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
    },
  )

  test('one company can be chosen by its name, and its name and currency are those of the tie-out', async () => {
    await using there = await connectBusinessCentral({ companies: ['CRONUS DK', 'CRONUS DE'] })
    const { tieOut } = await there.run({ more: { 'business-central.companies': 'CRONUS DE' } })
    expect(tieOut).toMatchObject({ state: 'green', company: 'CRONUS DE', currency: 'EUR' })
    expect(await there.query('select distinct company_id::text as id from account')).toEqual([
      { id: companyOf(there, 1).id },
    ])
  })

  test('an incremental run reads only what was changed, and links never lead to another host', async () => {
    await using there = await connectBusinessCentral({ pageSize: 5 })
    await there.run()
    const before = there.sim.requests.length
    trade(there)
    await there.run({ streams: ['generalLedgerEntries', 'salesInvoices'] })
    const asked = there.sim.requests.slice(before).map(({ target }) => decodeURIComponent(target))
    const entries = asked.filter((target) => /generalLedgerEntries\?.*lastModifiedDateTime/u.test(target))
    expect(entries[0]).toContain('lastModifiedDateTime ge 2026-03-02T08:')
    expect(asked.some((target) => target.includes('$skiptoken'))).toBe(true)
    expect(asked.filter((target) => target.includes('$skiptoken') && target.includes('$orderby'))).toEqual([])
  })

  test('[SRC-5] entries with one stamp over the edge of a page, and postings that commit late, are not lost', async () => {
    await using there = await connectBusinessCentral({ pageSize: 3 })
    const company = companyOf(there)
    const entries = [
      { account: '1100', amount: 5_000n },
      { account: '6100', amount: -4_000n, isCorrection: true },
      { account: '4100', amount: -1_000n },
    ]
    await there.run()
    there.clock.advance(minuteMs)
    for (let at = 0; at < 5; at += 1) company.post('2026-03-02', entries)
    company.post('2026-02-27', entries, { commitsAt: there.clock.now() + 30 * minuteMs })
    expect(await there.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
    expect(await there.differences()).toEqual([])
    there.clock.advance(40 * minuteMs)
    expect(await there.run()).toMatchObject({ ...completed, tieOut: { state: 'green', mended: [] } })
    expect(await there.differences()).toEqual([])
  })

  test('a posting that commits after hours is found by the trial balance, because its month is read again', async () => {
    await using there = await connectBusinessCentral()
    const company = companyOf(there)
    await there.run()
    there.clock.advance(minuteMs)
    const entries = [
      { account: '1100', amount: 123n },
      { account: '4100', amount: -123n },
    ]
    company.post('2026-02-10', entries, { commitsAt: there.clock.now() + 5 * hourMs })
    there.clock.advance(2 * hourMs)
    await there.run({ streams: ['generalLedgerEntries'] })
    there.clock.advance(4 * hourMs)
    const { tieOut } = await there.run()
    expect(tieOut).toMatchObject({ state: 'green', mended: ['2026-02-01'] })
    expect(tieOut?.lines.flatMap(({ documents }) => documents).map(({ amount, kind }) => [kind, amount])).toEqual([
      ['Entry', '1.23'],
      ['Entry', '-1.23'],
    ])
    expect(await there.differences()).toEqual([])
  })

  test('an entry that is missing at the API makes its accounts red, with the company and the documents', async () => {
    await using there = await connectBusinessCentral({ companies: ['CRONUS DK', 'CRONUS DE'] })
    const company = companyOf(there, 1)
    const original = company.trialBalance.bind(company)
    company.trialBalance = (from, to) =>
      original(from, to).map((row) =>
        row['number'] === '4100' && to >= '2026-02-28'
          ? { ...row, balanceAtDateCredit: '9,999,999.99', balanceAtDateDebit: '0.00' }
          : row,
      )
    const { tieOut } = await there.run()
    expect(tieOut?.state).toBe('red')
    const red = tieOut?.lines.filter(({ state }) => state === 'red') ?? []
    expect(red.map(({ period, code, name }) => [period, code, name])).toEqual([
      ['2026-02-01', '4100', 'Sales of goods (CRONUS DE)'],
    ])
    expect(red[0]?.documents.length).toBeGreaterThan(0)
    expect(red[0]?.documents.every(({ kind, number }) => kind === 'Invoice' && number?.startsWith('G1'))).toBe(true)
  })

  test.each([3, 11, 29])(
    '[SRC-13] a run killed at call %i, again and again, loses and doubles no row',
    async (killAt) => {
      await using there = await connectBusinessCentral({ companies: ['CRONUS DK', 'CRONUS DE'], pageSize: 9 })
      const runId = randomUUID()
      for (let kill = 1; kill <= 3; kill += 1) {
        const stop = new AbortController()
        const end = there.sim.requests.length + killAt * kill
        const run = there.run({ signal: stop.signal, runId })
        while (there.sim.requests.length < end && !(await isSettled(run))) await new Promise(setImmediate)
        stop.abort(new Error('killed'))
        await run
        trade(there)
      }
      there.clock.advance(dayMs)
      expect(await there.run({ runId })).toMatchObject({ ...completed, tieOut: { state: 'green' } })
      there.clock.advance(dayMs)
      expect(await there.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
      expect(await there.differences()).toEqual([])
    },
  )

  test('[SRC-13] refusals, cuts, expired tokens and rows that are posted while pages are read change nothing in the end', async () => {
    let isMoving = false
    await using there = await connectBusinessCentral({
      pageSize: 6,
      beforeReply(companies, path) {
        const [company] = companies
        if (!isMoving || company === undefined || there.sim.requests.length % 5 !== 0) return
        if (path.endsWith('generalLedgerEntries')) postSale(company, there.sim.random, '2026-02-20')
      },
    })
    isMoving = true
    there.sim.faults.inject(
      { kind: 'status', status: 429, retryAfterSeconds: 7, path: 'customers' },
      { kind: 'status', status: 429, path: 'generalLedgerEntries', after: 2 },
      { kind: 'status', status: 503, path: 'items' },
      { kind: 'status', status: 504, path: 'salesInvoices', after: 1 },
      { kind: 'cut', path: 'vendors' },
      { kind: 'drop', path: 'purchaseInvoices' },
      { kind: 'status', status: 401, path: 'accounts' },
    )
    expect(await there.run()).toMatchObject(completed)
    expect(there.clock.sleeps).toContain(7_000)
    isMoving = false
    there.sim.expireTokens()
    there.clock.advance(dayMs)
    expect(await there.run()).toMatchObject({ ...completed, tieOut: { state: 'green' } })
    expect(await there.differences()).toEqual([])
    const tokens = there.sim.requests.filter(({ target }) => target.endsWith('/oauth2/v2.0/token'))
    expect(tokens.length).toBeGreaterThan(1)
  })

  test('a table that the app may not read is left out and named, and no tie-out is claimed without it', async () => {
    await using there = await connectBusinessCentral()
    there.sim.forbidden.add('generalLedgerEntries')
    expect(await there.run()).toMatchObject({ ...completed, tieOut: null })
    expect(there.logLines.join('\n')).toMatch(/may not read generalLedgerEntries in company/u)
  })

  test('other tables can be chosen by name, those of lines alone cannot', async () => {
    await using there = await simulateBusinessCentral()
    const namesWith = async (tables: string): Promise<readonly string[]> => {
      await using source = await there.open(undefined, { 'business-central.tables': tables })
      return (await source.streams()).map(({ name }) => name)
    }
    expect(await namesWith('customers\nsalesInvoices')).toEqual(['customers', 'salesInvoices'])
    await expect(namesWith('salesInvoiceLines')).rejects.toThrow(/offers no table ‘salesInvoiceLines’/u)
  })

  test('[SRC-2] wrong settings are refused with what to enter, before anything is sent', async () => {
    await using there = await simulateBusinessCentral()
    const open = (setting: string, value: string) => there.open(undefined, { [`business-central.${setting}`]: value })
    await expect(open('tenant', 'my tenant')).rejects.toThrow(/The tenant is an ID such as/u)
    await expect(open('environment', 'Prod/api')).rejects.toThrow(/only letters, digits/u)
    await expect(open('address', 'https://evil.example/v2.0/')).rejects.toThrow(/not a host of Business Central/u)
    expect(there.sim.requests).toEqual([])
  })

  test('[TRUST-5] verification compares documents and entries, and finds a changed row', async () => {
    await using there = await connectBusinessCentral()
    await there.run()
    there.clock.advance(2 * hourMs)
    const before = await there.verify()
    expect(before.filter(({ outcome }) => outcome === 'different')).toEqual([])
    expect(before.find(({ stream }) => stream === 'generalLedgerEntries')).toMatchObject({ outcome: 'identical' })
    await there.query(`update general_ledger_entry set debit_amount = debit_amount + 0.01 where entry_number = 3`)
    const after = await there.verify({ streams: ['generalLedgerEntries'] })
    expect(after).toMatchObject([{ outcome: 'different' }])
  })
})

async function isSettled(run: Promise<unknown>): Promise<boolean> {
  return await Promise.race([run.then(() => true), Promise.resolve(false)])
}
