/** The trial balance computed by the target, against a fixed report and against a sum in whole cents. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../http/exact-json.ts'
import { type LedgerBench, openLedger } from '@tributary/testing/conformance/ledger/ledger-bench.ts'
import {
  accountId,
  accounts,
  company,
  documentId,
  invoice,
  manualJournal,
  trialBalance,
} from '@tributary/testing/conformance/ledger/ledger-documents.ts'
import { addUp, anyDocuments, months } from '@tributary/testing/conformance/ledger/ledger-sums.ts'
import { withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import { xeroStreams } from '../streams.ts'
import { plainNames } from '../../../ports/questions.ts'
import { xeroTieOut } from './tie-out.ts'

const ledger = xeroTieOut.ledger(new Set([...xeroTieOut.requiredStreams, 'ExpenseClaims', 'Receipts']))
const basics = { Organisation: [company], Accounts: accounts }
const march = '2026-03-01'

describe.each(['postgres', 'mysql'] as const)('the trial balance in %s', (kind) => {
  let bench: LedgerBench
  beforeAll(async () => {
    bench = await openLedger(kind)
  })
  afterAll(() => bench[Symbol.asyncDispose]())

  /** Account, computed, reported and reason of every March figure; names instead of ids. */
  async function compared(
    report: Readonly<Record<string, number>>,
    documents: Readonly<Record<string, readonly JsonObject[]>>,
  ) {
    await bench.load({ ...basics, ...documents, 'Reports/TrialBalance': [trialBalance(march, report)] })
    const rows = await bench.target.select(ledger.selectFigures)
    return Object.fromEntries(
      rows.map(([month, , code, , computed, reported, reason]) => [`${month} ${code}`, [computed, reported, reason]]),
    )
  }

  test('returns the computed and the reported figure of each account and month', async () => {
    const sale = invoice({ number: 1, type: 'ACCREC', lines: [{ code: '200', cents: 100_00, tax: 15_00 }] })
    const later = invoice({ number: 2, type: 'ACCREC', date: '2026-04-01', lines: [{ code: '200', cents: 1_00 }] })
    expect(await compared({ 610: 115_00, 200: -90_00, 310: 0, 429: 3_00 }, { Invoices: [sale, later] })).toEqual({
      '2026-03-01 610': ['115.00', '115.00', null],
      '2026-03-01 200': ['-100.00', '-90.00', null],
      '2026-03-01 820': ['-15.00', '0.00', null],
      '2026-03-01 429': ['0.00', '3.00', null],
    })
    const figures = await bench.target.select((words) =>
      ledger.selectDocuments(words, [{ month: march, accountId: accountId('200') }]),
    )
    expect(figures).toEqual([
      [march, accountId('200'), 'Invoice', documentId(1), 'INV-1', '2026-03-05', 'A contact', '-100.00'],
    ])
    expect(await bench.target.select(xeroTieOut.company)).toEqual([['Demo Company', 'NZD']])
  })

  test('a posting to a system account that the company lacks has no account', async () => {
    const note = manualJournal({ number: 1, lines: [{ code: '429', cents: 10_00, tax: 1_50 }] })
    const withoutGst = accounts.filter(({ SystemAccount: part }) => part !== 'GST')
    await bench.load({
      ...basics,
      Accounts: withoutGst,
      ManualJournals: [note],
      'Reports/TrialBalance': [trialBalance(march, { 429: 10_00 })],
    })
    const rows = await bench.target.select(ledger.selectFigures)
    expect(rows.filter(([, , , , computed, reported]) => computed !== reported)).toEqual([
      [march, 'none', null, 'No such account', '1.50', '0.00', null],
    ])
    expect(
      await bench.target.select((words) => ledger.selectDocuments(words, [{ month: march, accountId: 'none' }])),
    ).toHaveLength(1)
  })

  test('entries that Xero books itself are excused on both sides, and only if the two sides agree', async () => {
    const sale = { Invoices: [invoice({ number: 1, type: 'ACCREC', lines: [{ code: '200', cents: 100_00 }] })] }
    const reasons = async (report: Readonly<Record<string, number>>) =>
      Object.entries(await compared(report, sale)).flatMap(([key, [computed, reported, reason]]) =>
        computed === reported
          ? []
          : [[key.slice(-3), reason === null ? null : reason?.split(' ').slice(0, 3).join(' ')]],
      )
    expect(await reasons({ 610: 103_00, 498: -3_00, 200: -100_00 })).toEqual(
      expect.arrayContaining([
        ['610', 'Xero revalues what'],
        ['498', 'Xero revalues what'],
      ]),
    )
    expect(await reasons({ 610: 104_00, 498: -3_00, 200: -100_00 })).toContainEqual(['610', null])
    expect(await reasons({ 610: 104_00, 800: -4_00, 200: -100_00 })).toContainEqual(['610', null])
    expect(
      await reasons({
        610: 100_00,
        200: -100_00,
        416: 5_00,
        711: -5_00,
        630: -2_00,
        310: 2_00,
        '092': 1_00,
        497: -1_00,
      }),
    ).toEqual(
      expect.arrayContaining([
        ['416', 'Xero books depreciation'],
        ['711', 'Xero books depreciation'],
        ['630', 'Xero books the'],
        ['310', 'Xero books the'],
        ['497', 'Xero revalues bank'],
      ]),
    )
    expect(await reasons({ 610: 100_00, 200: -100_00, 711: -5_00, 416: 4_00 })).toContainEqual(['711', null])
  })

  test('for any documents, it equals the sum of all postings in whole cents', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocuments, async (made) => {
        const { documents, moved } = addUp(made)
        const report = months.map((month) => trialBalance(month, moved.get(month) ?? {}))
        await bench.load({ ...basics, ...documents, 'Reports/TrialBalance': report })
        const rows = await bench.target.select(ledger.selectFigures)
        expect(rows.length).toBeGreaterThan(0)
        expect(rows.filter(([, , , , computed, reported]) => computed !== reported)).toEqual([])
      }),
      { numRuns: 8 },
    )
  })
})

