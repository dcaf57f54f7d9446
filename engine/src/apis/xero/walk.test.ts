import { expect, test } from 'vitest'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { simulated } from '@tributary/testing/engine/apis/simulated-xero.ts'
import type { Simulated } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import type { Fields } from '@tributary/testing/engine/sync/fixtures.ts'

const size = {
  months: 24,
  contacts: 20,
  items: 8,
  invoices: 2_300,
  invoicesMax: 2_400,
  linesPerInvoice: 1,
  paymentsPerInvoice: 1,
}

test('a list of several pages is read whole, each page once, and every page is another', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const { rows } = await readAll(source, await streamOf(source, 'Invoices'), null)
  expect(idsOf(rows.get('invoice'))).toEqual(told(there, 'Invoices', 'InvoiceID'))
  const pages = there.sim.requests.filter(({ path }) => path === 'invoices')
  expect(pages).toHaveLength(3)
  expect(new Set(pages.map(({ since, query }) => `${since} ${query['page']}`)).size).toBe(3)
  expect(pages.every(({ query }) => query['pagesize'] === '1000' && query['order'] === 'UpdatedDateUTC ASC')).toBe(true)
})

test('documents that all changed in the same second are read page by page', async () => {
  await using there = await simulated({ size })
  const company = companyOf(there)
  for (const invoice of company.invoices) invoice.updatedAt = company.foundedAt
  await using source = await there.open()
  const { rows } = await readAll(source, await streamOf(source, 'Invoices'), null)
  expect(new Set(idsOf(rows.get('invoice')))).toEqual(new Set(told(there, 'Invoices', 'InvoiceID')))
  expect(there.sim.requests.filter(({ path }) => path === 'invoices').map(({ query }) => query['page'])).toContain('3')
})

test('documents that change while they are read pull no other over the border of a page', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const stream = await streamOf(source, 'Invoices')
  const all = told(there, 'Invoices', 'InvoiceID')
  const seen = new Set<string>()
  const { invoices } = companyOf(there)
  for await (const batch of source.read(stream, { since: null, encoding: 'text', log: () => {} })) {
    if (batch.table !== 'invoice') continue
    for (const line of Buffer.from(batch.bytes).toString().trimEnd().split('\n')) seen.add(line.split('\t')[0] ?? '')
    // Those that were first move to the end, and what followed them moves up.
    there.clock.advance(10_000)
    for (const invoice of invoices.slice(0, 30)) invoice.updatedAt = there.clock.now()
  }
  expect(all.filter((id) => !seen.has(id))).toEqual([])
})

test('where Xero refuses to look through so many documents, they are read by their dates, and a reading that was cut goes on there', async () => {
  await using there = await simulated({ size, documentsMax: 500 })
  await using source = await there.open()
  const stream = await streamOf(source, 'Invoices')
  const { rows, checkpoint } = await readAll(source, stream, null)
  expect(idsOf(rows.get('invoice'))).toEqual(told(there, 'Invoices', 'InvoiceID'))
  expect(checkpoint).not.toHaveProperty('walk')

  there.sim.mishaps.order({ kind: 'reply', path: 'invoices', after: 6, times: 3, reply: { status: 500, body: 'oops' } })
  let cut = null
  const before = new Set<string>()
  await (async () => {
    for await (const batch of source.read(stream, { since: null, encoding: 'text', log: () => {} })) {
      cut = batch.checkpoint ?? cut
      if (batch.table === 'invoice' && batch.rows > 0)
        for (const line of Buffer.from(batch.bytes).toString().trimEnd().split('\n'))
          before.add(line.split('\t')[0] ?? '')
    }
  })().catch(() => undefined)
  there.sim.mishaps.clear()
  const rest = await readAll(source, stream, cut)
  const after = idsOf(rest.rows.get('invoice'))
  expect(before.size).toBeGreaterThan(0)
  expect(after.length).toBeLessThan(told(there, 'Invoices', 'InvoiceID').length)
  expect([...new Set([...before, ...after])].toSorted()).toEqual(told(there, 'Invoices', 'InvoiceID'))
})

test('the trial balance begins with the month of the oldest document, whether or not Xero looks through them all', async () => {
  for (const documentsMax of [100_000, 300]) {
    await using there = await simulated({ size, documentsMax })
    await using source = await there.open()
    await readAll(source, await streamOf(source, 'Reports/TrialBalance'), null)
    const months = there.sim.requests.flatMap(({ path, query }) =>
      path === 'reports/trialbalance' ? [query['date'] ?? ''] : [],
    )
    expect([months[0], months.at(-1), months.length]).toEqual(['2024-04-30', '2026-03-31', 24])
  }
})

test('a single day with more documents than Xero looks through is told, and is no endless search', async () => {
  await using there = await simulated({ size, documentsMax: 500 })
  const { invoices, foundedAt } = companyOf(there)
  for (const invoice of invoices) Object.assign(invoice, { date: foundedAt })
  await using source = await there.open()
  await expect(readAll(source, await streamOf(source, 'Invoices'), null)).rejects.toMatchObject({
    kind: 'data',
    code: 'xero.too_much',
  })
  expect(there.sim.requests.length).toBeLessThan(60)
})

test('manual journals are never asked for in an order, for Xero would then forget their pages', async () => {
  await using there = await simulated()
  await using source = await there.open()
  for (const name of ['ManualJournals', 'Reports/TrialBalance'])
    await readAll(source, await streamOf(source, name), null)
  const asked = there.sim.requests.filter(({ path }) => path === 'manualjournals')
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.filter(({ query }) => 'order' in query)).toEqual([])
})

test('single months are read again whatever has changed in them, and no checkpoint moves', async () => {
  await using there = await simulated()
  await using source = await there.open()
  const months = ['2025-06-01', '2025-07-01', '2025-11-01']
  for (const [name, table] of [
    ['Invoices', 'invoice'],
    ['ExpenseClaims', 'expense_claim'],
    ['Reports/TrialBalance', 'report_trial_balance_month'],
  ] as const) {
    const stream = await streamOf(source, name)
    const at = stream.table.columns.findIndex((column) => /^(date|reporting_date|month)$/.test(column.name))
    const found = new Set<string>()
    for await (const batch of source.read(stream, { since: null, encoding: 'text', months, log: () => {} })) {
      expect(batch.checkpoint).toBeUndefined()
      if (batch.table !== table || batch.rows === 0) continue
      for (const line of Buffer.from(batch.bytes).toString().trimEnd().split('\n'))
        found.add(`${(line.split('\t')[at] ?? '').slice(0, 7)}-01`)
    }
    expect([...found].toSorted()).toEqual(months)
  }
})

function companyOf({ sim, tenantId }: Simulated) {
  const found = sim.companies.find((company) => company.tenantId === tenantId)
  if (found === undefined) throw new Error('There is a company.')
  return found
}

function told({ sim, tenantId }: Simulated, endpoint: string, key: string): string[] {
  return sim
    .tell(tenantId, endpoint)
    .map((row) => String(row[key]))
    .toSorted()
}

function idsOf(rows: readonly Fields[] = []): string[] {
  return rows.map(([id]) => id ?? '').toSorted()
}
