/** Sales as the API shows them: a line in the list, and the whole document. */
import { dayMs, rateOf, taxPercent } from './company.ts'
import type { Company, Contact, Line, Sale } from './company.ts'
import { saleStages, sumOf, taxOf } from './trade.ts'
import type { Sum } from './trade.ts'
import { amount, day, moment } from './write.ts'
import type { Row } from './write.ts'

const taxRule = `${taxPercent}% GST on Income`
const number = (sale: Sale): string => `SO-${String(sale.number).padStart(5, '0')}`
const hasShipped = (sale: Sale): boolean => !sale.voided && sale.stage >= 1
const hasInvoice = (sale: Sale): boolean => !sale.voided && sale.stage >= 2
const isPaid = (sale: Sale): boolean => !sale.voided && sale.stage >= 3
const isCredited = (sale: Sale): boolean => !sale.voided && sale.stage >= 4

export function saleRow(sale: Sale, { locations }: Company): Row {
  const { total } = sumOf(sale.lines, sale.freightCents)
  const invoicedAt = sale.orderedAt + dayMs
  return {
    SaleID: sale.ID,
    OrderNumber: number(sale),
    Status: sale.voided ? 'VOIDED' : statusOf(sale),
    OrderDate: day(sale.orderedAt),
    InvoiceDate: hasInvoice(sale) ? day(invoicedAt) : null,
    Customer: sale.customer.Name,
    CustomerID: sale.customer.ID,
    InvoiceNumber: hasInvoice(sale) ? invoiceNumber(sale, 0) : null,
    CustomerReference: '',
    InvoiceAmount: hasInvoice(sale) ? amount(total) : 0,
    PaidAmount: isPaid(sale) ? amount(total) : 0,
    InvoiceDueDate: hasInvoice(sale) ? day(invoicedAt + 30 * dayMs) : null,
    ShipBy: null,
    BaseCurrency: 'NZD',
    CustomerCurrency: sale.customer.currency,
    CreditNoteNumber: isCredited(sale) ? creditNumber(sale) : null,
    Updated: moment(sale.updatedAt),
    QuoteStatus: 'NOT AVAILABLE',
    OrderStatus: sale.voided ? 'VOIDED' : 'AUTHORISED',
    CombinedTrackingNumbers: '',
    CreditNoteStatus: isCredited(sale) ? 'AUTHORISED' : 'NOT AVAILABLE',
    ...combined(sale),
    Type: sale.type,
    SourceChannel: null,
    ExternalID: null,
    OrderLocationID: locations[0]?.ID ?? null,
  }
}

export function saleDocument(sale: Sale, company: Company): Row {
  const sum = sumOf(sale.lines, sale.freightCents)
  return {
    ID: sale.ID,
    Customer: sale.customer.Name,
    CustomerID: sale.customer.ID,
    ...reachOf(sale.customer),
    DefaultAccount: '200',
    SkipQuote: true,
    BillingAddress: { Line1: '1 Quay St', Line2: '', ...sale.customer.address },
    ShippingAddress: { Line1: '1 Quay St', Line2: '', ...sale.customer.address, Company: sale.customer.Name, ShipToOther: false },
    ShippingNotes: '',
    BaseCurrency: 'NZD',
    CustomerCurrency: sale.customer.currency,
    TaxRule: taxRule,
    TaxCalculation: 'Exclusive',
    Terms: '30 days',
    PriceTier: 'Tier 1',
    ShipBy: null,
    Location: company.locations[0]?.Name ?? null,
    SaleOrderDate: day(sale.orderedAt),
    LastModifiedOn: moment(sale.updatedAt),
    Note: sale.note,
    CustomerReference: '',
    COGSAmount: amount(sale.lines.reduce((cost, line) => cost + line.quantity * line.product.costCents, 0)),
    Status: sale.voided ? 'VOIDED' : statusOf(sale),
    ...combined(sale),
    CombinedTrackingNumbers: '',
    Carrier: 'Harbour Couriers',
    CurrencyRate: rateOf(sale.customer),
    SalesRepresentative: null,
    ServiceOnly: false,
    Type: sale.type,
    SourceChannel: null,
    ExternalID: null,
    AdditionalAttributes: {},
    Quote: { Memo: null, Status: 'NOT AVAILABLE', Prepayments: [], Lines: [], AdditionalCharges: [], TotalBeforeTax: 0, Tax: 0, Total: 0 },
    Order: {
      SaleOrderNumber: number(sale),
      Memo: '',
      Status: sale.voided ? 'VOIDED' : 'AUTHORISED',
      Lines: sale.lines.map(lineOf),
      AdditionalCharges: chargesOf(sale.freightCents),
      ...totalsOf(sum),
    },
    Fulfilments: sale.voided ? [] : [fulfilmentOf(sale, company)],
    Invoices: invoicesOf(sale),
    CreditNotes: isCredited(sale) ? [creditNoteOf(sale)] : [],
    ManualJournals: { Status: 'NOT AVAILABLE', Lines: [] },
    Attachments: [],
    InventoryMovements: hasShipped(sale) ? movementsOf(sale) : [],
    Transactions: [],
  }
}

function reachOf({ people: [person] }: Contact): Row {
  return { Contact: person?.Name ?? null, Phone: '5550100', Email: person?.Email ?? null }
}

function movementsOf(sale: Sale): Row[] {
  return sale.lines.map(({ product, quantity }) => ({
    TaskID: sale.taskIds[0],
    ProductID: product.ID,
    Date: day(sale.orderedAt + dayMs),
    COGS: amount(quantity * product.costCents),
  }))
}

function statusOf(sale: Sale): string {
  return isCredited(sale) ? 'CREDITED' : isPaid(sale) ? 'COMPLETED' : (saleStages[sale.stage] ?? 'ORDERED')
}

