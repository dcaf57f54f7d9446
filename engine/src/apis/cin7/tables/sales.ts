/** Sales: the list, credit notes, and each sale in full with its order, invoices, credit notes and fulfilments. */
import { childTable, parentTable } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { day, flag, guid, instant, money, ordinal, rate, sectionNumber, text, integer } from '../../http/fields.ts'
import { shippingAddressAt } from './columns.ts'
import {
  unnumberedParts,
  numberedParts,
  listStream,
  listLimit,
  partsAsRows,
  concatRows,
  rowsWithinParts,
} from './stream-kinds.ts'
import type { Cin7Stream, ListEndpoint, DocumentPart } from './stream-kinds.ts'
import {
  chargesOf,
  documentFields,
  goodsOf,
  idOf,
  journalsOf,
  linesOf,
  listFields,
  movementsOf,
  paymentsOf,
  totals,
} from './trade.ts'

const list: ListEndpoint = { path: 'saleList', rows: 'SaleList', limit: listLimit, since: 'UpdatedSince' }

const fields = [
  ...listFields,
  text('Customer', 256),
  guid('CustomerID'),
  text('CustomerReference'),
  text('CustomerCurrency', 3),
  day('ShipBy'),
  text('QuoteStatus', 50),
  text('CombinedPickingStatus', 50),
  text('CombinedPackingStatus', 50),
  text('CombinedShippingStatus', 50),
  text('CombinedTrackingNumbers'),
  text('FulFilmentStatus', 50, { as: 'fulfilment_status' }),
  text('SourceChannel', 256),
  text('ExternalID', 256),
  guid('OrderLocationID'),
  instant('Updated'),
]
const saleList = parentTable('sale_list', [guid('SaleID', { key: true }), text('CreditNoteNumber', 50), ...fields])
/** One row for each credit note of a sale. */
const saleCreditNoteList = parentTable('sale_credit_note_list', [
  guid('SaleID', { key: true }),
  text('CreditNoteNumber', 50, { key: true }),
  ...fields,
  text('RestockStatus', 50),
])

const quote = (document: JsonObject): DocumentPart[] => unnumberedParts('quote', document, 'Quote')
const order = (document: JsonObject): DocumentPart[] => unnumberedParts('order', document, 'Order')
const invoices = (document: JsonObject): DocumentPart[] => numberedParts('invoice', document, 'Invoices')
const creditNotes = (document: JsonObject): DocumentPart[] => numberedParts('credit_note', document, 'CreditNotes')
const priced = (document: JsonObject): DocumentPart[] => [
  ...quote(document),
  ...order(document),
  ...invoices(document),
  ...creditNotes(document),
]
const restocked = (document: JsonObject): DocumentPart[] =>
  creditNotes(document).map((part) => ({ ...part, section: 'restock' }))
/** One stage of every fulfilment, numbered by fulfilment. */
const stage =
  (key: 'Pick' | 'Pack' | 'Ship') =>
  (document: JsonObject): DocumentPart[] =>
    numberedParts('fulfilment', document, 'Fulfilments').flatMap(({ node, number }) =>
      unnumberedParts(key.toLowerCase(), node, key).map((part) => ({ ...part, number })),
    )

const saleId = idOf('sale')

const saleInvoice = childTable(
  'sale_invoice',
  [
    saleId,
    guid('TaskID', { key: true }),
    text('InvoiceNumber', 50),
    text('Status', 50),
    text('Memo'),
    day('InvoiceDate'),
    day('InvoiceDueDate'),
    rate('CurrencyConversionRate'),
    text('BillingAddressLine1'),
    text('BillingAddressLine2'),
    integer('LinkedFulfillmentNumber', { as: 'linked_fulfilment_number' }),
    ...totals,
    money('Paid'),
  ],
  partsAsRows('invoice', 'Invoices'),
)

