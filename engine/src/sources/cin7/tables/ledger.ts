/** The books: accounts, taxes, terms and journals. */
import { childTable, parentTable } from '../../../http/documents.ts'
import { day, flag, guid, money, ordinal, rate, text, tree, whole } from '../../../http/fields.ts'
import { within } from './declare.ts'
import type { Cin7Stream } from './declare.ts'

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
    whole('ComponentOrder'),
  ],
  within('Components'),
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
  within('Lines'),
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
    tree('Attachments'),
  ],
  [journalLine],
)

export const ledgerStreams: readonly Cin7Stream[] = [
  { kind: 'list', name: 'account', list: { path: 'ref/account', rows: 'AccountsList', limit: 1_000 }, shape: account },
  { kind: 'list', name: 'tax', list: { path: 'ref/tax', rows: 'TaxRuleList', limit: 1_000 }, shape: taxRule },
  { kind: 'list', name: 'paymentterm', list: { path: 'ref/paymentterm', rows: 'PaymentTermList', limit: 1_000 }, shape: paymentTerm },
  { kind: 'list', name: 'journal', list: { path: 'journal', rows: 'Journals', limit: 1_000 }, shape: journal },
]
