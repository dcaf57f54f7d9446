/** What people paid out of their own pockets: receipts, and the claims they are handed in with. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, rate, text, whole as integer } from '../../http/fields.ts'
import type { Field } from '../../http/fields.ts'
import { contact, day, deletedAt, listOf, totals, trackedLinesOf, updated, word } from './columns.ts'
import { changing, fourDecimals } from './declare.ts'
import type { XeroStream } from './declare.ts'

const person: readonly Field[] = [
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
  trackedLinesOf({ table: 'receipt', id: 'ReceiptID' }),
)

/** Xero has taken this kind of expenses from most companies. */
const classic = { scope: 'accounting.classicexpenses.read', isOptional: true } as const
export const expenseStreams: readonly XeroStream[] = [
  changing('ExpenseClaims', expenseClaim, { ...classic, dated: { key: 'ReportingDate', asked: 'here' } }),
  changing('Receipts', receipt, { ...classic, dated: { key: 'Date', asked: 'here' }, query: fourDecimals }),
]
