/** Tables that sales and purchases share: lines, charges, payments, goods, journals and movements. */
import { childTable } from '../../http/documents.ts'
import type { ChildShape } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import {
  day,
  flag,
  guid,
  instant,
  money,
  ordinal,
  rate,
  section,
  sectionNumber,
  text,
  json,
} from '../../http/fields.ts'
import type { FieldMapping } from '../../http/fields.ts'
import { addressAt, productSizes, shippingAddressAt } from './columns.ts'
import { numberedParts, partsAsRows, concatRows, rowsWithinParts } from './stream-kinds.ts'
import type { DocumentPart } from './stream-kinds.ts'

export type TradeKind = 'sale' | 'purchase'
export type PartFinder = (document: JsonObject) => readonly DocumentPart[]

/** The columns that both lists share, apart from the id, the contact's name and the stock status. */
export const listFields = [
  text('OrderNumber', 50),
  text('Status', 50),
  text('Type', 50),
  day('OrderDate'),
  day('InvoiceDate'),
  day('InvoiceDueDate'),
  text('InvoiceNumber', 50),
  money('InvoiceAmount'),
  money('PaidAmount'),
  text('BaseCurrency', 3),
  text('OrderStatus', 50),
  text('CreditNoteStatus', 50),
  text('CombinedInvoiceStatus', 50),
  text('CombinedPaymentStatus', 50),
]

/** The columns that both documents share. */
export const documentFields = [
  text('Status', 50),
  text('Type', 50),
  text('Contact', 256),
  text('Phone', 50),
  text('Location', 256),
  text('BaseCurrency', 3),
  rate('CurrencyRate'),
  text('TaxRule', 256),
  text('TaxCalculation', 50),
  text('Terms', 256),
  text('Note'),
  text('Order.Status', 50),
  text('Order.Memo'),
  money('Order.TotalBeforeTax'),
  money('Order.Tax'),
  money('Order.Total'),
  text('CombinedInvoiceStatus', 50),
  text('CombinedPaymentStatus', 50),
  // The JSON columns remain for reports that were made before each part had a column.
  json('BillingAddress'),
  json('ShippingAddress'),
  ...addressAt('BillingAddress'),
  ...shippingAddressAt('ShippingAddress'),
  json('AdditionalAttributes'),
  json('Attachments'),
]

export const totals = [money('TotalBeforeTax'), money('Tax'), money('Total')]

export const idOf = (deal: TradeKind): FieldMapping => guid('ID', { as: `${deal}_id`, of: 'document', key: true })

/** Lines have no id, so their position in the document is their key. */
const positionOf = (deal: TradeKind): FieldMapping[] => [idOf(deal), section, sectionNumber, ordinal]

export function linesOf(deal: TradeKind, services: PartFinder, own: readonly FieldMapping[]): ChildShape {
  const fields = [
    guid('ProductID'),
    text('SKU', 50),
    text('Name', 256),
    money('Quantity'),
    money('Price'),
    money('Discount'),
    money('Tax'),
    text('TaxRule', 256),
    text('Account', 50),
    text('Comment'),
    money('Total'),
    ...productSizes,
  ]
  return childTable(`${deal}_line`, [...positionOf(deal), ...fields, ...own], rowsWithinParts(services, 'Lines'))
}

export function chargesOf(deal: TradeKind, services: PartFinder): ChildShape {
  const fields = [
    text('Description'),
    text('Reference', 256),
    money('Price'),
    money('Quantity'),
    money('Discount'),
    money('Tax'),
    money('Total'),
    text('TaxRule', 256),
    text('Account', 50),
    text('Comment'),
  ]
  return childTable(`${deal}_charge`, [...positionOf(deal), ...fields], rowsWithinParts(services, 'AdditionalCharges'))
}

/** Prepayments, payments of invoices and refunds of credit notes. */
export function paymentsOf(
  deal: TradeKind,
  parts: Record<'Prepayments' | 'Payments' | 'Refunds', PartFinder>,
): ChildShape {
  const fields = [
    idOf(deal),
    guid('ID', { key: true }),
    section,
    sectionNumber,
    text('Reference', 256),
    money('Amount'),
    day('DatePaid'),
    text('Account', 50),
    rate('CurrencyRate'),
    instant('DateCreated'),
  ]
  const ways = Object.entries(parts).map(([key, of]) => rowsWithinParts(of, key))
  return childTable(`${deal}_payment`, fields, concatRows(...ways))
}

/** Goods that are picked, packed, received, put away or returned. `own` holds columns of one side only. */
export function goodsOf(
  deal: TradeKind,
  table: string,
  rows: ChildShape['rows'],
  own: readonly FieldMapping[],
): ChildShape {
  const fields = [
    guid('ProductID'),
    text('SKU', 50),
    text('Name', 256),
    text('Location', 256),
    guid('LocationID'),
    money('Quantity'),
    text('BatchSN', 256),
    day('ExpiryDate'),
    ...productSizes,
  ]
  return childTable(table, [...positionOf(deal), ...fields, ...own], rows)
}

export function journalsOf(deal: TradeKind): ChildShape {
  const fields = [
    day('Date'),
    text('Reference', 256),
    money('Amount'),
    text('Debit', 50),
    text('Credit', 50),
    flag('IsSystem'),
  ]
  const journals = (document: JsonObject): DocumentPart[] => numberedParts('journal', document, 'ManualJournals')
  return childTable(
    `${deal}_journal_line`,
    [idOf(deal), sectionNumber, ordinal, ...fields],
    rowsWithinParts(journals, 'Lines'),
  )
}

export function movementsOf(deal: TradeKind): ChildShape {
  const fields = [guid('TaskID'), guid('ProductID'), day('Date'), money('COGS'), ...productSizes]
  return childTable(`${deal}_movement`, [idOf(deal), ordinal, ...fields], partsAsRows('movement', 'InventoryMovements'))
}
