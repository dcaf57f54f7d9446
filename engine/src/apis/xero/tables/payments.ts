/** Payments and batch payments. */
import { listOf, parentTable } from '../../http/documents.ts'
import { flag, guid, keyed, money, named, orElse, rate, text } from '../../http/fields.ts'
import { account, day, updatedAndDeleted, word } from './columns.ts'
import { byDate, changingStream, type XeroStream } from './stream-kinds.ts'

const payment = parentTable('payment', {
  PaymentID: keyed(guid),
  PaymentType: word,
  Status: word,
  Date: day,
  Amount: money,
  BankAmount: money,
  CurrencyRate: rate,
  Reference: text,
  IsReconciled: flag,
  HasAccount: flag,
  ...account,
  'Invoice.InvoiceID': named('invoice_id', guid),
  'Invoice.InvoiceNumber': named('invoice_number', orElse('InvoiceNumber', word)),
  'CreditNote.CreditNoteID': named('credit_note_id', guid),
  'CreditNote.CreditNoteNumber': named('credit_note_number', orElse('CreditNoteNumber', word)),
  'Prepayment.PrepaymentID': named('prepayment_id', guid),
  'Overpayment.OverpaymentID': named('overpayment_id', guid),
  'Invoice.Contact.ContactID': named('contact_id', orElse('CreditNote.Contact.ContactID', guid)),
  'Invoice.Contact.Name': named('contact_name', orElse('CreditNote.Contact.Name', word)),
  BatchPaymentID: orElse('BatchPayment.BatchPaymentID', guid),
  BankAccountNumber: word,
  Particulars: text,
  Details: text,
  Code: text,
  ...updatedAndDeleted,
})

const batchPayment = parentTable(
  'batch_payment',
  {
    BatchPaymentID: keyed(guid),
    Type: word,
    Status: word,
    Date: day,
    ...account,
    TotalAmount: money,
    Reference: text,
    Particulars: text,
    Code: text,
    Details: text,
    Narrative: text,
    IsReconciled: flag,
    ...updatedAndDeleted,
  },
  [
    listOf('batch_payment_payment', 'Payments', {
      PaymentID: guid,
      'Invoice.InvoiceID': named('invoice_id', guid),
      Amount: money,
      BankAccountNumber: word,
      Reference: text,
      Particulars: text,
      Code: text,
      Details: text,
      Narrative: text,
    }),
  ],
)

const scope = 'accounting.payments.read'
export const paymentStreams: readonly XeroStream[] = [
  changingStream('Payments', payment, { scope, page: 1000, dated: byDate }),
  changingStream('BatchPayments', batchPayment, { scope, dated: byDate }),
]
