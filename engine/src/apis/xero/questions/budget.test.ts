/** Loaded plans next to the actual figures, worked out by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../http/exact-json.ts'
import { type Documents, type LedgerBench, openLedger } from '@tributary/testing/conformance/ledger/ledger-bench.ts'
import { company, documentId, invoice, trialBalance } from '@tributary/testing/conformance/ledger/ledger-documents.ts'
import {
  firstMonth,
  questionBasics,
  questionContext as context,
  questionStreams,
} from '@tributary/testing/conformance/ledger/question-documents.ts'
import { inlinedQuestion } from '../../../ports/questions.ts'
import { xeroQuestions } from './questions.ts'

describe.each(['postgres', 'mysql'] as const)('budgets in %s', (kind) => {
  let bench: LedgerBench
  beforeAll(async () => {
    bench = await openLedger(kind, questionStreams)
  })
  afterAll(() => bench[Symbol.asyncDispose]())

  const load = (documents: Documents) => bench.load({ ...questionBasics, ...documents })

  test('[SEE-7] budgets are next to the actual amounts of their area and subarea, and nothing that matches none is left out', async () => {
    const tracked = (line: JsonObject, ...options: readonly (readonly [number, string])[]): JsonObject => ({
      ...line,
      Tracking: options.map(([number, name]) => ({
        TrackingCategoryID: documentId(number),
        TrackingOptionID: documentId(number + 100),
        Name: 'Category',
        Option: name,
      })),
    })
    const sale = invoice({
      number: 1,
      type: 'ACCREC',
      date: '2026-04-02',
      lines: [
        { code: '200', cents: 100_00, tax: 15_00 },
        { code: '200', cents: 50_00 },
        { code: '200', cents: 7_00 },
      ],
    })
    const bill = invoice({
      number: 2,
      type: 'ACCPAY',
      date: '2026-04-20',
      lines: [
        { code: '429', cents: 30_00 },
        { code: '310', cents: 4_00 },
      ],
    })
    const [first = {}, second = {}, third = {}] = sale['LineItems'] as readonly JsonObject[]
    await load({
      Organisation: [{ ...company, LegalName: 'Demo Company Ltd', FinancialYearEndMonth: 3 }],
      Invoices: [
        {
          ...sale,
          LineItems: [
            tracked(first, [1, 'north  quay'.replace('  ', ' ')], [2, 'Fish']),
            tracked(second, [1, 'North quay']),
            third,
          ],
        },
        bill,
        invoice({ number: 3, type: 'ACCREC', date: '2026-07-02', lines: [{ code: '200', cents: 900_00 }] }),
      ],
      TrackingCategories: [
        {
          TrackingCategoryID: documentId(1),
          Name: 'Category',
          Options: [{ TrackingOptionID: documentId(101), Name: 'NORTH QUAY' }],
        },
      ],
      'Reports/TrialBalance': [firstMonth({}), trialBalance('2026-04-01', {})],
    })
    const rows = [
      ['Demo Company Ltd', 'North quay', 'Fish', 'Draft', '2026-04-01', '90.00', '200'],
      ['Demo Company Ltd', 'North quay', 'Fish', 'Draft', '2026-05-01', '95.00', '200'],
      ['Demo Company Ltd', 'Fleet', 'General expenses', 'Draft', '2026-04-15', '25.00', '429'],
      ['Another Ltd', 'North quay', 'Fish', 'Draft', '2026-04-01', '1.00', '200'],
    ]
    const ask2026 = async (account: 'Account' | null, columns: string) => {
      const question = xeroQuestions.budget?.([await bench.plan('B2SBudget2026', rows, account)])
      if (question === undefined) throw new Error('There is such a question.')
      const found = await bench.target.select(
        (names) => `SELECT ${columns} FROM (${inlinedQuestion(names, { set: xeroQuestions, question, context })}) AS q`,
      )
      return found.map((row) => row.map((value) => value ?? '-').join(' | ')).toSorted()
    }
    expect(
      await ask2026('Account', 'entity, area, subarea, account_code, account_name, month, budget, actual, difference'),
    ).toEqual([
      'Another Ltd | North quay | Fish | 200 | Sales | 2026-04-01 | 1.00 | 0.00 | -1.00',
      'Demo Company Ltd | - | - | 200 | Sales | 2026-04-01 | 0.00 | 7.00 | 7.00',
      'Demo Company Ltd | - | - | 310 | Purchases | 2026-04-01 | 0.00 | 4.00 | 4.00',
      'Demo Company Ltd | - | General expenses | 429 | General Expenses | 2026-04-01 | 0.00 | 30.00 | 30.00',
      'Demo Company Ltd | Fleet | General expenses | 429 | General Expenses | 2026-04-01 | 25.00 | 0.00 | -25.00',
      'Demo Company Ltd | North quay | - | 200 | Sales | 2026-04-01 | 0.00 | 50.00 | 50.00',
      'Demo Company Ltd | North quay | Fish | 200 | Sales | 2026-04-01 | 90.00 | 100.00 | 10.00',
      'Demo Company Ltd | North quay | Fish | 200 | Sales | 2026-05-01 | 95.00 | 0.00 | -95.00',
    ])
    expect(await ask2026(null, 'version, milestone, area, subarea, account_code, month, budget, actual')).toEqual([
      'Budget 2026 | Draft | - | - | - | 2026-04-01 | 0.00 | 3.00',
      'Budget 2026 | Draft | - | General expenses | - | 2026-04-01 | 0.00 | -30.00',
      'Budget 2026 | Draft | Fleet | General expenses | - | 2026-04-01 | 25.00 | 0.00',
      'Budget 2026 | Draft | North quay | - | - | 2026-04-01 | 0.00 | 50.00',
      'Budget 2026 | Draft | North quay | Fish | - | 2026-04-01 | 1.00 | 0.00',
      'Budget 2026 | Draft | North quay | Fish | - | 2026-04-01 | 90.00 | 100.00',
      'Budget 2026 | Draft | North quay | Fish | - | 2026-05-01 | 95.00 | 0.00',
    ])
  })
})
