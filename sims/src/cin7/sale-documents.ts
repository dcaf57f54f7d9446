/** Sales in the API's format: a row in the list, and the document. */
import { dayMs, rateOf } from './company.ts'
import type { Cin7Company, Cin7Contact, TradeLine, Cin7Sale } from './company.ts'
import {
  chargesOf,
  entriesOf,
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
import { saleStages, sumOf } from './trade.ts'
import { amount, day, instant, numberedFields } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

const taxRule = taxRuleOf('Income')
const invoiceNumber = (sale: Cin7Sale, index: number): string =>
  `${numberOf('INV', sale)}${index === 0 ? '' : `/${index + 1}`}`

export function saleRow(sale: Cin7Sale, { locations }: Cin7Company): Cin7Row {
  const { credited } = progressOf(sale)
  return {
    SaleID: sale.ID,
    OrderNumber: numberOf('SO', sale),
    Status: statusOf(sale, saleStages),
    OrderDate: day(sale.orderedAt),
    Customer: sale.customer.Name,
    CustomerID: sale.customer.ID,
    ...invoiceColumns(sale, invoiceNumber(sale, 0), sale.orderedAt + dayMs),
    CustomerReference: '',
    ShipBy: null,
    BaseCurrency: 'NZD',
    CustomerCurrency: sale.customer.currency,
    CreditNoteNumber: credited ? numberOf('CR', sale) : null,
    Updated: instant(sale.updatedAt),
    QuoteStatus: isQuoted(sale) ? (sale.voided ? 'VOIDED' : 'AUTHORISED') : 'NOT AVAILABLE',
    OrderStatus: sale.voided ? 'VOIDED' : 'AUTHORISED',
    CombinedTrackingNumbers: '',
    CreditNoteStatus: credited ? 'AUTHORISED' : 'NOT AVAILABLE',
    ...combined(sale),
    Type: sale.type,
    SourceChannel: null,
    ExternalID: null,
    OrderLocationID: locations[0]?.ID ?? null,
  }
}

/** A sale's row in the list of credit notes. */
export function saleCreditNoteRow(sale: Cin7Sale, company: Cin7Company): Cin7Row {
  return { ...saleRow(sale, company), RestockStatus: 'AUTHORISED' }
}

/** @param entries include the sale's ledger entries, which the API returns only on request */
export function saleDocument(sale: Cin7Sale, company: Cin7Company, entries: boolean): Cin7Row {
  const { moved, credited } = progressOf(sale)
  return {
    ...headOf(sale, company),
    ...combined(sale),
    Quote: quoteOf(sale, company),
    Order: {
      SaleOrderNumber: numberOf('SO', sale),
      Memo: '',
      Status: sale.voided ? 'VOIDED' : 'AUTHORISED',
      Lines: sale.lines.map(saleLine),
      AdditionalCharges: chargesOf(sale.freightCents, taxRule),
      ...totalsOf(sumOf(sale.lines, sale.freightCents)),
    },
    Fulfilments: sale.voided ? [] : [fulfilmentOf(sale, company)],
    Invoices: invoicesOf(sale),
    CreditNotes: credited ? [creditNoteOf(sale, company)] : [],
    ManualJournals: journalOf(sale),
    Attachments: sale.number % 5 === 0 ? [fileOf(company, sale.ID, 'parcel.jpg')] : [],
    InventoryMovements: moved ? movementsOf(sale, sale.orderedAt + dayMs) : [],
    Transactions: entries ? transactionsOf(sale, company) : [],
  }
}

function headOf(sale: Cin7Sale, company: Cin7Company): Cin7Row {
  return {
    ID: sale.ID,
    Customer: sale.customer.Name,
    CustomerID: sale.customer.ID,
    ...reachOf(sale.customer),
    DefaultAccount: '200',
    SkipQuote: !isQuoted(sale),
    BillingAddress: addressOf('1 Quay St', '', sale.customer.address),
    ShippingAddress: shippingAddressOf(sale),
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
    LastModifiedOn: instant(sale.updatedAt),
    Note: sale.note,
    CustomerReference: '',
    COGSAmount: amount(sale.lines.reduce((cost, line) => cost + line.quantity * line.product.costCents, 0)),
    Status: statusOf(sale, saleStages),
    CombinedTrackingNumbers: '',
    Carrier: 'Harbour Couriers',
    CurrencyRate: rateOf(sale.customer),
    SalesRepresentative: null,
    ServiceOnly: false,
    Type: sale.type,
    SourceChannel: null,
    ExternalID: null,
    AdditionalAttributes: numberedFields('AdditionalAttribute', sale.number % 2 === 0 ? 'Gift' : '', ''),
  }
}

function shippingAddressOf({ customer }: Cin7Sale): Cin7Row {
  const [person] = customer.people
  return {
    ...addressOf('3 Dock Rd', 'Gate 2', customer.address),
    Company: customer.Name,
    Contact: person?.Name ?? null,
    ShipToOther: false,
  }
}

/** Every third shipment goes to another address than the sale's. */
function sentTo(sale: Cin7Sale): Cin7Row {
  if (sale.number % 3 !== 0) return shippingAddressOf(sale)
  return {
    ...addressOf(`${sale.number} Site Rd`, '', sale.customer.address),
    Company: 'Summit Builders',
    Contact: 'Site office',
    ShipToOther: true,
  }
}

const isQuoted = ({ number }: Cin7Sale): boolean => number % 4 === 1

/** Without a quote, its part exists but is empty. */
function quoteOf(sale: Cin7Sale, { idOf }: Cin7Company): Cin7Row {
  const none = {
    Memo: null,
    Status: 'NOT AVAILABLE',
    Prepayments: [],
    Lines: [],
    AdditionalCharges: [],
    TotalBeforeTax: 0,
    Tax: 0,
    Total: 0,
  }
  if (!isQuoted(sale)) return none
  return {
    Memo: 'As discussed.',
    Status: sale.voided ? 'VOIDED' : 'AUTHORISED',
    Prepayments: [paymentOf(idOf('deposit on quote', sale.number), 1_000, sale.orderedAt - dayMs)],
    Lines: sale.lines.map(pricedLine),
    AdditionalCharges: chargesOf(sale.freightCents, taxRule),
    ...totalsOf(sumOf(sale.lines, sale.freightCents)),
  }
}

function reachOf({ people: [person] }: Cin7Contact): Cin7Row {
  return { Contact: person?.Name ?? null, Phone: '5550100', Email: person?.Email ?? null }
}

function combined(sale: Cin7Sale): Cin7Row {
  const { moved, invoiced, paid } = progressOf(sale)
  return {
    CombinedPickingStatus: moved ? 'PICKED' : 'NOT PICKED',
    CombinedPackingStatus: moved ? 'PACKED' : 'NOT PACKED',
    CombinedShippingStatus: moved ? 'SHIPPED' : 'NOT SHIPPED',
    CombinedInvoiceStatus: invoiced ? 'INVOICED' : 'NOT INVOICED',
    CombinedPaymentStatus: paid ? 'PAID' : 'UNPAID',
    FulFilmentStatus: moved ? 'FULFILLED' : 'NOT FULFILLED',
  }
}

function pricedLine(line: TradeLine): Cin7Row {
  return { ...lineOf(line, taxRule), AverageCost: amount(line.product.costCents) }
}

function saleLine(line: TradeLine): Cin7Row {
  return { ...pricedLine(line), DropShip: false, Backorder: false, BackorderQuantity: 0 }
}

function fulfilmentOf(sale: Cin7Sale, { locations }: Cin7Company): Cin7Row {
  const { moved, invoiced } = progressOf(sale)
  const status = moved ? 'AUTHORISED' : 'DRAFT'
  const lines = moved ? stockLinesOf(sale.lines, locations).map((line) => ({ ...line, NonInventory: false })) : []
  const shipment = {
    ID: sale.taskIds[8],
    ShipmentDate: day(sale.orderedAt + dayMs),
    Carrier: 'Harbour Couriers',
    Boxes: 'Box 1',
    TrackingNumber: `HC${sale.number}`,
    TrackingURL: '',
    IsShipped: true,
  }
  return {
    TaskID: sale.taskIds[1],
    FulfillmentNumber: 1,
    LinkedInvoiceNumber: invoiced ? invoiceNumber(sale, 0) : '',
    FulFilmentStatus: moved ? 'FULFILLED' : 'NOT FULFILLED',
    Pick: { Status: status, Lines: lines },
    Pack: {
      Status: status,
      Lines: lines.map((line, at) => ({ ...line, Box: 'Box 1', WarrantyRegistrationNumber: `W${sale.number}-${at}` })),
    },
    Ship: {
      Status: status,
      RequireBy: null,
      ShippingAddress: sentTo(sale),
      ShippingNotes: '',
      Lines: moved ? [shipment] : [],
    },
  }
}

/** An advanced sale has two invoices, the second for the last line. */
function invoicesOf(sale: Cin7Sale): Cin7Row[] {
  const { invoiced, paid } = progressOf(sale)
  if (!invoiced) return []
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
      BillingAddressLine1: '1 Quay St',
      BillingAddressLine2: Object.values(sale.customer.address).join(' '),
      LinkedFulfillmentNumber: 1,
      Lines: lines.map((line) => ({ ...saleLine(line), Account: '200' })),
      AdditionalCharges: chargesOf(freightCents, taxRule).map((charge) => ({ ...charge, Account: '200' })),
      Payments: paid ? [paymentOf(sale.taskIds[4 + index], sum.total, sale.orderedAt + 20 * dayMs)] : [],
      ...totalsOf(sum),
      Paid: paid ? amount(sum.total) : 0,
    }
  })
}

