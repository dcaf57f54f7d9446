/** Sales: the list, their credit notes, and each sale whole with its order, invoices, credit notes and fulfilments. */
import { childTable, parentTable } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { day, flag, guid, moment, money, ordinal, rate, sectionNumber, text, whole } from '../../http/fields.ts'
import { shippingAddressAt } from './columns.ts'
import { asPart, asParts, listed, listLimit, theParts, together, withinParts } from './declare.ts'
import type { Cin7Stream, List, Part } from './declare.ts'
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

const list: List = { path: 'saleList', rows: 'SaleList', limit: listLimit, since: 'UpdatedSince' }

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
  moment('Updated'),
]
const saleList = parentTable('sale_list', [guid('SaleID', { key: true }), text('CreditNoteNumber', 50), ...fields])
/** A sale stands here once for each of its credit notes. */
const saleCreditNoteList = parentTable('sale_credit_note_list', [
  guid('SaleID', { key: true }),
  text('CreditNoteNumber', 50, { key: true }),
  ...fields,
  text('RestockStatus', 50),
])

const quote = (document: JsonObject): Part[] => asPart('quote', document, 'Quote')
const order = (document: JsonObject): Part[] => asPart('order', document, 'Order')
const invoices = (document: JsonObject): Part[] => asParts('invoice', document, 'Invoices')
const creditNotes = (document: JsonObject): Part[] => asParts('credit_note', document, 'CreditNotes')
const priced = (document: JsonObject): Part[] => [
  ...quote(document),
  ...order(document),
  ...invoices(document),
  ...creditNotes(document),
]
const restocked = (document: JsonObject): Part[] =>
  creditNotes(document).map((part) => ({ ...part, section: 'restock' }))
/** One stage of every fulfilment, numbered like these. */
const stage =
  (key: 'Pick' | 'Pack' | 'Ship') =>
  (document: JsonObject): Part[] =>
    asParts('fulfilment', document, 'Fulfilments').flatMap(({ node, number }) =>
      asPart(key.toLowerCase(), node, key).map((part) => ({ ...part, number })),
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
    whole('LinkedFulfillmentNumber', { as: 'linked_fulfilment_number' }),
    ...totals,
    money('Paid'),
  ],
  theParts('invoice', 'Invoices'),
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
  theParts('credit_note', 'CreditNotes'),
)

const saleFulfilment = childTable(
  'sale_fulfilment',
  [
    saleId,
    guid('TaskID', { key: true }),
    whole('FulfillmentNumber', { as: 'fulfilment_number' }),
    text('LinkedInvoiceNumber', 50),
    text('FulFilmentStatus', 50, { as: 'fulfilment_status' }),
    text('Pick.Status', 50),
    text('Pack.Status', 50),
    text('Ship.Status', 50),
    day('Ship.RequireBy'),
    text('Ship.ShippingNotes'),
    // A shipment may go elsewhere than the sale's own address.
    ...shippingAddressAt('Ship.ShippingAddress'),
  ],
  theParts('fulfilment', 'Fulfilments'),
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
  withinParts(stage('Ship'), 'Lines'),
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
  theParts('entry', 'Transactions'),
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
    moment('LastModifiedOn'),
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
      together(
        withinParts(stage('Pick'), 'Lines'),
        withinParts(stage('Pack'), 'Lines'),
        withinParts(restocked, 'Restock'),
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
  listed('saleCreditNoteList', saleCreditNoteList, {
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
