/** Invoices, bills, credit notes, overpayments and prepayments. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, text } from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'
import {
  allocationsOf,
  contact,
  currency,
  day,
  deletedAt,
  listOf,
  paymentsOf,
  percent,
  totals,
  linesWithTrackingOf,
  updated,
  word,
} from './columns.ts'
import { byDate, changingStream, fourDecimals } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const invoiceParent = { table: 'invoice', id: 'InvoiceID' }
/** What settles an invoice in addition to payments. */
const settled: readonly FieldMapping[] = [money('AppliedAmount'), day('Date'), money('Total')]

const invoice = parentTable(
  'invoice',
  [
    guid('InvoiceID', { key: true }),
    word('Type'),
    word('InvoiceNumber'),
    text('Reference'),
    word('Status'),
    ...contact,
    day('Date'),
    day('DueDate'),
    day('ExpectedPaymentDate'),
    day('PlannedPaymentDate'),
    day('FullyPaidOnDate'),
    word('LineAmountTypes'),
    ...totals,
    money('TotalDiscount'),
    money('AmountDue'),
    money('AmountPaid'),
    money('AmountCredited'),
    ...currency,
    money('CISDeduction'),
    percent('CISRate'),
    guid('BrandingThemeID'),
    guid('RepeatingInvoiceID'),
    text('Url'),
    flag('SentToContact'),
    flag('IsDiscounted'),
    flag('HasAttachments'),
    flag('HasErrors'),
    updated,
    deletedAt(),
  ],
  [
    ...linesWithTrackingOf(invoiceParent),
    paymentsOf(invoiceParent),
    listOf(invoiceParent, 'credit_note', 'CreditNotes', [guid('CreditNoteID'), word('CreditNoteNumber'), ...settled]),
    listOf(invoiceParent, 'prepayment', 'Prepayments', [guid('PrepaymentID'), ...settled]),
    listOf(invoiceParent, 'overpayment', 'Overpayments', [guid('OverpaymentID'), ...settled]),
  ],
)

const creditNoteParent = { table: 'credit_note', id: 'CreditNoteID' }
const creditNote = parentTable(
  'credit_note',
  [
    guid('CreditNoteID', { key: true }),
    word('Type'),
    word('CreditNoteNumber'),
    text('Reference'),
    word('Status'),
    ...contact,
    day('Date'),
    day('DueDate'),
    day('FullyPaidOnDate'),
    word('LineAmountTypes'),
    ...totals,
    money('RemainingCredit'),
    money('AppliedAmount'),
    ...currency,
    money('CISDeduction'),
    percent('CISRate'),
    guid('BrandingThemeID'),
    flag('SentToContact'),
    flag('HasAttachments'),
    flag('HasErrors'),
    updated,
    deletedAt(),
  ],
  [...linesWithTrackingOf(creditNoteParent), allocationsOf(creditNoteParent), paymentsOf(creditNoteParent)],
)

function paidAhead(table: string, id: string, more: readonly FieldMapping[]) {
  const parent = { table, id }
  const fields = [
    guid(id, { key: true }),
    word('Type'),
    text('Reference'),
    word('Status'),
    ...contact,
    day('Date'),
    word('LineAmountTypes'),
    ...totals,
    money('RemainingCredit'),
    money('AppliedAmount'),
    ...currency,
    ...more,
    flag('HasAttachments'),
    updated,
    deletedAt(),
  ]
  return parentTable(table, fields, [...linesWithTrackingOf(parent), allocationsOf(parent), paymentsOf(parent)])
}

const overpayment = paidAhead('overpayment', 'OverpaymentID', [])
const prepayment = paidAhead('prepayment', 'PrepaymentID', [word('InvoiceNumber'), guid('BrandingThemeID')])

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
