/** Field builders for Xero's tables, and field groups that several documents share. */
import { asDecimal, asText } from '../../http/canonical-text.ts'
import { childTable } from '../../http/documents.ts'
import type { ChildShape } from '../../http/documents.ts'
import { field, flag, guid, readMember, readMembers, money, ordinal, rate, text } from '../../http/fields.ts'
import type { FieldMapping, FieldNaming, RowContext } from '../../http/fields.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { asDay, asMoment } from './dates.ts'

export const day = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'date' }, asDay, { or: `${path}String`, ...naming })
export const instant = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'instant', digits: 3 }, asMoment, naming)
/** A short text: a status, a type, a code. */
export const word = (path: string, naming?: FieldNaming): FieldMapping => text(path, 255, naming)
export const percent = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'decimal', precision: 9, scale: 4 }, asDecimal, naming)

export const updated = instant('UpdatedDateUTC')
export const contact: readonly FieldMapping[] = [
  guid('Contact.ContactID', { as: 'contact_id' }),
  word('Contact.Name', { as: 'contact_name' }),
]
export const totals: readonly FieldMapping[] = [money('SubTotal'), money('TotalTax'), money('Total')]
export const currency: readonly FieldMapping[] = [word('CurrencyCode'), rate('CurrencyRate')]

/** Xero keeps voided and deleted documents. This column shows since when. */
export const deletedAt = (changed = 'UpdatedDateUTC'): FieldMapping => ({
  column: { name: '_deleted_at', type: { kind: 'instant', digits: 3 }, nullable: true },
  read: ({ node }) =>
    deletedStatuses.has(asText(readMember(node, 'Status')) ?? '') ? asMoment(readMember(node, changed)) : null,
})
const deletedStatuses = new Set(['VOIDED', 'DELETED'])

/** A line's position, which identifies it: line ids change when the document is edited, and some lines have none. */
const lineNo: FieldMapping = {
  column: { name: 'line_no', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (row) => String(row.ordinal),
}
const ofLineNo: FieldMapping = { ...lineNo, read: (row) => String(row.number) }

/** A document whose lists become tables: `invoice` with its `InvoiceID`. */
export interface ParentDocument {
  readonly table: string
  readonly id: string
}

const idOf = ({ id }: ParentDocument): FieldMapping => guid(id, { of: 'document', key: true })

/** A child table for a list of the document, keyed by position. */
export function listOf(parent: ParentDocument, name: string, key: string, fields: readonly FieldMapping[]): ChildShape {
  return childTable(`${parent.table}_${name}`, [idOf(parent), ordinal, ...fields], rowsWithin(key))
}

/** The same for rows with their own id, which must be the first field. */
export function identifiedListOf(
  parent: ParentDocument,
  name: string,
  key: string,
  fields: readonly FieldMapping[],
): ChildShape {
  return childTable(`${parent.table}_${name}`, [idOf(parent), ...fields], rowsWithin(key))
}

const lineFields: readonly FieldMapping[] = [
  guid('LineItemID'),
  text('Description'),
  money('Quantity'),
  money('UnitAmount'),
  word('ItemCode'),
  guid('Item.ItemID', { as: 'item_id' }),
  word('AccountCode'),
  guid('AccountID'),
  word('TaxType'),
  money('TaxAmount'),
  money('LineAmount'),
  percent('DiscountRate'),
  money('DiscountAmount'),
]

export function linesOf(parent: ParentDocument): ChildShape {
  return childTable(`${parent.table}_line`, [idOf(parent), lineNo, ...lineFields], rowsWithin('LineItems'))
}

/** The lines of a journal, which have other fields. */
export function journalLinesOf(parent: ParentDocument, fields: readonly FieldMapping[]): ChildShape {
  return childTable(`${parent.table}_line`, [idOf(parent), lineNo, ...fields], rowsWithin('JournalLines'))
}

interface TrackingSource {
  readonly lines: string
  /** The key of a line's id; null if lines have none. */
  readonly id: string | null
  readonly key: string
}

const ofLineItems: TrackingSource = { lines: 'LineItems', id: 'LineItemID', key: 'Tracking' }

/** The tracking of a line, a document or an end of a transfer. */
export const trackingFields: readonly FieldMapping[] = [
  guid('TrackingCategoryID'),
  guid('TrackingOptionID'),
  word('Name'),
  word('Option'),
]

/** The tracking of each line. */
export function trackingOf(parent: ParentDocument, { lines, id, key }: TrackingSource = ofLineItems): ChildShape {
  const nodesOf = (line: JsonObject): readonly JsonObject[] =>
    readMembers(line, key).map((node) => (id === null ? node : { ...node, [id]: readMember(line, id) }))
  const rows = (document: JsonObject): RowContext[] =>
    readMembers(document, lines).flatMap((line, at) =>
      nodesOf(line).map((node, index) => ({ document, node, section: '', number: at + 1, ordinal: index + 1 })),
    )
  const own = id === null ? [] : [guid(id)]
  return childTable(`${parent.table}_line_tracking`, [idOf(parent), ofLineNo, ordinal, ...own, ...trackingFields], rows)
}

/** Lines with their tracking. */
export function linesWithTrackingOf(parent: ParentDocument): ChildShape[] {
  return [linesOf(parent), trackingOf(parent)]
}

/** Allocations of a credit note, overpayment or prepayment to other documents. */
export function allocationsOf(parent: ParentDocument): ChildShape {
  return listOf(parent, 'allocation', 'Allocations', [
    guid('AllocationID'),
    money('Amount'),
    day('Date'),
    flag('IsDeleted'),
    guid('Invoice.InvoiceID', { as: 'invoice_id' }),
    word('Invoice.InvoiceNumber', { as: 'invoice_number' }),
  ])
}

export function paymentsOf(parent: ParentDocument): ChildShape {
  return listOf(parent, 'payment', 'Payments', [
    guid('PaymentID'),
    guid('BatchPaymentID'),
    day('Date'),
    money('Amount'),
    rate('CurrencyRate'),
    text('Reference'),
    flag('HasAccount'),
  ])
}

export const addressFields: readonly FieldMapping[] = [
  word('AddressType'),
  text('AddressLine1', 500),
  text('AddressLine2', 500),
  text('AddressLine3', 500),
  text('AddressLine4', 500),
  word('City'),
  word('Region'),
  word('PostalCode'),
  word('Country'),
  word('AttentionTo'),
]
export const phoneFields: readonly FieldMapping[] = [
  word('PhoneType'),
  word('PhoneNumber'),
  word('PhoneAreaCode'),
  word('PhoneCountryCode'),
]

/** When a bill or an invoice is due. */
export const paymentTerms: readonly FieldMapping[] = ['Bills', 'Sales'].flatMap((side) => [
  money(`PaymentTerms.${side}.Day`),
  word(`PaymentTerms.${side}.Type`),
])

function rowsWithin(key: string): ChildShape['rows'] {
  return (document) =>
    readMembers(document, key).map((node, at) => ({ document, node, section: '', number: 0, ordinal: at + 1 }))
}
