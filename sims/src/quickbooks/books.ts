/** Master data and activity of a simulated company of QuickBooks Online. */
import { firstNames, lastNames, places } from '../fictional-names.ts'
import type { Entity, QuickBooksCompany, QuickBooksRecord } from './company.ts'
import { documentKinds, makeDocument, money, ref } from './documents.ts'

const dayMs = 86_400_000

/** @param size how many documents there are, dated over the last months */
export function openBooks(company: QuickBooksCompany, size: number): void {
  makeMasterData(company)
  const { random, clock } = company
  for (let index = 0; index < size; index += 1) {
    const kind = documentKinds[index % documentKinds.length] ?? 'Invoice'
    company.add(kind, makeDocument(company, kind, clock.now() - random.between(0, 120) * dayMs))
  }
}

/** Some documents are added, changed and deleted, and a customer is deactivated or renamed. */
export function trade(company: QuickBooksCompany, steps: number): void {
  const { random, clock } = company
  for (let step = 0; step < steps; step += 1) {
    const kind = random.pick(documentKinds)
    company.add(kind, makeDocument(company, kind, clock.now() - random.between(0, 40) * dayMs))
    changeOne(company, random.pick(documentKinds))
    const gone = random.pick(documentKinds)
    const old = company.all(gone)
    if (random.next() < 0.5 && old.length > 4) company.remove(gone, random.pick(old).Id)
    const customer = random.pick(company.all('Customer'))
    company.change('Customer', customer.Id, { Active: random.next() < 0.8, Notes: `Visit ${random.between(1, 99)}` })
  }
}

/** The document gets another date and other lines. */
function changeOne(company: QuickBooksCompany, kind: (typeof documentKinds)[number]): void {
  const { random, clock } = company
  const documents = company.all(kind)
  if (documents.length === 0) return
  const { Id } = random.pick(documents)
  company.change(kind, Id, makeDocument(company, kind, clock.now() - random.between(0, 90) * dayMs))
}

const accounts: readonly (readonly [string, string, string])[] = [
  ['Checking', 'Bank', 'Asset'],
  ['Savings', 'Bank', 'Asset'],
  ['Accounts Receivable (A/R)', 'Accounts Receivable', 'Asset'],
  ['Undeposited Funds', 'Other Current Asset', 'Asset'],
  ['Accounts Payable (A/P)', 'Accounts Payable', 'Liability'],
  ['Mastercard', 'Credit Card', 'Liability'],
  ['Sales Tax Payable', 'Other Current Liability', 'Liability'],
  ['Opening Balance Equity', 'Equity', 'Equity'],
  ['Retained Earnings', 'Equity', 'Equity'],
  ['Design income', 'Income', 'Revenue'],
  ['Landscaping Services', 'Income', 'Revenue'],
  ['Discounts given', 'Income', 'Revenue'],
  ['Job Materials', 'Cost of Goods Sold', 'Expense'],
  ['Office Supplies', 'Expense', 'Expense'],
  ['Rent', 'Expense', 'Expense'],
  ['Bank Charges', 'Expense', 'Expense'],
]

function makeMasterData(company: QuickBooksCompany): void {
  const made = accounts.map(([name, type, classification], index) =>
    company.add('Account', {
      Name: name,
      FullyQualifiedName: name,
      AcctNum: String(1_000 + index * 10),
      Active: true,
      SubAccount: false,
      AccountType: type,
      AccountSubType: type.replaceAll(' ', ''),
      Classification: classification,
      CurrentBalance: 0,
      CurrentBalanceWithSubAccounts: 0,
      CurrencyRef: ref('USD', 'United States Dollar'),
    }),
  )
  makeTaxes(company)
  for (const [name, days] of [
    ['Due on receipt', 0],
    ['Net 30', 30],
  ] as const)
    company.add('Term', { Name: name, Active: true, Type: 'STANDARD', DueDays: days, DiscountPercent: 0 })
  const [design] = named(company, 'Class', ['Design', 'Gardens'])
  company.add('Class', { ...namesOf('Roses', design), SubClass: true, ParentRef: ref(design?.Id ?? '') })
  named(company, 'Department', ['North', 'South'])
  makePeople(company)
  makeItems(company, made)
}

function named(company: QuickBooksCompany, entity: Entity, names: readonly string[]): readonly QuickBooksRecord[] {
  return names.map((name) => company.add(entity, { ...namesOf(name), [`Sub${entity}`]: false }))
}

function namesOf(name: string, parent?: QuickBooksRecord) {
  const above = parent === undefined ? '' : `${String(parent['FullyQualifiedName'])}:`
  return { Name: name, FullyQualifiedName: `${above}${name}`, Active: true }
}

function makeTaxes(company: QuickBooksCompany): void {
  const rate = company.add('TaxRate', {
    Name: 'California',
    Description: 'Sales tax',
    Active: true,
    RateValue: 8,
    AgencyRef: ref('1'),
    SpecialTaxType: 'NONE',
    DisplayType: 'ReadOnly',
  })
  const detail = { TaxTypeApplicable: 'TaxOnAmount', TaxRateRef: ref(rate.Id, 'California'), TaxOrder: 0 }
  company.add('TaxCode', {
    Name: 'California',
    Description: 'California',
    Active: true,
    Taxable: true,
    TaxGroup: true,
    SalesTaxRateList: { TaxRateDetail: [detail] },
    PurchaseTaxRateList: { TaxRateDetail: [] },
  })
}

function makePeople(company: QuickBooksCompany): void {
  const { random } = company
  for (let index = 0; index < 24; index += 1) {
    const name = `${random.pick(places)} ${random.pick(lastNames)} ${index}`
    const person = {
      DisplayName: name,
      CompanyName: name,
      GivenName: random.pick(firstNames),
      FamilyName: random.pick(lastNames),
      // QuickBooks leaves members without a value out.
      ...(index % 3 !== 0 && { PrimaryEmailAddr: { Address: `office${index}@example.com` } }),
      PrimaryPhone: { FreeFormNumber: `(555) 555-01${String(index).padStart(2, '0')}` },
      BillAddr: { Id: String(900 + index), Line1: '1 Main Street', City: 'San Mateo', PostalCode: '94403' },
      Balance: money(random.between(0, 900_000)),
      CurrencyRef: ref('USD', 'United States Dollar'),
    }
    if (index % 2 === 0)
      company.add('Customer', {
        ...person,
        FullyQualifiedName: name,
        Active: index % 7 !== 0,
        Job: false,
        Taxable: true,
        BalanceWithJobs: 0,
      })
    else company.add('Vendor', { ...person, Active: index % 5 !== 0, Vendor1099: false })
  }
}

function makeItems(company: QuickBooksCompany, made: readonly QuickBooksRecord[]): void {
  const { random } = company
  const income = made.filter(({ AccountType }) => AccountType === 'Income')
  const costs = made.find(({ AccountType }) => AccountType === 'Cost of Goods Sold')
  for (const name of ['Rock Fountain', 'Pump', 'Concrete', 'Gardening', 'Custom Design'])
    company.add('Item', {
      ...namesOf(name),
      Description: name,
      Type: 'NonInventory',
      SubItem: false,
      Taxable: true,
      UnitPrice: money(random.between(900, 40_000)),
      PurchaseCost: money(random.between(500, 20_000)),
      TrackQtyOnHand: false,
      IncomeAccountRef: ref(random.pick(income).Id),
      ExpenseAccountRef: ref(costs?.Id ?? ''),
    })
}
