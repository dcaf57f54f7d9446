/** What a moment brings to a company's books: something new, something settled, something amended or withdrawn. */
import type { Company } from './company.ts'
import {
  addAdvance,
  addBankTransaction,
  addCreditNote,
  addInvoice,
  amend,
  approve,
  openCents,
  pay,
  setOff,
  undoSetOff,
  unpay,
  untouched,
  withdraw,
} from './invoices-and-payments.ts'
import {
  addManualJournal,
  addOrder,
  addQuote,
  addTransfer,
  deleteTransfer,
  endManualJournal,
  unpayTogether,
} from './other-transactions.ts'
import { makeItem } from './founding.ts'
import { quietly } from './silent-changes.ts'
import type { Contact, Invoice } from './records.ts'

type Deed = (company: Company, now: number) => void

/** One step: a few deeds, whichever chance has it. Where nothing fits a deed, nothing happens. */
export function liveOn(company: Company, now: number): void {
  const { random } = company
  for (let left = random.between(2, 4); left > 0; left -= 1) random.pick(deeds)(company, now)
}

/** New documents come until there are as many as the size allows. */
const room = ({ invoices, size }: Company): boolean => invoices.length < size.invoicesMax

function someOf<T>({ random }: Company, all: readonly T[], fits: (each: T) => boolean): T | undefined {
  const found = all.filter(fits)
  return found.length === 0 ? undefined : random.pick(found)
}

const unsettled = (invoice: Invoice): boolean => invoice.status === 'AUTHORISED' && openCents(invoice) > 0
const sell: Deed = (company, now) => {
  if (room(company)) addInvoice(company, company.random.pick(['sell', 'sell', 'buy'] as const), now)
}

const draft: Deed = (company, now) => {
  if (room(company)) addInvoice(company, 'sell', now, company.random.pick(['DRAFT', 'SUBMITTED']))
}

const decide: Deed = (company, now) => {
  const waiting = someOf(company, company.invoices, ({ status }) => status === 'DRAFT' || status === 'SUBMITTED')
  if (waiting === undefined) return
  if (company.random.next() < 0.6) approve(company, waiting, now)
  else withdraw(company, waiting, now)
}

const settleOne: Deed = (company, now) => {
  const invoice = someOf(company, company.invoices, unsettled)
  if (invoice === undefined) return
  const open = openCents(invoice)
  pay(company, invoice, { cents: company.random.next() < 0.7 ? open : Math.ceil(open / 2), at: now })
}

const takeMoneyBack: Deed = (company, now) => {
  const payment = someOf(company, company.payments, ({ status }) => status === 'AUTHORISED')
  if (payment === undefined) return
  if (payment.batch === null) unpay(company, payment, now)
  else unpayTogether(company, payment.batch, now)
}

const change: Deed = (company, now) => {
  const invoice = someOf(company, company.invoices, untouched)
  if (invoice === undefined) return
  if (company.random.next() < 0.8) amend(company, invoice, now)
  else withdraw(company, invoice, now)
}

const credit: Deed = (company, now) => {
  const invoice = someOf(company, company.invoices, unsettled)
  if (invoice === undefined || company.credits.length > company.size.invoices / 5) return
  const note = addCreditNote(company, invoice, now)
  if (company.random.next() < 0.7) setOff(company, note, { invoice, at: now })
}

const uncredit: Deed = (company, now) => {
  const used = someOf(company, company.credits, ({ allocations }) => allocations.length > 0)
  if (used !== undefined) undoSetOff(company, used, now)
}

const advance: Deed = (company, now) => {
  const { random, credits, contacts, size } = company
  if (credits.length > size.invoices / 5) return
  addAdvance(company, random.pick(['overpayment', 'prepayment'] as const), { contact: random.pick(contacts), at: now })
}

const bank: Deed = (company, now) => {
  const { bankTransactions, size, random } = company
  const old = someOf(company, bankTransactions, ({ journal, credit }) => journal !== null && credit === null)
  if (bankTransactions.length < size.invoices / 2)
    addBankTransaction(company, random.pick(['sell', 'buy'] as const), now)
  else if (old !== undefined) withdraw(company, old, now)
}

const office: Deed = (company, now) => {
  const { random, transfers, manualJournals, size } = company
  const most = Math.max(10, size.months * 10)
  const transfer = someOf(company, transfers, ({ status }) => status === 'AUTHORISED')
  const manual = someOf(company, manualJournals, ({ status }) => status === 'POSTED' || status === 'DRAFT')
  const chance = random.next()
  if (chance < 0.35 && transfers.length < most) addTransfer(company, now)
  else if (chance < 0.45 && transfer !== undefined) deleteTransfer(company, transfer, now)
  else if (chance < 0.85 && manualJournals.length < most) addManualJournal(company, now)
  else if (manual !== undefined) endManualJournal(company, manual, now)
}

const offers: Deed = (company, now) => {
  const { random, orders, quotes, size } = company
  if (orders.length + quotes.length < size.invoices / 4) (random.next() < 0.5 ? addOrder : addQuote)(company, now)
  const order = someOf(company, [...orders, ...quotes], ({ status }) => status === 'DRAFT')
  if (order !== undefined)
    Object.assign(order, {
      status: random.next() < 0.3 ? 'DELETED' : order.type === 'QUOTE' ? 'SENT' : 'SUBMITTED',
      updatedAt: now,
    })
}

/** Names, prices, and what disappears for good. */
const masterData: Deed = (company, now) => {
  const { random, contacts, items } = company
  const chance = random.next()
  if (chance < 0.5) Object.assign(random.pick(items), { saleUnits: random.between(50_000, 900_000), updatedAt: now })
  else if (chance < 0.8) rename(random.pick(contacts), random.between(1, 99), now)
  else if (chance < 0.9) changeItems(company, now)
  else if (chance < 0.98 && contacts.length > 12) archive(company, now)
  else company.tracking[1]?.options.pop()
}

/** As many come as go. */
function changeItems({ items, random, size }: Company, now: number): void {
  if (items.length < size.items) items.push(makeItem(random, random.between(1_000, 9_999), now))
  else if (items.length > 1) items.splice(random.between(0, items.length - 1), 1)
}

function rename(contact: Contact, number: number, now: number): void {
  contact.name = `${contact.name.replace(/ \(\d+\)$/, '')} (${number})`
  contact.updatedAt = now
}

function archive(company: Company, now: number): void {
  const contact = company.contacts.at(-1)
  if (contact !== undefined)
    Object.assign(contact, { status: contact.status === 'ACTIVE' ? 'ARCHIVED' : 'ACTIVE', updatedAt: now })
}

const unseen: Deed = (company, now) => void quietly(company, now)

const deeds: readonly Deed[] = [
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
