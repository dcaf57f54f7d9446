/** Profit and loss by month and account, and by tracking category. */
import type { QuestionContext, ReadyQuestion } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { roundToCents } from '../ledger/posting.ts'
import { ledgerStreams } from '../ledger/tie-out.ts'
import { accountColumns, baseCurrency, described, describedAccount, isEarned, monthlyMovements } from './movements.ts'
import { trackedView } from './tracked-ledger.ts'

export const profitView = 'profit_and_loss'

/** Sections of the statement in their order. The last holds types that Xero may add. */
const section = `CASE WHEN a.type IN ('REVENUE', 'SALES') THEN 'Income' WHEN a.type = 'OTHERINCOME' THEN 'Other income'
  WHEN a.type = 'DIRECTCOSTS' THEN 'Cost of sales' WHEN a.class = 'REVENUE' THEN 'Other income' ELSE 'Operating expenses' END`
const sectionNumber = `CASE WHEN a.type IN ('REVENUE', 'SALES') THEN 1 WHEN a.type = 'DIRECTCOSTS' THEN 2 WHEN a.class = 'REVENUE' THEN 3 ELSE 4 END`

/** Shown positive: income by its class, costs by theirs. @param amount debit positive */
function statementColumns(amount: string): string {
  const shown = roundToCents(`CASE WHEN a.class = 'REVENUE' THEN -1 * ${amount} ELSE ${amount} END`)
  return `${sectionNumber} AS section_no, ${section} AS section, ${accountColumns}, ${shown} AS amount, ${roundToCents(`-1 * ${amount}`)} AS profit`
}

const describedStatement = [
  { name: 'section_no', description: 'The order of the sections on the statement: 1 to 4.' },
  { name: 'section', description: 'Income, Cost of sales, Other income or Operating expenses.' },
  ...describedAccount,
  { name: 'amount', description: 'The amount as on the statement: income and costs are positive.' },
  {
    name: 'profit',
    description: 'The effect on profit: income is positive, a cost is negative. The sum is the net profit.',
  },
] as const

export const profitAndLoss: ReadyQuestion = {
  name: profitView,
  title: 'What did we earn and spend?',
  description: `Profit and loss by month and account, on an accrual basis: approved invoices, bills, credit notes, bank transactions, manual journals and expense claims count in the month of their date, without tax. ${baseCurrency}`,
  columns: [described.month, ...describedStatement, described.booked],
  requiredStreams: ledgerStreams,
  select: (words, context) => `SELECT m.month, ${statementColumns('m.amount')}, ${bookedColumn}
    FROM (${monthlyMovements(words, context)}) AS m JOIN ${words.table('account')} AS a ON a.account_id = m.account_id
    WHERE ${isEarned('a')} AND (m.amount <> 0 OR m.booked_by_xero <> 0)`,
}

const bookedColumn = `${roundToCents(`CASE WHEN a.class = 'REVENUE' THEN -1 * m.booked_by_xero ELSE m.booked_by_xero END`)} AS booked_by_xero`

export const profitAndLossByTracking: ReadyQuestion = {
  name: 'profit_and_loss_by_tracking',
  title: 'What did each region, department or project earn and spend?',
  description: `Profit and loss by month, account, tracking category and option. For each category the rows add up to the whole profit and loss: what has no option of the category has a row without one. Do not add up several categories. Names are those of today. ${baseCurrency}`,
  columns: [
    described.month,
    { name: 'tracking_category_id', description: 'Xero’s id of the tracking category.' },
    { name: 'tracking_category', description: 'The category’s present name, such as Region.' },
    { name: 'tracking_option_id', description: 'Xero’s id of the option; empty for what has no option.' },
    { name: 'tracking_option', description: 'The option’s present name; empty for what has no option.' },
    ...describedStatement,
  ],
  requiredStreams: [...ledgerStreams, 'TrackingCategories'],
  select: selectByTracking,
}

function selectByTracking(words: StatementNames, context: QuestionContext): string {
  const { table, view } = words
  const tracked = `SELECT t.month, t.account_id, t.tracking_category_id, t.tracking_option_id,
      MAX(t.tracking_category) AS category, MAX(t.tracking_option) AS choice, SUM(t.amount) AS amount
    FROM ${view(trackedView)} AS t GROUP BY t.month, t.account_id, t.tracking_category_id, t.tracking_option_id`
  const categories = `SELECT n.tracking_category_id, MAX(n.category) AS category
    FROM (SELECT c.tracking_category_id, c.name AS category FROM ${table('tracking_category')} AS c
      UNION ALL SELECT t.tracking_category_id, t.tracking_category AS category FROM ${view(trackedView)} AS t) AS n
    GROUP BY n.tracking_category_id`
  const sums = `SELECT t.month, t.account_id, t.tracking_category_id, SUM(t.amount) AS amount
    FROM ${view(trackedView)} AS t GROUP BY t.month, t.account_id, t.tracking_category_id`
  return `SELECT r.month, r.tracking_category_id, COALESCE(c.name, r.category) AS tracking_category, r.tracking_option_id,
      COALESCE(o.name, r.choice) AS tracking_option, ${statementColumns('r.amount')}
    FROM (${tracked}
      UNION ALL SELECT m.month, m.account_id, k.tracking_category_id, NULL AS tracking_option_id, k.category,
        NULLIF('', '') AS choice, m.amount - COALESCE(s.amount, 0) AS amount
      FROM (${monthlyMovements(words, context)}) AS m CROSS JOIN (${categories}) AS k
      LEFT JOIN (${sums}) AS s ON s.month = m.month AND s.account_id = m.account_id AND s.tracking_category_id = k.tracking_category_id) AS r
    JOIN ${table('account')} AS a ON a.account_id = r.account_id
    LEFT JOIN ${table('tracking_category')} AS c ON c.tracking_category_id = r.tracking_category_id
    LEFT JOIN ${table('tracking_option')} AS o ON o.tracking_option_id = r.tracking_option_id
    WHERE ${isEarned('a')} AND r.amount <> 0`
}
