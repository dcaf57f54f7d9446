import { expect, test } from 'vitest'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { simulateXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import type { SimulatedXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import type { RowFields } from '@tributary/testing/engine/sync/fixtures.ts'

const size = {
  months: 24,
  contacts: 20,
  items: 8,
  invoices: 2_300,
  invoicesMax: 2_400,
  linesPerInvoice: 1,
  paymentsPerInvoice: 1,
}

test('a list of several pages is read whole, each page once', async () => {
  await using simulation = await simulateXero({ size })
  await using source = await simulation.open()
  const { rows } = await readAll(source, await streamOf(source, 'Invoices'), null)
  expect(idsOf(rows.get('invoice'))).toEqual(expectedValues(simulation, 'Invoices', 'InvoiceID'))
  const pages = simulation.sim.requests.filter(({ path }) => path === 'invoices')
  expect(pages).toHaveLength(3)
  expect(new Set(pages.map(({ since, query }) => `${since} ${query['page']}`)).size).toBe(3)
  expect(pages.every(({ query }) => query['pagesize'] === '1000' && query['order'] === 'UpdatedDateUTC ASC')).toBe(true)
})

test('documents that changed within the same second are read page by page', async () => {
  await using simulation = await simulateXero({ size })
  const company = companyOf(simulation)
  for (const invoice of company.invoices) invoice.updatedAt = company.foundedAt
  await using source = await simulation.open()
  const { rows } = await readAll(source, await streamOf(source, 'Invoices'), null)
  expect(new Set(idsOf(rows.get('invoice')))).toEqual(new Set(expectedValues(simulation, 'Invoices', 'InvoiceID')))
  expect(simulation.sim.requests.filter(({ path }) => path === 'invoices').map(({ query }) => query['page'])).toContain(
    '3',
  )
})

test('documents that change during the read move no other document across a page border', async () => {
  await using simulation = await simulateXero({ size })
  await using source = await simulation.open()
  const stream = await streamOf(source, 'Invoices')
  const all = expectedValues(simulation, 'Invoices', 'InvoiceID')
  const seen = new Set<string>()
  const { invoices } = companyOf(simulation)
  for await (const batch of source.read(stream, { since: null, encoding: 'text', log: () => {} })) {
    if (batch.table !== 'invoice') continue
    for (const line of Buffer.from(batch.bytes).toString().trimEnd().split('\n')) seen.add(line.split('\t')[0] ?? '')
    // The first documents move to the end, and the following ones move up.
    simulation.clock.advance(10_000)
    for (const invoice of invoices.slice(0, 30)) invoice.updatedAt = simulation.clock.now()
  }
  expect(all.filter((id) => !seen.has(id))).toEqual([])
})

test('if Xero refuses to search so many documents, they are read by date, and an interrupted read resumes there', async () => {
  await using simulation = await simulateXero({ size, documentsMax: 500 })
  await using source = await simulation.open()
  const stream = await streamOf(source, 'Invoices')
  const { rows, checkpoint } = await readAll(source, stream, null)
  expect(idsOf(rows.get('invoice'))).toEqual(expectedValues(simulation, 'Invoices', 'InvoiceID'))
  expect(checkpoint).not.toHaveProperty('walk')

  simulation.sim.faults.inject({
    kind: 'reply',
    path: 'invoices',
    after: 6,
    times: 3,
    reply: { status: 500, body: 'oops' },
  })
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
  simulation.sim.faults.clear()
  const rest = await readAll(source, stream, cut)
  const after = idsOf(rest.rows.get('invoice'))
  expect(before.size).toBeGreaterThan(0)
  expect(after.length).toBeLessThan(expectedValues(simulation, 'Invoices', 'InvoiceID').length)
  expect([...new Set([...before, ...after])].toSorted()).toEqual(expectedValues(simulation, 'Invoices', 'InvoiceID'))
})

test('the trial balance begins with the month of the oldest document, even if Xero refuses to search them all', async () => {
  for (const documentsMax of [100_000, 300]) {
    await using simulation = await simulateXero({ size, documentsMax })
    await using source = await simulation.open()
    await readAll(source, await streamOf(source, 'Reports/TrialBalance'), null)
    const months = simulation.sim.requests.flatMap(({ path, query }) =>
      path === 'reports/trialbalance' ? [query['date'] ?? ''] : [],
    )
    expect([months[0], months.at(-1), months.length]).toEqual(['2024-04-30', '2026-03-31', 24])
  }
})

test('a single day with too many documents is a fault, not an endless search', async () => {
  await using simulation = await simulateXero({ size, documentsMax: 500 })
  const { invoices, foundedAt } = companyOf(simulation)
  for (const invoice of invoices) Object.assign(invoice, { date: foundedAt })
  await using source = await simulation.open()
  await expect(readAll(source, await streamOf(source, 'Invoices'), null)).rejects.toMatchObject({
    kind: 'data',
    code: 'xero.too_much',
  })
  expect(simulation.sim.requests.length).toBeLessThan(60)
})

test('manual journals are never sorted, because Xero would ignore paging', async () => {
  await using simulation = await simulateXero()
  await using source = await simulation.open()
  for (const name of ['ManualJournals', 'Reports/TrialBalance'])
    await readAll(source, await streamOf(source, name), null)
  const asked = simulation.sim.requests.filter(({ path }) => path === 'manualjournals')
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.filter(({ query }) => 'order' in query)).toEqual([])
})

test('single months are read again regardless of changes, and no checkpoint moves', async () => {
  await using simulation = await simulateXero()
  await using source = await simulation.open()
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

function companyOf({ sim, tenantId }: SimulatedXero) {
  const found = sim.companies.find((company) => company.tenantId === tenantId)
  if (found === undefined) throw new Error('There is a company.')
  return found
}

function expectedValues({ sim, tenantId }: SimulatedXero, endpoint: string, key: string): string[] {
  return sim
    .readRows(tenantId, endpoint)
    .map((row) => String(row[key]))
    .toSorted()
}

function idsOf(rows: readonly RowFields[] = []): string[] {
  return rows.map(([id]) => id ?? '').toSorted()
}
