/** Simulated trade: invoices are posted with their entries, orders come and go, master data is edited and removed. */
import { accounts, foundCompany, newId, rowsOf, vatPercent } from './company.ts'
import type { SimulatedUnicontaCompany, UnicontaCompanySize } from './company.ts'
import { addLedger, centsOf, dimensionsOf, openJournal, sumLedger } from './ledger.ts'
import type { JournalPosting } from './ledger.ts'
import { day, dayMs, ExactNumber, money, instant, noDate } from './rows.ts'
import type { UnicontaRow } from './rows.ts'

export function makeCompany(
  seed: number,
  place: number,
  size: UnicontaCompanySize,
  now: number,
): SimulatedUnicontaCompany {
  const company = foundCompany(seed, place, size, now)
  const { random } = company
  const spread = (index: number, count: number): number =>
    now - Math.floor(((count - index) / count) * size.days * dayMs)
  for (let index = 0; index < size.invoices; index += 1) postInvoice(company, spread(index, size.invoices))
  for (let index = 0; index < size.purchases; index += 1) postPurchase(company, spread(index, size.purchases))
  for (let index = 0; index < size.orders; index += 1) addOrder(company, now - random.between(0, 20) * dayMs)
  sumLedger(company)
  return company
}

/** Limits growth: a company posts at most this multiple of its initial postings. */
const growthMax = 3

/** Simulates one step: posts, edits and removes something. */
export function simulateStep(company: SimulatedUnicontaCompany, now: number): void {
  const { random, size } = company
  if (rowsOf(company, 'DebtorInvoiceClient').length < size.invoices * growthMax) {
    postInvoice(company, now)
    if (random.next() < 0.4) postPurchase(company, now)
    if (random.next() < 0.3) postLate(company, now)
  }
  if (random.next() < 0.6) addOrder(company, now)
  if (random.next() < 0.5 || rowsOf(company, 'DebtorOrderClient').length > size.orders * growthMax)
    invoiceOrder(company)
  if (random.next() < 0.5)
    random.pick(rowsOf(company, 'DebtorClient'))['Note'] = `Set efter ${random.between(1, 9_999)}`
  if (random.next() < 0.3)
    random.pick(rowsOf(company, 'InvItemClient'))['SalesPrice1'] = money(random.between(900, 90_000))
  sumLedger(company)
}

/** Removes existing rows: a customer, an item with its stock, an open order, and a posting. */
export function removeSome(company: SimulatedUnicontaCompany): void {
  const { random } = company
  const take = (set: string): UnicontaRow | undefined => {
    const rows = rowsOf(company, set)
    return rows.splice(random.between(0, rows.length - 1), 1)[0]
  }
  take('DebtorClient')
  const item = take('InvItemClient')?.['Item']
  const storage = rowsOf(company, 'InvItemStorageClient')
  for (let at = storage.length - 1; at >= 0; at -= 1) if (storage[at]?.['Item'] === item) storage.splice(at, 1)
  invoiceOrder(company)
  take('DebtorInvoiceLines')
  take('GLTransClient')
}

