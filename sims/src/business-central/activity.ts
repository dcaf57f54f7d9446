/** What a simulated company has, and what happens in it. */
import { adjectives, cities, lastNames, places, things, trades } from '../fictional-names.ts'
import type { Random } from '../random.ts'
import type { Company, Row } from './company.ts'

const chart = [
  ['1000', 'ASSETS', 'Begin-Total', 'Assets'],
  ['1100', 'Bank, checking', 'Posting', 'Assets'],
  ['1200', 'Accounts receivable', 'Posting', 'Assets'],
  ['1999', 'Total assets', 'End-Total', 'Assets'],
  ['2100', 'Accounts payable', 'Posting', 'Liabilities'],
  ['2200', 'Sales tax', 'Posting', 'Liabilities'],
  ['3100', 'Retained earnings', 'Posting', 'Equity'],
  ['4100', 'Sales of goods', 'Posting', 'Income'],
  ['5100', 'Cost of goods sold', 'Posting', 'Cost_x0020_of_x0020_Goods_x0020_Sold'],
  ['6100', 'Rent & office', 'Posting', 'Expense'],
] as const

/** @param documents how many invoices it has posted, over the last months */
export function openBooks(
  company: Company,
  random: Random,
  { documents, today }: { documents: number; today: string },
): void {
  for (const [number, displayName, accountType, category] of chart)
    company.put('accounts', { number, displayName, accountType, category, directPosting: accountType === 'Posting' })
  company.put('currencies', {
    code: 'EUR',
    displayName: 'Euro',
    symbol: '€',
    amountDecimalPlaces: '2:2',
    amountRoundingPrecision: 1n,
  })
  company.put('paymentTerms', { code: '30 DAYS', displayName: 'Net 30 days', dueDateCalculation: '30D' })
  const dimension = company.put('dimensions', { code: 'DEPARTMENT', displayName: 'Department' })
  for (const code of ['ADM', 'SALES'])
    company.put('dimensionValues', { code, dimensionId: dimension['id'] ?? null, displayName: code })
  company.put('bankAccounts', { number: 'CHECKING', displayName: 'Checking account', iban: 'DK5000400440116243' })
  company.put('accountingPeriods', { startingDate: `${today.slice(0, 4)}-01-01`, name: 'January', newFiscalYear: true })
  for (let at = 1; at <= 6; at += 1) {
    const name = `${random.pick(places)} ${random.pick(trades)}`
    company.put('customers', {
      number: `C${at}0000`,
      displayName: name,
      city: random.pick(cities).City,
      email: `c${at}@shop.example`,
      creditLimit: 500_000n,
    })
    company.put('vendors', {
      number: `V${at}0000`,
      displayName: `${random.pick(lastNames)} Supply`,
      city: random.pick(cities).City,
    })
    company.put('items', {
      number: `I-${at}`,
      displayName: `${random.pick(adjectives)} ${random.pick(things)}`,
      type: 'Inventory',
      unitPrice: BigInt(random.between(500, 90_000)),
    })
  }
  for (let at = 0; at < documents; at += 1) {
    const daysAgo = Math.floor(((documents - at) * 400) / documents)
    const day = new Date(Date.parse(today) - daysAgo * 86_400_000).toISOString().slice(0, 10)
    if (at % 3 === 2) postPurchase(company, random, day)
    else postSale(company, random, day)
  }
}

/** An invoice with lines, its entries in the ledger, and what the customer owes. */
export function postSale(company: Company, random: Random, day: string): Row {
  const customer = random.pick(company.rows('customers'))
  const lines = Array.from({ length: random.between(1, 4) }, (_, at) => saleLine(company, random, at))
  const net = lines.reduce((total, line) => total + (line['netAmount'] as bigint), 0n)
  const tax = (net * 25n) / 100n
  const invoice = company.put('salesInvoices', {
    number: `PS-INV${company.rows('salesInvoices').length + 103_001}`,
    invoiceDate: day,
    postingDate: day,
    dueDate: day,
    customerId: customer['id'] ?? null,
    customerNumber: customer['number'] ?? null,
    customerName: customer['displayName'] ?? null,
    currencyCode: 'DKK',
    totalAmountExcludingTax: net,
    totalTaxAmount: tax,
    totalAmountIncludingTax: net + tax,
    remainingAmount: net + tax,
    status: 'Open',
    salesInvoiceLines: lines,
  })
  customer['balanceDue'] = (customer['balanceDue'] as bigint) + net + tax
  const entries = [
    { account: '1200', amount: net + tax },
    { account: '4100', amount: -net },
    { account: '2200', amount: -tax },
  ]
  company.post(day, entries, { documentType: 'Invoice', description: `Order ${String(invoice['number'])}` })
  return invoice
}

function saleLine(company: Company, random: Random, at: number): Row {
  const item = random.pick(company.rows('items'))
  const quantity = BigInt(random.between(1, 20))
  const net = (item['unitPrice'] as bigint) * quantity
  return {
    id: random.guid(),
    sequence: (at + 1) * 10_000,
    itemId: item['id'] ?? null,
    lineType: 'Item',
    lineObjectNumber: item['number'] ?? null,
    description: item['displayName'] ?? null,
    quantity: quantity * 100n,
    unitPrice: item['unitPrice'] ?? null,
    amountExcludingTax: net,
    netAmount: net,
  }
}

function postPurchase(company: Company, random: Random, day: string): void {
  const vendor = random.pick(company.rows('vendors'))
  const net = BigInt(random.between(10_000, 900_000))
  company.put('purchaseInvoices', {
    number: `PP-INV${company.rows('purchaseInvoices').length + 108_001}`,
    postingDate: day,
    invoiceDate: day,
    dueDate: day,
    vendorId: vendor['id'] ?? null,
    vendorNumber: vendor['number'] ?? null,
    vendorName: vendor['displayName'] ?? null,
    totalAmountExcludingTax: net,
    totalAmountIncludingTax: net,
    status: 'Open',
    purchaseInvoiceLines: [
      {
        id: random.guid(),
        sequence: 10_000,
        lineType: 'Account',
        description: 'Rent',
        quantity: 100n,
        unitCost: net,
        netAmount: net,
      },
    ],
  })
  company.post(
    day,
    [
      { account: '6100', amount: net },
      { account: '2100', amount: -net },
    ],
    { documentType: 'Invoice', description: 'Rent' },
  )
}
