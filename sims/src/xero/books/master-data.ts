/** Master data of a new company: contacts, items, tracking categories, users and budgets. */
import type { Random } from '../../random.ts'
import { adjectives, cities, firstNames, lastNames, makers, places, things, trades } from '../../fictional-names.ts'
import { accountOf } from './chart-of-accounts.ts'
import { dayMs, midnight } from './company.ts'
import type { XeroCompany, XeroCompanySize } from './company.ts'
import { makeDocument, pickContact } from './invoices-and-payments.ts'
import { agreementLine } from './other-transactions.ts'
import type {
  XeroBudget,
  XeroContact,
  ContactGroup,
  XeroItem,
  LinkedTransaction,
  RepeatingInvoice,
  TrackingCategory,
  XeroUser,
} from './records.ts'

export const makeGroups = (random: Random, names: readonly string[]): ContactGroup[] =>
  names.map((name) => ({ id: random.guid(), name }))

export function makeTracking(random: Random): TrackingCategory[] {
  const option = (name: string) => ({ id: random.guid(), name, status: 'ACTIVE' as const })
  return [
    { ...option('Region'), options: ['North', 'South', 'Eastside', 'West Coast'].map(option) },
    { ...option('Project'), options: ['Refit', 'Fair'].map(option) },
  ]
}

export function makeUsers(random: Random, at: number): XeroUser[] {
  return ['FINANCIALADVISER', 'STANDARD', 'READONLY'].map((role, index) => {
    const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
    return { id: random.guid(), email: `user${index + 1}@books.example`, firstName, lastName, role, updatedAt: at }
  })
}

interface ContactsInput {
  readonly size: XeroCompanySize
  readonly founded: { readonly currency: string }
  readonly groups: readonly ContactGroup[]
  readonly at: number
}

const foreign: Readonly<Record<string, number>> = { USD: 0.6123456789, EUR: 0.5587, AUD: 0.9134567891 }

export function makeContacts(random: Random, { size, founded, groups, at }: ContactsInput): XeroContact[] {
  return Array.from({ length: size.contacts }, (_, index) => {
    const isSale = index % 2 === 0
    // The first contacts of either side are domestic, so that at least one always exists.
    const other = random.pick(Object.keys(foreign))
    const currency = index < 4 || random.next() < 0.82 ? founded.currency : other
    const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
    return {
      id: random.guid(),
      number: `C-${index + 1}`,
      name: `${random.pick(isSale ? places : makers)} ${isSale ? random.pick(trades) : 'Ltd'} ${index + 1}`,
      firstName,
      lastName,
      email: `accounts${index + 1}@mail.example`,
      side: isSale ? 'sell' : 'buy',
      currency,
      rate: currency === founded.currency ? 1 : (foreign[currency] ?? 1),
      place: random.pick(cities),
      phone: `555${random.between(1_000, 9_999)}`,
      people:
        random.next() < 0.3
          ? [{ firstName: random.pick(firstNames), lastName: random.pick(lastNames), email: `p${index}@mail.example` }]
          : [],
      groups: random.next() < 0.25 ? [random.pick(groups)] : [],
      status: 'ACTIVE',
      updatedAt: at + index,
    }
  })
}

export function makeItems(random: Random, size: XeroCompanySize, at: number): XeroItem[] {
  return Array.from({ length: size.items }, (_, index) => makeItem(random, index + 1, at + index))
}

export function makeItem(random: Random, number: number, at: number): XeroItem {
  const name = `${random.pick(adjectives)} ${random.pick(things)}`
  const buyUnits = random.between(20_000, 1_200_000)
  return {
    id: random.guid(),
    code: `IT-${String(number).padStart(3, '0')}`,
    name: name.slice(0, 50),
    description: `${name}, each`,
    isTracked: number % 6 === 1,
    buyUnits,
    saleUnits: Math.round(buyUnits * (1.2 + random.next())),
    updatedAt: at,
  }
}

export function makeRepeating(company: XeroCompany, now: number): RepeatingInvoice[] {
  return (['sell', 'buy', 'buy'] as const).map((side, index) => {
    const contact = pickContact(company, side)
    const lines = [agreementLine(company, side === 'sell' ? '200' : '469', 1_200_000)]
    const type = side === 'sell' ? 'ACCREC' : 'ACCPAY'
    const document = makeDocument(company, {
      type,
      number: '',
      contact,
      lines,
      lineAmountTypes: 'Exclusive',
      at: company.foundedAt,
    })
    return { document, period: 1, unit: index === 2 ? 'WEEKLY' : 'MONTHLY', nextDate: midnight(now) + 9 * dayMs }
  })
}

/** Bills whose costs are passed on to a customer. */
export function makeLinked({ random, invoices, contacts }: XeroCompany): LinkedTransaction[] {
  const [customer] = contacts
  const bills = invoices.filter(({ type, journal }) => type === 'ACCPAY' && journal !== null).slice(0, 120)
  if (customer === undefined) return []
  return bills.flatMap((bill, index) => {
    const [line] = bill.lines
    const invoice =
      index % 2 === 0 ? (invoices.find(({ type, contact }) => type === 'ACCREC' && contact === customer) ?? null) : null
    return line === undefined ? [] : [{ id: random.guid(), bill, line, customer, invoice, updatedAt: bill.updatedAt }]
  })
}

export function makeBudgets(company: XeroCompany): XeroBudget[] {
  const { random, foundedAt, tracking } = company
  const first = new Date(foundedAt)
  const months = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index)).toISOString().slice(0, 7),
  )
  const line = (code: string) => ({
    account: accountOf(company, code),
    balances: months.map((month) => ({ month, cents: random.between(100, 9_000) * 100 })),
  })
  const [category] = tracking
  const [option] = category?.options ?? []
  const tracked = category !== undefined && option !== undefined ? [{ category, option }] : []
  return [
    {
      id: random.guid(),
      type: 'OVERALL',
      description: '',
      tracking: [],
      lines: ['200', '310', '469'].map(line),
      updatedAt: foundedAt,
    },
    {
      id: random.guid(),
      type: 'TRACKING',
      description: 'The north',
      tracking: tracked,
      lines: ['200'].map(line),
      updatedAt: foundedAt,
    },
  ]
}
