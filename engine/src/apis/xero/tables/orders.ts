/** Purchase orders, quotes, repeating invoices and billable expenses. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, money, text, integer } from '../../http/fields.ts'
import { contact, currency, day, deletedAt, linesOf, totals, linesWithTrackingOf, updated, word } from './columns.ts'
import { changingStream, fourDecimals, wholeStream } from './stream-kinds.ts'
import type { XeroStream } from './stream-kinds.ts'

const purchaseOrder = parentTable(
  'purchase_order',
  [
    guid('PurchaseOrderID', { key: true }),
    word('PurchaseOrderNumber'),
    word('Type'),
    word('Status'),
    ...contact,
    day('Date'),
    day('DeliveryDate'),
    day('ExpectedArrivalDate'),
    text('Reference'),
    word('LineAmountTypes'),
    ...totals,
    money('TotalDiscount'),
    ...currency,
    guid('BrandingThemeID'),
    text('DeliveryAddress'),
    word('AttentionTo'),
    word('Telephone'),
    text('DeliveryInstructions'),
    flag('SentToContact'),
    flag('IsDiscounted'),
    flag('HasAttachments'),
    flag('HasErrors'),
    updated,
    deletedAt(),
  ],
  linesWithTrackingOf({ table: 'purchase_order', id: 'PurchaseOrderID' }),
)

const quote = parentTable(
  'quote',
  [
    guid('QuoteID', { key: true }),
    word('QuoteNumber'),
    word('Status'),
    ...contact,
    day('Date'),
    day('ExpiryDate'),
    text('Title'),
    text('Summary'),
    text('Terms'),
    text('Reference'),
    word('LineAmountTypes'),
    ...totals,
    money('TotalDiscount'),
    ...currency,
    guid('BrandingThemeID'),
    updated,
    deletedAt(),
  ],
  linesWithTrackingOf({ table: 'quote', id: 'QuoteID' }),
)

const repeatingInvoice = parentTable(
  'repeating_invoice',
  [
    guid('RepeatingInvoiceID', { key: true }),
    word('Type'),
    word('Status'),
    ...contact,
    text('Reference'),
    integer('Schedule.Period'),
    word('Schedule.Unit'),
    integer('Schedule.DueDate'),
    word('Schedule.DueDateType'),
    day('Schedule.StartDate'),
    day('Schedule.NextScheduledDate'),
    day('Schedule.EndDate'),
    word('LineAmountTypes'),
    ...totals,
    word('CurrencyCode'),
    guid('BrandingThemeID'),
    flag('ApprovedForSending'),
    flag('SendCopy'),
    flag('MarkAsSent'),
    flag('IncludePDF'),
    flag('HasAttachments'),
  ],
  [linesOf({ table: 'repeating_invoice', id: 'RepeatingInvoiceID' })],
)

const linkedTransaction = parentTable('linked_transaction', [
  guid('LinkedTransactionID', { key: true }),
  word('Type'),
  word('Status'),
  guid('SourceTransactionID'),
  guid('SourceLineItemID'),
  word('SourceTransactionTypeCode'),
  guid('ContactID'),
  guid('TargetTransactionID'),
  guid('TargetLineItemID'),
  updated,
])

const scope = 'accounting.invoices.read'
const between = { key: 'Date', method: 'between' } as const
export const orderStreams: readonly XeroStream[] = [
  changingStream('PurchaseOrders', purchaseOrder, { scope, page: 1000, dated: between, query: fourDecimals }),
  changingStream('Quotes', quote, { scope, page: 100, dated: between, query: fourDecimals }),
  wholeStream('RepeatingInvoices', repeatingInvoice, { scope, query: fourDecimals }),
  wholeStream('LinkedTransactions', linkedTransaction, { scope, page: 100 }),
]
