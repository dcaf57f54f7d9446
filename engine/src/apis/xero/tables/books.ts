/** The ledger's journals, budgets and monthly reports. */
import { childTable, parentTable } from '../../http/documents.ts'
import type { ChildShape, DocumentShape } from '../../http/documents.ts'
import { guid, readMembers, money, ordinal, text, integer } from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'
import { day, listOf, instant, identifiedListOf, trackingFields, trackingOf, updated, word } from './columns.ts'
import type { BudgetStream, JournalStream, ReportStream } from './stream-kinds.ts'

const journalParent = { table: 'journal', id: 'JournalID' }
const journal = parentTable(
  'journal',
  [
    guid('JournalID', { key: true }),
    {
      ...integer('JournalNumber'),
      column: { name: 'journal_number', type: { kind: 'integer', bytes: 8 }, nullable: true },
    },
    day('JournalDate'),
    text('Reference'),
    guid('SourceID'),
    word('SourceType'),
    instant('CreatedDateUTC'),
  ],
  [
    identifiedListOf(journalParent, 'line', 'JournalLines', [
      guid('JournalLineID', { key: true }),
      guid('AccountID'),
      word('AccountCode'),
      word('AccountType'),
      word('AccountName'),
      text('Description'),
      money('NetAmount'),
      money('GrossAmount'),
      money('TaxAmount'),
      word('TaxType'),
      word('TaxName'),
    ]),
    trackingOf(journalParent, { lines: 'JournalLines', id: 'JournalLineID', key: 'TrackingCategories' }),
  ],
)

/** The lines as the budget reader arranges them: one per account and month. */
const budget = parentTable(
  'budget',
  [guid('BudgetID', { key: true }), word('Status'), word('Type'), text('Description'), updated],
  [
    listOf({ table: 'budget', id: 'BudgetID' }, 'tracking', 'Tracking', trackingFields),
    identifiedListOf({ table: 'budget', id: 'BudgetID' }, 'line', 'Lines', [
      guid('AccountID', { key: true }),
      day('Period', { key: true }),
      word('AccountCode'),
      money('Amount'),
      text('Notes'),
    ]),
  ],
)

/** A report's rows are children of their month, so that a month is always written as a whole. */
function monthly(name: string, fields: readonly FieldMapping[]): DocumentShape {
  const rows: ChildShape['rows'] = (document) =>
    readMembers(document, 'Lines').map((node, at) => ({ document, node, section: '', number: 0, ordinal: at + 1 }))
  return parentTable(
    `${name}_month`,
    [day('Month', { key: true }), word('ReportName'), updated],
    [childTable(name, [day('Month', { of: 'document', key: true }), ...fields], rows)],
  )
}

const trialBalance = monthly('report_trial_balance', [
  guid('AccountID', { key: true }),
  word('Code'),
  word('Name'),
  word('Section'),
  money('Debit'),
  money('Credit'),
  money('YtdDebit'),
  money('YtdCredit'),
])

const statementFields: readonly FieldMapping[] = [
  ordinal,
  word('Section'),
  word('RowType'),
  guid('AccountID'),
  text('Label'),
  money('Amount'),
]

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
