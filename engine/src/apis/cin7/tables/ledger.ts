/** Accounting: accounts, taxes, payment terms, journals, bank accounts, money tasks and the ledger. */
import { identifiedListOf, listOf, parentTable } from '../../http/documents.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  integer,
  json,
  keyed,
  money,
  named,
  orElse,
  rate,
  text,
  textUpTo,
} from '../../http/fields.ts'
import { currency, name, word } from './columns.ts'
import { entriesOf } from './stock.ts'
import { type Cin7Stream, listStream, taskStream, textOf } from './stream-kinds.ts'

const account = parentTable('account', {
  Code: keyed(word),
  Name: name,
  Type: word,
  Class: word,
  Status: word,
  Description: text,
  DisplayName: textUpTo(512),
  SystemAccount: word,
  ForPayments: flag,
  OldCode: word,
  BankAccountNumber: name,
  BankAccountId: guid,
})

const taxRule = parentTable(
  'tax_rule',
  {
    ID: keyed(guid),
    Name: name,
    Account: word,
    IsActive: flag,
    TaxInclusive: flag,
    TaxPercent: money,
    IsTaxForSale: flag,
    IsTaxForPurchase: flag,
  },
  [
    listOf('tax_component', 'Components', {
      ID: named('component_id', guid),
      Name: name,
      Percent: money,
      AccountCode: word,
      Compound: flag,
      ComponentOrder: integer,
    }),
  ],
)

const paymentTerm = parentTable('payment_term', {
  ID: keyed(guid),
  Name: name,
  Duration: money,
  Method: word,
  IsActive: flag,
  IsDefault: flag,
})

const journal = parentTable(
  'journal',
  {
    TaskID: keyed(guid),
    JournalNumber: word,
    EffectiveDate: day,
    Status: word,
    Narration: text,
    Notes: text,
    Currency: currency,
    CurrencyConversionRate: rate,
    Attachments: json,
  },
  [
    listOf('journal_line', 'Lines', {
      Reference: name,
      Amount: money,
      BaseAmount: money,
      Debit: word,
      Credit: word,
    }),
  ],
)

const bankAccount = parentTable('bank_account', {
  AccountID: keyed(guid),
  AccountCode: word,
  AccountName: name,
  AccountNumber: name,
  Bank: textUpTo(512),
  Currency: currency,
  StatementBalance: money,
  BalanceInDear: money,
  InitialBalance: money,
})

const fixedAssetType = parentTable('fixed_asset_type', {
  FixedAssetTypeID: keyed(guid),
  Name: name,
  AssetAccountCode: word,
  AssetAccountName: name,
  AccumulatedDepreciationAccountCode: word,
  AccumulatedDepreciationAccountName: name,
  DepreciationExpenseAccountCode: word,
  DepreciationExpenseAccountName: name,
  DepreciationMethod: textUpTo(255),
  AveragingMethod: word,
  EffectiveLife: money,
  Rate: money,
})

/** Prepaid money, to be applied to a later invoice. */
const paidAhead: Fields = {
  Date: day,
  Account: word,
  Description: text,
  Currency: currency,
  ConvRate: rate,
  Amount: money,
  RemainingAmount: money,
}
const customerCredit = parentTable('customer_credit', {
  CreditID: keyed(guid),
  CustomerID: guid,
  CustomerName: name,
  ...paidAhead,
})
const supplierDeposit = parentTable('supplier_deposit', {
  DepositID: keyed(guid),
  SupplierID: guid,
  SupplierName: name,
  ...paidAhead,
})

/** Payments, receipts, and transfers between bank accounts. */
const moneyTask = parentTable(
  'money_task',
  {
    TaskID: keyed(guid),
    TaskType: word,
    Status: word,
    Date: day,
    Reference: name,
    CustomerID: guid,
    SupplierID: guid,
    SupplierCustomerName: orElse('SupplierCustomer', name),
    TotalAmount: money,
    BankAccount: word,
    FromAccount: word,
    FromAmount: money,
    ToAccount: word,
    ToAmount: money,
    CurrencyConversionRate: rate,
    TaxInclusive: flag,
    Note: text,
    Attachments: json,
  },
  [
    listOf('money_task_line', 'Lines', {
      Name: name,
      Quantity: money,
      Price: money,
      Discount: money,
      Tax: money,
      TaxRuleName: name,
      AccountCode: word,
      Comment: text,
      Total: money,
    }),
    entriesOf('money_task'),
  ],
)

/**
 * The ledger has no keys, so its entries are children of their month, and a month is always written as a whole.
 * An entry's key is a hash of its values. Identical entries are numbered.
 */
const ledgerMonth = parentTable('ledger_month', { Month: keyed(textUpTo(7)), Entries: integer }, [
  identifiedListOf('ledger_entry', 'Transactions', {
    EntryID: keyed(guid),
    Twin: keyed(integer),
    TaskID: guid,
    Type: word,
    EffectiveDate: day,
    Transaction: text,
    Reference: name,
    DebitAccountCode: word,
    CreditAccountCode: word,
    Amount: money,
  }),
])

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
    list: { path: 'moneyTaskList', rows: 'MoneyTasks' },
    pathOf: (row) => (/transfer/i.test(textOf(row, 'TaskType')) ? 'bankTransfer' : 'moneyOperation'),
    shape: moneyTask,
  }),
  {
    kind: 'ledger',
    name: 'transactions',
    list: { path: 'transactions', rows: 'Transactions' },
    shape: ledgerMonth,
  },
]
