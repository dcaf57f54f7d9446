/** Bank transactions, bank transfers and manual journals. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, rate, text } from '../../http/fields.ts'
import {
  contact,
  currency,
  day,
  deletedAt,
  journalLinesOf,
  listOf,
  instant,
  totals,
  linesWithTrackingOf,
  trackingFields,
  trackingOf,
  updated,
  word,
} from './columns.ts'
import { byDate, changingStream, fourDecimals } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const bankTransaction = parentTable(
  'bank_transaction',
  [
    guid('BankTransactionID', { key: true }),
    word('Type'),
    word('Status'),
    guid('BankAccount.AccountID', { as: 'bank_account_id' }),
    word('BankAccount.Code', { as: 'bank_account_code' }),
    word('BankAccount.Name', { as: 'bank_account_name' }),
    ...contact,
    day('Date'),
    text('Reference'),
    word('LineAmountTypes'),
    ...totals,
    ...currency,
    guid('PrepaymentID'),
    guid('OverpaymentID'),
    flag('IsReconciled'),
    text('Url'),
    flag('HasAttachments'),
    updated,
    deletedAt(),
  ],
  linesWithTrackingOf({ table: 'bank_transaction', id: 'BankTransactionID' }),
)

const endOf = (side: 'From' | 'To') => {
  const name = side.toLowerCase()
  return [
    guid(`${side}BankAccount.AccountID`, { as: `${name}_bank_account_id` }),
    word(`${side}BankAccount.Code`, { as: `${name}_bank_account_code` }),
    word(`${side}BankAccount.Name`, { as: `${name}_bank_account_name` }),
    guid(`${side}BankTransactionID`),
    flag(`${side}IsReconciled`),
  ]
}
const transferParent = { table: 'bank_transfer', id: 'BankTransferID' }
const bankTransfer = parentTable(
  'bank_transfer',
  [
    guid('BankTransferID', { key: true }),
    word('Status'),
    day('Date'),
    money('Amount'),
    rate('CurrencyRate'),
    ...endOf('From'),
    ...endOf('To'),
    text('Reference'),
    flag('HasAttachments'),
    instant('CreatedDateUTC'),
    deletedAt('CreatedDateUTC'),
  ],
  [
    listOf(transferParent, 'from_tracking', 'FromTracking', trackingFields),
    listOf(transferParent, 'to_tracking', 'ToTracking', trackingFields),
  ],
)

const manualParent = { table: 'manual_journal', id: 'ManualJournalID' }
const manualJournal = parentTable(
  'manual_journal',
  [
    guid('ManualJournalID', { key: true }),
    text('Narration'),
    word('Status'),
    day('Date'),
    word('LineAmountTypes'),
    flag('ShowOnCashBasisReports'),
    text('Url'),
    flag('HasAttachments'),
    updated,
    deletedAt(),
  ],
  [
    journalLinesOf(manualParent, [
      text('Description'),
      word('AccountCode'),
      guid('AccountID'),
      word('TaxType'),
      money('TaxAmount'),
      money('LineAmount'),
      flag('IsBlank'),
    ]),
    trackingOf(manualParent, { lines: 'JournalLines', id: null, key: 'Tracking' }),
  ],
)

const scope = 'accounting.banktransactions.read'
export const bankStreams: readonly XeroStream[] = [
  changingStream('BankTransactions', bankTransaction, { scope, page: 1000, dated: byDate, query: fourDecimals }),
  changingStream('BankTransfers', bankTransfer, { scope, dated: byDate, query: { includeDeleted: 'true' } }),
  changingStream('ManualJournals', manualJournal, {
    scope: 'accounting.manualjournals.read',
    page: 1000,
    dated: byDate,
    isOrdered: false,
  }),
]
