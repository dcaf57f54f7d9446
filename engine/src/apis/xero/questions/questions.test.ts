/** The ready questions about Xero on documents that were worked out by hand, and their statements for each database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../http/exact-json.ts'
import { type Documents, type LedgerBench, openLedger } from '@tributary/testing/conformance/ledger/ledger-bench.ts'
import {
  accounts,
  company,
  creditNote,
  documentId,
  invoice,
  payment,
  trialBalance,
} from '@tributary/testing/conformance/ledger/ledger-documents.ts'
import { withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import { inlinedQuestion } from '../../../ports/questions.ts'
import { readyQuestions } from '../../../ready-questions.ts'
import { xeroStreams } from '../streams.ts'
import { xeroQuestions } from './questions.ts'
import { utcOffsetMinutes } from './time-zones.ts'

const streams = ['ExpenseClaims', 'Receipts', 'Contacts', 'TrackingCategories']
const context = { streams: new Set(xeroStreams.map(({ name }) => name).filter((name) => name !== 'Journals')), now: 0 }

const classesByCode: readonly (readonly [first: string, last: string, name: string])[] = [
  ['000', '099', 'ASSET'],
  ['200', '299', 'REVENUE'],
  ['300', '499', 'EXPENSE'],
  ['600', '799', 'ASSET'],
  ['800', '899', 'LIABILITY'],
]
const classified = accounts.map((account) => {
  const code = String(account['Code'])
  return { ...account, Class: classesByCode.find(([first, last]) => code >= first && code <= last)?.[2] ?? null }
})
const basics = { Organisation: [{ ...company, FinancialYearEndMonth: 3 }], Accounts: classified }

/** The first month, whose year to date is what moved in it, on top of the opening balances. */
function firstMonth(
  cents: Readonly<Record<string, number>>,
  opening: Readonly<Record<string, number>> = {},
): JsonObject {
  const codes = { ...opening, ...cents }
  const report = trialBalance(
    '2026-03-01',
    Object.fromEntries(Object.keys(codes).map((code) => [code, cents[code] ?? 0])),
  )
  const lines = (report['Lines'] as readonly JsonObject[]).map((line) => {
    const code = String(line['Code'])
    const balance = (cents[code] ?? 0) + (opening[code] ?? 0)
    return { ...line, YtdDebit: balance > 0 ? balance / 100 : null, YtdCredit: balance < 0 ? -balance / 100 : null }
  })
  return { ...report, Lines: lines }
}

