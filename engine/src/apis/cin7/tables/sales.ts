/** Sales: the list, credit notes, and each sale in full with its order, invoices, credit notes and fulfilments. */
import { childTable, parentTable, type RowFinder } from '../../http/documents.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  instant,
  integer,
  keyed,
  money,
  named,
  ordinal,
  prefixed,
  rate,
  sectionNumber,
  text,
} from '../../http/fields.ts'
import { currency, name, shippingAddressAt, word } from './columns.ts'
import {
  type Cin7Stream,
  concatFound,
  inSection,
  type ListEndpoint,
  listStream,
  numberedParts,
  partsAsRows,
  rowsWithinParts,
  unnumberedParts,
} from './stream-kinds.ts'
import {
  chargesOf,
  documentFields,
  goodsOf,
  journalsOf,
  linesOf,
  listFields,
  movementsOf,
  paymentsOf,
  totals,
} from './trade.ts'

const list: ListEndpoint = { path: 'saleList', rows: 'SaleList', since: 'UpdatedSince' }

const fields: Fields = {
  ...listFields,
  Customer: name,
  CustomerID: guid,
  CustomerReference: text,
  CustomerCurrency: currency,
  ShipBy: day,
  QuoteStatus: word,
  CombinedPickingStatus: word,
  CombinedPackingStatus: word,
  CombinedShippingStatus: word,
  CombinedTrackingNumbers: text,
  FulFilmentStatus: named('fulfilment_status', word),
  SourceChannel: name,
  ExternalID: name,
  OrderLocationID: guid,
  Updated: instant,
}
const saleList = parentTable('sale_list', { SaleID: keyed(guid), CreditNoteNumber: word, ...fields })
/** One row for each credit note of a sale. */
const saleCreditNoteList = parentTable('sale_credit_note_list', {
  SaleID: keyed(guid),
  CreditNoteNumber: keyed(word),
  ...fields,
  RestockStatus: word,
})

const quote = unnumberedParts('quote', 'Quote')
const order = unnumberedParts('order', 'Order')
const invoices = numberedParts('invoice', 'Invoices')
const creditNotes = numberedParts('credit_note', 'CreditNotes')
const fulfilments = numberedParts('fulfilment', 'Fulfilments')
const priced = concatFound(quote, order, invoices, creditNotes)

/** The rows of one stage of every fulfilment, numbered by fulfilment. */
function stageRows(key: 'Pick' | 'Pack' | 'Ship'): RowFinder {
  const stage = unnumberedParts(key.toLowerCase(), key)
  return rowsWithinParts(
    (document) => fulfilments(document).flatMap(({ node, number }) => stage(node).map((part) => ({ ...part, number }))),
    'Lines',
  )
}

const saleInvoice = childTable(
  'sale_invoice',
  {
    TaskID: keyed(guid),
    InvoiceNumber: word,
    Status: word,
    Memo: text,
    InvoiceDate: day,
    InvoiceDueDate: day,
    CurrencyConversionRate: rate,
    BillingAddressLine1: text,
    BillingAddressLine2: text,
    LinkedFulfillmentNumber: named('linked_fulfilment_number', integer),
    ...totals,
    Paid: money,
  },
  partsAsRows('invoice', 'Invoices'),
)

const saleCreditNote = childTable(
  'sale_credit_note',
  {
    TaskID: keyed(guid),
    CreditNoteNumber: word,
    CreditNoteInvoiceNumber: word,
    Status: word,
    Memo: text,
    CreditNoteDate: day,
    CreditNoteConversionRate: rate,
    RestockStatus: word,
    ...totals,
  },
  partsAsRows('credit_note', 'CreditNotes'),
)

const saleFulfilment = childTable(
  'sale_fulfilment',
  {
    TaskID: keyed(guid),
    FulfillmentNumber: named('fulfilment_number', integer),
    LinkedInvoiceNumber: word,
    FulFilmentStatus: named('fulfilment_status', word),
    'Pick.Status': word,
    'Pack.Status': word,
    'Ship.Status': word,
    'Ship.RequireBy': day,
    'Ship.ShippingNotes': text,
    // A shipment's address may differ from that of the sale.
    ...shippingAddressAt('Ship.ShippingAddress'),
  },
  partsAsRows('fulfilment', 'Fulfilments'),
)

const saleShipment = childTable(
  'sale_shipment',
  {
    sectionNumber,
    ordinal,
    ID: named('shipment_id', guid),
    ShipmentDate: day,
    Carrier: name,
    Boxes: text,
    TrackingNumber: name,
    TrackingURL: text,
    IsShipped: flag,
  },
  stageRows('Ship'),
)

const saleEntry = childTable(
  'sale_ledger_entry',
  {
    ordinal,
    TransactionID: guid,
    TaskID: guid,
    EffectiveDate: day,
    Description: text,
    Debit: word,
    Credit: word,
    Amount: money,
  },
  partsAsRows('entry', 'Transactions'),
)

const sale = parentTable(
  'sale',
  {
    ID: keyed(guid),
    'Order.SaleOrderNumber': named('order_number', word),
    ...documentFields,
    Customer: name,
    CustomerID: guid,
    Email: name,
    CustomerCurrency: currency,
    CustomerReference: text,
    DefaultAccount: word,
    SaleOrderDate: day,
    ShipBy: day,
    PriceTier: word,
    SalesRepresentative: name,
    Carrier: name,
    SourceChannel: name,
    ExternalID: name,
    ShippingNotes: text,
    SkipQuote: flag,
    ServiceOnly: flag,
    ...prefixed('Quote.', { Status: word, Memo: text, ...totals }),
    COGSAmount: money,
    CombinedPickingStatus: word,
    CombinedPackingStatus: word,
    CombinedShippingStatus: word,
    CombinedTrackingNumbers: text,
    FulFilmentStatus: named('fulfilment_status', word),
    'ManualJournals.Status': word,
    LastModifiedOn: instant,
  },
  [
    linesOf('sale_line', priced, { AverageCost: money, DropShip: flag, Backorder: flag, BackorderQuantity: money }),
    chargesOf('sale_charge', priced),
    saleInvoice,
    paymentsOf('sale_payment', { Prepayments: quote, Payments: invoices, Refunds: creditNotes }),
    saleCreditNote,
    saleFulfilment,
    goodsOf(
      'sale_fulfilment_line',
      concatFound(stageRows('Pick'), stageRows('Pack'), inSection('restock', rowsWithinParts(creditNotes, 'Restock'))),
      {
        Box: word,
        NonInventory: flag,
        WarrantyRegistrationNumber: name,
        RestockLocation: name,
        RestockLocationID: guid,
      },
    ),
    saleShipment,
    journalsOf('sale_journal_line'),
    movementsOf('sale_movement'),
    saleEntry,
  ],
)

export const saleStreams: readonly Cin7Stream[] = [
  { kind: 'list', name: 'saleList', list, shape: saleList },
  listStream('saleCreditNoteList', saleCreditNoteList, {
    path: 'saleCreditNoteList',
    rows: 'SaleList',
    since: 'UpdatedSince',
  }),
  {
    kind: 'dated',
    name: 'sale',
    list,
    shape: sale,
    noun: 'sales',
    id: 'SaleID',
    parameter: 'ID',
    detailQuery: { IncludeTransactions: 'true' },
    changed: 'Updated',
    pathOf: () => 'sale',
  },
]
