/** Accounting: accounts, taxes, payment terms, journals, bank accounts, money tasks and the ledger. */
import { childTable, parentTable } from '../../http/documents.ts'
import { day, flag, guid, money, ordinal, rate, text, json, integer } from '../../http/fields.ts'
import { listStream, listLimit, taskStream, textOf, rowsWithin } from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'
import { entriesOf, taskId } from './stock.ts'

const account = parentTable('account', [
  text('Code', 50, { key: true }),
  text('Name', 256),
  text('Type', 50),
  text('Class', 50),
  text('Status', 50),
  text('Description'),
  text('DisplayName', 512),
  text('SystemAccount', 50),
  flag('ForPayments'),
  text('OldCode', 50),
  text('BankAccountNumber', 256),
  guid('BankAccountId'),
])

const taxComponent = childTable(
  'tax_component',
  [
    guid('ID', { as: 'tax_rule_id', of: 'document', key: true }),
    ordinal,
    guid('ID', { as: 'component_id' }),
    text('Name', 256),
    money('Percent'),
    text('AccountCode', 50),
    flag('Compound'),
    integer('ComponentOrder'),
  ],
  rowsWithin('Components'),
)
const taxRule = parentTable(
  'tax_rule',
  [
    guid('ID', { key: true }),
    text('Name', 256),
    text('Account', 50),
    flag('IsActive'),
    flag('TaxInclusive'),
    money('TaxPercent'),
    flag('IsTaxForSale'),
    flag('IsTaxForPurchase'),
  ],
  [taxComponent],
)

const paymentTerm = parentTable('payment_term', [
  guid('ID', { key: true }),
  text('Name', 256),
  money('Duration'),
  text('Method', 50),
  flag('IsActive'),
  flag('IsDefault'),
])

const journalLine = childTable(
  'journal_line',
  [
    guid('TaskID', { of: 'document', key: true }),
    ordinal,
    text('Reference', 256),
    money('Amount'),
    money('BaseAmount'),
    text('Debit', 50),
    text('Credit', 50),
  ],
  rowsWithin('Lines'),
)
const journal = parentTable(
  'journal',
  [
    guid('TaskID', { key: true }),
    text('JournalNumber', 50),
    day('EffectiveDate'),
    text('Status', 50),
    text('Narration'),
    text('Notes'),
    text('Currency', 3),
    rate('CurrencyConversionRate'),
    json('Attachments'),
  ],
  [journalLine],
)

const bankAccount = parentTable('bank_account', [
  guid('AccountID', { key: true }),
  text('AccountCode', 50),
  text('AccountName', 256),
  text('AccountNumber', 256),
  text('Bank', 512),
  text('Currency', 3),
  money('StatementBalance'),
  money('BalanceInDear'),
  money('InitialBalance'),
])

const fixedAssetType = parentTable('fixed_asset_type', [
  guid('FixedAssetTypeID', { key: true }),
  text('Name', 256),
  text('AssetAccountCode', 50),
  text('AssetAccountName', 256),
  text('AccumulatedDepreciationAccountCode', 50),
  text('AccumulatedDepreciationAccountName', 256),
  text('DepreciationExpenseAccountCode', 50),
  text('DepreciationExpenseAccountName', 256),
  text('DepreciationMethod', 255),
  text('AveragingMethod', 50),
  money('EffectiveLife'),
  money('Rate'),
])

/** Prepaid money, to be applied to a later invoice. */
const paidAhead = [
  day('Date'),
  text('Account', 50),
  text('Description'),
  text('Currency', 3),
  rate('ConvRate'),
  money('Amount'),
  money('RemainingAmount'),
]
const customerCredit = parentTable('customer_credit', [
  guid('CreditID', { key: true }),
  guid('CustomerID'),
  text('CustomerName', 256),
  ...paidAhead,
])
const supplierDeposit = parentTable('supplier_deposit', [
  guid('DepositID', { key: true }),
  guid('SupplierID'),
  text('SupplierName', 256),
  ...paidAhead,
])

const moneyLine = childTable(
  'money_task_line',
  [
    taskId,
    ordinal,
    text('Name', 256),
    money('Quantity'),
    money('Price'),
    money('Discount'),
    money('Tax'),
    text('TaxRuleName', 256),
    text('AccountCode', 50),
    text('Comment'),
    money('Total'),
  ],
  rowsWithin('Lines'),
)
/** Payments, receipts, and transfers between bank accounts. */
const moneyTask = parentTable(
  'money_task',
  [
    guid('TaskID', { key: true }),
    text('TaskType', 50),
    text('Status', 50),
    day('Date'),
    text('Reference', 256),
    guid('CustomerID'),
    guid('SupplierID'),
    text('SupplierCustomerName', 256, { or: 'SupplierCustomer' }),
    money('TotalAmount'),
    text('BankAccount', 50),
    text('FromAccount', 50),
    money('FromAmount'),
    text('ToAccount', 50),
    money('ToAmount'),
    rate('CurrencyConversionRate'),
    flag('TaxInclusive'),
    text('Note'),
    json('Attachments'),
  ],
  [moneyLine, entriesOf('money_task')],
)

/**
 * The ledger has no keys, so its entries are children of their month, and a month is always written as a whole.
 * An entry's key is a hash of its values. Identical entries are numbered.
 */
const ledgerMonth = parentTable(
  'ledger_month',
  [text('Month', 7, { key: true }), integer('Entries')],
  [
    childTable(
      'ledger_entry',
      [
        text('Month', 7, { of: 'document', key: true }),
        guid('EntryID', { key: true }),
        integer('Twin', { key: true }),
        guid('TaskID'),
        text('Type', 50),
        day('EffectiveDate'),
        text('Transaction'),
        text('Reference', 256),
        text('DebitAccountCode', 50),
        text('CreditAccountCode', 50),
        money('Amount'),
      ],
      rowsWithin('Transactions'),
    ),
  ],
)

/** Reference data of almost every other stream. */
export const chartStreams: readonly Cin7Stream[] = [
  listStream('account', account, { path: 'ref/account', rows: 'AccountsList' }),
  listStream('tax', taxRule, { path: 'ref/tax', rows: 'TaxRuleList' }),
  listStream('paymentterm', paymentTerm, { path: 'ref/paymentterm', rows: 'PaymentTermList' }),
]

export const bookStreams: readonly Cin7Stream[] = [
  listStream('bankAccount', bankAccount, {
    path: 'ref/account/bank',
    alternatePath: 'ref/accountBank',
    rows: 'BankAccountsList',
  }),
  listStream('fixedassettype', fixedAssetType, { path: 'ref/fixedassettype', rows: 'FixedAssetTypeList' }),
  listStream('customerCredit', customerCredit, {
    path: 'ref/customer/credits',
    rows: 'CustomerCredits',
    query: { ShowUsedCredits: 'true' },
  }),
  listStream('supplierDeposit', supplierDeposit, {
    path: 'ref/supplier/deposits',
    rows: 'SupplierDeposits',
    query: { ShowUsedDeposits: 'true' },
  }),
  listStream('journal', journal, { path: 'journal', rows: 'Journals' }),
  taskStream('moneyTask', {
    noun: 'payments and receipts',
    list: { path: 'moneyTaskList', rows: 'MoneyTasks', limit: listLimit },
    pathOf: (row) => (/transfer/i.test(textOf(row, 'TaskType')) ? 'bankTransfer' : 'moneyOperation'),
    shape: moneyTask,
  }),
  {
    kind: 'ledger',
    name: 'transactions',
    list: { path: 'transactions', rows: 'Transactions', limit: listLimit },
    shape: ledgerMonth,
  },
]
