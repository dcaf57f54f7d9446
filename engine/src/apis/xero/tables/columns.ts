/** Kinds of columns of Xero's tables, and column groups that several documents share. */
import { asDecimal, asText } from '../../http/canonical-text.ts'
import { childTable, type ChildTable, listOf, type RowFinder, rowsOf, rowsWithin } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import {
  type FieldKind,
  fieldKind,
  type Fields,
  flag,
  guid,
  money,
  named,
  ordinal,
  positionKind,
  rate,
  readMember,
  readMembers,
  text,
  textUpTo,
} from '../../http/fields.ts'
import { asDay, asMoment } from './dates.ts'

const date = fieldKind({ kind: 'date' }, asDay)
export const day: FieldKind = (path, naming) => date(path, { or: `${path}String`, ...naming })
export const instant = fieldKind({ kind: 'instant', digits: 3 }, asMoment)
/** A short text: a status, a type, a code. */
export const word = textUpTo(255)
export const percent = fieldKind({ kind: 'decimal', precision: 9, scale: 4 }, asDecimal)

export const contact: Fields = { 'Contact.ContactID': named('contact_id', guid), 'Contact.Name': word }
export const account: Fields = { 'Account.AccountID': named('account_id', guid), 'Account.Code': word }
export const totals: Fields = { SubTotal: money, TotalTax: money, Total: money }
export const currency: Fields = { CurrencyCode: word, CurrencyRate: rate }

/** Xero keeps voided and deleted documents. This column shows since when. @param changed key of the last change */
export function deletedAt(changed: string): FieldKind {
  return () => ({
    column: { name: '_deleted_at', type: { kind: 'instant', digits: 3 }, nullable: true },
    read: ({ node }) =>
      deletedStatuses.has(asText(readMember(node, 'Status')) ?? '') ? asMoment(readMember(node, changed)) : null,
  })
}
const deletedStatuses = new Set(['VOIDED', 'DELETED'])

export const updatedAndDeleted: Fields = { UpdatedDateUTC: instant, _deleted_at: deletedAt('UpdatedDateUTC') }

/** A line's position, which identifies it: line ids change when the document is edited, and some lines have none. */
const lineNo = positionKind('line_no', (row) => row.ordinal)
const ofLineNo = positionKind('line_no', (row) => row.number)

const lineFields: Fields = {
  LineItemID: guid,
  Description: text,
  Quantity: money,
  UnitAmount: money,
  ItemCode: word,
  'Item.ItemID': named('item_id', guid),
  AccountCode: word,
  AccountID: guid,
  TaxType: word,
  TaxAmount: money,
  LineAmount: money,
  DiscountRate: percent,
  DiscountAmount: money,
}

/** The lines of a document. @param parent the document's table */
export function linesOf(parent: string): ChildTable {
  return childTable(`${parent}_line`, { lineNo, ...lineFields }, rowsWithin('LineItems'))
}

/** The lines of a journal, which have other fields. */
export function journalLinesOf(parent: string, fields: Fields): ChildTable {
  return childTable(`${parent}_line`, { lineNo, ...fields }, rowsWithin('JournalLines'))
}

interface TrackingSource {
  readonly lines: string
  /** The key of a line's id; null if lines have none. */
  readonly id: string | null
  readonly key: string
}

const ofLineItems: TrackingSource = { lines: 'LineItems', id: 'LineItemID', key: 'Tracking' }

/** The tracking of a line, a document or an end of a transfer. */
export const trackingFields: Fields = {
  TrackingCategoryID: guid,
  TrackingOptionID: guid,
  Name: word,
  Option: word,
}

/** The tracking of each line. */
export function trackingOf(parent: string, { lines, id, key }: TrackingSource = ofLineItems): ChildTable {
  const nodesOf = (line: JsonObject): readonly JsonObject[] =>
    readMembers(line, key).map((node) => (id === null ? node : { ...node, [id]: readMember(line, id) }))
  const rows: RowFinder = (document) =>
    readMembers(document, lines).flatMap((line, at) => rowsOf(document, nodesOf(line), { section: '', number: at + 1 }))
  const own = id === null ? {} : { [id]: guid }
  return childTable(`${parent}_line_tracking`, { ofLineNo, ordinal, ...own, ...trackingFields }, rows)
}

/** Lines with their tracking. */
export function linesWithTrackingOf(parent: string): ChildTable[] {
  return [linesOf(parent), trackingOf(parent)]
}

/** Allocations of a credit note, overpayment or prepayment to other documents. */
export function allocationsOf(parent: string): ChildTable {
  return listOf(`${parent}_allocation`, 'Allocations', {
    AllocationID: guid,
    Amount: money,
    Date: day,
    IsDeleted: flag,
    'Invoice.InvoiceID': named('invoice_id', guid),
    'Invoice.InvoiceNumber': named('invoice_number', word),
  })
}

export function paymentsOf(parent: string): ChildTable {
  return listOf(`${parent}_payment`, 'Payments', {
    PaymentID: guid,
    BatchPaymentID: guid,
    Date: day,
    Amount: money,
    CurrencyRate: rate,
    Reference: text,
    HasAccount: flag,
  })
}

export const addressFields: Fields = {
  AddressType: word,
  AddressLine1: textUpTo(500),
  AddressLine2: textUpTo(500),
  AddressLine3: textUpTo(500),
  AddressLine4: textUpTo(500),
  City: word,
  Region: word,
  PostalCode: word,
  Country: word,
  AttentionTo: word,
}
export const phoneFields: Fields = {
  PhoneType: word,
  PhoneNumber: word,
  PhoneAreaCode: word,
  PhoneCountryCode: word,
}

/** When a bill or an invoice is due. */
export const paymentTerms: Fields = {
  'PaymentTerms.Bills.Day': money,
  'PaymentTerms.Bills.Type': word,
  'PaymentTerms.Sales.Day': money,
  'PaymentTerms.Sales.Type': word,
}
