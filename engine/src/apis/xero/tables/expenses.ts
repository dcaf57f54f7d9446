/** Expense claims and their receipts. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, rate, text, integer } from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'
import { contact, day, deletedAt, listOf, totals, linesWithTrackingOf, updated, word } from './columns.ts'
import { changingStream, fourDecimals } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const person: readonly FieldMapping[] = [
  guid('User.UserID', { as: 'user_id' }),
  word('User.FirstName', { as: 'user_first_name' }),
  word('User.LastName', { as: 'user_last_name' }),
]

const claimParent = { table: 'expense_claim', id: 'ExpenseClaimID' }
const expenseClaim = parentTable(
  'expense_claim',
  [
    guid('ExpenseClaimID', { key: true }),
    word('Status'),
    ...person,
    day('ReportingDate'),
    day('PaymentDueDate'),
    money('Total'),
    money('AmountDue'),
    money('AmountPaid'),
    updated,
    deletedAt(),
  ],
  [
    listOf(claimParent, 'receipt', 'Receipts', [guid('ReceiptID'), word('ReceiptNumber'), day('Date'), money('Total')]),
    listOf(claimParent, 'payment', 'Payments', [
      guid('PaymentID'),
      day('Date'),
      money('Amount'),
      rate('CurrencyRate'),
      text('Reference'),
      guid('Account.AccountID', { as: 'account_id' }),
      word('Account.Code', { as: 'account_code' }),
      word('Status'),
    ]),
  ],
)

const receipt = parentTable(
  'receipt',
  [
    guid('ReceiptID', { key: true }),
    integer('ReceiptNumber'),
    word('Status'),
    ...person,
    ...contact,
    day('Date'),
    text('Reference'),
    word('LineAmountTypes'),
    ...totals,
    text('Url'),
    flag('HasAttachments'),
    updated,
    deletedAt(),
  ],
  linesWithTrackingOf({ table: 'receipt', id: 'ReceiptID' }),
)

/** Xero has removed classic expense claims for most companies. */
const classic = { scope: 'accounting.classicexpenses.read', isOptional: true } as const
export const expenseStreams: readonly XeroStream[] = [
  changingStream('ExpenseClaims', expenseClaim, { ...classic, dated: { key: 'ReportingDate', method: 'here' } }),
  changingStream('Receipts', receipt, { ...classic, dated: { key: 'Date', method: 'here' }, query: fourDecimals }),
]
