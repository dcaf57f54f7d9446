/** Sales: the list, and each sale whole with its order, invoices, credit notes and fulfilments. */
import { childTable, parentTable } from '../../../http/documents.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import { day, flag, guid, moment, money, ordinal, rate, section, sectionNumber, text, tree, whole } from '../../../http/fields.ts'
import { asPart, asParts, theParts, withinParts } from './declare.ts'
import type { Cin7Stream, List, Part } from './declare.ts'

const list: List = { path: 'saleList', rows: 'SaleList', limit: 1_000, since: 'UpdatedSince' }

const saleList = parentTable('sale_list', [
  guid('SaleID', { key: true }),
  text('OrderNumber', 50),
  text('Status', 50),
  text('Type', 50),
  day('OrderDate'),
  day('InvoiceDate'),
  day('InvoiceDueDate'),
  day('ShipBy'),
  text('Customer', 256),
  guid('CustomerID'),
  text('InvoiceNumber', 50),
  text('CustomerReference'),
  money('InvoiceAmount'),
  money('PaidAmount'),
  text('BaseCurrency', 3),
  text('CustomerCurrency', 3),
  text('CreditNoteNumber', 50),
  text('QuoteStatus', 50),
  text('OrderStatus', 50),
  text('CombinedPickingStatus', 50),
  text('CombinedPackingStatus', 50),
  text('CombinedShippingStatus', 50),
  text('CombinedInvoiceStatus', 50),
  text('CombinedPaymentStatus', 50),
  text('CombinedTrackingNumbers'),
  text('CreditNoteStatus', 50),
  text('FulFilmentStatus', 50, { as: 'fulfilment_status' }),
  text('SourceChannel', 256),
  text('ExternalID', 256),
  guid('OrderLocationID'),
  moment('Updated'),
])

const saleId = guid('ID', { as: 'sale_id', of: 'document', key: true })

/** Lines carry no id of their own, so their place in the sale is their key. */
const place = [saleId, section, sectionNumber, ordinal]
const priced = (document: JsonObject): Part[] => [
  ...asPart('quote', document, 'Quote'),
  ...asPart('order', document, 'Order'),
  ...asParts('invoice', document, 'Invoices'),
  ...asParts('credit_note', document, 'CreditNotes'),
]
const paid = (document: JsonObject): Part[] => [...asParts('invoice', document, 'Invoices')]
const refunded = (document: JsonObject): Part[] => asParts('credit_note', document, 'CreditNotes')
const prepaid = (document: JsonObject): Part[] => asPart('quote', document, 'Quote')
const stages = (document: JsonObject): Part[] =>
  asParts('fulfilment', document, 'Fulfilments').flatMap(({ node, number }) =>
    ['Pick', 'Pack'].flatMap((stage) => asPart(stage.toLowerCase(), node, stage).map((part) => ({ ...part, number }))),
  )

const totals = [money('TotalBeforeTax'), money('Tax'), money('Total')]

const saleLine = childTable(
  'sale_line',
  [
    ...place,
    guid('ProductID'),
    text('SKU', 50),
    text('Name', 256),
    money('Quantity'),
    money('Price'),
    money('Discount'),
    money('Tax'),
    money('AverageCost'),
    text('TaxRule', 256),
    text('Account', 50),
    text('Comment'),
    flag('DropShip'),
    money('BackorderQuantity'),
    money('Total'),
  ],
  withinParts(priced, 'Lines'),
)

const saleCharge = childTable(
  'sale_charge',
  [
    ...place,
    text('Description'),
    money('Price'),
    money('Quantity'),
    money('Discount'),
    money('Tax'),
    money('Total'),
    text('TaxRule', 256),
    text('Account', 50),
    text('Comment'),
  ],
  withinParts(priced, 'AdditionalCharges'),
)

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
    whole('LinkedFulfillmentNumber', { as: 'linked_fulfilment_number' }),
    ...totals,
    money('Paid'),
  ],
  theParts('invoice', 'Invoices'),
)

const payments = [withinParts(prepaid, 'Prepayments'), withinParts(paid, 'Payments'), withinParts(refunded, 'Refunds')]
const salePayment = childTable(
  'sale_payment',
  [
    saleId,
    guid('ID', { key: true }),
    section,
    sectionNumber,
    text('Reference', 256),
    money('Amount'),
    day('DatePaid'),
    text('Account', 50),
    rate('CurrencyRate'),
    moment('DateCreated'),
  ],
  (document) => payments.flatMap((rows) => rows(document)),
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
    tree('Ship.Lines', { as: 'shipments' }),
  ],
  theParts('fulfilment', 'Fulfilments'),
)

const saleFulfilmentLine = childTable(
  'sale_fulfilment_line',
  [
    ...place,
    guid('ProductID'),
    text('SKU', 50),
    text('Name', 256),
    text('Location', 256),
    guid('LocationID'),
    money('Quantity'),
    text('BatchSN', 256),
    day('ExpiryDate'),
    text('Box', 50),
  ],
  withinParts(stages, 'Lines'),
)

const saleMovement = childTable(
  'sale_movement',
  [saleId, ordinal, guid('TaskID'), guid('ProductID'), day('Date'), money('COGS')],
  theParts('movement', 'InventoryMovements'),
)

const sale = parentTable(
  'sale',
  [
    guid('ID', { key: true }),
    text('Order.SaleOrderNumber', 50, { as: 'order_number' }),
    text('Status', 50),
    text('Type', 50),
    text('Customer', 256),
    guid('CustomerID'),
    text('Contact', 256),
    text('Phone', 50),
    text('Email', 256),
    text('DefaultAccount', 50),
    day('SaleOrderDate'),
    day('ShipBy'),
    text('Location', 256),
    text('BaseCurrency', 3),
    text('CustomerCurrency', 3),
    rate('CurrencyRate'),
    text('TaxRule', 256),
    text('TaxCalculation', 50),
    text('Terms', 256),
    text('PriceTier', 50),
    text('CustomerReference'),
    text('SalesRepresentative', 256),
    text('Carrier', 256),
    text('SourceChannel', 256),
    text('ExternalID', 256),
    text('Note'),
    text('ShippingNotes'),
    flag('SkipQuote'),
    flag('ServiceOnly'),
    text('Quote.Status', 50),
    text('Order.Status', 50),
    money('Order.TotalBeforeTax'),
    money('Order.Tax'),
    money('Order.Total'),
    money('COGSAmount'),
    text('CombinedPickingStatus', 50),
    text('CombinedPackingStatus', 50),
    text('CombinedShippingStatus', 50),
    text('CombinedInvoiceStatus', 50),
    text('CombinedPaymentStatus', 50),
    text('FulFilmentStatus', 50, { as: 'fulfilment_status' }),
    tree('BillingAddress'),
    tree('ShippingAddress'),
    tree('AdditionalAttributes'),
    moment('LastModifiedOn'),
  ],
  [saleLine, saleCharge, saleInvoice, salePayment, saleCreditNote, saleFulfilment, saleFulfilmentLine, saleMovement],
)

export const saleStreams: readonly Cin7Stream[] = [
  { kind: 'list', name: 'saleList', list, shape: saleList },
  { kind: 'details', name: 'sale', list, shape: sale, noun: 'sales', id: 'SaleID', changed: 'Updated', pathOf: () => 'sale' },
]
