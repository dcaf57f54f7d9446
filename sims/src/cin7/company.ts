/**
 * Data model and generator of a small trading company: products, customers, suppliers, locations. Amounts are in
 * cents.
 */
import { createRandom } from '../random.ts'
import type { Random } from '../random.ts'
import { adjectives, cities, firstNames, kinds, lastNames, makers, places, things, trades } from '../fictional-names.ts'

export interface Cin7CompanySize {
  readonly products: number
  readonly customers: number
  readonly suppliers: number
  readonly sales: number
  readonly purchases: number
  /** Upper bounds: once they are reached, activity only changes existing sales and purchases. */
  readonly salesMax: number
  readonly purchasesMax: number
  /** Number of tasks of each kind; default 2. */
  readonly tasks?: number
  /** How many days of history; default 110. */
  readonly days?: number
}

export const trialSize: Cin7CompanySize = {
  products: 24,
  customers: 12,
  suppliers: 5,
  sales: 14,
  purchases: 9,
  salesMax: 18,
  purchasesMax: 11,
}

export interface NamedRecord {
  readonly ID: string
  readonly Name: string
}

export interface Cin7Product extends NamedRecord {
  readonly sku: string
  readonly category: string
  readonly brand: string
  readonly supplier: Cin7Contact
  priceCents: number
  readonly costCents: number
  status: 'Active' | 'Deprecated'
  modifiedAt: number
  /** Pieces per location, in the order of `company.locations`. */
  readonly onHand: number[]
  readonly allocated: number[]
}

export interface Cin7Contact extends NamedRecord {
  readonly kind: 'customer' | 'supplier'
  readonly currency: string
  readonly addressIds: readonly [string, string]
  readonly address: (typeof cities)[number]
  readonly people: readonly { readonly ID: string; readonly Name: string; readonly Email: string }[]
  creditLimitCents: number
  comments: string | null
  status: 'Active' | 'Deprecated'
  modifiedAt: number
}

export interface TradeLine {
  readonly product: Cin7Product
  readonly quantity: number
  /** Unit price and line total before tax. */
  readonly priceCents: number
  readonly totalCents: number
  readonly taxCents: number
}

export interface TradeDeal {
  readonly ID: string
  readonly number: number
  readonly taskIds: readonly string[]
  readonly type: string
  readonly lines: readonly TradeLine[]
  readonly freightCents: number
  readonly orderedAt: number
  /** Index of the reached stage, see `trade.ts`. */
  stage: number
  note: string
  voided: boolean
  updatedAt: number
}

/** A task in the warehouse or the office. */
export interface Cin7Task {
  readonly ID: string
  readonly number: number
  readonly at: number
  status: 'DRAFT' | 'COMPLETED' | 'VOIDED'
  readonly lines: Cin7TaskLine[]
  updatedAt: number
}

export interface Cin7TaskLine {
  readonly product: Cin7Product
  quantity: number
}

export const taskKinds = [
  'adjustment',
  'stocktake',
  'transfer',
  'assembly',
  'disassembly',
  'writeOff',
  'money',
  'production',
] as const
export type Cin7TaskKind = (typeof taskKinds)[number]

/** A sales lead. */
export interface Cin7Lead extends NamedRecord {
  readonly number: number
  amountCents: number
  modifiedAt: number
}

export interface Cin7Sale extends TradeDeal {
  readonly customer: Cin7Contact
}

export interface Cin7Purchase extends TradeDeal {
  readonly supplier: Cin7Contact
}

export interface Cin7Company {
  readonly random: Random
  readonly size: Cin7CompanySize
  readonly locations: readonly NamedRecord[]
  readonly bins: readonly NamedRecord[]
  readonly categories: readonly NamedRecord[]
  readonly brands: readonly NamedRecord[]
  readonly taxes: readonly (NamedRecord & { readonly percent: number })[]
  readonly terms: readonly (NamedRecord & { readonly days: number })[]
  readonly suppliers: Cin7Contact[]
  readonly customers: Cin7Contact[]
  readonly products: Cin7Product[]
  readonly sales: Cin7Sale[]
  readonly purchases: Cin7Purchase[]
  readonly tasks: Readonly<Record<Cin7TaskKind, Cin7Task[]>>
  readonly leads: readonly Cin7Lead[]
  /** A deterministic id for a word and a number, for records without an id of their own. */
  idOf(word: string, number?: number): string
}