test('an invalid id or month never reaches a statement', () => {
  const words = plainNames
  expect(() => ledger.selectDocuments(words, [{ month: march, accountId: `' OR 1=1` }])).toThrow('not the id')
  expect(() => ledger.selectDocuments(words, [{ month: `2026-03-01'`, accountId: 'none' }])).toThrow('not a month')
})

test('with Xero’s journals the figures are those of their lines', async () => {
  const journals = xeroTieOut.ledger(new Set([...xeroTieOut.requiredStreams, 'Journals']))
  expect([journals.basis, journals.datedStreams]).toEqual(['journals', []])
  await using bench = await openLedger('postgres', ['Journals'])
  await bench.load({
    ...basics,
    Journals: [
      {
        JournalID: documentId(1),
        JournalNumber: 1,
        JournalDate: '2026-03-05',
        SourceID: documentId(2),
        SourceType: 'ACCREC',
        Reference: 'INV-2',
        JournalLines: [
          { JournalLineID: documentId(3), AccountID: accountId('498'), NetAmount: 5 },
          { JournalLineID: documentId(4), AccountID: accountId('200'), NetAmount: -5 },
        ],
      },
    ],
    'Reports/TrialBalance': [trialBalance(march, { 498: 4_00, 200: -5_00 })],
  })
  const rows = await bench.target.select(journals.selectFigures)
  expect(rows.map(([, , code, , computed, reported, reason]) => [code, computed, reported, reason]).toSorted()).toEqual(
    [
      ['200', '-5.00', '-5.00', null],
      ['498', '5.00', '4.00', null],
    ],
  )
  expect(
    await bench.target.select((words) =>
      journals.selectDocuments(words, [{ month: march, accountId: accountId('498') }]),
    ),
  ).toEqual([[march, accountId('498'), 'Invoice', documentId(2), 'INV-2', '2026-03-05', null, '5.00']])
})

test('SQL Server gets the same statements in its own dialect', async () => {
  await withSqlServerTarget(async (target, stub) => {
    for (const { name, shape } of xeroStreams) {
      if (!xeroTieOut.requiredStreams.includes(name)) continue
      await target.prepare({
        name,
        table: shape.table,
        children: shape.children.map(({ table }) => table),
        reads: 'since',
        hasDistinctKeys: true,
      })
    }
    const { views, selectFigures: compare } = xeroTieOut.ledger(new Set(xeroTieOut.requiredStreams))
    for (const view of views) await target.defineView(view.name, (words) => view.select(words))
    await target.select(compare)
    const [made, balance, asked] = stub.statements.filter((sql) => /^(?:CREATE VIEW|SELECT \(SELECT)/u.test(sql))
    expect(made).toMatch(
      /^CREATE VIEW \[reports\]\.\[general_ledger\] AS SELECT p\.posted_on AS date, DATEFROMPARTS\(YEAR\(p\.posted_on\), MONTH\(p\.posted_on\), 1\) AS month/,
    )
    expect(made).toContain('FROM [reports].[invoice] AS d')
    expect(balance).toMatch(
      /^CREATE VIEW \[reports\]\.\[trial_balance\] AS SELECT .* FROM \[reports\]\.\[general_ledger\] AS g/s,
    )
    expect(asked).toContain('FROM [reports].[trial_balance] AS c')
    // SQL Server supports none of these.
    expect(`${made}${asked}`).not.toMatch(/\b(LIMIT|TRUE|FALSE|date_trunc|DATE_SUB|uuid|text)\b/)
  })
})

test('a document with a page at Xero is returned with its address', () => {
  const id = documentId(1)
  expect(xeroTieOut.addressOf({ kind: 'Invoice', id })).toBe(
    `https://go.xero.com/AccountsReceivable/View.aspx?InvoiceID=${id}`,
  )
  expect(xeroTieOut.addressOf({ kind: 'Bill', id })).toBe(
    `https://go.xero.com/AccountsPayable/View.aspx?InvoiceID=${id}`,
  )
  expect(xeroTieOut.addressOf({ kind: 'Bank transaction', id })).toBe(
    `https://go.xero.com/Bank/ViewTransaction.aspx?bankTransactionID=${id}`,
  )
  expect(xeroTieOut.addressOf({ kind: 'Manual journal', id })).toBe(
    `https://go.xero.com/Journal/View.aspx?invoiceID=${id}`,
  )
  expect(xeroTieOut.addressOf({ kind: 'Expense claim', id })).toBeNull()
})
