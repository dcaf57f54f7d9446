/** Invoices and bills, credit notes, and what was paid too much or in advance. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, text } from '../../http/fields.ts'
import type { Field } from '../../http/fields.ts'
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
  trackedLinesOf,
  updated,
  word,
} from './columns.ts'
import { byDate, changing, fourDecimals } from './declare.ts'
import type { XeroStream } from './declare.ts'

const invoiceParent = { table: 'invoice', id: 'InvoiceID' }
/** What settles an invoice besides payments. */
const settled: readonly Field[] = [money('AppliedAmount'), day('Date'), money('Total')]

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
    ...trackedLinesOf(invoiceParent),
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
  [...trackedLinesOf(creditNoteParent), allocationsOf(creditNoteParent), paymentsOf(creditNoteParent)],
)

function paidAhead(table: string, id: string, more: readonly Field[]) {
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
  return parentTable(table, fields, [...trackedLinesOf(parent), allocationsOf(parent), paymentsOf(parent)])
}

const overpayment = paidAhead('overpayment', 'OverpaymentID', [])
const prepayment = paidAhead('prepayment', 'PrepaymentID', [word('InvoiceNumber'), guid('BrandingThemeID')])

/** Xero is asked for every status by name, for it does not promise to give the deleted ones otherwise. */
const everyStatus = 'DRAFT,SUBMITTED,AUTHORISED,PAID,VOIDED,DELETED'

const paged = { page: 1000, dated: byDate } as const
export const invoiceStreams: readonly XeroStream[] = [
  changing('Invoices', invoice, {
    ...paged,
    scope: 'accounting.invoices.read',
    query: { ...fourDecimals, Statuses: everyStatus, includeArchived: 'true' },
  }),
  changing('CreditNotes', creditNote, { ...paged, scope: 'accounting.invoices.read', query: fourDecimals }),
]
export const paidAheadStreams: readonly XeroStream[] = [
  changing('Overpayments', overpayment, { ...paged, scope: 'accounting.payments.read', query: fourDecimals }),
  changing('Prepayments', prepayment, { ...paged, scope: 'accounting.payments.read', query: fourDecimals }),
]
