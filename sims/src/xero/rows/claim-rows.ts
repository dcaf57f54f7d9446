/** Expense claims, their receipts, and budgets, as the API writes them. */
import type { Company } from '../books/company.ts'
import { contactStub, dateRow, linesOf, totalsRow, trackingRows, updatedRow } from './line-rows.ts'
import type { How, Listed } from '../api/listed.ts'
import { accountStub } from './payment-rows.ts'
import { amount, rate, stamp } from '../api/value-format.ts'
import type { Row } from '../api/value-format.ts'
import type { Document, ExpenseClaim, User } from '../books/records.ts'

export function claimList({ claims }: Company): readonly Listed[] {
  return claims.map((claim) => ({
    id: claim.id,
    status: claim.status,
    updatedAt: claim.updatedAt,
    date: claim.date,
    row: (how) => claimRow(claim, how),
  }))
}

function claimRow(claim: ExpenseClaim, how: How): Row {
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

const userStub = ({ id, email, firstName, lastName }: User): Row => ({
  UserID: id,
  EmailAddress: email,
  FirstName: firstName,
  LastName: lastName,
})

export function receiptList({ claims }: Company): readonly Listed[] {
  return claims.flatMap(({ receipts, user }) =>
    receipts.map((receipt) => ({
      id: receipt.id,
      status: receipt.status,
      updatedAt: receipt.updatedAt,
      date: receipt.date,
      facts: { receiptnumber: receipt.number },
      // Lines come with the list, as it has no pages.
      row: (how) => receiptRow(receipt, user, how),
    })),
  )
}

function receiptRow(receipt: Document, user: User, how: How): Row {
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

/** Lines come only with a budget that is fetched by its id. */
export function budgetList({ budgets }: Company): readonly Listed[] {
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
