/** Simulated trade: sales and purchases advance through their stages, and master data changes. */
import { dayMs, foundCompany, taxPercent } from './company.ts'
import type {
  Cin7Company,
  TradeDeal,
  TradeLine,
  Cin7Product,
  Cin7Purchase,
  Cin7Sale,
  Cin7CompanySize,
} from './company.ts'
import { makeTasks, simulateTasks } from './tasks.ts'

/** A sale passes these stages in order; only some sales are partly credited. */
export const saleStages = ['ORDERED', 'SHIPPED', 'INVOICED', 'PAID', 'CREDITED'] as const
export const purchaseStages = ['ORDERED', 'RECEIVED', 'INVOICED', 'PAID', 'CREDITED'] as const

export interface TradeTotals {
  readonly beforeTax: number
  readonly tax: number
  readonly total: number
}

/** In cents, including freight. */
export function sumOf(lines: readonly TradeLine[], freightCents: number): TradeTotals {
  const beforeTax = lines.reduce((sum, line) => sum + line.totalCents, freightCents)
  const tax = lines.reduce((sum, line) => sum + line.taxCents, taxOf(freightCents))
  return { beforeTax, tax, total: beforeTax + tax }
}

export function taxOf(cents: number): number {
  return Math.round((cents * taxPercent) / 100)
}

export function makeCompany(seed: number, size: Cin7CompanySize, now: number): Cin7Company {
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

/** Simulates one step: some sales advance, and sometimes something is new, amended or voided. */
export function simulateStep(company: Cin7Company, now: number): void {
  const { random, size, sales, purchases, products, customers, leads } = company
  simulateTasks(company, now)
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

function moveOn(company: Cin7Company, deal: Cin7Sale | Cin7Purchase, lastStage: number, now: number): void {
  const { random } = company
  if (deal.voided || deal.stage >= lastStage) deal.note = `Looked at again, ${random.between(1, 9_999)}`
  else if (random.next() < (deal.stage === 0 ? 0.1 : 0.04)) deal.voided = true
  else deal.stage += 1
  deal.updatedAt = now
}

function changePrice({ random }: Cin7Company, product: Cin7Product, now: number): void {
  product.priceCents += random.between(-50, 120)
  product.modifiedAt = now
}

/** Older sales have reached a later stage. */
function ageSale({ random }: Cin7Company, sale: Cin7Sale, now: number): void {
  const weeks = (now - sale.orderedAt) / (7 * dayMs)
  sale.stage = Math.min(Math.floor(weeks / 2) + random.between(0, 1), random.next() < 0.15 ? 4 : 3)
  sale.voided = random.next() < 0.05
}

function addSale(company: Cin7Company, orderedAt: number): void {
  const { random, customers, sales } = company
  const lines = makeLines(company, 'sell')
  const type = lines.length > 2 ? 'Advanced Sale' : 'Simple Sale'
  sales.push({
    ...makeDeal(company, { lines, orderedAt, type, number: sales.length + 1 }),
    customer: random.pick(customers),
  })
}

function addPurchase(company: Cin7Company, orderedAt: number): void {
  const { random, suppliers, purchases } = company
  const type = random.pick(['Simple Purchase', 'Simple Purchase', 'Advanced Purchase', 'Service Purchase'])
  const lines = makeLines(company, 'buy')
  purchases.push({
    ...makeDeal(company, { lines, orderedAt, type, number: purchases.length + 1 }),
    supplier: random.pick(suppliers),
  })
}

function makeDeal(
  { random }: Cin7Company,
  given: Pick<TradeDeal, 'lines' | 'orderedAt' | 'type' | 'number'>,
): TradeDeal {
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

function makeLines({ random, products }: Cin7Company, side: 'sell' | 'buy'): TradeLine[] {
  return Array.from({ length: random.between(1, 5) }, () => {
    const product = random.pick(products)
    const quantity = side === 'sell' ? random.between(1, 12) : random.between(10, 80)
    const priceCents = side === 'sell' ? product.priceCents : product.costCents
    const totalCents = quantity * priceCents
    return { product, quantity, priceCents, totalCents, taxCents: taxOf(totalCents) }
  })
}
