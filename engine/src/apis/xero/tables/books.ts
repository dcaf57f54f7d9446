/** The ledger's journals, budgets and monthly reports. */
import { asDecimal } from '../../http/canonical-text.ts'
import { type DocumentShape, identifiedListOf, listOf, parentTable } from '../../http/documents.ts'
import { fieldKind, type Fields, guid, keyed, money, ordinal, text } from '../../http/fields.ts'
import { day, instant, trackingFields, trackingOf, word } from './columns.ts'
import type { BudgetStream, JournalStream, ReportStream } from './stream-kinds.ts'

const journal = parentTable(
  'journal',
  {
    JournalID: keyed(guid),
    JournalNumber: fieldKind({ kind: 'integer', bytes: 8 }, asDecimal),
    JournalDate: day,
    Reference: text,
    SourceID: guid,
    SourceType: word,
    CreatedDateUTC: instant,
  },
  [
    identifiedListOf('journal_line', 'JournalLines', {
      JournalLineID: keyed(guid),
      AccountID: guid,
      AccountCode: word,
      AccountType: word,
      AccountName: word,
      Description: text,
      NetAmount: money,
      GrossAmount: money,
      TaxAmount: money,
      TaxType: word,
      TaxName: word,
    }),
    trackingOf('journal', { lines: 'JournalLines', id: 'JournalLineID', key: 'TrackingCategories' }),
  ],
)

/** The lines as the budget reader arranges them: one per account and month. */
const budget = parentTable(
  'budget',
  { BudgetID: keyed(guid), Status: word, Type: word, Description: text, UpdatedDateUTC: instant },
  [
    listOf('budget_tracking', 'Tracking', trackingFields),
    identifiedListOf('budget_line', 'Lines', {
      AccountID: keyed(guid),
      Period: keyed(day),
      AccountCode: word,
      Amount: money,
      Notes: text,
    }),
  ],
)

/** A report's rows are children of their month, so that a month is always written as a whole. */
function monthly(name: string, fields: Fields): DocumentShape {
  return parentTable(`${name}_month`, { Month: keyed(day), ReportName: word, UpdatedDateUTC: instant }, [
    identifiedListOf(name, 'Lines', fields),
  ])
}

const trialBalance = monthly('report_trial_balance', {
  AccountID: keyed(guid),
  Code: word,
  Name: word,
  Section: word,
  Debit: money,
  Credit: money,
  YtdDebit: money,
  YtdCredit: money,
})

const statementFields: Fields = {
  ordinal,
  Section: word,
  RowType: word,
  AccountID: guid,
  Label: text,
  Amount: money,
}

export const journalStream: JournalStream = {
  kind: 'journals',
  name: 'Journals',
  scope: 'accounting.journals.read',
  shape: journal,
}
export const budgetStream: BudgetStream = {
  kind: 'budgets',
  name: 'Budgets',
  scope: 'accounting.budgets.read',
  shape: budget,
}
export const trialBalanceStream: ReportStream = {
  kind: 'report',
  name: 'Reports/TrialBalance',
  scope: 'accounting.reports.trialbalance.read',
  shape: trialBalance,
  dateParameters: 'day',
  frequency: 'often',
}
export const statementStreams: readonly ReportStream[] = [
  {
    kind: 'report',
    name: 'Reports/ProfitAndLoss',
    scope: 'accounting.reports.profitandloss.read',
    shape: monthly('report_profit_and_loss', statementFields),
    dateParameters: 'span',
    frequency: 'daily',
  },
  {
    kind: 'report',
    name: 'Reports/BalanceSheet',
    scope: 'accounting.reports.balancesheet.read',
    shape: monthly('report_balance_sheet', statementFields),
    dateParameters: 'day',
    frequency: 'daily',
  },
]
