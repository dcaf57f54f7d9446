/** A small trading company, made up from a seed: what it sells, to whom, from where. Amounts are counted in cents. */
import { seeded } from '../random.ts'
import type { Random } from '../random.ts'
import { adjectives, cities, firstNames, kinds, lastNames, makers, places, things, trades } from '../words.ts'

export interface Size {
  readonly products: number
  readonly customers: number
  readonly suppliers: number
  readonly sales: number
  readonly purchases: number
  /** Changes make no more sales and purchases than these; then they change those there are. */
  readonly salesMax: number
  readonly purchasesMax: number
  /** Of each kind of work in the warehouse and the office; two where nothing is said. */
  readonly tasks?: number
  /** How far back the trade reaches; 110 where nothing is said. */
  readonly days?: number
}

export const trialSize: Size = {
  products: 24,
  customers: 12,
  suppliers: 5,
  sales: 14,
  purchases: 9,
  salesMax: 18,
  purchasesMax: 11,
}

export interface Named {
  readonly ID: string
  readonly Name: string
}

export interface Product extends Named {
  readonly sku: string
  readonly category: string
  readonly brand: string
  readonly supplier: Contact
  priceCents: number
  readonly costCents: number
  status: 'Active' | 'Deprecated'
  modifiedAt: number
  /** Pieces in each location, in the order of `company.locations`. */
  readonly onHand: number[]
  readonly allocated: number[]
}

export interface Contact extends Named {
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

export interface Line {
  readonly product: Product
  readonly quantity: number
  /** Price of one, and the whole, before tax. */
  readonly priceCents: number
  readonly totalCents: number
  readonly taxCents: number
}

export interface Deal {
  readonly ID: string
  readonly number: number
  readonly taskIds: readonly string[]
  readonly type: string
  readonly lines: readonly Line[]
  readonly freightCents: number
  readonly orderedAt: number
  /** How far it has come, see `trade.ts`. */
  stage: number
  note: string
  voided: boolean
  updatedAt: number
}

/** One piece of work in the warehouse or the office. */
export interface Task {
  readonly ID: string
  readonly number: number
  readonly at: number
  status: 'DRAFT' | 'COMPLETED' | 'VOIDED'
  readonly lines: TaskLine[]
  updatedAt: number
}

export interface TaskLine {
  readonly product: Product
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
export type TaskKind = (typeof taskKinds)[number]

/** Somebody who may buy one day. */
export interface Lead extends Named {
  readonly number: number
  amountCents: number
  modifiedAt: number
}

export interface Sale extends Deal {
  readonly customer: Contact
}

export interface Purchase extends Deal {
  readonly supplier: Contact
}

export interface Company {
  readonly random: Random
  readonly size: Size
  readonly locations: readonly Named[]
  readonly bins: readonly Named[]
  readonly categories: readonly Named[]
  readonly brands: readonly Named[]
  readonly taxes: readonly (Named & { readonly percent: number })[]
  readonly terms: readonly (Named & { readonly days: number })[]
  readonly suppliers: Contact[]
  readonly customers: Contact[]
  readonly products: Product[]
  readonly sales: Sale[]
  readonly purchases: Purchase[]
  readonly tasks: Readonly<Record<TaskKind, Task[]>>
  readonly leads: readonly Lead[]
  /** The id of whatever has no other: always the same for a word and a number. */
  idOf(word: string, number?: number): string
}

export const taxPercent = 15
export const dayMs = 86_400_000

export function rateOf({ currency }: Contact): number {
  return currency === 'NZD' ? 1 : 0.9134567891
}

/** Everything but the trade, which `trade.ts` adds. */
export function foundCompany(seed: number, size: Size, now: number): Company {
  const random = seeded(seed)
  const named = (names: readonly string[]): Named[] => names.map((Name) => ({ ID: random.guid(), Name }))
  const locations = named(['Main Warehouse', 'Shop'])
  const suppliers = Array.from({ length: size.suppliers }, (_, index) => makeContact(random, 'supplier', index, now))
  const customers = Array.from({ length: size.customers }, (_, index) => makeContact(random, 'customer', index, now))
  const company: Company = {
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
  return seeded(mixed).guid()
}

function makeContact(random: Random, kind: Contact['kind'], index: number, now: number): Contact {
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
  { random, locations, categories, brands, suppliers }: Company,
  index: number,
  now: number,
): Product {
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