describe.each(['postgres', 'mysql'] as const)('the questions in %s', (kind) => {
  let bench: LedgerBench
  beforeAll(async () => {
    bench = await openLedger(kind, streams)
  })
  afterAll(() => bench[Symbol.asyncDispose]())

  async function ask(name: string, columns: string): Promise<readonly string[]> {
    const question = xeroQuestions.questions.find((each) => each.name === name)
    if (question === undefined) throw new Error(`There is no question ${name}.`)
    const rows = await bench.target.select(
      (names) => `SELECT ${columns} FROM (${inlinedQuestion(names, { set: xeroQuestions, question, context })}) AS q`,
    )
    return rows.map((row) => row.map((value) => value ?? '-').join(' | ')).toSorted()
  }

  const load = (documents: Documents) => bench.load({ ...basics, ...documents })

  test('[SEE-7] a company without any document, and one without any row, has empty answers', async () => {
    for (const documents of [{}, basics, { ...basics, 'Reports/TrialBalance': [firstMonth({})] }]) {
      await bench.load(documents)
      for (const { name } of xeroQuestions.questions) expect([name, ...(await ask(name, '*'))]).toEqual([name])
    }
  })

  test('[SEE-7] what Xero books by itself counts, and is shown separately', async () => {
    await load({ 'Reports/TrialBalance': [firstMonth({ 416: 25_00, 711: -25_00 }, { 630: 80_00, 820: -80_00 })] })
    expect(await ask('profit_and_loss', 'month, section, account_code, amount, profit, booked_by_xero')).toEqual([
      '2026-03-01 | Operating expenses | 416 | 25.00 | -25.00 | 25.00',
    ])
    expect(await ask('balance_sheet', 'side, section, account_code, account_name, amount, as_of')).toEqual([
      'Assets | Current assets | 630 | Inventory | 80.00 | 2026-03-31',
      'Assets | Fixed assets | 711 | Accumulated Depreciation | -25.00 | 2026-03-31',
      'Equity | Equity | - | Current year earnings | -25.00 | 2026-03-31',
      'Liabilities | Current liabilities | 820 | GST | 80.00 | 2026-03-31',
    ])
  })

  test('[SEE-7] a month whose report is red counts as the documents say, and the balance sheet still balances', async () => {
    const sale = invoice({
      number: 1,
      type: 'ACCREC',
      date: '2026-04-02',
      lines: [{ code: '200', cents: 100_00, tax: 15_00 }],
    })
    await load({
      Invoices: [sale],
      'Reports/TrialBalance': [firstMonth({ 200: -1_00, '090': 1_00 }), trialBalance('2026-04-01', { 200: -7_00 })],
    })
    expect(await ask('profit_and_loss', 'month, account_code, profit')).toEqual(['2026-04-01 | 200 | 100.00'])
    expect(await ask('balance_sheet', 'month, account_code, account_name, amount')).toEqual([
      '2026-03-01 | - | Current year earnings | 1.00',
      '2026-03-01 | 090 | Business Account | 1.00',
      // The financial year ends in March.
      '2026-04-01 | - | Current year earnings | 100.00',
      '2026-04-01 | - | Earnings of earlier years | 1.00',
      '2026-04-01 | 090 | Business Account | 1.00',
      '2026-04-01 | 610 | Accounts Receivable | 115.00',
      '2026-04-01 | 820 | GST | 15.00',
    ])
  })

  test('[SEE-7] a posting to a system account that the company lacks is shown without an account', async () => {
    const sale = invoice({
      number: 1,
      type: 'ACCREC',
      date: '2026-04-02',
      lines: [{ code: '200', cents: 10_00, tax: 1_50 }],
    })
    await load({
      Accounts: classified.filter(({ Code: code }: JsonObject) => code !== '820'),
      Invoices: [sale],
      'Reports/TrialBalance': [firstMonth({}), trialBalance('2026-04-01', {})],
    })
    expect(await ask('balance_sheet', 'side, section, account_code, amount')).toEqual([
      'Assets | Current assets | 610 | 11.50',
      'Assets | Without an account | - | -1.50',
      'Equity | Equity | - | 10.00',
    ])
  })

  test('[SEE-7] a document in a second currency is owed at its own rate, its part payments and credits at theirs', async () => {
    const [of, credit] = [{ Invoice: { InvoiceID: documentId(1) } }, { CreditNote: { CreditNoteID: documentId(3) } }]
    await load({
      Invoices: [
        {
          ...invoice({
            number: 1,
            type: 'ACCREC',
            rate: 0.8,
            date: '2026-03-01',
            lines: [{ code: '200', cents: 100_00 }],
          }),
          DueDate: '2026-03-10',
        },
        invoice({ number: 2, type: 'ACCREC', status: 'VOIDED', lines: [{ code: '200', cents: 900_00 }] }),
      ],
      Payments: [
        payment({ number: 5, type: 'ACCRECPAYMENT', cents: 40_00, rate: 0.5, date: '2026-03-20', of }),
        payment({ number: 6, type: 'ACCRECPAYMENT', cents: 9_00, date: '2026-03-20', status: 'DELETED', of }),
        payment({ number: 7, type: 'ARCREDITPAYMENT', cents: 8_00, rate: 0.8, date: '2026-04-30', of: credit }),
      ],
      CreditNotes: [
        creditNote({
          number: 3,
          type: 'ACCRECCREDIT',
          rate: 0.8,
          date: '2026-04-03',
          lines: [{ code: '200', cents: 10_00 }],
        }),
      ],
      'Reports/TrialBalance': [firstMonth({}), trialBalance('2026-04-01', {}), trialBalance('2026-06-01', {})],
      Contacts: [{ ContactID: documentId(0), Name: 'The new name' }],
    })
    expect(
      await ask(
        'aged_receivables_by_month',
        'as_of, contact_name, not_due, days_1_30, days_31_60, days_61_90, days_over_90, total',
      ),
    ).toEqual([
      '2026-03-31 | The new name | 0.00 | 75.00 | 0.00 | 0.00 | 0.00 | 75.00',
      '2026-04-30 | The new name | 0.00 | -2.50 | 75.00 | 0.00 | 0.00 | 72.50',
      '2026-06-30 | The new name | 0.00 | 0.00 | 0.00 | -2.50 | 75.00 | 72.50',
    ])
    expect(await ask('aged_payables_by_month', '*')).toEqual([])
    expect(await ask('profit_and_loss', 'month, account_code, profit')).toEqual([
      '2026-03-01 | 200 | 125.00',
      '2026-03-01 | 499 | 30.00',
      '2026-04-01 | 200 | -12.50',
    ])
  })
})

