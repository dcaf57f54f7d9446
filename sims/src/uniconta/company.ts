/** Generates the small trading companies of one login. Every entity set is a list of rows in the API's format. */
import { createRandom } from '../random.ts'
import type { Random } from '../random.ts'
import { adjectives, cities, firstNames, kinds, lastNames, makers, places, things, trades } from '../fictional-names.ts'
import { entitySets } from './entity-sets.ts'
import type { UnicontaEntitySet } from './entity-sets.ts'
import { dayMs, ExactNumber, money, instant } from './rows.ts'
import type { UnicontaRow } from './rows.ts'

export interface UnicontaCompanySize {
  readonly customers: number
  readonly vendors: number
  readonly items: number
  readonly invoices: number
  readonly purchases: number
  readonly orders: number
  /** How many days of postings. */
  readonly days: number
}

export const trialSize: UnicontaCompanySize = {
  customers: 40,
  vendors: 12,
  items: 30,
  invoices: 130,
  purchases: 45,
  orders: 12,
  days: 420,
}

export interface SimulatedUnicontaCompany {
  readonly id: number
  readonly name: string
  readonly size: UnicontaCompanySize
  readonly random: Random
  /** Keyed by name; `…User` sets have the same rows with the customer's own fields. */
  readonly sets: Map<string, UnicontaEntitySet>
  readonly rows: Map<string, UnicontaRow[]>
  /** The next number of each series. */
  readonly next: { row: number; invoice: number; voucher: number; journal: number; order: number }
}

export const accounts = {
  sales: '1010',
  costOfGoods: '2110',
  freight: '3120',
  inventory: '5510',
  debtors: '5600',
  bank: '5820',
  creditors: '6800',
  vat: '6910',
} as const

export const vatPercent = 25

export function foundCompany(
  seed: number,
  place: number,
  size: UnicontaCompanySize,
  now: number,
): SimulatedUnicontaCompany {
  const company: SimulatedUnicontaCompany = {
    id: [4_415, 4_416, 7_002][place] ?? 9_000 + place,
    name: `Nordlys ${['Handel', 'Ejendomme', 'Leasing'][place] ?? `Selskab ${place + 1}`} ApS`,
    size,
    random: createRandom(seed + place * 101),
    sets: entitySets(place),
    rows: new Map(),
    next: { row: 1_000 * (place + 1), invoice: 5_001, voucher: 701, journal: 11, order: 3_001 },
  }
  for (const name of company.sets.keys()) company.rows.set(name, [])
  addTables(company)
  for (let index = 0; index < size.customers; index += 1) addCustomer(company, index, now)
  for (let index = 0; index < size.vendors; index += 1) addVendor(company, index, now)
  for (let index = 0; index < size.items; index += 1) addItem(company, index)
  addStaff(company, now)
  return company
}

/** The rows of a set, by either of its two names. */
export function rowsOf({ rows }: SimulatedUnicontaCompany, set: string): UnicontaRow[] {
  return rows.get(set.replace(/User$/, '')) ?? rows.get(set) ?? []
}

export function newId({ next }: SimulatedUnicontaCompany): number {
  next.row += 1
  return next.row
}

function addTables(company: SimulatedUnicontaCompany): void {
  const { id, name } = company
  rowsOf(company, 'CompanyClient').push({
    PrimaryKeyId: id,
    CompanyName: name,
    Email: `post${id}@nordlys.example`,
    ScanMail: `scan${id}@nordlys.example`,
    Currency: 'DKK',
    Logo: 'iVBORw0KGgo=',
  })
  const described: readonly (readonly [string, string, string])[] = [
    [accounts.sales, 'Salg', 'Revenue'],
    [accounts.costOfGoods, 'Vareforbrug', 'CostOfGoodsSold'],
    [accounts.freight, 'Fragt', 'Expense'],
    [accounts.inventory, 'Varelager', 'Inventory'],
    [accounts.debtors, 'Debitorer', 'Debtor'],
    [accounts.bank, 'Bank, "drift"', 'Bank'],
    [accounts.creditors, 'Kreditorer', 'Creditor'],
    [accounts.vat, 'Salgsmoms 25\\100', 'Vat'],
  ]
  for (const [Account, Name, AccountType] of described) {
    const Vat = AccountType === 'Revenue' ? 'U25' : null
    rowsOf(company, 'GLAccountClient').push({
      RowId: newId(company),
      Account,
      Name,
      AccountType,
      Vat,
      IsBlocked: false,
      Balance: money(0),
    })
  }
  rowsOf(company, 'GLVatClient').push(
    { Vat: 'U25', Name: 'Udgående 25 %', Rate: 25 },
    { Vat: 'I25', Name: 'Indgående 25 %', Rate: 25 },
  )
  rowsOf(company, 'PaymentTermClient').push(
    { Payment: 'N8', Name: 'Netto 8 dage', Days: 8 },
    { Payment: 'N30', Name: 'Netto 30', Days: 30 },
  )
  rowsOf(company, 'DebtorGroupClient').push(
    { Group: 'DK', Name: 'Danske kunder' },
    { Group: 'EU', Name: 'Kunder i EU' },
  )
  rowsOf(company, 'CreditorGroupClient').push({ Group: 'DK', Name: 'Danske leverandører' })
  for (const kind of kinds) rowsOf(company, 'InvGroupClient').push({ Group: kind.slice(0, 4), Name: kind })
  rowsOf(company, 'InvWarehouseClient').push(
    { Warehouse: 'HOVED', Name: 'Hovedlager' },
    { Warehouse: 'BUTIK', Name: 'Butik' },
  )
}

