/** Expense claims, receipts and budgets in the API's format. */
import type { XeroCompany } from '../books/company.ts'
import { contactStub, dateRow, linesOf, totalsRow, trackingRows, updatedRow } from './line-rows.ts'
import type { SerialiseOptions, XeroRecord } from '../api/records.ts'
import { accountStub } from './payment-rows.ts'
import { amount, rate, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { XeroDocument, ExpenseClaim, XeroUser } from '../books/records.ts'

export function claimList({ claims }: XeroCompany): readonly XeroRecord[] {
  return claims.map((claim) => ({
    id: claim.id,
    status: claim.status,
    updatedAt: claim.updatedAt,
    date: claim.date,
    row: (how) => claimRow(claim, how),
  }))
}

function claimRow(claim: ExpenseClaim, how: SerialiseOptions): XeroRow {
  const isWithdrawn = claim.status === 'VOIDED'
  const paid = claim.payments.reduce((sum, { cents }) => sum + cents, 0)
  return {
    ExpenseClaimID: claim.id,
    Status: claim.status,
    User: userStub(claim.user),
    Receipts: claim.receipts.map((receipt) => receiptRow(receipt, claim.user, { ...how, detail: 'list' })),
    Payments: claim.payments.map(({ id, date, cents, account }) => ({
      PaymentID: id,
      Date: stamp(date),
      Amount: amount(cents),
      CurrencyRate: rate(1),
      PaymentType: 'EXPCLAIMPAYMENT',
      Status: 'AUTHORISED',
      Account: accountStub(account),
    })),
    Total: amount(claim.totalCents),
    AmountDue: amount(isWithdrawn ? 0 : claim.totalCents - paid),
    AmountPaid: amount(paid),
    PaymentDueDate: stamp(claim.date + 14 * 86_400_000),
    ReportingDate: stamp(claim.date),
    ...updatedRow(claim.updatedAt),
  }
}

const userStub = ({ id, email, firstName, lastName }: XeroUser): XeroRow => ({
  UserID: id,
  EmailAddress: email,
  FirstName: firstName,
  LastName: lastName,
})

export function receiptList({ claims }: XeroCompany): readonly XeroRecord[] {
  return claims.flatMap(({ receipts, user }) =>
    receipts.map((receipt) => ({
      id: receipt.id,
      status: receipt.status,
      updatedAt: receipt.updatedAt,
      date: receipt.date,
      facts: { receiptnumber: receipt.number },
      // The list has no pages, so it includes the lines.
      row: (how) => receiptRow(receipt, user, how),
    })),
  )
}

function receiptRow(receipt: XeroDocument, user: XeroUser, how: SerialiseOptions): XeroRow {
  return {
    ReceiptID: receipt.id,
    ReceiptNumber: receipt.number,
    Status: receipt.status,
    User: userStub(user),
    Contact: contactStub(receipt.contact),
    ...dateRow(receipt),
    ...updatedRow(receipt.updatedAt),
    Reference: receipt.reference,
    LineAmountTypes: receipt.lineAmountTypes,
    LineItems: linesOf(receipt, how),
    ...totalsRow(receipt),
    ID: receipt.id,
    HasAttachments: false,
  }
}

/** Lines are returned only for a budget fetched by its id. */
export function budgetList({ budgets }: XeroCompany): readonly XeroRecord[] {
  return budgets.map((budget) => ({
    id: budget.id,
    status: 'APPROVED',
    updatedAt: null,
    date: null,
    row: ({ isAlone }) => ({
      BudgetID: budget.id,
      Status: 'APPROVED',
      Type: budget.type,
      Description: budget.description,
      UpdatedDateUTC: stamp(budget.updatedAt),
      Tracking: trackingRows(budget.tracking),
      BudgetLines: isAlone
        ? budget.lines.map(({ account, balances }) => ({
            AccountID: account.id,
            AccountCode: account.code,
            BudgetBalances: balances.map(({ month, cents }) => ({
              Period: month,
              Amount: amount(cents),
              UnitAmount: amount(cents),
              Notes: '',
            })),
          }))
        : [],
    }),
  }))
}
