/** Purchases as the API shows them: a line in the list, and the whole document of either kind. */
import { dayMs, rateOf, taxPercent } from './company.ts'
import type { Company, Line, Purchase } from './company.ts'
import { sumOf, taxOf } from './trade.ts'
import { amount, day, moment } from './write.ts'
import type { Row } from './write.ts'

const taxRule = `${taxPercent}% GST on Expenses`
const isReceived = (purchase: Purchase): boolean => !purchase.voided && purchase.stage >= 1
const hasInvoice = (purchase: Purchase): boolean => !purchase.voided && purchase.stage >= 2
const isPaid = (purchase: Purchase): boolean => !purchase.voided && purchase.stage >= 3
const number = (purchase: Purchase): string => `PO-${String(purchase.number).padStart(5, '0')}`
const statusOf = (purchase: Purchase): string =>
  purchase.voided ? 'VOIDED' : isPaid(purchase) ? 'COMPLETED' : isReceived(purchase) ? 'RECEIVED' : 'ORDERED'

export const isSimple = (purchase: Purchase): boolean => purchase.type === 'Simple Purchase'

export function purchaseRow(purchase: Purchase): Row {
  const { total } = sumOf(purchase.lines, purchase.freightCents)
  return {
    ID: purchase.ID,
    BlindReceipt: false,
    OrderNumber: number(purchase),
    Status: statusOf(purchase),
    OrderDate: day(purchase.orderedAt),
    InvoiceDate: hasInvoice(purchase) ? day(purchase.orderedAt + 5 * dayMs) : null,
    Supplier: purchase.supplier.Name,
    SupplierID: purchase.supplier.ID,
    InvoiceNumber: hasInvoice(purchase) ? `A-${purchase.number}` : null,
    InvoiceAmount: hasInvoice(purchase) ? amount(total) : 0,
    PaidAmount: isPaid(purchase) ? amount(total) : 0,
    InvoiceDueDate: hasInvoice(purchase) ? day(purchase.orderedAt + 35 * dayMs) : null,
    RequiredBy: null,
    BaseCurrency: 'NZD',
    SupplierCurrency: purchase.supplier.currency,
    CreditNoteNumber: null,
    OrderStatus: purchase.voided ? 'VOIDED' : 'AUTHORISED',
    StockReceivedStatus: isReceived(purchase) ? 'AUTHORISED' : 'DRAFT',
    UnstockStatus: 'NOT AVAILABLE',
    InvoiceStatus: hasInvoice(purchase) ? 'AUTHORISED' : 'NOT AVAILABLE',
    CreditNoteStatus: 'NOT AVAILABLE',
    LastUpdatedDate: moment(purchase.updatedAt),
    Type: purchase.type,
    ...combined(purchase),
    IsServiceOnly: purchase.type === 'Service Purchase',
    DropShipTaskID: null,
  }
}

export function purchaseDocument(purchase: Purchase, { locations }: Company): Row {
  const sum = sumOf(purchase.lines, purchase.freightCents)
  const totals = { TotalBeforeTax: amount(sum.beforeTax), Tax: amount(sum.tax), Total: amount(sum.total) }
  const lines = purchase.lines.map(lineOf)
  const charges = chargesOf(purchase.freightCents)
  const received = isReceived(purchase)
    ? purchase.lines.map(({ product, quantity }) => ({
        Date: day(purchase.orderedAt + 4 * dayMs),
        Quantity: quantity,
        ProductID: product.ID,
        SKU: product.sku,
        Name: product.Name,
        Location: locations[0]?.Name,
        LocationID: locations[0]?.ID,
        Received: true,
        BatchSN: null,
        SupplierSKU: null,
        ExpiryDate: null,
      }))
    : []
  const receipt = { TaskID: purchase.taskIds[0], Status: isReceived(purchase) ? 'AUTHORISED' : 'DRAFT', Lines: received }
  const invoice = {
    TaskID: purchase.taskIds[1],
    InvoiceDate: day(purchase.orderedAt + 5 * dayMs),
    InvoiceDueDate: day(purchase.orderedAt + 35 * dayMs),
    [isSimple(purchase) ? 'InvocieNumber' : 'InvoiceNumber']: `A-${purchase.number}`,
    Status: 'AUTHORISED',
    Lines: lines.map((line) => ({ ...line, Account: '630' })),
    AdditionalCharges: charges,
    Payments: isPaid(purchase) ? [paymentOf(purchase, sum.total)] : [],
    ...totals,
    Paid: isPaid(purchase) ? amount(sum.total) : 0,
  }
  const parts = isSimple(purchase)
    ? { StockReceived: receipt, Invoice: hasInvoice(purchase) ? invoice : null, CreditNote: null }
    : { StockReceived: [receipt], Invoice: hasInvoice(purchase) ? [invoice] : [], CreditNote: [] }
  return {
    ...headOf(purchase),
    Location: locations[0]?.Name ?? null,
    Order: {
      Memo: '',
      Status: purchase.voided ? 'VOIDED' : 'AUTHORISED',
      Lines: lines,
      AdditionalCharges: charges,
      Prepayments: [],
      ...totals,
    },
    ...parts,
    ManualJournals: { Status: 'NOT AVAILABLE', Lines: [] },
    Attachments: [],
    InventoryMovements: received.map((line) => ({ TaskID: purchase.taskIds[0], ProductID: line.ProductID, Date: line.Date, COGS: 0 })),
  }
}

function headOf(purchase: Purchase): Row {
  return {
    ID: purchase.ID,
    Type: purchase.type,
    OrderNumber: number(purchase),
    OrderDate: day(purchase.orderedAt),
    Status: statusOf(purchase),
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
  return {
    CombinedInvoiceStatus: hasInvoice(purchase) ? 'INVOICED' : 'NOT INVOICED',
    CombinedPaymentStatus: isPaid(purchase) ? 'PAID' : 'UNPAID',
    CombinedReceivingStatus: isReceived(purchase) ? 'FULLY RECEIVED' : 'NOT RECEIVED',
  }
}

function lineOf({ product, quantity, priceCents, totalCents, taxCents }: Line): Row {
  return {
    ProductID: product.ID,
    SKU: product.sku,
    SupplierSKU: `S-${product.sku}`,
    Name: product.Name,
    Quantity: quantity,
    Price: amount(priceCents),
    Discount: 0,
    Tax: amount(taxCents),
    TaxRule: taxRule,
    Comment: '',
    Total: amount(totalCents),
  }
}

function chargesOf(freightCents: number): Row[] {
  if (freightCents === 0) return []
  const price = amount(freightCents)
  return [
    {
      Description: 'Freight',
      Reference: '',
      Price: price,
      Quantity: 1,
      Discount: 0,
      Tax: amount(taxOf(freightCents)),
      Total: price,
      TaxRule: taxRule,
    },
  ]
}

function paymentOf(purchase: Purchase, cents: number): Row {
  const paidAt = purchase.orderedAt + 30 * dayMs
  return {
    ID: purchase.taskIds[2],
    Reference: '',
    Amount: amount(cents),
    DatePaid: day(paidAt),
    Account: '090',
    CurrencyRate: 1,
    DateCreated: day(paidAt),
  }
}
