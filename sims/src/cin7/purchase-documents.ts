/** Purchases in the API's format: a row in the list, and the document of either kind. */
import { dayMs, rateOf } from './company.ts'
import type { Cin7Company, TradeLine, Cin7Purchase } from './company.ts'
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
import { addressOf, fileOf } from './shared-fields.ts'
import { purchaseStages, sumOf } from './trade.ts'
import { amount, day, instant, numberedFields } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

const taxRule = taxRuleOf('Expenses')
const invoiceNumber = ({ number }: Cin7Purchase): string => `A-${number}`

export const isSimple = (purchase: Cin7Purchase): boolean => purchase.type === 'Simple Purchase'

export function purchaseRow(purchase: Cin7Purchase): Cin7Row {
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
    LastUpdatedDate: instant(purchase.updatedAt),
    Type: purchase.type,
    ...combined(purchase),
    IsServiceOnly: purchase.type === 'Service Purchase',
    DropShipTaskID: null,
  }
}

/** A simple purchase has one of each part, an advanced one has lists of them. */
export function purchaseDocument(purchase: Cin7Purchase, company: Cin7Company): Cin7Row {
  const { locations, idOf } = company
  const { moved, invoiced, credited } = progressOf(purchase)
  const received = moved ? receivedLines(purchase, purchase.lines, company) : []
  const receipt = { TaskID: purchase.taskIds[0], Status: moved ? 'AUTHORISED' : 'DRAFT', Lines: received }
  const invoice = invoiced ? [invoiceOf(purchase)] : []
  const credit = credited ? [creditNoteOf(purchase, company)] : []
  const journal = journalOf(purchase)
  const parts = isSimple(purchase)
    ? { StockReceived: receipt, Invoice: invoice[0] ?? null, CreditNote: credit[0] ?? null, ManualJournals: journal }
    : {
        StockReceived: [{ ...receipt, InvoicingAndReceivingNumber: 1 }],
        PutAway: [{ ...receipt, TaskID: idOf('put away', purchase.number), InvoicingAndReceivingNumber: 1 }],
        Invoice: invoice.map((each) => ({ ...each, InvoicingAndReceivingNumber: 1 })),
        CreditNote: credit,
        ManualJournals: [
          { ...journal, TaskID: idOf('purchase journal', purchase.number), InvoicingAndReceivingNumber: 1 },
        ],
      }
  return {
    ...headOf(purchase),
    Location: locations[0]?.Name ?? null,
    Order: {
      Memo: '',
      Status: purchase.voided ? 'VOIDED' : 'AUTHORISED',
      Lines: purchase.lines.map(purchaseLine),
      AdditionalCharges: purchaseCharges(purchase),
      Prepayments: prepaymentsOf(purchase, company),
      ...totalsOf(sumOf(purchase.lines, purchase.freightCents)),
    },
    ...parts,
    Attachments: attachmentsOf(purchase, company),
    InventoryMovements: moved ? movementsOf(purchase, purchase.orderedAt + 4 * dayMs) : [],
  }
}

function headOf(purchase: Cin7Purchase): Cin7Row {
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
    BillingAddress: addressOf('2 Mill Rd', '', purchase.supplier.address),
    ShippingAddress: shippingAddressOf(purchase),
    AdditionalAttributes: numberedFields('AdditionalAttribute', purchase.number % 2 === 0 ? 'Urgent' : '', ''),
    RelatedDropShipSaleTask: null,
    LastUpdatedDate: instant(purchase.updatedAt),
    ...combined(purchase),
  }
}

/** Every third purchase is delivered to another company. */
function shippingAddressOf({ number, supplier }: Cin7Purchase): Cin7Row {
  return number % 3 === 0
    ? { ...addressOf('7 Wharf Lane', 'Shed 4', supplier.address), ShipToOther: true, Company: 'Lakeview Storage' }
    : { ...addressOf('1 Quay St', '', supplier.address), ShipToOther: false, Company: null }
}

