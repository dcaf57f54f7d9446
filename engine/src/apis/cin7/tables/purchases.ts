/** Purchases: the list, their credit notes, and each purchase whole, whichever of its two kinds it is. */
import { childTable, parentTable } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import {
  day,
  flag,
  guid,
  members,
  moment,
  money,
  ordinal,
  section,
  sectionNumber,
  text,
  tree,
  whole,
} from '../../http/fields.ts'
import type { Spot } from '../../http/fields.ts'
import { asPart, asParts, listed, listLimit, textOf, theParts, together, withinParts } from './declare.ts'
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

const list: List = { path: 'purchaseList', rows: 'PurchaseList', limit: listLimit, since: 'UpdatedSince' }

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
  moment('LastUpdatedDate'),
]
const purchaseList = parentTable('purchase_list', [guid('ID', { key: true }), text('CreditNoteNumber', 50), ...fields])
const purchaseCreditNoteList = parentTable('purchase_credit_note_list', [
  guid('ID', { key: true }),
  text('CreditNoteNumber', 50, { key: true }),
  ...fields,
])

/** A simple purchase holds one invoice, credit note and receipt, an advanced one lists of them: both read as lists. */
const order = (document: JsonObject): Part[] => asPart('order', document, 'Order')
const invoices = (document: JsonObject): Part[] => asParts('invoice', document, 'Invoice')
const creditNotes = (document: JsonObject): Part[] => asParts('credit_note', document, 'CreditNote')
const priced = (document: JsonObject): Part[] => [...order(document), ...invoices(document), ...creditNotes(document)]

/** Goods sent back stand under a credit note: as lines, or for a simple purchase under an object of their own. */
function unstocked(document: JsonObject): Spot[] {
  return creditNotes(document).flatMap(({ node, number }) =>
    members(node, 'Unstock')
      .flatMap((given) => ('Lines' in given ? members(given, 'Lines') : [given]))
      .map((line, index) => ({ document, node: line, section: 'unstock', number, ordinal: index + 1 })),
  )
}

const purchaseId = idOf('purchase')

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
    whole('InvoicingAndReceivingNumber'),
  ],
  theParts('invoice', 'Invoice'),
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
    // Only of a simple purchase, whose lines sent back have an object of their own.
    text('Unstock.Status', 50),
  ],
  theParts('credit_note', 'CreditNote'),
)

/** How far each receipt, put-away and correction has come. */
const purchaseStage = childTable(
  'purchase_stage',
  [purchaseId, section, sectionNumber, guid('TaskID'), text('Status', 50), whole('InvoicingAndReceivingNumber')],
  together(
    theParts('receipt', 'StockReceived'),
    theParts('put_away', 'PutAway'),
    theParts('journal', 'ManualJournals'),
  ),
)

const received = (section: string, key: 'StockReceived' | 'PutAway') =>
  withinParts((document) => asParts(section, document, key), 'Lines')

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
    tree('RelatedDropShipSaleTask'),
    moment('LastUpdatedDate'),
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
      together(received('receipt', 'StockReceived'), received('put_away', 'PutAway'), unstocked),
      // The card is that of the batch, by which what is sent back is found among what was received.
      [text('SupplierSKU', 50), day('Date'), flag('Received'), guid('CardID')],
    ),
    purchaseStage,
    journalsOf('purchase'),
    movementsOf('purchase'),
  ],
)

export const purchaseStreams: readonly Cin7Stream[] = [
  { kind: 'list', name: 'purchaseList', list, shape: purchaseList },
  listed('purchaseCreditNoteList', purchaseCreditNoteList, {
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
    // Asking the one path for a purchase of the other kind is an error.
    pathOf: (row) => (/^simple/i.test(textOf(row, 'Type')) ? 'purchase' : 'advanced-purchase'),
  },
]
