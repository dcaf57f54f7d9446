/** What happens in the company: sales and purchases that go their way, and the changes that a day brings. */
import { dayMs, foundCompany, taxPercent } from './company.ts'
import type { Company, Deal, Line, Product, Purchase, Sale, Size } from './company.ts'
import { makeTasks, workOn } from './tasks.ts'

/** A sale is ordered, shipped, invoiced and paid, in this order; some are then credited in part. */
export const saleStages = ['ORDERED', 'SHIPPED', 'INVOICED', 'PAID', 'CREDITED'] as const
export const purchaseStages = ['ORDERED', 'RECEIVED', 'INVOICED', 'PAID', 'CREDITED'] as const

export interface Sum {
  readonly beforeTax: number
  readonly tax: number
  readonly total: number
}

/** In cents, freight included where given. */
export function sumOf(lines: readonly Line[], freightCents: number): Sum {
  const beforeTax = lines.reduce((sum, line) => sum + line.totalCents, freightCents)
  const tax = lines.reduce((sum, line) => sum + line.taxCents, taxOf(freightCents))
  return { beforeTax, tax, total: beforeTax + tax }
}

export function taxOf(cents: number): number {
  return Math.round((cents * taxPercent) / 100)
}

export function makeCompany(seed: number, size: Size, now: number): Company {
  const company = foundCompany(seed, size, now)
  const { random } = company
  const spread = (index: number, count: number): number =>
    now - Math.floor(((count - index) / count) * (size.days ?? 110) * dayMs) - random.between(0, dayMs)
  for (let index = 0; index < size.sales; index += 1) addSale(company, spread(index, size.sales))
  for (let index = 0; index < size.purchases; index += 1) addPurchase(company, spread(index, size.purchases))
  for (const sale of company.sales) ageSale(company, sale, now)
  for (const purchase of company.purchases) purchase.stage = Math.min(random.between(0, 5), purchaseStages.length - 1)
  makeTasks(company, now)
  return company
}

/** One step of the company's life: a few sales move on, and now and then something is new, amended or voided. */
export function liveOn(company: Company, now: number): void {
  const { random, size, sales, purchases, products, customers, leads } = company
  workOn(company, now)
  if (sales.length < size.salesMax && random.next() < 0.6) addSale(company, now)
  if (purchases.length < size.purchasesMax && random.next() < 0.3) addPurchase(company, now)
  for (let moves = random.between(1, 2); moves > 0; moves -= 1)
    moveOn(company, random.pick(sales), saleStages.length - 1, now)
  if (random.next() < 0.5) moveOn(company, random.pick(purchases), purchaseStages.length - 1, now)
  if (random.next() < 0.3) changePrice(company, random.pick(products), now)
  if (random.next() < 0.2) {
    const customer = random.pick(customers)
    customer.creditLimitCents += 50_000
    customer.modifiedAt = now
  }
  if (random.next() < 0.1 && leads.length > 0)
    Object.assign(random.pick(leads), { amountCents: random.between(1, 90) * 10_000, modifiedAt: now })
}

function moveOn(company: Company, deal: Sale | Purchase, lastStage: number, now: number): void {
  const { random } = company
  if (deal.voided || deal.stage >= lastStage) deal.note = `Looked at again, ${random.between(1, 9_999)}`
  else if (random.next() < (deal.stage === 0 ? 0.1 : 0.04)) deal.voided = true
  else deal.stage += 1
  deal.updatedAt = now
}

function changePrice({ random }: Company, product: Product, now: number): void {
  product.priceCents += random.between(-50, 120)
  product.modifiedAt = now
}

/** Older sales have come further. */
function ageSale({ random }: Company, sale: Sale, now: number): void {
  const weeks = (now - sale.orderedAt) / (7 * dayMs)
  sale.stage = Math.min(Math.floor(weeks / 2) + random.between(0, 1), random.next() < 0.15 ? 4 : 3)
  sale.voided = random.next() < 0.05
}

function addSale(company: Company, orderedAt: number): void {
  const { random, customers, sales } = company
  const lines = makeLines(company, 'sell')
  const type = lines.length > 2 ? 'Advanced Sale' : 'Simple Sale'
  sales.push({
    ...makeDeal(company, { lines, orderedAt, type, number: sales.length + 1 }),
    customer: random.pick(customers),
  })
}

function addPurchase(company: Company, orderedAt: number): void {
  const { random, suppliers, purchases } = company
  const type = random.pick(['Simple Purchase', 'Simple Purchase', 'Advanced Purchase', 'Service Purchase'])
  const lines = makeLines(company, 'buy')
  purchases.push({
    ...makeDeal(company, { lines, orderedAt, type, number: purchases.length + 1 }),
    supplier: random.pick(suppliers),
  })
}

function makeDeal({ random }: Company, given: Pick<Deal, 'lines' | 'orderedAt' | 'type' | 'number'>): Deal {
  return {
    ...given,
    ID: random.guid(),
    taskIds: Array.from({ length: 10 }, () => random.guid()),
    freightCents: random.pick([0, 0, 850, 1_275]),
    stage: 0,
    note: '',
    voided: false,
    updatedAt: given.orderedAt,
  }
}

function makeLines({ random, products }: Company, side: 'sell' | 'buy'): Line[] {
  return Array.from({ length: random.between(1, 5) }, () => {
    const product = random.pick(products)
    const quantity = side === 'sell' ? random.between(1, 12) : random.between(10, 80)
    const priceCents = side === 'sell' ? product.priceCents : product.costCents
    const totalCents = quantity * priceCents
    return { product, quantity, priceCents, totalCents, taxCents: taxOf(totalCents) }
  })
}
