/** The collections of the simulated API: their records with addresses, and by what they are filtered and sorted. */
import { type Agreement, type BookedEntry, type BookedInvoice, grossOf, netOf, vatOf, vatRate } from './agreement.ts'
import type { SimulatedYear } from './chart.ts'
import { money } from './money.ts'
import type { EconomicRecord } from './records.ts'

export interface EconomicCollection {
  readonly records: readonly EconomicRecord[]
  readonly sortable: readonly string[]
  readonly filterable: readonly string[]
}

/** A year within an address: a subset of characters is replaced by names between underscores. */
export function yearInAddress(year: string): string {
  return year.replaceAll('/', '_6_')
}

const plain = (records: readonly EconomicRecord[], ...sortable: readonly string[]): EconomicCollection => ({
  records,
  sortable,
  filterable: sortable,
})

/** @returns undefined if there is no such address */
export function findCollection(agreement: Agreement, origin: string, path: string): EconomicCollection | undefined {
  const ofYear = /^accounting-years\/([^/]+)\/(.+)$/u.exec(path)
  if (ofYear !== null) return collectionOfYear(agreement, origin, ofYear)
  switch (path) {
    case 'accounts':
      return plain(agreement.accounts, 'accountNumber', 'accountType', 'name')
    case 'accounting-years':
      return plain(
        agreement.years.map((year) => yearRecord(origin, year)),
        'fromDate',
        'toDate',
        'year',
      )
    case 'customers':
      return plain(agreement.customers, 'customerNumber', 'lastUpdated', 'name')
    case 'suppliers':
      return plain(agreement.suppliers)
    case 'products':
      return plain(agreement.products, 'productNumber', 'lastUpdated', 'name')
    case 'invoices/booked':
      return plain(
        agreement.invoices.map((invoice) => invoiceRecord(origin, invoice)),
        'bookedInvoiceNumber',
        'date',
        'currency',
      )
    case 'invoices/drafts':
      return plain(agreement.drafts, 'draftInvoiceNumber', 'date')
    case 'orders/drafts':
      return plain(agreement.orders.drafts, 'orderNumber', 'date')
    case 'orders/sent':
      return plain(agreement.orders.sent, 'orderNumber', 'date')
    case 'orders/archived':
      return plain(agreement.orders.archived, 'orderNumber', 'date')
    default:
      return settingsCollection(agreement, path)
  }
}

const sortedSettings: Readonly<Record<string, readonly string[]>> = {
  journals: ['journalNumber', 'name'],
  'customer-groups': ['customerGroupNumber', 'name'],
  'product-groups': ['productGroupNumber', 'name'],
  'departmental-distributions': ['departmentalDistributionNumber', 'name'],
  employees: ['employeeNumber', 'name'],
}

function settingsCollection({ settings }: Agreement, path: string): EconomicCollection | undefined {
  const records = settings[path]
  return records === undefined ? undefined : plain(records, ...(sortedSettings[path] ?? []))
}

function collectionOfYear(
  agreement: Agreement,
  origin: string,
  [, name = '', rest = '']: readonly string[],
): EconomicCollection | undefined {
  const year = agreement.years.find((one) => yearInAddress(one.year) === name)
  if (year === undefined) return undefined
  const within = (from: string, to: string) => agreement.entries.filter(({ date }) => date >= from && date <= to)
  if (rest === 'entries')
    return plain(within(year.from, year.to).map(entryRecord), 'entryNumber', 'date', 'voucherNumber', 'currency')
  if (rest === 'periods')
    return plain(
      year.periods.map(({ number, from, to }) => ({
        periodNumber: number,
        accountingYear: { year: year.year },
        fromDate: from,
        toDate: to,
        ...(year.isClosed && { closed: true }),
        totals: `${origin}/accounting-years/${name}/periods/${number}/totals`,
        entries: `${origin}/accounting-years/${name}/periods/${number}/entries`,
      })),
      'periodNumber',
      'fromDate',
    )
  const period = year.periods.find(({ number }) => rest === `periods/${number}/totals`)
  return period === undefined ? undefined : plain(totalsOf(period, within(period.from, period.to)))
}

