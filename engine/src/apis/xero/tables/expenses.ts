/** Expense claims and their receipts. */
import { listOf, parentTable } from '../../http/documents.ts'
import { type Fields, flag, guid, integer, keyed, money, named, rate, text } from '../../http/fields.ts'
import { account, contact, day, linesWithTrackingOf, totals, updatedAndDeleted, word } from './columns.ts'
import { changingStream, fourDecimals, type XeroStream } from './stream-kinds.ts'

const person: Fields = {
  'User.UserID': named('user_id', guid),
  'User.FirstName': word,
  'User.LastName': word,
}

const expenseClaim = parentTable(
  'expense_claim',
  {
    ExpenseClaimID: keyed(guid),
    Status: word,
    ...person,
    ReportingDate: day,
    PaymentDueDate: day,
    Total: money,
    AmountDue: money,
    AmountPaid: money,
    ...updatedAndDeleted,
  },
  [
    listOf('expense_claim_receipt', 'Receipts', { ReceiptID: guid, ReceiptNumber: word, Date: day, Total: money }),
    listOf('expense_claim_payment', 'Payments', {
      PaymentID: guid,
      Date: day,
      Amount: money,
      CurrencyRate: rate,
      Reference: text,
      ...account,
      Status: word,
    }),
  ],
)

const receipt = parentTable(
  'receipt',
  {
    ReceiptID: keyed(guid),
    ReceiptNumber: integer,
    Status: word,
    ...person,
    ...contact,
    Date: day,
    Reference: text,
    LineAmountTypes: word,
    ...totals,
    Url: text,
    HasAttachments: flag,
    ...updatedAndDeleted,
  },
  linesWithTrackingOf('receipt'),
)

/** Xero has removed classic expense claims for most companies. */
const classic = { scope: 'accounting.classicexpenses.read', isOptional: true } as const
export const expenseStreams: readonly XeroStream[] = [
  changingStream('ExpenseClaims', expenseClaim, { ...classic, dated: { key: 'ReportingDate', method: 'here' } }),
  changingStream('Receipts', receipt, { ...classic, dated: { key: 'Date', method: 'here' }, query: fourDecimals }),
]