function postInvoice(company: SimulatedUnicontaCompany, at: number): void {
  const { random, next } = company
  const debtor = random.pick(rowsOf(company, 'DebtorClient'))
  const InvoiceNumber = next.invoice++
  const lines = Array.from({ length: random.between(1, 5) }, (_, index) =>
    invoiceLine(company, { debtor, InvoiceNumber, at, index }),
  )
  rowsOf(company, 'DebtorInvoiceLines').push(...lines.map(({ row }) => row))
  const net = lines.reduce((sum, { cents }) => sum + cents, 0)
  const cost = lines.reduce((sum, { costCents }) => sum + costCents, 0)
  const vat = Math.round((net * vatPercent) / 100)
  const posting = openJournal(company, at, lines.length + 3)
  const DueDate = day(at + 30 * dayMs)
  rowsOf(company, 'DebtorInvoiceClient').push({
    PrimaryKeyId: newId(company),
    Account: debtor['Account'] ?? null,
    Name: debtor['Name'] ?? null,
    InvoiceNumber,
    OrderNumber: null,
    Date: day(at),
    DueDate,
    Payment: debtor['Payment'] ?? null,
    NetAmount: money(net),
    VatAmount: money(vat),
    TotalAmount: money(net + vat),
    Vat: 'U25',
    Currency: 'DKK',
    ExchangeRate: new ExactNumber('7.4601234567'),
    CostValue: money(cost),
    Margin: money(net - cost),
    MarginRatio: Math.round(((net - cost) / net) * 1_000_000) / 10_000,
    ...posting,
    DeliveryCountry: debtor['Country'] ?? null,
    SendTime: random.next() < 0.3 ? noDate : instant(at + 3_600_123),
    ...dimensionsOf(company),
  })
  const Text = `Faktura ${InvoiceNumber}`
  addLedger(company, { at, posting, account: accounts.sales, cents: -net, Text, Vat: 'U25' })
  addLedger(company, { at, posting, account: accounts.vat, cents: -vat, Text, Vat: null })
  addLedger(company, { at, posting, account: accounts.debtors, cents: net + vat, Text, Vat: null })
  const entry = { Account: debtor['Account'] ?? null, InvoiceNumber, DueDate }
  rowsOf(company, 'DebtorTransClient').push({
    PrimaryKeyId: newId(company),
    ...entry,
    Date: day(at),
    Text,
    Amount: money(net + vat),
    ...posting,
  })
  rowsOf(company, 'DebtorTransOpenClient').push({ RowId: newId(company), ...entry, AmountOpen: money(net + vat) })
  for (const { item, quantity, costCents } of lines)
    moveStock(company, { at, posting, item, quantity: -quantity, costCents, InvoiceNumber })
}

interface SoldItem {
  readonly debtor: UnicontaRow
  readonly InvoiceNumber: number
  readonly at: number
  readonly index: number
}

function invoiceLine(company: SimulatedUnicontaCompany, { debtor, InvoiceNumber, at, index }: SoldItem) {
  const { random } = company
  const item = random.pick(rowsOf(company, 'InvItemClient'))
  const quantity = random.between(1, 12)
  const cents = quantity * centsOf(item['SalesPrice1'])
  const costCents = quantity * centsOf(item['CostPrice'])
  const row: UnicontaRow = {
    PrimaryKeyId: newId(company),
    InvoiceNumber,
    LineNumber: index + 1,
    Date: day(at),
    Account: debtor['Account'] ?? null,
    Item: item['Item'] ?? null,
    Text: item['Name'] ?? null,
    Qty: quantity,
    Price: item['SalesPrice1'] ?? null,
    NetAmount: money(cents),
    CostValue: money(costCents),
  }
  return { row, item, quantity, cents, costCents }
}

function postPurchase(company: SimulatedUnicontaCompany, at: number): void {
  const { random } = company
  const vendor = random.pick(rowsOf(company, 'CreditorClient'))
  const item = random.pick(rowsOf(company, 'InvItemClient'))
  const quantity = random.between(10, 80)
  const net = quantity * centsOf(item['CostPrice'])
  const vat = Math.round((net * vatPercent) / 100)
  const posting = openJournal(company, at, 3)
  const entry = {
    Account: vendor['Account'] ?? null,
    InvoiceNumber: `L-${random.between(10_000, 99_999)}`,
    Date: day(at),
  }
  const DueDate = day(at + 14 * dayMs)
  rowsOf(company, 'CreditorInvoiceClient').push({
    PrimaryKeyId: newId(company),
    ...entry,
    Name: vendor['Name'] ?? null,
    DueDate,
    NetAmount: money(net),
    VatAmount: money(vat),
    TotalAmount: money(net + vat),
    ...posting,
  })
  const Text = `Køb ${entry.InvoiceNumber}`
  addLedger(company, { at, posting, account: accounts.inventory, cents: net, Text, Vat: 'I25' })
  addLedger(company, { at, posting, account: accounts.vat, cents: vat, Text, Vat: null })
  addLedger(company, { at, posting, account: accounts.creditors, cents: -net - vat, Text, Vat: null })
  const Amount = money(-net - vat)
  rowsOf(company, 'CreditorTransClient').push({
    PrimaryKeyId: newId(company),
    ...entry,
    Text,
    Amount,
    DueDate,
    ...posting,
  })
  moveStock(company, { at, posting, item, quantity, costCents: net, InvoiceNumber: null })
}

