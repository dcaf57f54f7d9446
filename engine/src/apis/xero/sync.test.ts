import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import type { XeroConnector } from '@tributary/testing/engine/apis/xero-connector.ts'

const quick = { callsPerMinute: 600, limits: { perMinute: 660 } }
const hourMs = 3_600_000

describe('a company that lives on', () => {
  let xero: XeroConnector
  beforeAll(async () => {
    xero = await connectXero({ ...quick, tier: 'advanced' })
  })
  afterAll(() => xero[Symbol.asyncDispose]())

  /** The paths that were asked since. */
  function asked(work: () => Promise<unknown>): Promise<string[]> {
    const before = xero.sim.requests.length
    return work().then(() => xero.sim.requests.slice(before).map(({ path }) => path))
  }

  async function complete(how: Parameters<XeroConnector['run']>[0] = {}): Promise<number> {
    const outcome = await xero.run(how)
    expect(outcome).toMatchObject({ status: 'completed', fault: null })
    expect(outcome.streams.flatMap(({ rejected }) => rejected)).toEqual([])
    return outcome.streams.reduce((sum, { progress }) => sum + progress.rowsWritten + progress.rowsDeleted, 0)
  }

  test('[ENG-1] every cell of every table comes over as Xero has it, and the same again changes nothing', async () => {
    await complete()
    expect(await xero.differences()).toEqual([])
    expect(await complete()).toBe(0)
  })

  test('a run with nothing new costs a call for each list that tells its changes and two for the trial balance; the others rest', async () => {
    xero.clock.advance(hourMs)
    const paths = await asked(() => complete())
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

  test('what rests is read at once by a run of that table alone, by a full run, and again the day after', async () => {
    expect(await asked(() => complete({ streams: ['TaxRates'] }))).toContain('taxrates')
    expect(await asked(() => complete({ streams: ['TaxRates', 'Currencies'] }))).not.toContain('currencies')
    expect(await asked(() => complete({ streams: ['TaxRates', 'Currencies'], syncMode: 'full' }))).toContain(
      'currencies',
    )
    xero.clock.advance(24 * hourMs)
    expect(await asked(() => complete())).toEqual(
      expect.arrayContaining(['organisation', 'taxrates', 'budgets', 'reports/balancesheet']),
    )
  })

  test('[ENG-1] what is new, changed, paid, voided and deleted comes with the next run; what is deleted stays and says since when', async () => {
    for (let step = 0; step < 60; step += 1) {
      xero.clock.advance(hourMs / 4)
      xero.sim.tick(xero.tenantId)
    }
    await complete()
    const gone = await xero.query(
      `SELECT status, count(*)::int AS rows, count(_deleted_at)::int AS told FROM (
         SELECT status, _deleted_at FROM invoice UNION ALL SELECT status, _deleted_at FROM payment
         UNION ALL SELECT status, _deleted_at FROM bank_transfer UNION ALL SELECT status, _deleted_at FROM manual_journal) AS d
       WHERE status IN ('VOIDED', 'DELETED', 'AUTHORISED') GROUP BY status ORDER BY status`,
    )
    expect(gone.map(({ status, rows, told }) => [status, Number(rows) > 0, told === rows])).toEqual([
      ['AUTHORISED', true, false],
      ['DELETED', true, true],
      ['VOIDED', true, true],
    ])
    expect(await xero.differences(/^(credit_note|payment|account|manual_journal|journal)/, /contact_name/)).toEqual([])
  })

  test('what Xero changes without a word is found within seven days, for each day a seventh is read again', async () => {
    for (let step = 0; step < 10; step += 1) {
      xero.clock.advance(60_000)
      xero.sim.quietly(xero.tenantId)
    }
    const documents = { streams: ['Invoices', 'CreditNotes', 'Quotes', 'BankTransfers'] }
    await complete(documents)
    expect(await xero.differences(/^invoice/)).not.toEqual([])
    const told: string[] = []
    for (let day = 0; day < 7; day += 1) {
      xero.clock.advance(24 * hourMs)
      await complete(documents)
      told.push(...xero.told.filter((line) => line.includes('read again')))
    }
    expect(await xero.differences(/^(invoice|credit_note|quote|bank_transfer)/)).toEqual([])
    expect(told.filter((line) => line.startsWith('invoice: '))).toHaveLength(7)
    expect(told).toContainEqual(
      expect.stringMatching(/^invoice: \d+ documents of February 2025 to March 2025 read again\.$/),
    )
  })

  test('an item that has vanished goes within a day', async () => {
    const company = xero.sim.companies.find(({ tenantId }) => tenantId === xero.tenantId)
    company?.items.splice(0, 2)
    xero.clock.advance(24 * hourMs)
    await complete()
    expect(await xero.differences(/^item$/)).toEqual([])
  })

  test('from a date on everything that has changed since is read again, and nothing that came later is passed over', async () => {
    await xero.query('UPDATE invoice SET reference = NULL')
    xero.sim.tick(xero.tenantId)
    await complete({ changedSince: new Date(xero.clock.now() - 800 * 24 * hourMs), streams: ['Invoices'] })
    expect(await xero.differences(/^invoice/)).toEqual([])
    expect(await complete({ streams: ['Invoices'] })).toBe(0)
  })
})

test('[ENG-1] a first load that is cut goes on where it was cut', async () => {
  await using xero = await connectXero({ ...quick, size: { ...manyInvoices } })
  xero.sim.mishaps.order({ kind: 'reply', path: 'invoices', after: 1, times: 3, reply: { status: 500, body: 'oops' } })
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