function prepaymentsOf({ number, orderedAt }: Cin7Purchase, { idOf }: Cin7Company): Cin7Row[] {
  return number % 4 === 0 ? [paymentOf(idOf('prepayment', number), 2_500, orderedAt + dayMs)] : []
}

function attachmentsOf({ ID, number }: Cin7Purchase, company: Cin7Company): Cin7Row[] {
  return number % 5 === 0 ? [fileOf(company, ID, 'order.jpg')] : []
}

function purchaseCharges({ freightCents }: Cin7Purchase): Cin7Row[] {
  return chargesOf(freightCents, taxRule).map((charge) => ({ ...charge, Reference: 'By sea' }))
}

function combined(purchase: Cin7Purchase): Cin7Row {
  const { moved, invoiced, paid } = progressOf(purchase)
  return {
    CombinedInvoiceStatus: invoiced ? 'INVOICED' : 'NOT INVOICED',
    CombinedPaymentStatus: paid ? 'PAID' : 'UNPAID',
    CombinedReceivingStatus: moved ? 'FULLY RECEIVED' : 'NOT RECEIVED',
  }
}

function purchaseLine(line: TradeLine): Cin7Row {
  return { ...lineOf(line, taxRule), SupplierSKU: `S-${line.product.sku}` }
}

/** Received goods form a batch, which keeps its card when it is put away or returned. */
function receivedLines(
  purchase: Cin7Purchase,
  lines: readonly TradeLine[],
  { locations, idOf }: Cin7Company,
): Cin7Row[] {
  return stockLinesOf(lines, locations).map((line, index) => ({
    ...line,
    CardID: idOf(`card of ${purchase.ID}`, index),
    Date: day(purchase.orderedAt + 4 * dayMs),
    Received: true,
    SupplierSKU: null,
  }))
}

function invoiceOf(purchase: Cin7Purchase): Cin7Row {
  const sum = sumOf(purchase.lines, purchase.freightCents)
  const { paid } = progressOf(purchase)
  return {
    TaskID: purchase.taskIds[1],
    InvoiceDate: day(purchase.orderedAt + 5 * dayMs),
    InvoiceDueDate: day(purchase.orderedAt + 35 * dayMs),
    // Cin7 misspells this key for a simple purchase.
    [isSimple(purchase) ? 'InvocieNumber' : 'InvoiceNumber']: invoiceNumber(purchase),
    Status: 'AUTHORISED',
    Lines: purchase.lines.map((line) => ({ ...purchaseLine(line), Account: '630' })),
    AdditionalCharges: purchaseCharges(purchase).map((charge) => ({ ...charge, Account: '630' })),
    Payments: paid ? [paymentOf(purchase.taskIds[2], sum.total, purchase.orderedAt + 30 * dayMs)] : [],
    ...totalsOf(sum),
    Paid: paid ? amount(sum.total) : 0,
  }
}

function creditNoteOf(purchase: Cin7Purchase, company: Cin7Company): Cin7Row {
  const lines = purchase.lines.slice(0, 1)
  const sum = sumOf(lines, purchase.freightCents)
  const unstock = receivedLines(purchase, lines, company)
  return {
    TaskID: purchase.taskIds[3],
    CreditNoteInvoiceNumber: invoiceNumber(purchase),
    CreditNoteDate: day(purchase.orderedAt + 33 * dayMs),
    CreditNoteNumber: numberOf('CN', purchase),
    Status: 'AUTHORISED',
    Lines: lines.map((line) => ({ ...purchaseLine(line), Account: '630' })),
    AdditionalCharges: purchaseCharges(purchase).map((charge) => ({ ...charge, Account: '630' })),
    Refunds: [paymentOf(purchase.taskIds[4], sum.total, purchase.orderedAt + 34 * dayMs)],
    Unstock: isSimple(purchase) ? { Status: 'AUTHORISED', Lines: unstock } : unstock,
    ...totalsOf(sum),
  }
}
