/** Purchases as the API shows them: a line in the list, and the whole document of either kind. */
import { dayMs, rateOf } from './company.ts'
import type { Company, Line, Purchase } from './company.ts'
import {
  chargesOf,
  invoiceColumns,
  journalOf,
  lineOf,
  movementsOf,
  numberOf,
  paymentOf,
  progressOf,
  statusOf,
  stockLinesOf,
  taxRuleOf,
  totalsOf,
} from './deal-documents.ts'
import { purchaseStages, sumOf } from './trade.ts'
import { amount, day, moment } from './write.ts'
import type { Row } from './write.ts'

const taxRule = taxRuleOf('Expenses')
const invoiceNumber = ({ number }: Purchase): string => `A-${number}`

export const isSimple = (purchase: Purchase): boolean => purchase.type === 'Simple Purchase'

export function purchaseRow(purchase: Purchase): Row {
  const { moved, invoiced, credited } = progressOf(purchase)
  return {
    ID: purchase.ID,
    BlindReceipt: false,
    OrderNumber: numberOf('PO', purchase),
    Status: statusOf(purchase, purchaseStages),
    OrderDate: day(purchase.orderedAt),
    Supplier: purchase.supplier.Name,
    SupplierID: purchase.supplier.ID,
    ...invoiceColumns(purchase, invoiceNumber(purchase), purchase.orderedAt + 5 * dayMs),
    RequiredBy: null,
    BaseCurrency: 'NZD',
    SupplierCurrency: purchase.supplier.currency,
    CreditNoteNumber: credited ? numberOf('CN', purchase) : null,
    OrderStatus: purchase.voided ? 'VOIDED' : 'AUTHORISED',
    StockReceivedStatus: moved ? 'AUTHORISED' : 'DRAFT',
    UnstockStatus: credited ? 'AUTHORISED' : 'NOT AVAILABLE',
    InvoiceStatus: invoiced ? 'AUTHORISED' : 'NOT AVAILABLE',
    CreditNoteStatus: credited ? 'AUTHORISED' : 'NOT AVAILABLE',
    LastUpdatedDate: moment(purchase.updatedAt),
    Type: purchase.type,
    ...combined(purchase),
    IsServiceOnly: purchase.type === 'Service Purchase',
    DropShipTaskID: null,
  }
}

/** A simple purchase holds one of each part, an advanced one lists of them. */
export function purchaseDocument(purchase: Purchase, { locations, idOf }: Company): Row {
  const { moved, invoiced, credited } = progressOf(purchase)
  const received = moved ? receivedLines(purchase, purchase.lines, locations) : []
  const receipt = { TaskID: purchase.taskIds[0], Status: moved ? 'AUTHORISED' : 'DRAFT', Lines: received }
  const invoice = invoiced ? [invoiceOf(purchase)] : []
  const credit = credited ? [creditNoteOf(purchase, locations)] : []
  const journal = journalOf(purchase)
  const parts = isSimple(purchase)
    ? { StockReceived: receipt, Invoice: invoice[0] ?? null, CreditNote: credit[0] ?? null, ManualJournals: journal }
    : {
        StockReceived: [receipt],
        PutAway: [{ ...receipt, TaskID: idOf('put away', purchase.number), InvoicingAndReceivingNumber: 1 }],
        Invoice: invoice,
        CreditNote: credit,
        ManualJournals: [{ ...journal, TaskID: idOf('purchase journal', purchase.number), InvoicingAndReceivingNumber: 1 }],
      }
  return {
    ...headOf(purchase),
    Location: locations[0]?.Name ?? null,
    Order: {
      Memo: '',
      Status: purchase.voided ? 'VOIDED' : 'AUTHORISED',
      Lines: purchase.lines.map(purchaseLine),
      AdditionalCharges: chargesOf(purchase.freightCents, taxRule),
      Prepayments: [],
      ...totalsOf(sumOf(purchase.lines, purchase.freightCents)),
    },
    ...parts,
    Attachments: [],
    InventoryMovements: moved ? movementsOf(purchase, purchase.orderedAt + 4 * dayMs) : [],
  }
}

