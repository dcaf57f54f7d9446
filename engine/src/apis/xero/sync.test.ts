import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import type { XeroConnector } from '@tributary/testing/engine/apis/xero-connector.ts'

const quick = { callsPerMinute: 600, limits: { perMinute: 660 } }
const hourMs = 3_600_000

describe('a company that keeps trading', () => {
  let xero: XeroConnector
  beforeAll(async () => {
    xero = await connectXero({ ...quick, tier: 'advanced' })
  })
  afterAll(() => xero[Symbol.asyncDispose]())

  /** The paths requested during the work. */
  function requestedPaths(work: () => Promise<unknown>): Promise<string[]> {
    const before = xero.sim.requests.length
    return work().then(() => xero.sim.requests.slice(before).map(({ path }) => path))
  }

  async function complete(how: Parameters<XeroConnector['run']>[0] = {}): Promise<number> {
    const outcome = await xero.run(how)
    expect(outcome).toMatchObject({ status: 'completed', fault: null })
    expect(outcome.streams.flatMap(({ rejected }) => rejected)).toEqual([])
    return outcome.streams.reduce((sum, { progress }) => sum + progress.rowsWritten + progress.rowsDeleted, 0)
  }

  test('[ENG-1] every cell of every table matches Xero, and a second run changes nothing', async () => {
    await complete()
    expect(await xero.differences()).toEqual([])
    expect(await complete()).toBe(0)
  })

  test('a run without changes takes one call for each list with a change filter and two for the trial balance; the others are skipped', async () => {
    xero.clock.advance(hourMs)
    const paths = await requestedPaths(() => complete())
    expect(paths.filter((path) => !path.startsWith('connect')).toSorted()).toEqual(
      [
        'accounts',
        'banktransactions',
        'banktransfers',
        'batchpayments',
        'contacts',
        'creditnotes',
        'expenseclaims',
        'invoices',
        'items',
        'journals',
        'manualjournals',
        'overpayments',
        'payments',
        'prepayments',
        'purchaseorders',
        'quotes',
        'receipts',
        'reports/trialbalance',
        'reports/trialbalance',
      ].map((path) => path.toLowerCase()),
    )
  })

  test('a skipped table is read by a run of that table alone, by a full run, and again the next day', async () => {
    expect(await requestedPaths(() => complete({ streams: ['TaxRates'] }))).toContain('taxrates')
    expect(await requestedPaths(() => complete({ streams: ['TaxRates', 'Currencies'] }))).not.toContain('currencies')
    expect(await requestedPaths(() => complete({ streams: ['TaxRates', 'Currencies'], syncMode: 'full' }))).toContain(
      'currencies',
    )
    xero.clock.advance(24 * hourMs)
    expect(await requestedPaths(() => complete())).toEqual(
      expect.arrayContaining(['organisation', 'taxrates', 'budgets', 'reports/balancesheet']),
    )
  })

  test('[ENG-1] new, changed, paid, voided and deleted documents arrive with the next run; deleted ones stay, with the time of deletion', async () => {
    for (let step = 0; step < 60; step += 1) {
      xero.clock.advance(hourMs / 4)
      xero.sim.tick(xero.tenantId)
    }
    await complete()
    const gone = await xero.query(
      `SELECT status, count(*)::int AS rows, count(_deleted_at)::int AS stamped FROM (
         SELECT status, _deleted_at FROM invoice UNION ALL SELECT status, _deleted_at FROM payment
         UNION ALL SELECT status, _deleted_at FROM bank_transfer UNION ALL SELECT status, _deleted_at FROM manual_journal) AS d
       WHERE status IN ('VOIDED', 'DELETED', 'AUTHORISED') GROUP BY status ORDER BY status`,
    )
    expect(gone.map(({ status, rows, stamped }) => [status, Number(rows) > 0, stamped === rows])).toEqual([
      ['AUTHORISED', true, false],
      ['DELETED', true, true],
      ['VOIDED', true, true],
    ])
    expect(await xero.differences(/^(credit_note|payment|account|manual_journal|journal)/, /contact_name/)).toEqual([])
  })

  test('unreported changes are found within seven days, because a seventh is read again each day', async () => {
    for (let step = 0; step < 10; step += 1) {
      xero.clock.advance(60_000)
      xero.sim.changeSilently(xero.tenantId)
    }
    const documents = { streams: ['Invoices', 'CreditNotes', 'Quotes', 'BankTransfers'] }
    await complete(documents)
    expect(await xero.differences(/^invoice/)).not.toEqual([])
    const notices: string[] = []
    for (let day = 0; day < 7; day += 1) {
      xero.clock.advance(24 * hourMs)
      await complete(documents)
      notices.push(...xero.logLines.filter((line) => line.includes('read again')))
    }
    expect(await xero.differences(/^(invoice|credit_note|quote|bank_transfer)/)).toEqual([])
    expect(notices.filter((line) => line.startsWith('invoice: '))).toHaveLength(7)
    expect(notices).toContainEqual(
      expect.stringMatching(/^invoice: \d+ documents of February 2025 to March 2025 read again\.$/),
    )
  })

  test('a deleted item is removed within a day', async () => {
    const company = xero.sim.companies.find(({ tenantId }) => tenantId === xero.tenantId)
    company?.items.splice(0, 2)
    xero.clock.advance(24 * hourMs)
    await complete()
    expect(await xero.differences(/^item$/)).toEqual([])
  })

  test('a re-read from a date covers all changes since then, including later ones', async () => {
    await xero.query('UPDATE invoice SET reference = NULL')
    xero.sim.tick(xero.tenantId)
    await complete({ changedSince: new Date(xero.clock.now() - 800 * 24 * hourMs), streams: ['Invoices'] })
    expect(await xero.differences(/^invoice/)).toEqual([])
    expect(await complete({ streams: ['Invoices'] })).toBe(0)
  })
})

test('[ENG-1] an interrupted first load resumes where it was interrupted', async () => {
  await using xero = await connectXero({ ...quick, size: { ...manyInvoices } })
  xero.sim.faults.inject({ kind: 'reply', path: 'invoices', after: 1, times: 3, reply: { status: 500, body: 'oops' } })
  expect(await xero.run({ streams: ['Invoices'] })).toMatchObject({
    status: 'failed',
    fault: { kind: 'passing', code: 'xero.failing' },
  })
  const before = xero.sim.requests.length
  expect(await xero.run({ streams: ['Invoices'] })).toMatchObject({ status: 'completed' })
  expect(await xero.differences(/^invoice/)).toEqual([])
  expect(xero.sim.requests.slice(before).filter(({ path, since }) => path === 'invoices' && since === null)).toEqual([])
})

const manyInvoices = {
  months: 6,
  contacts: 20,
  items: 8,
  invoices: 2_300,
  invoicesMax: 2_400,
  linesPerInvoice: 2,
  paymentsPerInvoice: 1,
}
