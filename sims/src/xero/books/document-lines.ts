/** Lines of documents, and what they add up to. */
import { accountOf } from './chart-of-accounts.ts'
import type { Company } from './company.ts'
import { lineCents, taxCentsOf } from './money.ts'
import { netOf } from './posting.ts'
import type { Account, Document, Item, Line, LineAmountTypes, Side, TaxRate, Tracked } from './records.ts'

const expenses = ['400', '429', '433', '445', '449', '453', '469', '493'] as const
const words = [
  'Delivered as agreed',
  'Work on site\nand in the workshop',
  'Monthly share',
  'Parts & labour',
  'Spare "M8" set',
  'Café supplies',
] as const

export function makeLines(company: Company, side: Side, lineAmountTypes: LineAmountTypes): Line[] {
  const { random, size, items } = company
  const count = random.between(1, (size.linesPerInvoice ?? 3) * 2 - 1)
  return Array.from({ length: count }, () => {
    const item = random.next() < 0.6 ? random.pick(items) : null
    return makeLine(company, {
      item,
      description: item === null ? random.pick(words) : item.description,
      account: accountOf(company, item === null ? plainAccount(company, side) : side === 'sell' ? '200' : '310'),
      quantity: item === null ? 10_000 : random.pick([10_000, 20_000, 30_000, 25_000, 12_500, 120_000]),
      price: priceOf(company, side, item),
      discountPercent: side === 'sell' && random.next() < 0.08 ? random.pick([5, 10, 12.5]) : 0,
      tax: taxFor(company, side, lineAmountTypes),
      isInclusive: lineAmountTypes === 'Inclusive',
    })
  })
}

function plainAccount({ random }: Company, side: Side): string {
  return side === 'sell' ? random.pick(['200', '205', '260']) : random.pick(expenses)
}

function priceOf({ random }: Company, side: Side, item: Item | null): number {
  if (item !== null) return side === 'sell' ? item.saleUnits : item.buyUnits
  return random.between(500, 90_000) * 100
}

export function taxFor({ random, taxes }: Company, side: Side, lineAmountTypes: LineAmountTypes): TaxRate {
  const [sale, purchase, none] = taxes
  const taxed = side === 'sell' ? sale : purchase
  if (taxed === undefined || none === undefined) throw new Error('The company has no tax rates.')
  return lineAmountTypes === 'NoTax' || random.next() < 0.08 ? none : taxed
}

interface LineGiven {
  readonly item?: Item | null
  readonly description: string
  readonly account: Account
  readonly quantity?: number
  readonly price: number
  readonly discountPercent?: number
  readonly tax: TaxRate
  readonly isInclusive?: boolean
}

export function makeLine(company: Company, given: LineGiven): Line {
  const { item = null, quantity = 10_000, discountPercent = 0, isInclusive = false, ...rest } = given
  const cents = lineCents(quantity, rest.price, discountPercent)
  const { id, tracking } = { id: company.random.guid(), tracking: someTracking(company) }
  return {
    id,
    description: rest.description,
    account: rest.account,
    price: rest.price,
    tax: rest.tax,
    item,
    quantity,
    discountPercent,
    cents,
    taxCents: taxCentsOf(cents, rest.tax.percent, isInclusive),
    tracking,
  }
}

export function someTracking({ random, tracking }: Company): readonly Tracked[] {
  const [category] = tracking
  if (category === undefined || random.next() < 0.5) return []
  const options = category.options.filter(({ status }) => status === 'ACTIVE')
  return options.length === 0 ? [] : [{ category, option: random.pick(options) }]
}

/** Sub-total, tax and total of lines. */
export function totalsOf(lines: readonly Line[], lineAmountTypes: LineAmountTypes) {
  const subTotalCents = lines.reduce((sum, line) => sum + netOf(line, { lineAmountTypes }), 0)
  const taxCents = lines.reduce((sum, line) => sum + line.taxCents, 0)
  return { subTotalCents, taxCents, totalCents: subTotalCents + taxCents }
}

export function addUp(document: Document): void {
  Object.assign(document, totalsOf(document.lines, document.lineAmountTypes))
}