function creditNoteOf(sale: Cin7Sale, { locations }: Cin7Company): Cin7Row {
  const lines = sale.lines.slice(0, 1)
  const sum = sumOf(lines, sale.freightCents)
  const [place] = locations
  return {
    TaskID: sale.taskIds[6],
    CreditNoteInvoiceNumber: invoiceNumber(sale, 0),
    Memo: 'Returned.',
    Status: 'AUTHORISED',
    CreditNoteDate: day(sale.orderedAt + 40 * dayMs),
    CreditNoteNumber: numberOf('CR', sale),
    CreditNoteConversionRate: 1,
    Lines: lines.map((line) => ({ ...saleLine(line), Account: '200' })),
    AdditionalCharges: chargesOf(sale.freightCents, taxRule).map((charge) => ({ ...charge, Account: '200' })),
    Refunds: [paymentOf(sale.taskIds[7], sum.total, sale.orderedAt + 20 * dayMs)],
    Restock: stockLinesOf(lines, locations).map((line) => ({
      ...line,
      RestockLocation: place?.Name,
      RestockLocationID: place?.ID,
    })),
    RestockStatus: 'AUTHORISED',
    ...totalsOf(sum),
  }
}

function transactionsOf(sale: Cin7Sale, { idOf }: Cin7Company): Cin7Row[] {
  return entriesOf(sale, { debit: '610', credit: '200' }).map(({ at, debit, credit, cents }, index) => ({
    TaskID: sale.taskIds[2],
    TransactionID: idOf('sale entry', sale.number * 10 + index),
    EffectiveDate: day(at),
    Description: `${sale.customer.Name} - ${invoiceNumber(sale, 0)}`,
    Debit: debit,
    Credit: credit,
    Amount: amount(cents),
  }))
}
