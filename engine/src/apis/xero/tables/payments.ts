/** Payments and batch payments. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, rate, text } from '../../http/fields.ts'
import { day, deletedAt, listOf, updated, word } from './columns.ts'
import { byDate, changingStream } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const payment = parentTable('payment', [
  guid('PaymentID', { key: true }),
  word('PaymentType'),
  word('Status'),
  day('Date'),
  money('Amount'),
  money('BankAmount'),
  rate('CurrencyRate'),
  text('Reference'),
  flag('IsReconciled'),
  flag('HasAccount'),
  guid('Account.AccountID', { as: 'account_id' }),
  word('Account.Code', { as: 'account_code' }),
  guid('Invoice.InvoiceID', { as: 'invoice_id' }),
  word('Invoice.InvoiceNumber', { as: 'invoice_number', or: 'InvoiceNumber' }),
  guid('CreditNote.CreditNoteID', { as: 'credit_note_id' }),
  word('CreditNote.CreditNoteNumber', { as: 'credit_note_number', or: 'CreditNoteNumber' }),
  guid('Prepayment.PrepaymentID', { as: 'prepayment_id' }),
  guid('Overpayment.OverpaymentID', { as: 'overpayment_id' }),
  guid('Invoice.Contact.ContactID', { as: 'contact_id', or: 'CreditNote.Contact.ContactID' }),
  word('Invoice.Contact.Name', { as: 'contact_name', or: 'CreditNote.Contact.Name' }),
  guid('BatchPaymentID', { or: 'BatchPayment.BatchPaymentID' }),
  word('BankAccountNumber'),
  text('Particulars'),
  text('Details'),
  text('Code'),
  updated,
  deletedAt(),
])

const batchParent = { table: 'batch_payment', id: 'BatchPaymentID' }
const batchPayment = parentTable(
  'batch_payment',
  [
    guid('BatchPaymentID', { key: true }),
    word('Type'),
    word('Status'),
    day('Date'),
    guid('Account.AccountID', { as: 'account_id' }),
    word('Account.Code', { as: 'account_code' }),
    money('TotalAmount'),
    text('Reference'),
    text('Particulars'),
    text('Code'),
    text('Details'),
    text('Narrative'),
    flag('IsReconciled'),
    updated,
    deletedAt(),
  ],
  [
    listOf(batchParent, 'payment', 'Payments', [
      guid('PaymentID'),
      guid('Invoice.InvoiceID', { as: 'invoice_id' }),
      money('Amount'),
      word('BankAccountNumber'),
      text('Reference'),
      text('Particulars'),
      text('Code'),
      text('Details'),
      text('Narrative'),
    ]),
  ],
)

const scope = 'accounting.payments.read'
export const paymentStreams: readonly XeroStream[] = [
  changingStream('Payments', payment, { scope, page: 1000, dated: byDate }),
  changingStream('BatchPayments', batchPayment, { scope, dated: byDate }),
]
