/** What sales and purchases have alike: the tables of their lines, charges, payments, goods, journals and movements. */
import { childTable } from '../../http/documents.ts'
import type { ChildShape } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { day, flag, guid, moment, money, ordinal, rate, section, sectionNumber, text, tree } from '../../http/fields.ts'
import type { Field } from '../../http/fields.ts'
import { addressAt, productSizes, shippingAddressAt } from './columns.ts'
import { asParts, theParts, together, withinParts } from './declare.ts'
import type { Part } from './declare.ts'

export type Deal = 'sale' | 'purchase'
export type Parts = (document: JsonObject) => readonly Part[]

/** The columns that both lists have, beside the id, the other side's name and the state of the stock. */
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

/** The columns that both documents have. */
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
  // As JSON, for reports made before the parts had columns, and part by part.
  tree('BillingAddress'),
  tree('ShippingAddress'),
  ...addressAt('BillingAddress'),
  ...shippingAddressAt('ShippingAddress'),
  tree('AdditionalAttributes'),
  tree('Attachments'),
]

export const totals = [money('TotalBeforeTax'), money('Tax'), money('Total')]

export const idOf = (deal: Deal): Field => guid('ID', { as: `${deal}_id`, of: 'document', key: true })

/** Lines carry no id of their own, so their place in the document is their key. */
const placeOf = (deal: Deal): Field[] => [idOf(deal), section, sectionNumber, ordinal]

export function linesOf(deal: Deal, services: Parts, own: readonly Field[]): ChildShape {
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
  return childTable(`${deal}_line`, [...placeOf(deal), ...fields, ...own], withinParts(services, 'Lines'))
}

export function chargesOf(deal: Deal, services: Parts): ChildShape {
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
  return childTable(`${deal}_charge`, [...placeOf(deal), ...fields], withinParts(services, 'AdditionalCharges'))
}

/** What was paid before there was an invoice, for it, and back for a credit note. */
export function paymentsOf(deal: Deal, parts: Record<'Prepayments' | 'Payments' | 'Refunds', Parts>): ChildShape {
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
    moment('DateCreated'),
  ]
  const ways = Object.entries(parts).map(([key, of]) => withinParts(of, key))
  return childTable(`${deal}_payment`, fields, together(...ways))
}

/** Goods that are picked, packed, received, put away or come back; `own` has what only one side tells of them. */
export function goodsOf(deal: Deal, table: string, rows: ChildShape['rows'], own: readonly Field[]): ChildShape {
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
  return childTable(table, [...placeOf(deal), ...fields, ...own], rows)
}

export function journalsOf(deal: Deal): ChildShape {
  const fields = [
    day('Date'),
    text('Reference', 256),
    money('Amount'),
    text('Debit', 50),
    text('Credit', 50),
    flag('IsSystem'),
  ]
  const journals = (document: JsonObject): Part[] => asParts('journal', document, 'ManualJournals')
  return childTable(
    `${deal}_journal_line`,
    [idOf(deal), sectionNumber, ordinal, ...fields],
    withinParts(journals, 'Lines'),
  )
}

export function movementsOf(deal: Deal): ChildShape {
  const fields = [guid('TaskID'), guid('ProductID'), day('Date'), money('COGS'), ...productSizes]
  return childTable(`${deal}_movement`, [idOf(deal), ordinal, ...fields], theParts('movement', 'InventoryMovements'))
}