test('[SEE-7] SQL Server gets every question in its own dialect, and no word that it lacks', async () => {
  await withSqlServerTarget(async (target, stub) => {
    for (const { name, shape } of xeroStreams)
      await target.prepare({
        name,
        table: shape.table,
        children: shape.children.map(({ table }) => table),
        reads: 'since',
        hasDistinctKeys: true,
      })
    for (const question of xeroQuestions.questions) {
      const of = { set: xeroQuestions, question, context }
      const made = await target.defineOwnedView({
        name: question.name,
        select: (names) => question.select(names, context),
        definition: (names) => inlinedQuestion(names, of),
      })
      expect(made).toBe('defined')
    }
    const views = stub.statements.filter((sql) => sql.startsWith('CREATE VIEW'))
    expect(views.map((sql) => /^CREATE VIEW \[reports\]\.\[(\w+)\]/u.exec(sql)?.[1])).toEqual(
      xeroQuestions.questions.map(({ name }) => name),
    )
    for (const sql of views)
      expect(sql).not.toMatch(
        /\b(LIMIT|TRUE|FALSE|date_trunc|DATE_SUB|LAST_DAY|EXTRACT|INTERVAL|uuid|text|now|CURRENT_DATE|USING|WITH)\b|::|`|"/u,
      )
    expect(views.join('\n')).toContain('CAST(DATEADD(minute, CASE UPPER(REPLACE(')
    expect(views.join('\n')).toContain('t.[option] AS tracking_option')
  })
})

test('[SEE-7] each question lists its columns in their order, its tables, and the streams that a connector lacks', async () => {
  await using bench = await openLedger('postgres', streams)
  const listed = readyQuestions('xero', context.streams)
  for (const { name, columns, tables, missingStreams, title, description } of listed) {
    const question = xeroQuestions.questions.find((each) => each.name === name)
    if (question === undefined) throw new Error('It is one of them.')
    await bench.target.defineOwnedView({
      name,
      select: (names) => inlinedQuestion(names, { set: xeroQuestions, question, context }),
      definition: () => name,
    })
    const found = await bench.target.select(
      () =>
        `SELECT column_name AS name, ordinal_position AS at FROM information_schema.columns WHERE table_name = '${name}'`,
    )
    expect(found.toSorted((one, other) => Number(one[1]) - Number(other[1])).map(([column]) => column)).toEqual(
      columns.map((column) => column.name),
    )
    expect([title.endsWith('?'), description.endsWith('.'), missingStreams]).toEqual([true, true, []])
    const read = await bench.target.select(
      () => `SELECT DISTINCT d.refobjid::regclass::text AS name FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
        WHERE r.ev_class = '"Shop".${name}'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'n' AND d.refobjid <> r.ev_class`,
    )
    expect(read.map(([table]) => table?.replace(/^"Shop"\./u, '')).toSorted()).toEqual(tables)
  }
  const poor = readyQuestions(
    'xero',
    new Set(['Organisation', 'Contacts', 'Invoices', 'CreditNotes', 'Payments', 'Overpayments']),
  )
  expect(poor.find(({ name }) => name === 'aged_payables')?.missingStreams).toEqual(['Prepayments'])
  expect(readyQuestions('postgres', new Set())).toEqual([])
  expect(readyQuestions('cin7', new Set(['product'])).map(({ name, tables }) => [name, tables])).toEqual([
    ['stock_on_hand', ['product', 'product_availability']],
    ['stock_turn', ['product', 'product_availability', 'purchase_movement', 'sale_movement']],
  ])
})

test('[SEE-7] today is the day in the company’s time zone, daylight saving time included', () => {
  const [winter, summer] = [Date.parse('2026-07-01T00:00:00Z'), Date.parse('2026-01-01T00:00:00Z')]
  expect(utcOffsetMinutes('o.timezone', winter)).toContain(`WHEN 'NEWZEALANDSTANDARDTIME' THEN 720 `)
  expect(utcOffsetMinutes('o.timezone', summer)).toContain(`WHEN 'NEWZEALANDSTANDARDTIME' THEN 780 `)
  expect(utcOffsetMinutes('o.timezone', winter)).toContain(`WHEN 'EASTERNSTANDARDTIME' THEN -240 `)
  expect(utcOffsetMinutes('o.timezone', winter)).toContain(`WHEN 'INDIASTANDARDTIME' THEN 330 `)
})