export const taxPercent = 15
export const dayMs = 86_400_000

export function rateOf({ currency }: Cin7Contact): number {
  return currency === 'NZD' ? 1 : 0.9134567891
}

/** Everything but sales and purchases, which `trade.ts` adds. */
export function foundCompany(seed: number, size: Cin7CompanySize, now: number): Cin7Company {
  const random = createRandom(seed)
  const named = (names: readonly string[]): NamedRecord[] => names.map((Name) => ({ ID: random.guid(), Name }))
  const locations = named(['Main Warehouse', 'Shop'])
  const suppliers = Array.from({ length: size.suppliers }, (_, index) => makeContact(random, 'supplier', index, now))
  const customers = Array.from({ length: size.customers }, (_, index) => makeContact(random, 'customer', index, now))
  const company: Cin7Company = {
    random,
    size,
    locations,
    bins: named(['A-01', 'A-02', 'B-01']),
    categories: named(kinds),
    brands: named(makers),
    taxes: named(['15% GST on Income', '15% GST on Expenses', 'No GST']).map((tax, index) => ({
      ...tax,
      percent: index < 2 ? taxPercent : 0,
    })),
    terms: named(['7 days', '20th of the month following', '30 days']).map((term, index) => ({
      ...term,
      days: [7, 20, 30][index] ?? 30,
    })),
    suppliers,
    customers,
    products: [],
    sales: [],
    purchases: [],
    tasks: {
      adjustment: [],
      stocktake: [],
      transfer: [],
      assembly: [],
      disassembly: [],
      writeOff: [],
      money: [],
      production: [],
    },
    leads: customers.slice(0, 3).map(({ Name }, index) => ({
      ID: idFrom(seed, 'lead', index),
      Name: `${Name} (branch)`,
      number: index + 1,
      amountCents: 120_000 * (index + 1),
      modifiedAt: now - (index + 2) * dayMs,
    })),
    idOf: (word, number = 0) => idFrom(seed, word, number),
  }
  for (let index = 0; index < size.products; index += 1) company.products.push(makeProduct(company, index, now))
  return company
}

function idFrom(seed: number, word: string, number: number): string {
  let mixed = seed
  for (const letter of `${word} ${number}`) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return createRandom(mixed).guid()
}

function makeContact(random: Random, kind: Cin7Contact['kind'], index: number, now: number): Cin7Contact {
  const trade = kind === 'customer' ? random.pick(trades) : 'Ltd'
  const place = kind === 'customer' ? random.pick(places) : (makers[index % makers.length] ?? '')
  const people = Array.from({ length: random.between(1, 2) }, (_, at) => {
    const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
    return { ID: random.guid(), Name: `${first} ${last}`, Email: `${kind}${index + 1}.${at + 1}@mail.example` }
  })
  return {
    ID: random.guid(),
    Name: `${place} ${trade} ${index + 1}`,
    kind,
    currency: random.next() < 0.85 ? 'NZD' : 'AUD',
    addressIds: [random.guid(), random.guid()],
    address: random.pick(cities),
    people,
    creditLimitCents: random.between(0, 40) * 25_000,
    comments: random.next() < 0.2 ? 'Pays on time.\nRing before delivery:\tside door.' : null,
    status: 'Active',
    modifiedAt: now - random.between(1, 120) * dayMs,
  }
}

function makeProduct(
  { random, locations, categories, brands, suppliers }: Cin7Company,
  index: number,
  now: number,
): Cin7Product {
  const costCents = random.between(150, 24_000)
  return {
    ID: random.guid(),
    Name: `${random.pick(adjectives)} ${random.pick(things)}`,
    sku: `HT-${String(index + 1).padStart(4, '0')}`,
    category: random.pick(categories).Name,
    brand: random.pick(brands).Name,
    supplier: random.pick(suppliers),
    costCents,
    priceCents: Math.round(costCents * (1.3 + random.next())),
    status: random.next() < 0.95 ? 'Active' : 'Deprecated',
    modifiedAt: now - random.between(1, 120) * dayMs,
    onHand: locations.map(() => random.between(20, 400)),
    allocated: locations.map(() => random.between(0, 20)),
  }
}
