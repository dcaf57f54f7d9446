/** Payments and batch payments in the API's format. */
import type { XeroCompany } from '../books/company.ts'
import { contactStub } from './line-rows.ts'
import type { XeroRecord } from '../api/records.ts'
import { baseCents } from '../books/money.ts'
import { amount, momentText, rate, stamp } from '../api/value-format.ts'
import type { XeroRow } from '../api/value-format.ts'
import type { XeroAccount, BatchPayment, XeroCredit, XeroInvoice, XeroPayment } from '../books/records.ts'

export function paymentList({ payments }: XeroCompany): readonly XeroRecord[] {
  return payments.map((payment) => ({
    id: payment.id,
    status: payment.status,
    updatedAt: payment.updatedAt,
    date: payment.date,
    facts: { paymenttype: payment.type, reference: payment.reference, amount: payment.cents / 100 },
    row: () => paymentRow(payment),
  }))
}

export const accountStub = ({ id, code }: XeroAccount): XeroRow => ({ AccountID: id, Code: code })

function paymentRow(payment: XeroPayment): XeroRow {
  const { of, batch } = payment
  return {
    PaymentID: payment.id,
    ...(batch !== null && { BatchPaymentID: batch.id, BatchPayment: batchStub(batch) }),
    Date: stamp(payment.date),
    BankAmount: amount(baseCents(payment.cents, payment.rate)),
    Amount: amount(payment.cents),
    Reference: payment.reference,
    CurrencyRate: rate(payment.rate),
    PaymentType: payment.type,
    Status: payment.status,
    IsReconciled: payment.isReconciled,
    HasAccount: true,
    HasValidationErrors: false,
    Account: accountStub(payment.account),
    ...paidRow(of),
    UpdatedDateUTC: stamp(payment.updatedAt),
    UpdatedDateUTCString: momentText(payment.updatedAt),
  }
}

/** Only in this object the sum and the flag are texts. */
function batchStub({ id, account, date, type, status, payments, updatedAt }: BatchPayment): XeroRow {
  return {
    Account: accountStub(account),
    BatchPaymentID: id,
    Date: stamp(date),
    Type: type,
    Status: status,
    TotalAmount: (payments.reduce((sum, { cents }) => sum + cents, 0) / 100).toFixed(2),
    UpdatedDateUTC: stamp(updatedAt),
    IsReconciled: 'false',
  }
}

function paidRow(of: XeroInvoice | XeroCredit): XeroRow {
  const shared = { Contact: { ...contactStub(of.contact), HasValidationErrors: false }, CurrencyCode: of.currency }
  if (!('side' in of))
    return {
      Invoice: {
        InvoiceID: of.id,
        InvoiceNumber: of.number,
        Type: of.type,
        IsDiscounted: false,
        HasErrors: false,
        ...shared,
      },
    }
  if (of.kind === 'creditNote')
    return {
      CreditNote: { CreditNoteID: of.id, CreditNoteNumber: of.number, Type: of.type, HasErrors: false, ...shared },
    }
  return of.kind === 'overpayment'
    ? { Overpayment: { OverpaymentID: of.id, ...shared } }
    : { Prepayment: { PrepaymentID: of.id, ...shared } }
}

export function batchList({ batches }: XeroCompany): readonly XeroRecord[] {
  return batches.map((batch) => ({
    id: batch.id,
    status: batch.status,
    updatedAt: batch.updatedAt,
    date: batch.date,
    facts: { type: batch.type },
    row: () => ({
      Account: accountStub(batch.account),
      BatchPaymentID: batch.id,
      Reference: '',
      Date: stamp(batch.date),
      DateString: new Date(batch.date).toISOString().slice(0, 19),
      Payments: batch.payments.map(({ id, of, cents }) => ({
        PaymentID: id,
        Invoice: { InvoiceID: of.id },
        Amount: amount(cents),
        BankAmount: amount(cents),
      })),
      Type: batch.type,
      Status: batch.status,
      TotalAmount: amount(batch.payments.reduce((sum, { cents }) => sum + cents, 0)),
      UpdatedDateUTC: stamp(batch.updatedAt),
      IsReconciled: true,
    }),
  }))
}