function headOf(purchase: Purchase): Row {
  return {
    ID: purchase.ID,
    Type: purchase.type,
    OrderNumber: numberOf('PO', purchase),
    OrderDate: day(purchase.orderedAt),
    Status: statusOf(purchase, purchaseStages),
    Approach: 'STOCK',
    Supplier: purchase.supplier.Name,
    SupplierID: purchase.supplier.ID,
    Contact: purchase.supplier.people[0]?.Name ?? null,
    Phone: '5550199',
    InventoryAccount: '630',
    BlindReceipt: false,
    IsServiceOnly: purchase.type === 'Service Purchase',
    BaseCurrency: 'NZD',
    SupplierCurrency: purchase.supplier.currency,
    CurrencyRate: rateOf(purchase.supplier),
    TaxRule: taxRule,
    TaxCalculation: 'Exclusive',
    Terms: '30 days',
    RequiredBy: null,
    Note: purchase.note,
    BillingAddress: { Line1: '2 Mill Rd', Line2: '', ...purchase.supplier.address },
    ShippingAddress: { Line1: '1 Quay St', Line2: '', ...purchase.supplier.address },
    AdditionalAttributes: {},
    RelatedDropShipSaleTask: null,
    LastUpdatedDate: moment(purchase.updatedAt),
    ...combined(purchase),
  }
}

function combined(purchase: Purchase): Row {
  const { moved, invoiced, paid } = progressOf(purchase)
  return {
    CombinedInvoiceStatus: invoiced ? 'INVOICED' : 'NOT INVOICED',
    CombinedPaymentStatus: paid ? 'PAID' : 'UNPAID',
    CombinedReceivingStatus: moved ? 'FULLY RECEIVED' : 'NOT RECEIVED',
  }
}

function purchaseLine(line: Line): Row {
  return { ...lineOf(line, taxRule), SupplierSKU: `S-${line.product.sku}` }
}

function receivedLines(purchase: Purchase, lines: readonly Line[], locations: Company['locations']): Row[] {
  return stockLinesOf(lines, locations).map((line) => ({
    ...line,
    Date: day(purchase.orderedAt + 4 * dayMs),
    Received: true,
    SupplierSKU: null,
  }))
}

function invoiceOf(purchase: Purchase): Row {
  const sum = sumOf(purchase.lines, purchase.freightCents)
  const { paid } = progressOf(purchase)
  return {
    TaskID: purchase.taskIds[1],
    InvoiceDate: day(purchase.orderedAt + 5 * dayMs),
    InvoiceDueDate: day(purchase.orderedAt + 35 * dayMs),
    // Cin7 misspells it for a simple purchase.
    [isSimple(purchase) ? 'InvocieNumber' : 'InvoiceNumber']: invoiceNumber(purchase),
    Status: 'AUTHORISED',
    Lines: purchase.lines.map((line) => ({ ...purchaseLine(line), Account: '630' })),
    AdditionalCharges: chargesOf(purchase.freightCents, taxRule).map((charge) => ({ ...charge, Reference: '', Account: '630' })),
    Payments: paid ? [paymentOf(purchase.taskIds[2], sum.total, purchase.orderedAt + 30 * dayMs)] : [],
    ...totalsOf(sum),
    Paid: paid ? amount(sum.total) : 0,
  }
}

function creditNoteOf(purchase: Purchase, locations: Company['locations']): Row {
  const lines = purchase.lines.slice(0, 1)
  const sum = sumOf(lines, 0)
  const unstock = receivedLines(purchase, lines, locations)
  return {
    TaskID: purchase.taskIds[3],
    CreditNoteInvoiceNumber: invoiceNumber(purchase),
    CreditNoteDate: day(purchase.orderedAt + 33 * dayMs),
    CreditNoteNumber: numberOf('CN', purchase),
    Status: 'AUTHORISED',
    Lines: lines.map((line) => ({ ...purchaseLine(line), Account: '630' })),
    AdditionalCharges: [],
    Refunds: [paymentOf(purchase.taskIds[4], sum.total, purchase.orderedAt + 34 * dayMs)],
    Unstock: isSimple(purchase) ? { Status: 'AUTHORISED', Lines: unstock } : unstock,
    ...totalsOf(sum),
  }
}
