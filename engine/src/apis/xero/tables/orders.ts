/** Purchase orders, quotes, repeating invoices and billable expenses. */
import { parentTable } from '../../http/documents.ts'
import { flag, guid, integer, keyed, money, text } from '../../http/fields.ts'
import {
  contact,
  currency,
  day,
  instant,
  linesOf,
  linesWithTrackingOf,
  totals,
  updatedAndDeleted,
  word,
} from './columns.ts'
import { changingStream, fourDecimals, wholeStream, type XeroStream } from './stream-kinds.ts'

const purchaseOrder = parentTable(
  'purchase_order',
  {
    PurchaseOrderID: keyed(guid),
    PurchaseOrderNumber: word,
    Type: word,
    Status: word,
    ...contact,
    Date: day,
    DeliveryDate: day,
    ExpectedArrivalDate: day,
    Reference: text,
    LineAmountTypes: word,
    ...totals,
    TotalDiscount: money,
    ...currency,
    BrandingThemeID: guid,
    DeliveryAddress: text,
    AttentionTo: word,
    Telephone: word,
    DeliveryInstructions: text,
    SentToContact: flag,
    IsDiscounted: flag,
    HasAttachments: flag,
    HasErrors: flag,
    ...updatedAndDeleted,
  },
  linesWithTrackingOf('purchase_order'),
)

const quote = parentTable(
  'quote',
  {
    QuoteID: keyed(guid),
    QuoteNumber: word,
    Status: word,
    ...contact,
    Date: day,
    ExpiryDate: day,
    Title: text,
    Summary: text,
    Terms: text,
    Reference: text,
    LineAmountTypes: word,
    ...totals,
    TotalDiscount: money,
    ...currency,
    BrandingThemeID: guid,
    ...updatedAndDeleted,
  },
  linesWithTrackingOf('quote'),
)

const repeatingInvoice = parentTable(
  'repeating_invoice',
  {
    RepeatingInvoiceID: keyed(guid),
    Type: word,
    Status: word,
    ...contact,
    Reference: text,
    'Schedule.Period': integer,
    'Schedule.Unit': word,
    'Schedule.DueDate': integer,
    'Schedule.DueDateType': word,
    'Schedule.StartDate': day,
    'Schedule.NextScheduledDate': day,
    'Schedule.EndDate': day,
    LineAmountTypes: word,
    ...totals,
    CurrencyCode: word,
    BrandingThemeID: guid,
    ApprovedForSending: flag,
    SendCopy: flag,
    MarkAsSent: flag,
    IncludePDF: flag,
    HasAttachments: flag,
  },
  [linesOf('repeating_invoice')],
)

const linkedTransaction = parentTable('linked_transaction', {
  LinkedTransactionID: keyed(guid),
  Type: word,
  Status: word,
  SourceTransactionID: guid,
  SourceLineItemID: guid,
  SourceTransactionTypeCode: word,
  ContactID: guid,
  TargetTransactionID: guid,
  TargetLineItemID: guid,
  UpdatedDateUTC: instant,
})

const scope = 'accounting.invoices.read'
const between = { key: 'Date', method: 'between' } as const
export const orderStreams: readonly XeroStream[] = [
  changingStream('PurchaseOrders', purchaseOrder, { scope, page: 1000, dated: between, query: fourDecimals }),
  changingStream('Quotes', quote, { scope, page: 100, dated: between, query: fourDecimals }),
  wholeStream('RepeatingInvoices', repeatingInvoice, { scope, query: fourDecimals }),
  wholeStream('LinkedTransactions', linkedTransaction, { scope, page: 100 }),
]
