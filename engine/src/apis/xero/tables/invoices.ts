/** Invoices, bills, credit notes, overpayments and prepayments. */
import { listOf, parentTable } from '../../http/documents.ts'
import { type Fields, flag, guid, keyed, money, text } from '../../http/fields.ts'
import {
  allocationsOf,
  contact,
  currency,
  day,
  linesWithTrackingOf,
  paymentsOf,
  percent,
  totals,
  updatedAndDeleted,
  word,
} from './columns.ts'
import { byDate, changingStream, fourDecimals, type XeroStream } from './stream-kinds.ts'

/** What settles an invoice in addition to payments. */
const settled: Fields = { AppliedAmount: money, Date: day, Total: money }

const invoice = parentTable(
  'invoice',
  {
    InvoiceID: keyed(guid),
    Type: word,
    InvoiceNumber: word,
    Reference: text,
    Status: word,
    ...contact,
    Date: day,
    DueDate: day,
    ExpectedPaymentDate: day,
    PlannedPaymentDate: day,
    FullyPaidOnDate: day,
    LineAmountTypes: word,
    ...totals,
    TotalDiscount: money,
    AmountDue: money,
    AmountPaid: money,
    AmountCredited: money,
    ...currency,
    CISDeduction: money,
    CISRate: percent,
    BrandingThemeID: guid,
    RepeatingInvoiceID: guid,
    Url: text,
    SentToContact: flag,
    IsDiscounted: flag,
    HasAttachments: flag,
    HasErrors: flag,
    ...updatedAndDeleted,
  },
  [
    ...linesWithTrackingOf('invoice'),
    paymentsOf('invoice'),
    listOf('invoice_credit_note', 'CreditNotes', { CreditNoteID: guid, CreditNoteNumber: word, ...settled }),
    listOf('invoice_prepayment', 'Prepayments', { PrepaymentID: guid, ...settled }),
    listOf('invoice_overpayment', 'Overpayments', { OverpaymentID: guid, ...settled }),
  ],
)

const creditNote = parentTable(
  'credit_note',
  {
    CreditNoteID: keyed(guid),
    Type: word,
    CreditNoteNumber: word,
    Reference: text,
    Status: word,
    ...contact,
    Date: day,
    DueDate: day,
    FullyPaidOnDate: day,
    LineAmountTypes: word,
    ...totals,
    RemainingCredit: money,
    AppliedAmount: money,
    ...currency,
    CISDeduction: money,
    CISRate: percent,
    BrandingThemeID: guid,
    SentToContact: flag,
    HasAttachments: flag,
    HasErrors: flag,
    ...updatedAndDeleted,
  },
  [...linesWithTrackingOf('credit_note'), allocationsOf('credit_note'), paymentsOf('credit_note')],
)

function paidAhead(table: string, id: string, more: Fields) {
  const fields = {
    [id]: keyed(guid),
    Type: word,
    Reference: text,
    Status: word,
    ...contact,
    Date: day,
    LineAmountTypes: word,
    ...totals,
    RemainingCredit: money,
    AppliedAmount: money,
    ...currency,
    ...more,
    HasAttachments: flag,
    ...updatedAndDeleted,
  }
  return parentTable(table, fields, [...linesWithTrackingOf(table), allocationsOf(table), paymentsOf(table)])
}

const overpayment = paidAhead('overpayment', 'OverpaymentID', {})
const prepayment = paidAhead('prepayment', 'PrepaymentID', { InvoiceNumber: word, BrandingThemeID: guid })

/** Lists every status, because Xero does not guarantee to return deleted documents otherwise. */
const everyStatus = 'DRAFT,SUBMITTED,AUTHORISED,PAID,VOIDED,DELETED'

const paged = { page: 1000, dated: byDate } as const
export const invoiceStreams: readonly XeroStream[] = [
  changingStream('Invoices', invoice, {
    ...paged,
    scope: 'accounting.invoices.read',
    query: { ...fourDecimals, Statuses: everyStatus, includeArchived: 'true' },
  }),
  changingStream('CreditNotes', creditNote, { ...paged, scope: 'accounting.invoices.read', query: fourDecimals }),
]
export const paidAheadStreams: readonly XeroStream[] = [
  changingStream('Overpayments', overpayment, { ...paged, scope: 'accounting.payments.read', query: fourDecimals }),
  changingStream('Prepayments', prepayment, { ...paged, scope: 'accounting.payments.read', query: fourDecimals }),
]
