/** Balance sheet at the end of each month, and money by bank account and month. */
import type { QuestionContext, ReadyQuestion } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { nullText, roundToCents } from '../ledger/posting.ts'
import { ledgerView } from '../ledger/views.ts'
import { ledgerStreams } from '../ledger/tie-out.ts'
import { accountColumns, balances, baseCurrency, described, describedAccount, isEarned } from './movements.ts'

const asOf = { name: 'as_of', description: 'The last day of the month.' } as const

/** Postings to a system account that the company lacks have no account; they are shown, so that the sheet balances. */
const side = `CASE a.class WHEN 'LIABILITY' THEN 'Liabilities' WHEN 'EQUITY' THEN 'Equity' ELSE 'Assets' END`
const section = `CASE WHEN a.account_id IS NULL THEN 'Without an account' WHEN a.type = 'BANK' THEN 'Bank'
  WHEN a.type IN ('CURRENT', 'INVENTORY', 'PREPAYMENT') THEN 'Current assets' WHEN a.type = 'FIXED' THEN 'Fixed assets'
  WHEN a.class = 'ASSET' THEN 'Non-current assets' WHEN a.class = 'EQUITY' THEN 'Equity'
  WHEN a.type IN ('TERMLIAB', 'LIABILITY') THEN 'Non-current liabilities' ELSE 'Current liabilities' END`
const sectionNumber = `CASE WHEN a.account_id IS NULL THEN 5 WHEN a.type = 'BANK' THEN 1
  WHEN a.type IN ('CURRENT', 'INVENTORY', 'PREPAYMENT') THEN 2 WHEN a.type = 'FIXED' THEN 3
  WHEN a.class = 'ASSET' THEN 4 WHEN a.class = 'EQUITY' THEN 8 WHEN a.type IN ('TERMLIAB', 'LIABILITY') THEN 7 ELSE 6 END`

export const balanceSheet: ReadyQuestion = {
  name: 'balance_sheet',
  title: 'What do we own and owe at the end of each month?',
  description: `Balance sheet by month end and account. The first month is the first whose trial balance Xero reports, with the balances that it reports; each later month adds what was posted. Assets less liabilities equal equity, which holds the current year’s earnings and those of earlier years. The financial year ends with the month that Xero names. ${baseCurrency}`,
  columns: [
    described.month,
    asOf,
    { name: 'side', description: 'Assets, Liabilities or Equity.' },
    { name: 'section_no', description: 'The order of the sections on the statement: 1 to 8.' },
    {
      name: 'section',
      description:
        'Bank, Current assets, Fixed assets, Non-current assets, Current liabilities, Non-current liabilities, Equity, or Without an account.',
    },
    ...describedAccount.map((column) =>
      column.name === 'account_name'
        ? {
            ...column,
            description: `${column.description} ‘Current year earnings’ and ‘Earnings of earlier years’ have no account.`,
          }
        : column,
    ),
    { name: 'amount', description: 'The balance as on the statement: assets, liabilities and equity are positive.' },
  ],
  requiredStreams: ledgerStreams,
  select: selectBalanceSheet,
}

function selectBalanceSheet(words: StatementNames, context: QuestionContext): string {
  const { table, monthEnd } = words
  const shown = roundToCents(`CASE WHEN a.class IN ('LIABILITY', 'EQUITY') THEN -1 * b.balance ELSE b.balance END`)
  const earnings = (
    name: string,
    amount: string,
  ): string => `SELECT e.month, ${monthEnd('e.month')} AS as_of, 'Equity' AS side,
      8 AS section_no, 'Equity' AS section, NULL AS account_id, ${nullText} AS account_code, '${name}' AS account_name,
      ${nullText} AS account_type, ${roundToCents(amount)} AS amount
    FROM (${earned(words, context)}) AS e WHERE ${amount} <> 0`
  return `SELECT b.month, ${monthEnd('b.month')} AS as_of, ${side} AS side, ${sectionNumber} AS section_no, ${section} AS section,
      ${accountColumns}, ${shown} AS amount
    FROM (${balances(words, context)}) AS b LEFT JOIN ${table('account')} AS a ON a.account_id = b.account_id
    WHERE b.balance <> 0 AND COALESCE(a.class, '') NOT IN ('REVENUE', 'EXPENSE')
    UNION ALL ${earnings('Current year earnings', 'e.this_year')}
    UNION ALL ${earnings('Earnings of earlier years', 'e.all_years - e.this_year')}`
}

