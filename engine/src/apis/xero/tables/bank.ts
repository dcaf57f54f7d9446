/** Bank transactions, bank transfers and manual journals. */
import { listOf, parentTable } from '../../http/documents.ts'
import { type Fields, flag, guid, keyed, money, named, prefixed, rate, text } from '../../http/fields.ts'
import {
  contact,
  currency,
  day,
  deletedAt,
  instant,
  journalLinesOf,
  linesWithTrackingOf,
  totals,
  trackingFields,
  trackingOf,
  updatedAndDeleted,
  word,
} from './columns.ts'
import { byDate, changingStream, fourDecimals, type XeroStream } from './stream-kinds.ts'

const bankTransaction = parentTable(
  'bank_transaction',
  {
    BankTransactionID: keyed(guid),
    Type: word,
    Status: word,
    'BankAccount.AccountID': named('bank_account_id', guid),
    'BankAccount.Code': word,
    'BankAccount.Name': word,
    ...contact,
    Date: day,
    Reference: text,
    LineAmountTypes: word,
    ...totals,
    ...currency,
    PrepaymentID: guid,
    OverpaymentID: guid,
    IsReconciled: flag,
    Url: text,
    HasAttachments: flag,
    ...updatedAndDeleted,
  },
  linesWithTrackingOf('bank_transaction'),
)

const endOf = (side: 'From' | 'To'): Fields =>
  prefixed(side, {
    'BankAccount.AccountID': named(`${side.toLowerCase()}_bank_account_id`, guid),
    'BankAccount.Code': word,
    'BankAccount.Name': word,
    BankTransactionID: guid,
    IsReconciled: flag,
  })
const bankTransfer = parentTable(
  'bank_transfer',
  {
    BankTransferID: keyed(guid),
    Status: word,
    Date: day,
    Amount: money,
    CurrencyRate: rate,
    ...endOf('From'),
    ...endOf('To'),
    Reference: text,
    HasAttachments: flag,
    CreatedDateUTC: instant,
    _deleted_at: deletedAt('CreatedDateUTC'),
  },
  [
    listOf('bank_transfer_from_tracking', 'FromTracking', trackingFields),
    listOf('bank_transfer_to_tracking', 'ToTracking', trackingFields),
  ],
)

const manualJournal = parentTable(
  'manual_journal',
  {
    ManualJournalID: keyed(guid),
    Narration: text,
    Status: word,
    Date: day,
    LineAmountTypes: word,
    ShowOnCashBasisReports: flag,
    Url: text,
    HasAttachments: flag,
    ...updatedAndDeleted,
  },
  [
    journalLinesOf('manual_journal', {
      Description: text,
      AccountCode: word,
      AccountID: guid,
      TaxType: word,
      TaxAmount: money,
      LineAmount: money,
      IsBlank: flag,
    }),
    trackingOf('manual_journal', { lines: 'JournalLines', id: null, key: 'Tracking' }),
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
