/** The words in which the tables of Xero are declared, and what many of its documents have alike. */
import { asDecimal, asText } from '../../http/canonical.ts'
import { childTable } from '../../http/documents.ts'
import type { ChildShape } from '../../http/documents.ts'
import { field, flag, guid, member, members, money, ordinal, rate, text } from '../../http/fields.ts'
import type { Field, Naming, Spot } from '../../http/fields.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { asDay, asMoment } from './dates.ts'

export const day = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'date' }, asDay, { or: `${path}String`, ...naming })
export const moment = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'instant', digits: 3 }, asMoment, naming)
/** A short word: a status, a type, a code. */
export const word = (path: string, naming?: Naming): Field => text(path, 255, naming)
export const percent = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'decimal', precision: 9, scale: 4 }, asDecimal, naming)

export const updated = moment('UpdatedDateUTC')
export const contact: readonly Field[] = [
  guid('Contact.ContactID', { as: 'contact_id' }),
  word('Contact.Name', { as: 'contact_name' }),
]
export const totals: readonly Field[] = [money('SubTotal'), money('TotalTax'), money('Total')]
export const currency: readonly Field[] = [word('CurrencyCode'), rate('CurrencyRate')]

/** Xero keeps what is voided or deleted, under its id; this says since when. */
export const deletedAt = (changed = 'UpdatedDateUTC'): Field => ({
  column: { name: '_deleted_at', type: { kind: 'instant', digits: 3 }, nullable: true },
  read: ({ node }) => (gone.has(asText(member(node, 'Status')) ?? '') ? asMoment(member(node, changed)) : null),
})
const gone = new Set(['VOIDED', 'DELETED'])

/** A line's place. It tells the lines of a document apart: their ids change when it is edited, and some have none. */
const lineNo: Field = {
  column: { name: 'line_no', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (spot) => String(spot.ordinal),
}
const ofLineNo: Field = { ...lineNo, read: (spot) => String(spot.number) }

/** A document whose lists become tables: `invoice`, known by its `InvoiceID`. */
export interface Parent {
  readonly table: string
  readonly id: string
}

const idOf = ({ id }: Parent): Field => guid(id, { of: 'document', key: true })

/** The rows of a list of the document, told apart by their place. */
export function listOf(parent: Parent, name: string, key: string, fields: readonly Field[]): ChildShape {
  return childTable(`${parent.table}_${name}`, [idOf(parent), ordinal, ...fields], within(key))
}

/** The same where each row has an id of its own, which comes first among the fields. */
export function namedListOf(parent: Parent, name: string, key: string, fields: readonly Field[]): ChildShape {
  return childTable(`${parent.table}_${name}`, [idOf(parent), ...fields], within(key))
}

const lineFields: readonly Field[] = [
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

export function linesOf(parent: Parent): ChildShape {
  return childTable(`${parent.table}_line`, [idOf(parent), lineNo, ...lineFields], within('LineItems'))
}

/** The lines of a journal, which have fields of their own. */
export function journalLinesOf(parent: Parent, fields: readonly Field[]): ChildShape {
  return childTable(`${parent.table}_line`, [idOf(parent), lineNo, ...fields], within('JournalLines'))
}

interface Tracking {
  readonly lines: string
  /** The field that is a line's own id; null where lines have none. */
  readonly id: string | null
  readonly key: string
}

const ofLineItems: Tracking = { lines: 'LineItems', id: 'LineItemID', key: 'Tracking' }

/** By which a line, a document or an end of a transfer is tracked. */
export const trackingFields: readonly Field[] = [
  guid('TrackingCategoryID'),
  guid('TrackingOptionID'),
  word('Name'),
  word('Option'),
]

/** What each line is tracked by. */
export function trackingOf(parent: Parent, { lines, id, key }: Tracking = ofLineItems): ChildShape {
  const nodesOf = (line: JsonObject): readonly JsonObject[] =>
    members(line, key).map((node) => (id === null ? node : { ...node, [id]: member(line, id) }))
  const rows = (document: JsonObject): Spot[] =>
    members(document, lines).flatMap((line, at) =>
      nodesOf(line).map((node, place) => ({ document, node, section: '', number: at + 1, ordinal: place + 1 })),
    )
  const own = id === null ? [] : [guid(id)]
  return childTable(`${parent.table}_line_tracking`, [idOf(parent), ofLineNo, ordinal, ...own, ...trackingFields], rows)
}

/** Lines with what they are tracked by. */
export function trackedLinesOf(parent: Parent): ChildShape[] {
  return [linesOf(parent), trackingOf(parent)]
}

/** What of a credit note, overpayment or prepayment has been set against other documents. */
export function allocationsOf(parent: Parent): ChildShape {
  return listOf(parent, 'allocation', 'Allocations', [
    guid('AllocationID'),
    money('Amount'),
    day('Date'),
    flag('IsDeleted'),
    guid('Invoice.InvoiceID', { as: 'invoice_id' }),
    word('Invoice.InvoiceNumber', { as: 'invoice_number' }),
  ])
}

export function paymentsOf(parent: Parent): ChildShape {
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

export const addressFields: readonly Field[] = [
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
export const phoneFields: readonly Field[] = [
  word('PhoneType'),
  word('PhoneNumber'),
  word('PhoneAreaCode'),
  word('PhoneCountryCode'),
]

/** How long until a bill or an invoice is due. */
export const paymentTerms: readonly Field[] = ['Bills', 'Sales'].flatMap((side) => [
  money(`PaymentTerms.${side}.Day`),
  word(`PaymentTerms.${side}.Type`),
])

function within(key: string): ChildShape['rows'] {
  return (document) =>
    members(document, key).map((node, at) => ({ document, node, section: '', number: 0, ordinal: at + 1 }))
}
