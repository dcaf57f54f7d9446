/** Purchases: the list, and each purchase whole, whichever of its two kinds it is. */
import { childTable, parentTable } from '../../../http/documents.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import { day, flag, guid, moment, money, ordinal, rate, section, sectionNumber, text, tree } from '../../../http/fields.ts'
import { asPart, asParts, textOf, theParts, withinParts } from './declare.ts'
import type { Cin7Stream, List, Part } from './declare.ts'

const list: List = { path: 'purchaseList', rows: 'PurchaseList', limit: 1_000, since: 'UpdatedSince' }

const purchaseList = parentTable('purchase_list', [
  guid('ID', { key: true }),
  text('OrderNumber', 50),
  text('Status', 50),
  text('Type', 50),
  day('OrderDate'),
  day('InvoiceDate'),
  day('InvoiceDueDate'),
  day('RequiredBy'),
  text('Supplier', 256),
  guid('SupplierID'),
  text('InvoiceNumber', 50),
  money('InvoiceAmount'),
  money('PaidAmount'),
  text('BaseCurrency', 3),
  text('SupplierCurrency', 3),
  text('CreditNoteNumber', 50),
  text('OrderStatus', 50),
  text('StockReceivedStatus', 50),
  text('UnstockStatus', 50),
  text('InvoiceStatus', 50),
  text('CreditNoteStatus', 50),
  text('CombinedInvoiceStatus', 50),
  text('CombinedPaymentStatus', 50),
  text('CombinedReceivingStatus', 50),
  flag('IsServiceOnly'),
  flag('BlindReceipt'),
  guid('DropShipTaskID'),
  moment('LastUpdatedDate'),
])

const purchaseId = guid('ID', { as: 'purchase_id', of: 'document', key: true })
/** A simple purchase holds one invoice, credit note and receipt, an advanced one lists of them: both read as lists. */
const place = [purchaseId, section, sectionNumber, ordinal]
const priced = (document: JsonObject): Part[] => [
  ...asPart('order', document, 'Order'),
  ...asParts('invoice', document, 'Invoice'),
  ...asParts('credit_note', document, 'CreditNote'),
]
const totals = [money('TotalBeforeTax'), money('Tax'), money('Total')]

const purchaseLine = childTable(
  'purchase_line',
  [
    ...place,
    guid('ProductID'),
    text('SKU', 50),
    text('SupplierSKU', 50),
    text('Name', 256),
    money('Quantity'),
    money('Price'),
    money('Discount'),
    money('Tax'),
    text('TaxRule', 256),
    text('Account', 50),
    text('Comment'),
    money('Total'),
  ],
  withinParts(priced, 'Lines'),
)

const purchaseCharge = childTable(
  'purchase_charge',
  [
    ...place,
    text('Description'),
    text('Reference', 256),
    money('Price'),
    money('Quantity'),
    money('Discount'),
    money('Tax'),
    money('Total'),
    text('TaxRule', 256),
    text('Account', 50),
  ],
  withinParts(priced, 'AdditionalCharges'),
)

/** A simple purchase misspells it. */
const invoiceNumber = text('InvoiceNumber', 50, { or: 'InvocieNumber' })

const purchaseInvoice = childTable(
  'purchase_invoice',
  [
    purchaseId,
    ordinal,
    guid('TaskID'),
    invoiceNumber,
    text('Status', 50),
    day('InvoiceDate'),
    day('InvoiceDueDate'),
    ...totals,
    money('Paid'),
  ],
  theParts('invoice', 'Invoice'),
)

const payments = [
  withinParts((document) => asPart('order', document, 'Order'), 'Prepayments'),
  withinParts((document) => asParts('invoice', document, 'Invoice'), 'Payments'),
  withinParts((document) => asParts('credit_note', document, 'CreditNote'), 'Refunds'),
]
const purchasePayment = childTable(
  'purchase_payment',
  [
    purchaseId,
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

const purchaseCreditNote = childTable(
  'purchase_credit_note',
  [purchaseId, ordinal, guid('TaskID'), text('CreditNoteNumber', 50), text('Status', 50), day('CreditNoteDate'), ...totals],
  theParts('credit_note', 'CreditNote'),
)

const purchaseReceiptLine = childTable(
  'purchase_receipt_line',
  [
    ...place,
    guid('ProductID'),
    text('SKU', 50),
    text('SupplierSKU', 50),
    text('Name', 256),
    day('Date'),
    money('Quantity'),
    text('Location', 256),
    guid('LocationID'),
    text('BatchSN', 256),
    day('ExpiryDate'),
    flag('Received'),
  ],
  withinParts((document) => asParts('receipt', document, 'StockReceived'), 'Lines'),
)

const purchaseMovement = childTable(
  'purchase_movement',
  [purchaseId, ordinal, guid('TaskID'), guid('ProductID'), day('Date'), money('COGS')],
  theParts('movement', 'InventoryMovements'),
)

const purchase = parentTable(
  'purchase',
  [
    guid('ID', { key: true }),
    text('OrderNumber', 50),
    text('Status', 50),
    text('Type', 50),
    text('Approach', 50),
    text('Supplier', 256),
    guid('SupplierID'),
    text('Contact', 256),
    text('Phone', 50),
    text('InventoryAccount', 50),
    day('OrderDate'),
    day('RequiredBy'),
    text('Location', 256),
    text('BaseCurrency', 3),
    text('SupplierCurrency', 3),
    rate('CurrencyRate'),
    text('TaxRule', 256),
    text('TaxCalculation', 50),
    text('Terms', 256),
    text('Note'),
    flag('BlindReceipt'),
    flag('IsServiceOnly'),
    text('Order.Status', 50),
    money('Order.TotalBeforeTax'),
    money('Order.Tax'),
    money('Order.Total'),
    text('CombinedReceivingStatus', 50),
    text('CombinedInvoiceStatus', 50),
    text('CombinedPaymentStatus', 50),
    tree('BillingAddress'),
    tree('ShippingAddress'),
    tree('AdditionalAttributes'),
    moment('LastUpdatedDate'),
  ],
  [purchaseLine, purchaseCharge, purchaseInvoice, purchasePayment, purchaseCreditNote, purchaseReceiptLine, purchaseMovement],
)

export const purchaseStreams: readonly Cin7Stream[] = [
  { kind: 'list', name: 'purchaseList', list, shape: purchaseList },
  {
    kind: 'details',
    name: 'purchase',
    list,
    shape: purchase,
    noun: 'purchases',
    id: 'ID',
    changed: 'LastUpdatedDate',
    // Asking the one path for a purchase of the other kind is an error.
    pathOf: (row) => (/^simple/i.test(textOf(row, 'Type')) ? 'purchase' : 'advanced-purchase'),
  },
]