/** What was earned until the end of each month: since the beginning, and in the financial year. */
function earned(words: StatementNames, context: QuestionContext): string {
  const { table, year, monthOfYear } = words
  const financialYear = `${year('b.month')} + CASE WHEN ${monthOfYear('b.month')} > COALESCE(o.end_month, 12) THEN 1 ELSE 0 END`
  return `SELECT s.month, s.all_years, SUM(s.added) OVER (PARTITION BY s.financial_year ORDER BY s.month ROWS UNBOUNDED PRECEDING) AS this_year
    FROM (SELECT b.month, MAX(${financialYear}) AS financial_year, -1 * SUM(b.balance) AS all_years, -1 * SUM(b.added) AS added
      FROM (${balances(words, context)}) AS b JOIN ${table('account')} AS a ON a.account_id = b.account_id
      CROSS JOIN (SELECT MAX(g.financial_year_end_month) AS end_month FROM ${table('organisation')} AS g) AS o
      WHERE ${isEarned('a')} GROUP BY b.month) AS s`
}

export const cashByMonth: ReadyQuestion = {
  name: 'cash_by_month',
  title: 'How much money came in and went out of each bank account?',
  description: `Money by bank account and month: the balance at the beginning, what came in and went out, and the balance at the end, as in the books and not as on the bank’s statement. Credit cards are bank accounts in Xero. A transfer is money out of one account and into another. ${baseCurrency}`,
  columns: [
    described.month,
    asOf,
    ...describedAccount,
    { name: 'bank_account_type', description: 'BANK, CREDITCARD or PAYPAL.' },
    { name: 'currency_code', description: 'The account’s currency. The amounts are in base currency nevertheless.' },
    { name: 'opening_balance', description: 'The balance at the beginning of the month.' },
    { name: 'money_in', description: 'Postings that increase the balance.' },
    { name: 'money_out', description: 'Postings that reduce the balance, as a positive amount.' },
    described.booked,
    { name: 'closing_balance', description: 'The balance at the end of the month.' },
  ],
  requiredStreams: ledgerStreams,
  select: selectCash,
}

function selectCash(words: StatementNames, context: QuestionContext): string {
  const { table, view, monthEnd } = words
  const postings = `SELECT g.month, g.account_id, SUM(CASE WHEN g.amount > 0 THEN g.amount ELSE 0 END) AS money_in,
      SUM(CASE WHEN g.amount < 0 THEN -1 * g.amount ELSE 0 END) AS money_out
    FROM ${view(ledgerView)} AS g GROUP BY g.month, g.account_id`
  return `SELECT b.month, ${monthEnd('b.month')} AS as_of, ${accountColumns}, a.bank_account_type, a.currency_code,
      ${roundToCents('b.balance - b.moved')} AS opening_balance, ${roundToCents('COALESCE(p.money_in, 0)')} AS money_in,
      ${roundToCents('COALESCE(p.money_out, 0)')} AS money_out, ${roundToCents('b.booked_by_xero')} AS booked_by_xero,
      ${roundToCents('b.balance')} AS closing_balance
    FROM (${balances(words, context)}) AS b JOIN ${table('account')} AS a ON a.account_id = b.account_id
    LEFT JOIN (${postings}) AS p ON p.month = b.month AND p.account_id = b.account_id
    WHERE a.type = 'BANK' AND (b.balance <> 0 OR b.moved <> 0 OR p.money_in IS NOT NULL)`
}
