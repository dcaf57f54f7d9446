/** Purchases: the list, credit notes, and each simple or advanced purchase in full. */
import { childTable, parentTable, rowsOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import {
  day,
  type Fields,
  flag,
  guid,
  instant,
  integer,
  json,
  keyed,
  money,
  ordinal,
  orElse,
  readMembers,
  type RowContext,
  section,
  sectionNumber,
} from '../../http/fields.ts'
import { currency, name, word } from './columns.ts'
import {
  type Cin7Stream,
  concatFound,
  type ListEndpoint,
  listStream,
  numberedParts,
  partsAsRows,
  rowsWithinParts,
  textOf,
  unnumberedParts,
} from './stream-kinds.ts'
import {
  chargesOf,
  documentFields,
  goodsOf,
  journalsOf,
  linesOf,
  listFields,
  movementsOf,
  paymentsOf,
  totals,
} from './trade.ts'

const list: ListEndpoint = { path: 'purchaseList', rows: 'PurchaseList', since: 'UpdatedSince' }

const fields: Fields = {
  ...listFields,
  Supplier: name,
  SupplierID: guid,
  SupplierCurrency: currency,
  RequiredBy: day,
  StockReceivedStatus: word,
  UnstockStatus: word,
  InvoiceStatus: word,
  CombinedReceivingStatus: word,
  IsServiceOnly: flag,
  BlindReceipt: flag,
  DropShipTaskID: guid,
  LastUpdatedDate: instant,
}
const purchaseList = parentTable('purchase_list', { ID: keyed(guid), CreditNoteNumber: word, ...fields })
const purchaseCreditNoteList = parentTable('purchase_credit_note_list', {
  ID: keyed(guid),
  CreditNoteNumber: keyed(word),
  ...fields,
})

/**
 * A simple purchase has one invoice, credit note and receipt, an advanced one has lists of them. Both are read as
 * lists.
 */
const order = unnumberedParts('order', 'Order')
const invoices = numberedParts('invoice', 'Invoice')
const creditNotes = numberedParts('credit_note', 'CreditNote')
const priced = concatFound(order, invoices, creditNotes)

/** Returned goods are lines of a credit note or, for a simple purchase, an object of their own. */
function unstocked(document: JsonObject): RowContext[] {
  return creditNotes(document).flatMap(({ node, number }) => {
    const lines = readMembers(node, 'Unstock').flatMap((given) =>
      'Lines' in given ? readMembers(given, 'Lines') : [given],
    )
    return rowsOf(document, lines, { section: 'unstock', number })
  })
}

const purchaseInvoice = childTable(
  'purchase_invoice',
  {
    ordinal,
    TaskID: guid,
    // A simple purchase misspells the key.
    InvoiceNumber: orElse('InvocieNumber', word),
    Status: word,
    InvoiceDate: day,
    InvoiceDueDate: day,
    ...totals,
    Paid: money,
    InvoicingAndReceivingNumber: integer,
  },
  partsAsRows('invoice', 'Invoice'),
)

const purchaseCreditNote = childTable(
  'purchase_credit_note',
  {
    ordinal,
    TaskID: guid,
    CreditNoteNumber: word,
    CreditNoteInvoiceNumber: word,
    Status: word,
    CreditNoteDate: day,
    ...totals,
    // Only for a simple purchase, whose returned lines are an object of their own.
    'Unstock.Status': word,
  },
  partsAsRows('credit_note', 'CreditNote'),
)

/** The status of each receipt, put-away and correction. */
const purchaseStage = childTable(
  'purchase_stage',
  { section, sectionNumber, TaskID: guid, Status: word, InvoicingAndReceivingNumber: integer },
  concatFound(
    partsAsRows('receipt', 'StockReceived'),
    partsAsRows('put_away', 'PutAway'),
    partsAsRows('journal', 'ManualJournals'),
  ),
)

const received = (section: string, key: 'StockReceived' | 'PutAway') =>
  rowsWithinParts(numberedParts(section, key), 'Lines')

const purchase = parentTable(
  'purchase',
  {
    ID: keyed(guid),
    OrderNumber: word,
    ...documentFields,
    Approach: word,
    Supplier: name,
    SupplierID: guid,
    SupplierCurrency: currency,
    InventoryAccount: word,
    OrderDate: day,
    RequiredBy: day,
    BlindReceipt: flag,
    IsServiceOnly: flag,
    CombinedReceivingStatus: word,
    RelatedDropShipSaleTask: json,
    LastUpdatedDate: instant,
  },
  [
    linesOf('purchase_line', priced, { SupplierSKU: word }),
    chargesOf('purchase_charge', priced),
    purchaseInvoice,
    paymentsOf('purchase_payment', { Prepayments: order, Payments: invoices, Refunds: creditNotes }),
    purchaseCreditNote,
    goodsOf(
      'purchase_receipt_line',
      concatFound(received('receipt', 'StockReceived'), received('put_away', 'PutAway'), unstocked),
      // The batch's card, which links returned goods to received ones.
      { SupplierSKU: word, Date: day, Received: flag, CardID: guid },
    ),
    purchaseStage,
    journalsOf('purchase_journal_line'),
    movementsOf('purchase_movement'),
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
