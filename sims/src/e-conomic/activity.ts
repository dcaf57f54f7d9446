/** What happens in the simulated e-conomic agreement: it is filled, and invoices, payments and purchases are booked. */
import { type Agreement, type BookedInvoice, book, grossOf, netOf, vatOf } from './agreement.ts'
import { money } from './money.ts'
import type { OpenRecord } from './records.ts'

const dayMs = 86_400_000

function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

const places = ['Odense', 'Aarhus', 'Ærøskøbing', 'København Ø', 'Løgstør'] as const

/** @param size how many vouchers were booked before */
export function openAgreement(agreement: Agreement, size: number): void {
  const { random, products, suppliers, years } = agreement
  for (let at = 0; at < 6 + size / 20; at += 1) addCustomer(agreement)
  for (let at = 1; at <= 8; at += 1)
    suppliers.push({
      supplierNumber: 50_000 + at,
      name: `Leverandør ${at}`,
      currency: at === 3 ? 'EUR' : 'DKK',
      supplierGroup: { supplierGroupNumber: 1 },
      paymentTerms: { paymentTermsNumber: 1 },
      vatZone: { vatZoneNumber: at === 3 ? 2 : 1 },
      costAccount: { accountNumber: 1310 },
      ...(at === 8 && { barred: true }),
    })
  for (let at = 1; at <= 12; at += 1)
    products.push({
      productNumber: at === 5 ? 'Kaffe & the/5%' : `V-${String(at).padStart(3, '0')}`,
      name: `Vare ${at}`,
      productGroup: { productGroupNumber: 1 + (at % 2) },
      salesPrice: money(random.between(500, 250_000)),
      costPrice: money(random.between(100, 90_000)),
      unit: { unitNumber: 1, name: 'stk.' },
      lastUpdated: `${agreement.today()}T08:53:29Z`,
    })
  const first = Date.parse(years[0]?.from ?? '')
  const span = Date.parse(agreement.today()) - first
  for (let at = 0; at < size; at += 1)
    happen(agreement, new Date(first + (span * at) / size).toISOString().slice(0, 10))
  for (let at = 0; at < 5; at += 1) addDraft(agreement)
}

/** Some activity of today, some of it dated back. */
export function trade(agreement: Agreement, times: number): void {
  const { random } = agreement
  for (let at = 0; at < times; at += 1) {
    happen(agreement, plusDays(agreement.today(), random.next() < 0.2 ? -random.between(1, 40) : 0))
    const dice = random.next()
    if (dice < 0.2) addCustomer(agreement)
    else if (dice < 0.4) changeCustomer(agreement)
    else if (dice < 0.55) addDraft(agreement)
    else if (dice < 0.7) agreement.drafts.shift()
    else if (dice < 0.8) sendOrder(agreement)
    else if (dice < 0.9) agreement.customers.pop()
  }
}

function happen(agreement: Agreement, date: string): void {
  const dice = agreement.random.next()
  if (dice < 0.5) bookInvoice(agreement, date)
  else if (dice < 0.75) bookPayment(agreement, date)
  else bookPurchase(agreement, date)
}

function addCustomer(agreement: Agreement): void {
  const { random, customers } = agreement
  const customerNumber = agreement.next('customer')
  const currency = customerNumber % 5 === 0 ? 'EUR' : 'DKK'
  customers.push({
    customerNumber,
    name: `Kunde ${customerNumber} ${random.pick(['ApS', 'A/S', 'I/S'])}`,
    currency,
    customerGroup: { customerGroupNumber: currency === 'DKK' ? 1 : 2 },
    paymentTerms: { paymentTermsNumber: 1 },
    vatZone: { vatZoneNumber: 1 },
    balance: money(random.between(-5_000, 500_000)),
    city: random.pick(places),
    country: 'Danmark',
    corporateIdentificationNumber: String(random.between(10_000_000, 39_999_999)),
    lastUpdated: `${agreement.today()}T09:00:00Z`,
    ...(customerNumber % 7 === 0 && { barred: true, creditLimit: money(1_000_000) }),
  })
}

function changeCustomer({ customers, random, today }: Agreement): void {
  if (customers.length === 0) return
  Object.assign(random.pick(customers), { city: random.pick(places), lastUpdated: `${today()}T10:00:00Z` })
}