function combined(sale: Sale): Row {
  const shipped = hasShipped(sale)
  return {
    CombinedPickingStatus: shipped ? 'PICKED' : 'NOT PICKED',
    CombinedPackingStatus: shipped ? 'PACKED' : 'NOT PACKED',
    CombinedShippingStatus: shipped ? 'SHIPPED' : 'NOT SHIPPED',
    CombinedInvoiceStatus: hasInvoice(sale) ? 'INVOICED' : 'NOT INVOICED',
    CombinedPaymentStatus: isPaid(sale) ? 'PAID' : 'UNPAID',
    FulFilmentStatus: shipped ? 'FULFILLED' : 'NOT FULFILLED',
  }
}

function lineOf({ product, quantity, priceCents, totalCents, taxCents }: Line): Row {
  return {
    ProductID: product.ID,
    SKU: product.sku,
    Name: product.Name,
    Quantity: quantity,
    Price: amount(priceCents),
    Discount: 0,
    Tax: amount(taxCents),
    AverageCost: amount(product.costCents),
    TaxRule: taxRule,
    Comment: '',
    DropShip: false,
    Backorder: false,
    BackorderQuantity: 0,
    Total: amount(totalCents),
    ProductCustomField1: null,
    ProductCustomField2: null,
  }
}

function chargesOf(freightCents: number): Row[] {
  if (freightCents === 0) return []
  const price = amount(freightCents)
  return [
    {
      Description: 'Freight',
      Price: price,
      Quantity: 1,
      Discount: 0,
      Tax: amount(taxOf(freightCents)),
      Total: price,
      TaxRule: taxRule,
      Comment: '',
    },
  ]
}

function totalsOf({ beforeTax, tax, total }: Sum): Row {
  return { TotalBeforeTax: amount(beforeTax), Tax: amount(tax), Total: amount(total) }
}

function fulfilmentOf(sale: Sale, { locations }: Company): Row {
  const status = hasShipped(sale) ? 'AUTHORISED' : 'DRAFT'
  const lines = hasShipped(sale)
    ? sale.lines.map(({ product, quantity }) => ({
        ProductID: product.ID,
        SKU: product.sku,
        Name: product.Name,
        Location: locations[0]?.Name,
        LocationID: locations[0]?.ID,
        Quantity: quantity,
        BatchSN: null,
        ExpiryDate: null,
      }))
    : []
  return {
    TaskID: sale.taskIds[1],
    FulfillmentNumber: 1,
    LinkedInvoiceNumber: hasInvoice(sale) ? invoiceNumber(sale, 0) : '',
    FulFilmentStatus: hasShipped(sale) ? 'FULFILLED' : 'NOT FULFILLED',
    Pick: { Status: status, Lines: lines },
    Pack: { Status: status, Lines: lines.map((line) => ({ ...line, Box: 'Box 1' })) },
    Ship: { Status: status, RequireBy: null, ShippingNotes: '', Lines: [] },
  }
}

const invoiceNumber = (sale: Sale, index: number): string =>
  `INV-${String(sale.number).padStart(5, '0')}${index === 0 ? '' : `/${index + 1}`}`
const creditNumber = (sale: Sale): string => `CR-${String(sale.number).padStart(5, '0')}`

/** An advanced sale is invoiced in two parts, the second with the last line. */
function invoicesOf(sale: Sale): Row[] {
  if (!hasInvoice(sale)) return []
  const parts = sale.type === 'Advanced Sale' ? [sale.lines.slice(0, -1), sale.lines.slice(-1)] : [sale.lines]
  return parts.map((lines, index) => {
    const freightCents = index === 0 ? sale.freightCents : 0
    const sum = sumOf(lines, freightCents)
    return {
      TaskID: sale.taskIds[2 + index],
      InvoiceNumber: invoiceNumber(sale, index),
      Memo: '',
      Status: 'AUTHORISED',
      InvoiceDate: day(sale.orderedAt + dayMs),
      InvoiceDueDate: day(sale.orderedAt + 31 * dayMs),
      CurrencyConversionRate: 1,
      LinkedFulfillmentNumber: 1,
      Lines: lines.map((line) => ({ ...lineOf(line), Account: '200' })),
      AdditionalCharges: chargesOf(freightCents).map((charge) => ({ ...charge, Account: '200' })),
      Payments: isPaid(sale) ? [paymentOf(sale, 4 + index, sum.total)] : [],
      ...totalsOf(sum),
      Paid: isPaid(sale) ? amount(sum.total) : 0,
    }
  })
}

function paymentOf(sale: Sale, task: number, cents: number): Row {
  const paidAt = sale.orderedAt + 20 * dayMs
  return {
    ID: sale.taskIds[task],
    Reference: '',
    Amount: amount(cents),
    DatePaid: day(paidAt),
    Account: '090',
    CurrencyRate: 1,
    DateCreated: day(paidAt),
  }
}

function creditNoteOf(sale: Sale): Row {
  const lines = sale.lines.slice(0, 1)
  const sum = sumOf(lines, 0)
  return {
    TaskID: sale.taskIds[6],
    CreditNoteInvoiceNumber: invoiceNumber(sale, 0),
    Memo: 'Returned.',
    Status: 'AUTHORISED',
    CreditNoteDate: day(sale.orderedAt + 40 * dayMs),
    CreditNoteNumber: creditNumber(sale),
    CreditNoteConversionRate: 1,
    Lines: lines.map((line) => ({ ...lineOf(line), Account: '200' })),
    AdditionalCharges: [],
    Refunds: [paymentOf(sale, 7, sum.total)],
    Restock: [],
    RestockStatus: 'NOT AVAILABLE',
    ...totalsOf(sum),
  }
}
