/** What each account moved in each month, and its balance at the end of the month. Building blocks of the questions. */
import type { QuestionContext } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { roundToCents } from '../ledger/posting.ts'
import { bookedByXero } from '../ledger/tie-out.ts'
import { balanceView } from '../ledger/views.ts'

/**
 * Month, account id, amount (debit positive) and the part of it that Xero books without a document. The sum of the
 * rows of an account and month is what Xero's trial balance shows if the tie-out is not red.
 */
export function movements(words: StatementNames, { streams }: QuestionContext): string {
  const none = roundToCents('0')
  const documents = `SELECT b.month, b.account_id, b.amount, ${none} AS booked_by_xero FROM ${words.view(balanceView)} AS b`
  // Journals hold what Xero books by itself.
  if (streams.has('Journals')) return documents
  // The report may show the closing of a year, which the earnings of the balance sheet hold.
  return `${documents}
    UNION ALL SELECT x.month, x.account_id, x.amount, x.amount AS booked_by_xero FROM (${bookedByXero(words)}) AS x
      LEFT JOIN ${words.table('account')} AS xa ON xa.account_id = x.account_id
      WHERE COALESCE(xa.system_account, '') <> 'RETAINEDEARNINGS'`
}

/** `movements` with one row for each account and month. */
export function monthlyMovements(words: StatementNames, context: QuestionContext): string {
  return `SELECT q.month, q.account_id, SUM(q.amount) AS amount, SUM(q.booked_by_xero) AS booked_by_xero
    FROM (${movements(words, context)}) AS q GROUP BY q.month, q.account_id`
}

/**
 * Month, account id, the balance at its end (debit positive), what the month adds to it, what moved in it and the part
 * that Xero booked. One row for each account and each month whose trial balance has been read. The first month adds the
 * balance that Xero reports at its end, which holds everything before it; each later month adds its movements.
 */
export function balances(words: StatementNames, context: QuestionContext): string {
  const { table, view } = words
  const none = roundToCents('0')
  const months = table('report_trial_balance_month')
  const reported = roundToCents('COALESCE(r.ytd_debit, 0) - COALESCE(r.ytd_credit, 0)')
  return `SELECT z.month, z.account_id, z.amount AS added, z.moved, z.booked_by_xero,
      SUM(z.amount) OVER (PARTITION BY z.account_id ORDER BY z.month ROWS UNBOUNDED PRECEDING) AS balance
    FROM (SELECT y.month, y.account_id, SUM(y.amount) AS amount, SUM(y.moved) AS moved, SUM(y.booked_by_xero) AS booked_by_xero
      FROM (SELECT v.month, v.account_id, CASE WHEN v.month > f.month THEN v.amount ELSE 0 END AS amount, v.amount AS moved, v.booked_by_xero
          FROM (${movements(words, context)}) AS v CROSS JOIN (SELECT MIN(m.month) AS month, MAX(m.month) AS last_month FROM ${months} AS m) AS f
          WHERE v.month >= f.month AND v.month <= f.last_month
        UNION ALL SELECT r.month, r.account_id, ${reported} AS amount, ${none} AS moved, ${none} AS booked_by_xero
          FROM ${table('report_trial_balance')} AS r
          JOIN (SELECT MIN(m.month) AS month FROM ${months} AS m) AS f ON f.month = r.month
        UNION ALL SELECT m.month, k.account_id, ${none} AS amount, ${none} AS moved, ${none} AS booked_by_xero
          FROM ${months} AS m CROSS JOIN (SELECT a.account_id FROM ${table('account')} AS a
            UNION SELECT r.account_id FROM ${table('report_trial_balance')} AS r
            UNION SELECT b.account_id FROM ${view(balanceView)} AS b) AS k) AS y
      GROUP BY y.month, y.account_id) AS z`
}

export const isEarned = (account: string): string => `${account}.class IN ('REVENUE', 'EXPENSE')`

/** Columns that name an account, from `a`. */
export const accountColumns = 'a.account_id, a.code AS account_code, a.name AS account_name, a.type AS account_type'

export const describedAccount = [
  { name: 'account_id', description: 'Xero’s id of the account.' },
  { name: 'account_code', description: 'The account’s code in the chart of accounts.' },
  { name: 'account_name', description: 'The account’s present name.' },
  { name: 'account_type', description: 'The account’s type in Xero, such as REVENUE or OVERHEADS.' },
] as const

export const described = {
  month: { name: 'month', description: 'The first day of the calendar month.' },
  booked: {
    name: 'booked_by_xero',
    description:
      'The part that Xero booked without a document, such as revaluations, cost of tracked inventory or depreciation, taken from its trial balance. 0.00 if Xero’s journals are moved, because they hold it.',
  },
} as const

export const baseCurrency = 'Amounts are in the company’s base currency, converted at each document’s own rate.'