function totalsOf(
  { from, to }: { readonly from: string; readonly to: string },
  entries: readonly BookedEntry[],
): readonly EconomicRecord[] {
  return [...Map.groupBy(entries, ({ account }) => account)]
    .toSorted(([one], [other]) => one - other)
    .map(([accountNumber, of]) => ({
      account: { accountNumber },
      fromDate: from,
      toDate: to,
      totalInBaseCurrency: money(of.reduce((sum, { base }) => sum + base.cents, 0)),
    }))
}

function yearRecord(origin: string, { year, from, to, isClosed }: SimulatedYear): EconomicRecord {
  const self = `${origin}/accounting-years/${yearInAddress(year)}`
  return {
    year,
    fromDate: from,
    toDate: to,
    ...(isClosed && { closed: true }),
    periods: `${self}/periods`,
    entries: `${self}/entries`,
    totals: `${self}/totals`,
    self,
  }
}

function entryRecord(entry: BookedEntry): EconomicRecord {
  const { remainder, remainderBase, customer, supplier, invoice, dueDate } = entry
  return {
    entryNumber: entry.entryNumber,
    account: { accountNumber: entry.account },
    amount: entry.amount,
    amountInBaseCurrency: entry.base,
    currency: entry.currency,
    date: entry.date,
    entryType: entry.type,
    text: entry.text,
    voucherNumber: entry.voucher,
    ...(remainder !== undefined && { remainder, remainderInBaseCurrency: remainderBase }),
    ...(customer !== undefined && { customer: { customerNumber: customer } }),
    ...(supplier !== undefined && { supplier: { supplierNumber: supplier } }),
    // The schema says text; the API gives a number.
    ...(invoice !== undefined && { bookedInvoice: { bookedInvoiceNumber: invoice }, invoiceNumber: invoice }),
    ...(dueDate !== undefined && { dueDate }),
  }
}

function invoiceRecord(origin: string, invoice: BookedInvoice): EconomicRecord {
  const base = (cents: number): number => Math.round((cents * invoice.rate) / 100)
  const [net, vat] = [netOf(invoice), vatOf(invoice)]
  return {
    bookedInvoiceNumber: invoice.number,
    date: invoice.date,
    dueDate: invoice.dueDate,
    customer: { customerNumber: invoice.customer },
    currency: invoice.currency,
    netAmount: money(net),
    vatAmount: money(vat),
    grossAmount: money(grossOf(invoice)),
    roundingAmount: money(0),
    netAmountInBaseCurrency: money(base(net)),
    grossAmountInBaseCurrency: money(base(net) + base(vat)),
    remainder: money(invoice.remainder),
    remainderInBaseCurrency: money(base(invoice.remainder)),
    paymentTerms: { paymentTermsNumber: 1, name: 'Netto 14 dage' },
    recipient: { name: `Kunde ${invoice.customer}` },
    self: `${origin}/invoices/booked/${invoice.number}`,
  }
}

/** The document of an invoice, with its lines. */
export function invoiceDocument(origin: string, invoice: BookedInvoice): EconomicRecord {
  return {
    ...invoiceRecord(origin, invoice),
    lines: invoice.lines.map(({ lineNumber, product, quantity, unitCents }) => ({
      lineNumber,
      sortKey: lineNumber,
      product: { productNumber: product },
      description: `Vare ${product}`,
      quantity: money(quantity * 100),
      unit: { unitNumber: 1, name: 'stk.' },
      unitNetPrice: money(unitCents),
      discountPercentage: money(0),
      totalNetAmount: money(quantity * unitCents),
      vatRate: money(vatRate * 100),
      vatAmount: money((quantity * unitCents * vatRate) / 100),
    })),
  }
}
