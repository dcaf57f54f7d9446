/** Simulated activity in a company's books: documents are created, settled, amended and withdrawn. */
import type { XeroCompany } from './company.ts'
import {
  addAdvance,
  addBankTransaction,
  addCreditNote,
  addInvoice,
  amend,
  approve,
  openCents,
  pay,
  allocateCredit,
  removeAllocation,
  deletePayment,
  isUntouched,
  withdraw,
} from './invoices-and-payments.ts'
import {
  addManualJournal,
  addOrder,
  addQuote,
  addTransfer,
  deleteTransfer,
  endManualJournal,
  deleteBatch,
} from './other-transactions.ts'
import { makeItem } from './master-data.ts'
import { changeSilently } from './silent-changes.ts'
import type { XeroContact, XeroInvoice } from './records.ts'

type SimulatedAction = (company: XeroCompany, now: number) => void

/** Simulates one step: some random actions. An action without a suitable record does nothing. */
export function simulateStep(company: XeroCompany, now: number): void {
  const { random } = company
  for (let left = random.between(2, 4); left > 0; left -= 1) random.pick(deeds)(company, now)
}

/** New documents are created until the size limit is reached. */
const hasCapacity = ({ invoices, size }: XeroCompany): boolean => invoices.length < size.invoicesMax

function pickMatching<T>({ random }: XeroCompany, all: readonly T[], fits: (each: T) => boolean): T | undefined {
  const found = all.filter(fits)
  return found.length === 0 ? undefined : random.pick(found)
}

const isUnpaid = (invoice: XeroInvoice): boolean => invoice.status === 'AUTHORISED' && openCents(invoice) > 0
const sell: SimulatedAction = (company, now) => {
  if (hasCapacity(company)) addInvoice(company, company.random.pick(['sell', 'sell', 'buy'] as const), now)
}

const draft: SimulatedAction = (company, now) => {
  if (hasCapacity(company)) addInvoice(company, 'sell', now, company.random.pick(['DRAFT', 'SUBMITTED']))
}

const decide: SimulatedAction = (company, now) => {
  const waiting = pickMatching(company, company.invoices, ({ status }) => status === 'DRAFT' || status === 'SUBMITTED')
  if (waiting === undefined) return
  if (company.random.next() < 0.6) approve(company, waiting, now)
  else withdraw(company, waiting, now)
}

const settleOne: SimulatedAction = (company, now) => {
  const invoice = pickMatching(company, company.invoices, isUnpaid)
  if (invoice === undefined) return
  const open = openCents(invoice)
  pay(company, invoice, { cents: company.random.next() < 0.7 ? open : Math.ceil(open / 2), at: now })
}

const takeMoneyBack: SimulatedAction = (company, now) => {
  const payment = pickMatching(company, company.payments, ({ status }) => status === 'AUTHORISED')
  if (payment === undefined) return
  if (payment.batch === null) deletePayment(company, payment, now)
  else deleteBatch(company, payment.batch, now)
}

const change: SimulatedAction = (company, now) => {
  const invoice = pickMatching(company, company.invoices, isUntouched)
  if (invoice === undefined) return
  if (company.random.next() < 0.8) amend(company, invoice, now)
  else withdraw(company, invoice, now)
}

const credit: SimulatedAction = (company, now) => {
  const invoice = pickMatching(company, company.invoices, isUnpaid)
  if (invoice === undefined || company.credits.length > company.size.invoices / 5) return
  const note = addCreditNote(company, invoice, now)
  if (company.random.next() < 0.7) allocateCredit(company, note, { invoice, at: now })
}

const uncredit: SimulatedAction = (company, now) => {
  const used = pickMatching(company, company.credits, ({ allocations }) => allocations.length > 0)
  if (used !== undefined) removeAllocation(company, used, now)
}

const advance: SimulatedAction = (company, now) => {
  const { random, credits, contacts, size } = company
  if (credits.length > size.invoices / 5) return
  addAdvance(company, random.pick(['overpayment', 'prepayment'] as const), { contact: random.pick(contacts), at: now })
}

const bank: SimulatedAction = (company, now) => {
  const { bankTransactions, size, random } = company
  const old = pickMatching(company, bankTransactions, ({ journal, credit }) => journal !== null && credit === null)
  if (bankTransactions.length < size.invoices / 2)
    addBankTransaction(company, random.pick(['sell', 'buy'] as const), now)
  else if (old !== undefined) withdraw(company, old, now)
}

const office: SimulatedAction = (company, now) => {
  const { random, transfers, manualJournals, size } = company
  const most = Math.max(10, size.months * 10)
  const transfer = pickMatching(company, transfers, ({ status }) => status === 'AUTHORISED')
  const manual = pickMatching(company, manualJournals, ({ status }) => status === 'POSTED' || status === 'DRAFT')
  const chance = random.next()
  if (chance < 0.35 && transfers.length < most) addTransfer(company, now)
  else if (chance < 0.45 && transfer !== undefined) deleteTransfer(company, transfer, now)
  else if (chance < 0.85 && manualJournals.length < most) addManualJournal(company, now)
  else if (manual !== undefined) endManualJournal(company, manual, now)
}

const offers: SimulatedAction = (company, now) => {
  const { random, orders, quotes, size } = company
  if (orders.length + quotes.length < size.invoices / 4) (random.next() < 0.5 ? addOrder : addQuote)(company, now)
  const order = pickMatching(company, [...orders, ...quotes], ({ status }) => status === 'DRAFT')
  if (order !== undefined)
    Object.assign(order, {
      status: random.next() < 0.3 ? 'DELETED' : order.type === 'QUOTE' ? 'SENT' : 'SUBMITTED',
      updatedAt: now,
    })
}

/** Changes names and prices, and deletes records. */
const masterData: SimulatedAction = (company, now) => {
  const { random, contacts, items } = company
  const chance = random.next()
  if (chance < 0.5) Object.assign(random.pick(items), { saleUnits: random.between(50_000, 900_000), updatedAt: now })
  else if (chance < 0.8) rename(random.pick(contacts), random.between(1, 99), now)
  else if (chance < 0.9) changeItems(company, now)
  else if (chance < 0.98 && contacts.length > 12) archive(company, now)
  else company.tracking[1]?.options.pop()
}

/** Adds as many items as it deletes. */
function changeItems({ items, random, size }: XeroCompany, now: number): void {
  if (items.length < size.items) items.push(makeItem(random, random.between(1_000, 9_999), now))
  else if (items.length > 1) items.splice(random.between(0, items.length - 1), 1)
}

function rename(contact: XeroContact, number: number, now: number): void {
  contact.name = `${contact.name.replace(/ \(\d+\)$/, '')} (${number})`
  contact.updatedAt = now
}

function archive(company: XeroCompany, now: number): void {
  const contact = company.contacts.at(-1)
  if (contact !== undefined)
    Object.assign(contact, { status: contact.status === 'ACTIVE' ? 'ARCHIVED' : 'ACTIVE', updatedAt: now })
}

const unseen: SimulatedAction = (company, now) => void changeSilently(company, now)

const deeds: readonly SimulatedAction[] = [
  sell,
  sell,
  draft,
  decide,
  settleOne,
  settleOne,
  takeMoneyBack,
  change,
  credit,
  uncredit,
  advance,
  bank,
  bank,
  office,
  offers,
  masterData,
  unseen,
]