const saleCreditNote = childTable(
  'sale_credit_note',
  [
    saleId,
    guid('TaskID', { key: true }),
    text('CreditNoteNumber', 50),
    text('CreditNoteInvoiceNumber', 50),
    text('Status', 50),
    text('Memo'),
    day('CreditNoteDate'),
    rate('CreditNoteConversionRate'),
    text('RestockStatus', 50),
    ...totals,
  ],
  partsAsRows('credit_note', 'CreditNotes'),
)

const saleFulfilment = childTable(
  'sale_fulfilment',
  [
    saleId,
    guid('TaskID', { key: true }),
    integer('FulfillmentNumber', { as: 'fulfilment_number' }),
    text('LinkedInvoiceNumber', 50),
    text('FulFilmentStatus', 50, { as: 'fulfilment_status' }),
    text('Pick.Status', 50),
    text('Pack.Status', 50),
    text('Ship.Status', 50),
    day('Ship.RequireBy'),
    text('Ship.ShippingNotes'),
    // A shipment's address may differ from that of the sale.
    ...shippingAddressAt('Ship.ShippingAddress'),
  ],
  partsAsRows('fulfilment', 'Fulfilments'),
)

const saleShipment = childTable(
  'sale_shipment',
  [
    saleId,
    sectionNumber,
    ordinal,
    guid('ID', { as: 'shipment_id' }),
    day('ShipmentDate'),
    text('Carrier', 256),
    text('Boxes'),
    text('TrackingNumber', 256),
    text('TrackingURL'),
    flag('IsShipped'),
  ],
  rowsWithinParts(stage('Ship'), 'Lines'),
)

const saleEntry = childTable(
  'sale_ledger_entry',
  [
    saleId,
    ordinal,
    guid('TransactionID'),
    guid('TaskID'),
    day('EffectiveDate'),
    text('Description'),
    text('Debit', 50),
    text('Credit', 50),
    money('Amount'),
  ],
  partsAsRows('entry', 'Transactions'),
)

const sale = parentTable(
  'sale',
  [
    guid('ID', { key: true }),
    text('Order.SaleOrderNumber', 50, { as: 'order_number' }),
    ...documentFields,
    text('Customer', 256),
    guid('CustomerID'),
    text('Email', 256),
    text('CustomerCurrency', 3),
    text('CustomerReference'),
    text('DefaultAccount', 50),
    day('SaleOrderDate'),
    day('ShipBy'),
    text('PriceTier', 50),
    text('SalesRepresentative', 256),
    text('Carrier', 256),
    text('SourceChannel', 256),
    text('ExternalID', 256),
    text('ShippingNotes'),
    flag('SkipQuote'),
    flag('ServiceOnly'),
    text('Quote.Status', 50),
    text('Quote.Memo'),
    money('Quote.TotalBeforeTax'),
    money('Quote.Tax'),
    money('Quote.Total'),
    money('COGSAmount'),
    text('CombinedPickingStatus', 50),
    text('CombinedPackingStatus', 50),
    text('CombinedShippingStatus', 50),
    text('CombinedTrackingNumbers'),
    text('FulFilmentStatus', 50, { as: 'fulfilment_status' }),
    text('ManualJournals.Status', 50),
    instant('LastModifiedOn'),
  ],
  [
    linesOf('sale', priced, [money('AverageCost'), flag('DropShip'), flag('Backorder'), money('BackorderQuantity')]),
    chargesOf('sale', priced),
    saleInvoice,
    paymentsOf('sale', { Prepayments: quote, Payments: invoices, Refunds: creditNotes }),
    saleCreditNote,
    saleFulfilment,
    goodsOf(
      'sale',
      'sale_fulfilment_line',
      concatRows(
        rowsWithinParts(stage('Pick'), 'Lines'),
        rowsWithinParts(stage('Pack'), 'Lines'),
        rowsWithinParts(restocked, 'Restock'),
      ),
      [
        text('Box', 50),
        flag('NonInventory'),
        text('WarrantyRegistrationNumber', 256),
        text('RestockLocation', 256),
        guid('RestockLocationID'),
      ],
    ),
    saleShipment,
    journalsOf('sale'),
    movementsOf('sale'),
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
