/** Lines of documents, and their totals. */
import { accountOf } from './chart-of-accounts.ts'
import type { XeroCompany } from './company.ts'
import { lineCents, taxCentsOf } from './money.ts'
import { netOf } from './posting.ts'
import type {
  XeroAccount,
  XeroDocument,
  XeroItem,
  DocumentLine,
  LineAmountTypes,
  TradeSide,
  XeroTaxRate,
  AssignedTracking,
} from './records.ts'

const expenses = ['400', '429', '433', '445', '449', '453', '469', '493'] as const
const words = [
  'Delivered as agreed',
  'Work on site\nand in the workshop',
  'Monthly share',
  'Parts & labour',
  'Spare "M8" set',
  'Café supplies',
] as const

export function makeLines(company: XeroCompany, side: TradeSide, lineAmountTypes: LineAmountTypes): DocumentLine[] {
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

function plainAccount({ random }: XeroCompany, side: TradeSide): string {
  return side === 'sell' ? random.pick(['200', '205', '260']) : random.pick(expenses)
}

function priceOf({ random }: XeroCompany, side: TradeSide, item: XeroItem | null): number {
  if (item !== null) return side === 'sell' ? item.saleUnits : item.buyUnits
  return random.between(500, 90_000) * 100
}

export function taxFor({ random, taxes }: XeroCompany, side: TradeSide, lineAmountTypes: LineAmountTypes): XeroTaxRate {
  const [sale, purchase, none] = taxes
  const taxed = side === 'sell' ? sale : purchase
  if (taxed === undefined || none === undefined) throw new Error('The company has no tax rates.')
  return lineAmountTypes === 'NoTax' || random.next() < 0.08 ? none : taxed
}

interface LineInput {
  readonly item?: XeroItem | null
  readonly description: string
  readonly account: XeroAccount
  readonly quantity?: number
  readonly price: number
  readonly discountPercent?: number
  readonly tax: XeroTaxRate
  readonly isInclusive?: boolean
}

export function makeLine(company: XeroCompany, input: LineInput): DocumentLine {
  const { item = null, quantity = 10_000, discountPercent = 0, isInclusive = false, ...rest } = input
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

export function someTracking({ random, tracking }: XeroCompany): readonly AssignedTracking[] {
  const [category] = tracking
  if (category === undefined || random.next() < 0.5) return []
  const options = category.options.filter(({ status }) => status === 'ACTIVE')
  return options.length === 0 ? [] : [{ category, option: random.pick(options) }]
}

/** Sub-total, tax and total of lines. */
export function totalsOf(lines: readonly DocumentLine[], lineAmountTypes: LineAmountTypes) {
  const subTotalCents = lines.reduce((sum, line) => sum + netOf(line, { lineAmountTypes }), 0)
  const taxCents = lines.reduce((sum, line) => sum + line.taxCents, 0)
  return { subTotalCents, taxCents, totalCents: subTotalCents + taxCents }
}

export function updateTotals(document: XeroDocument): void {
  Object.assign(document, totalsOf(document.lines, document.lineAmountTypes))
}
