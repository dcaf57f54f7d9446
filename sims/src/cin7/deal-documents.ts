/** Parts that the documents of sales and purchases share: lines, charges, payments, journals and status. */
import { dayMs, taxPercent } from './company.ts'
import type { Cin7Company, TradeDeal, TradeLine } from './company.ts'
import { productFieldsOf } from './shared-fields.ts'
import { sumOf, taxOf } from './trade.ts'
import type { TradeTotals } from './trade.ts'
import { amount, day } from './value-format.ts'
import type { Cin7Row } from './value-format.ts'

/** The stages that a deal has passed: moved, invoiced, paid, credited. A voided deal has passed none. */
export function progressOf({ voided, stage }: TradeDeal): {
  moved: boolean
  invoiced: boolean
  paid: boolean
  credited: boolean
} {
  const reached = voided ? 0 : stage
  return { moved: reached >= 1, invoiced: reached >= 2, paid: reached >= 3, credited: reached >= 4 }
}

export function statusOf(deal: TradeDeal, stages: readonly string[]): string {
  if (deal.voided) return 'VOIDED'
  const { paid, credited } = progressOf(deal)
  return credited ? 'CREDITED' : paid ? 'COMPLETED' : (stages[deal.stage] ?? 'ORDERED')
}

export function numberOf(prefix: string, { number }: TradeDeal): string {
  return `${prefix}-${String(number).padStart(5, '0')}`
}

/** The invoice columns of a row in a list. */
export function invoiceColumns(deal: TradeDeal, invoiceNumber: string, invoicedAt: number): Cin7Row {
  const { invoiced, paid } = progressOf(deal)
  const total = amount(sumOf(deal.lines, deal.freightCents).total)
  return {
    InvoiceDate: invoiced ? day(invoicedAt) : null,
    InvoiceNumber: invoiced ? invoiceNumber : null,
    InvoiceAmount: invoiced ? total : 0,
    PaidAmount: paid ? total : 0,
    InvoiceDueDate: invoiced ? day(invoicedAt + 30 * dayMs) : null,
  }
}

export const taxRuleOf = (side: 'Income' | 'Expenses'): string => `${taxPercent}% GST on ${side}`

export function lineOf({ product, quantity, priceCents, totalCents, taxCents }: TradeLine, taxRule: string): Cin7Row {
  return {
    ProductID: product.ID,
    SKU: product.sku,
    Name: product.Name,
    Quantity: quantity,
    Price: amount(priceCents),
    Discount: 0,
    Tax: amount(taxCents),
    TaxRule: taxRule,
    Comment: '',
    Total: amount(totalCents),
    ...productFieldsOf(product),
  }
}

export function chargesOf(freightCents: number, taxRule: string): Cin7Row[] {
  if (freightCents === 0) return []
  const price = amount(freightCents)
  const tax = amount(taxOf(freightCents))
  return [
    {
      Description: 'Freight',
      Price: price,
      Quantity: 1,
      Discount: 0,
      Tax: tax,
      Total: price,
      TaxRule: taxRule,
      Comment: '',
    },
  ]
}

export function totalsOf({ beforeTax, tax, total }: TradeTotals): Cin7Row {
  return { TotalBeforeTax: amount(beforeTax), Tax: amount(tax), Total: amount(total) }
}

export function paymentOf(id: string | undefined, cents: number, paidAt: number): Cin7Row {
  return {
    ID: id,
    Reference: '',
    Amount: amount(cents),
    DatePaid: day(paidAt),
    Account: '090',
    CurrencyRate: 1,
    DateCreated: day(paidAt),
  }
}

/** Stock lines for a location of the warehouse. */
export function stockLinesOf(lines: readonly TradeLine[], [place]: Cin7Company['locations']): Cin7Row[] {
  return lines.map(({ product, quantity }) => ({
    ProductID: product.ID,
    SKU: product.sku,
    Name: product.Name,
    Location: place?.Name,
    LocationID: place?.ID,
    Quantity: quantity,
    BatchSN: null,
    ExpiryDate: null,
    ...productFieldsOf(product),
  }))
}

export function movementsOf(deal: TradeDeal, movedAt: number): Cin7Row[] {
  return deal.lines.map(({ product, quantity }) => ({
    TaskID: deal.taskIds[0],
    ProductID: product.ID,
    Date: day(movedAt),
    COGS: amount(quantity * product.costCents),
    ...productFieldsOf(product),
  }))
}

/** Every fourth paid deal has a correcting journal. */
export function journalOf(deal: TradeDeal): Cin7Row {
  if (!progressOf(deal).paid || deal.number % 4 !== 0) return { Status: 'NOT AVAILABLE', Lines: [] }
  const line = {
    Date: day(deal.orderedAt + 21 * dayMs),
    Reference: 'Rounding',
    Amount: 0.05,
    Debit: '425',
    Credit: '610',
    IsSystem: false,
  }
  return { Status: 'AUTHORISED', Lines: [line] }
}

/** The ledger entries of a deal. */
export function entriesOf(
  deal: TradeDeal,
  accounts: { debit: string; credit: string },
): { at: number; debit: string; credit: string; cents: number }[] {
  const { invoiced, paid } = progressOf(deal)
  const { total } = sumOf(deal.lines, deal.freightCents)
  const booked = invoiced ? [{ at: deal.orderedAt + dayMs, ...accounts, cents: total }] : []
  return paid
    ? [...booked, { at: deal.orderedAt + 20 * dayMs, debit: '090', credit: accounts.debit, cents: total }]
    : booked
}
