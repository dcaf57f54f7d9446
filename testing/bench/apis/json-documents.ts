/** Invoices with three lines each as an API sends them, and their tables. */
import { listOf, parentTable } from '@tributary/engine/apis/http/documents'
import { day, flag, guid, instant, keyed, money, rate, text, textUpTo } from '@tributary/engine/apis/http/fields'
import { createRandom } from '@tributary/sims/random'

export const documents = 100_000
export const pageRows = 1_000
export const pages = documents / pageRows

export const invoice = parentTable(
  'invoice',
  {
    ID: keyed(guid),
    Number: textUpTo(50),
    Customer: textUpTo(256),
    CustomerID: guid,
    Status: textUpTo(50),
    Date: day,
    DueDate: day,
    Currency: textUpTo(3),
    CurrencyRate: rate,
    TotalBeforeTax: money,
    Tax: money,
    Total: money,
    Sent: flag,
    Note: text,
    Updated: instant,
  },
  [
    listOf('invoice_line', 'Lines', {
      ProductID: guid,
      SKU: textUpTo(50),
      Name: textUpTo(256),
      Quantity: money,
      Price: money,
      Discount: money,
      Tax: money,
      TaxRule: textUpTo(50),
      Total: money,
    }),
  ],
)

/** Exact sums in millionths that the target must hold. */
export interface InvoiceSums {
  invoices: bigint
  lines: bigint
}

/**
 * The body of one page. One invoice in a hundred has amounts of more digits than a double can hold, so the numbers
 * are written as text here.
 */
export function pageBody(number: number, sums: InvoiceSums): string {
  const random = createRandom(number)
  const rows = Array.from({ length: pageRows }, (_, index) =>
    invoiceText(random, (number - 1) * pageRows + index, sums),
  )
  return `{"Page":${number},"Total":${documents},"Invoices":[${rows.join(',')}]}`
}

function invoiceText(random: ReturnType<typeof createRandom>, index: number, sums: InvoiceSums): string {
  const isHuge = index % 100 === 99
  const lines = [1, 2, 3].map(() => {
    const units = BigInt(random.between(100, 900_000)) * 10_000n + (isHuge ? 1_007_199_254_740_990_001n : 0n)
    return { units, quantity: random.between(1, 9), sku: `SKU-${random.between(1, 9_999)}` }
  })
  const before = lines.reduce((sum, { units }) => sum + units, 0n)
  const tax = taxOf(before)
  sums.invoices += before + tax
  sums.lines += before
  const lineTexts = lines.map(
    ({ units, quantity, sku }) =>
      `{"ProductID":"${random.guid()}","SKU":"${sku}","Name":"Folding chair, ${sku}, natural oak","Quantity":${quantity},"Price":${decimal(units)},"Discount":0,"Tax":${decimal(taxOf(units))},"TaxRule":"15% GST on Income","Total":${decimal(units)}}`,
  )
  const dayOfMonth = String(random.between(1, 28)).padStart(2, '0')
  return `{"ID":"${random.guid()}","Number":"INV-${index}","Customer":"Harbour Outfitters ${index % 997}","CustomerID":"${random.guid()}","Status":"AUTHORISED","Date":"2026-03-${dayOfMonth}T00:00:00","DueDate":"2026-04-${dayOfMonth}T00:00:00","Currency":"NZD","CurrencyRate":0.9134567891,"TotalBeforeTax":${decimal(before)},"Tax":${decimal(tax)},"Total":${decimal(before + tax)},"Sent":true,"Note":null,"Updated":"2026-03-${dayOfMonth}T03:03:13.913Z","Lines":[${lineTexts.join(',')}]}`
}

function taxOf(units: bigint): bigint {
  return ((units * 15n) / 1_000_000n) * 10_000n
}

/** Formats millionths as a decimal without trailing zeros after the cents. */
function decimal(units: bigint): string {
  const digits = String(units).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, '')}`
}