function bookInvoice(agreement: Agreement, date: string): void {
  const { random, customers, products, invoices } = agreement
  const customer = random.pick(customers)
  const currency = String(customer['currency'])
  const rate = currency === 'DKK' ? 100 : 746.05
  const sign = random.next() < 0.1 ? -1 : 1
  const invoice: BookedInvoice = {
    number: agreement.next('invoice'),
    date,
    dueDate: plusDays(date, 14),
    customer: Number(customer['customerNumber']),
    currency,
    rate,
    lines: Array.from({ length: random.between(1, 4) }, (_, at) => ({
      lineNumber: at + 1,
      product: String(random.pick(products)['productNumber']),
      quantity: sign * random.between(1, 12),
      unitCents: random.between(99, 99_999),
    })),
    remainder: 0,
  }
  invoice.remainder = grossOf(invoice)
  invoices.push(invoice)
  const base = (cents: number): number => Math.round((cents * rate) / 100)
  const [net, vat] = [netOf(invoice), vatOf(invoice)]
  const gross = base(net) + base(vat)
  book(agreement, {
    date,
    type: 'customerInvoice',
    text: `Faktura ${invoice.number}`,
    currency,
    invoice: invoice.number,
    dueDate: invoice.dueDate,
    parts: [
      { account: 5600, base: gross, amount: net + vat, customer: invoice.customer, isOpen: true },
      { account: random.pick([1010, 1020]), base: -base(net), amount: -net },
      { account: 6902, base: -base(vat), amount: -vat },
    ],
  })
}

/** Settles an invoice: its entry keeps its amount and loses its remainder. */
function bookPayment(agreement: Agreement, date: string): void {
  const invoice = agreement.invoices.find(({ remainder }) => remainder !== 0)
  if (invoice === undefined) return bookPurchase(agreement, date)
  const entry = agreement.entries.find((one) => one.invoice === invoice.number && one.account === 5600)
  const base = entry?.base.cents ?? 0
  book(agreement, {
    date,
    type: 'customerPayment',
    text: `Betaling af ${invoice.number}`,
    currency: invoice.currency,
    parts: [
      { account: 5820, base, amount: invoice.remainder },
      { account: 5600, base: -base, amount: -invoice.remainder, customer: invoice.customer },
    ],
  })
  invoice.remainder = 0
  if (entry !== undefined) Object.assign(entry, { remainder: money(0), remainderBase: money(0) })
}

function bookPurchase(agreement: Agreement, date: string): void {
  const { random, suppliers } = agreement
  const net = random.between(1_000, 500_000)
  const vat = Math.round(net / 4)
  book(agreement, {
    date,
    type: 'supplierInvoice',
    text: 'Indkøb – æøå',
    dueDate: plusDays(date, 30),
    parts: [
      { account: random.pick([1310, 3600]), base: net },
      { account: 6903, base: vat },
      { account: 6800, base: -net - vat, supplier: Number(random.pick(suppliers)['supplierNumber']), isOpen: true },
    ],
  })
}

function documentOf(agreement: Agreement): OpenRecord {
  const { random, customers } = agreement
  const customer = random.pick(customers)
  const net = random.between(10_000, 900_000)
  const vat = Math.round(net / 4)
  return {
    date: agreement.today(),
    currency: 'DKK',
    exchangeRate: 100,
    customer: { customerNumber: customer['customerNumber'] },
    netAmount: money(net),
    vatAmount: money(vat),
    grossAmount: money(net + vat),
    netAmountInBaseCurrency: money(net),
    grossAmountInBaseCurrency: money(net + vat),
    costPriceInBaseCurrency: money(net / 2),
    marginInBaseCurrency: money(net - Math.round(net / 2)),
    marginPercentage: money(5_000),
    roundingAmount: money(0),
    paymentTerms: { paymentTermsNumber: 1, name: 'Netto 14 dage' },
    recipient: { name: customer['name'] },
  }
}

function addDraft(agreement: Agreement): void {
  agreement.drafts.push({ draftInvoiceNumber: agreement.next('draft'), ...documentOf(agreement) })
  agreement.orders.drafts.push({ orderNumber: agreement.next('order'), ...documentOf(agreement) })
}

function sendOrder({ orders }: Agreement): void {
  const [order] = orders.drafts.splice(0, 1)
  const [done] = orders.sent.splice(0, orders.sent.length > 2 ? 1 : 0)
  if (done !== undefined) orders.archived.push(done)
  if (order !== undefined) orders.sent.push(order)
}