function addCustomer(company: SimulatedUnicontaCompany, index: number, now: number): void {
  const { random } = company
  const city = random.pick(cities)
  rowsOf(company, 'DebtorClient').push({
    RowId: newId(company),
    Account: String(1_001 + index),
    Group: random.next() < 0.8 ? 'DK' : 'EU',
    Name: `${random.pick(places)} ${random.pick(trades)} ${index + 1}`,
    Address1: `Prøvevej ${random.between(1, 99)}`,
    Address2: null,
    ZipCode: city.Postcode,
    City: city.City,
    Country: random.pick(['Denmark', 'Denmark', 'Norway', 'Sweden']),
    Phone: `55${random.between(100_000, 999_999)}`,
    ContactEmail: `kunde${index + 1}@mail.example`,
    CompanyRegNo: '00000000',
    Currency: 'DKK',
    Payment: random.pick(['N8', 'N30']),
    Vat: 'U25',
    VatZone: 'Domestic',
    CreditMax: money(random.between(0, 40) * 250_000),
    Created: instant(now - random.between(30, 900) * dayMs + random.between(0, 86_399_000)),
    Note: random.next() < 0.2 ? 'Betaler til tiden.\nRing før levering:\tsidedør.' : null,
    Region: random.pick(['Nord', 'Syd', 'Øst', null]),
    LoyaltyPoints: random.between(0, 4_000),
    AnnualTarget: new ExactNumber(`${random.between(1, 9)}2345678901234.56789${random.between(1, 9)}`),
    Sector: random.pick(['Bolig', 'Erhverv']),
  })
}

function addVendor(company: SimulatedUnicontaCompany, index: number, now: number): void {
  const { random } = company
  const city = random.pick(cities)
  rowsOf(company, 'CreditorClient').push({
    RowId: newId(company),
    Account: String(20_001 + index),
    Group: 'DK',
    Name: makers[index % makers.length] ?? '',
    Address1: `Industrivej ${random.between(1, 40)}`,
    ZipCode: city.Postcode,
    City: city.City,
    Country: 'Denmark',
    Currency: 'DKK',
    Payment: 'N30',
    Created: instant(now - random.between(30, 900) * dayMs),
  })
}

function addItem(company: SimulatedUnicontaCompany, index: number): void {
  const { random } = company
  const costCents = random.between(150, 24_000)
  const Item = `V-${String(index + 1).padStart(4, '0')}`
  rowsOf(company, 'InvItemClient').push({
    RowId: newId(company),
    Item,
    Name: `${random.pick(adjectives)} ${random.pick(things)}`,
    Group: random.pick(kinds).slice(0, 4),
    SalesPrice1: money(Math.round(costCents * (1.3 + random.next()))),
    CostPrice: money(costCents),
    EAN: `570${String(index).padStart(10, '0')}`,
    Weight: random.between(1, 400) / 100,
    Unit: 'Stk',
    Blocked: random.next() < 0.05,
    Image: null,
    Shelf: `A-${random.between(1, 20)}`,
    Organic: random.next() < 0.3,
  })
  for (const Warehouse of ['HOVED', 'BUTIK']) {
    const Qty = random.between(5, 300)
    rowsOf(company, 'InvItemStorageClient').push({
      Item,
      Variant1: null,
      Variant2: null,
      Warehouse,
      Location: null,
      Qty,
      QtyReserved: 0,
    })
  }
}

function addStaff(company: SimulatedUnicontaCompany, now: number): void {
  const { random } = company
  for (let number = 1; number <= 6; number += 1) {
    const Name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
    const Hired = instant(now - random.between(100, 2_000) * dayMs)
    rowsOf(company, 'EmployeeClient').push({
      Number: String(number).padStart(3, '0'),
      Name,
      Email: `m${number}@nordlys.example`,
      Hired,
    })
  }
  for (let note = 1; note <= 3; note += 1)
    rowsOf(company, 'UserNotesClient').push({ KeyStr: '9900', Text: 'Husk moms', Created: instant(now - note * dayMs) })
}
