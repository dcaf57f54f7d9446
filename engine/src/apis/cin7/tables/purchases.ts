/** Purchases: the list, credit notes, and each simple or advanced purchase in full. */
import { childTable, parentTable } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import {
  day,
  flag,
  guid,
  readMembers,
  instant,
  money,
  ordinal,
  section,
  sectionNumber,
  text,
  json,
  integer,
} from '../../http/fields.ts'
import type { RowContext } from '../../http/fields.ts'
import {
  unnumberedParts,
  numberedParts,
  listStream,
  listLimit,
  textOf,
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

const list: ListEndpoint = { path: 'purchaseList', rows: 'PurchaseList', limit: listLimit, since: 'UpdatedSince' }

const fields = [
  ...listFields,
  text('Supplier', 256),
  guid('SupplierID'),
  text('SupplierCurrency', 3),
  day('RequiredBy'),
  text('StockReceivedStatus', 50),
  text('UnstockStatus', 50),
  text('InvoiceStatus', 50),
  text('CombinedReceivingStatus', 50),
  flag('IsServiceOnly'),
  flag('BlindReceipt'),
  guid('DropShipTaskID'),
  instant('LastUpdatedDate'),
]
const purchaseList = parentTable('purchase_list', [guid('ID', { key: true }), text('CreditNoteNumber', 50), ...fields])
const purchaseCreditNoteList = parentTable('purchase_credit_note_list', [
  guid('ID', { key: true }),
  text('CreditNoteNumber', 50, { key: true }),
  ...fields,
])

/**
 * A simple purchase has one invoice, credit note and receipt, an advanced one has lists of them. Both are read as
 * lists.
 */
const order = (document: JsonObject): DocumentPart[] => unnumberedParts('order', document, 'Order')
const invoices = (document: JsonObject): DocumentPart[] => numberedParts('invoice', document, 'Invoice')
const creditNotes = (document: JsonObject): DocumentPart[] => numberedParts('credit_note', document, 'CreditNote')
const priced = (document: JsonObject): DocumentPart[] => [
  ...order(document),
  ...invoices(document),
  ...creditNotes(document),
]

/** Returned goods are lines of a credit note or, for a simple purchase, an object of their own. */
function unstocked(document: JsonObject): RowContext[] {
  return creditNotes(document).flatMap(({ node, number }) =>
    readMembers(node, 'Unstock')
      .flatMap((given) => ('Lines' in given ? readMembers(given, 'Lines') : [given]))
      .map((line, index) => ({ document, node: line, section: 'unstock', number, ordinal: index + 1 })),
  )
}

const purchaseId = idOf('purchase')

/** A simple purchase misspells the key. */
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
    integer('InvoicingAndReceivingNumber'),
  ],
  partsAsRows('invoice', 'Invoice'),
)

const purchaseCreditNote = childTable(
  'purchase_credit_note',
  [
    purchaseId,
    ordinal,
    guid('TaskID'),
    text('CreditNoteNumber', 50),
    text('CreditNoteInvoiceNumber', 50),
    text('Status', 50),
    day('CreditNoteDate'),
    ...totals,
    // Only for a simple purchase, whose returned lines are an object of their own.
    text('Unstock.Status', 50),
  ],
  partsAsRows('credit_note', 'CreditNote'),
)

/** The status of each receipt, put-away and correction. */
const purchaseStage = childTable(
  'purchase_stage',
  [purchaseId, section, sectionNumber, guid('TaskID'), text('Status', 50), integer('InvoicingAndReceivingNumber')],
  concatRows(
    partsAsRows('receipt', 'StockReceived'),
    partsAsRows('put_away', 'PutAway'),
    partsAsRows('journal', 'ManualJournals'),
  ),
)

const received = (section: string, key: 'StockReceived' | 'PutAway') =>
  rowsWithinParts((document) => numberedParts(section, document, key), 'Lines')

const purchase = parentTable(
  'purchase',
  [
    guid('ID', { key: true }),
    text('OrderNumber', 50),
    ...documentFields,
    text('Approach', 50),
    text('Supplier', 256),
    guid('SupplierID'),
    text('SupplierCurrency', 3),
    text('InventoryAccount', 50),
    day('OrderDate'),
    day('RequiredBy'),
    flag('BlindReceipt'),
    flag('IsServiceOnly'),
    text('CombinedReceivingStatus', 50),
    json('RelatedDropShipSaleTask'),
    instant('LastUpdatedDate'),
  ],
  [
    linesOf('purchase', priced, [text('SupplierSKU', 50)]),
    chargesOf('purchase', priced),
    purchaseInvoice,
    paymentsOf('purchase', { Prepayments: order, Payments: invoices, Refunds: creditNotes }),
    purchaseCreditNote,
    goodsOf(
      'purchase',
      'purchase_receipt_line',
      concatRows(received('receipt', 'StockReceived'), received('put_away', 'PutAway'), unstocked),
      // The batch's card, which links returned goods to received ones.
      [text('SupplierSKU', 50), day('Date'), flag('Received'), guid('CardID')],
    ),
    purchaseStage,
    journalsOf('purchase'),
    movementsOf('purchase'),
  ],
)

export const purchaseStreams: readonly Cin7Stream[] = [
  { kind: 'list', name: 'purchaseList', list, shape: purchaseList },
  listStream('purchaseCreditNoteList', purchaseCreditNoteList, {
    path: 'purchaseCreditNoteList',
    rows: 'PurchaseList',
    since: 'UpdatedSince',
  }),
  {
    kind: 'dated',
    name: 'purchase',
    list,
    shape: purchase,
    noun: 'purchases',
    id: 'ID',
    parameter: 'ID',
    changed: 'LastUpdatedDate',
    // Requesting a purchase of the other kind from this path is an error.
    pathOf: (row) => (/^simple/i.test(textOf(row, 'Type')) ? 'purchase' : 'advanced-purchase'),
  },
]
