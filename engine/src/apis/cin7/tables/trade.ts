/** Tables that sales and purchases share: lines, charges, payments, goods, journals and movements. */
import { childTable, type ChildTable, type RowFinder } from '../../http/documents.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  instant,
  json,
  keyed,
  money,
  ordinal,
  prefixed,
  rate,
  section,
  sectionNumber,
  text,
} from '../../http/fields.ts'
import { addressAt, currency, name, productSizes, shippingAddressAt, word } from './columns.ts'
import { concatFound, numberedParts, type PartFinder, partsAsRows, rowsWithinParts } from './stream-kinds.ts'

/** The columns that both lists share, apart from the id, the contact's name and the stock status. */
export const listFields: Fields = {
  OrderNumber: word,
  Status: word,
  Type: word,
  OrderDate: day,
  InvoiceDate: day,
  InvoiceDueDate: day,
  InvoiceNumber: word,
  InvoiceAmount: money,
  PaidAmount: money,
  BaseCurrency: currency,
  OrderStatus: word,
  CreditNoteStatus: word,
  CombinedInvoiceStatus: word,
  CombinedPaymentStatus: word,
}

export const totals: Fields = { TotalBeforeTax: money, Tax: money, Total: money }

/** The columns that both documents share. */
export const documentFields: Fields = {
  Status: word,
  Type: word,
  Contact: name,
  Phone: word,
  Location: name,
  BaseCurrency: currency,
  CurrencyRate: rate,
  TaxRule: name,
  TaxCalculation: word,
  Terms: name,
  Note: text,
  ...prefixed('Order.', { Status: word, Memo: text, ...totals }),
  CombinedInvoiceStatus: word,
  CombinedPaymentStatus: word,
  // The JSON columns remain for reports that were made before each part had a column.
  BillingAddress: json,
  ShippingAddress: json,
  ...addressAt('BillingAddress'),
  ...shippingAddressAt('ShippingAddress'),
  AdditionalAttributes: json,
  Attachments: json,
}

/** Lines have no id, so their position in the document is their key. */
const position: Fields = { section, sectionNumber, ordinal }

export function linesOf(table: string, parts: PartFinder, own: Fields): ChildTable {
  const fields = {
    ...position,
    ProductID: guid,
    SKU: word,
    Name: name,
    Quantity: money,
    Price: money,
    Discount: money,
    Tax: money,
    TaxRule: name,
    Account: word,
    Comment: text,
    Total: money,
    ...productSizes,
    ...own,
  }
  return childTable(table, fields, rowsWithinParts(parts, 'Lines'))
}

export function chargesOf(table: string, parts: PartFinder): ChildTable {
  const fields = {
    ...position,
    Description: text,
    Reference: name,
    Price: money,
    Quantity: money,
    Discount: money,
    Tax: money,
    Total: money,
    TaxRule: name,
    Account: word,
    Comment: text,
  }
  return childTable(table, fields, rowsWithinParts(parts, 'AdditionalCharges'))
}

/** Prepayments, payments of invoices and refunds of credit notes. */
export function paymentsOf(
  table: string,
  parts: Record<'Prepayments' | 'Payments' | 'Refunds', PartFinder>,
): ChildTable {
  const fields = {
    ID: keyed(guid),
    section,
    sectionNumber,
    Reference: name,
    Amount: money,
    DatePaid: day,
    Account: word,
    CurrencyRate: rate,
    DateCreated: instant,
  }
  const finders = Object.entries(parts).map(([key, of]) => rowsWithinParts(of, key))
  return childTable(table, fields, concatFound(...finders))
}

/** Goods that are picked, packed, received, put away or returned. `own` holds columns of one side only. */
export function goodsOf(table: string, rows: RowFinder, own: Fields): ChildTable {
  const fields = {
    ...position,
    ProductID: guid,
    SKU: word,
    Name: name,
    Location: name,
    LocationID: guid,
    Quantity: money,
    BatchSN: name,
    ExpiryDate: day,
    ...productSizes,
    ...own,
  }
  return childTable(table, fields, rows)
}

export function journalsOf(table: string): ChildTable {
  const fields = {
    sectionNumber,
    ordinal,
    Date: day,
    Reference: name,
    Amount: money,
    Debit: word,
    Credit: word,
    IsSystem: flag,
  }
  return childTable(table, fields, rowsWithinParts(numberedParts('journal', 'ManualJournals'), 'Lines'))
}

export function movementsOf(table: string): ChildTable {
  const fields = { ordinal, TaskID: guid, ProductID: guid, Date: day, COGS: money, ...productSizes }
  return childTable(table, fields, partsAsRows('movement', 'InventoryMovements'))
}