/** Posts a journal today with a date of months ago, as accountants do before closing a year. */
function postLate(company: SimulatedUnicontaCompany, now: number): void {
  const { random } = company
  const at = now - random.between(80, 200) * dayMs
  const posting = openJournal(company, now, 2)
  const cents = random.between(1_000, 90_000)
  addLedger(company, { at, posting, account: accounts.freight, cents, Text: 'Efterpostering', Vat: null })
  addLedger(company, { at, posting, account: accounts.bank, cents: -cents, Text: 'Efterpostering', Vat: null })
}

function addOrder(company: SimulatedUnicontaCompany, at: number): void {
  const { random, next } = company
  const OrderNumber = next.order++
  const lines = Array.from({ length: random.between(1, 4) }, (_, index) => {
    const item = random.pick(rowsOf(company, 'InvItemClient'))
    const Qty = random.between(1, 9)
    const cents = Qty * centsOf(item['SalesPrice1'])
    const row = { OrderNumber, LineNumber: index + 1, Item: item['Item'] ?? null, Text: item['Name'] ?? null, Qty }
    return { cents, row: { ...row, Price: item['SalesPrice1'] ?? null, Total: money(cents) } }
  })
  rowsOf(company, 'DebtorOrderLineClient').push(...lines.map(({ row }) => row))
  rowsOf(company, 'DebtorOrderClient').push({
    OrderNumber,
    Account: random.pick(rowsOf(company, 'DebtorClient'))['Account'] ?? null,
    Created: instant(at),
    DeliveryDate: random.next() < 0.3 ? noDate : day(at + 5 * dayMs),
    OurRef: null,
    OrderTotal: money(lines.reduce((sum, { cents }) => sum + cents, 0)),
  })
}

/** An invoiced order is removed with its lines. */
function invoiceOrder(company: SimulatedUnicontaCompany): void {
  const OrderNumber = rowsOf(company, 'DebtorOrderClient').shift()?.['OrderNumber']
  const lines = rowsOf(company, 'DebtorOrderLineClient')
  for (let at = lines.length - 1; at >= 0; at -= 1) if (lines[at]?.['OrderNumber'] === OrderNumber) lines.splice(at, 1)
}

interface StockMovement {
  readonly at: number
  readonly posting: JournalPosting
  readonly item: UnicontaRow
  readonly quantity: number
  readonly costCents: number
  readonly InvoiceNumber: number | null
}

function moveStock(
  company: SimulatedUnicontaCompany,
  { at, posting, item, quantity, costCents, InvoiceNumber }: StockMovement,
): void {
  const stock = rowsOf(company, 'InvItemStorageClient').find(({ Item }) => Item === item['Item'])
  if (stock !== undefined) stock['Qty'] = Number(stock['Qty']) + quantity
  rowsOf(company, 'InvTransClient').push({
    PrimaryKeyId: newId(company),
    Item: item['Item'] ?? null,
    Date: day(at),
    Qty: quantity,
    CostValue: money(Math.sign(quantity) * costCents),
    MovementType: quantity < 0 ? 'Debtor' : 'Creditor',
    InvoiceNumber,
    ...posting,
  })
}
