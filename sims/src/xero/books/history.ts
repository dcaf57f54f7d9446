/** Generates a company's history, day by day from the start of its books until yesterday. */
import { accountOf, openAccounts, openTaxes } from './chart-of-accounts.ts'
import { dayMs, midnight } from './company.ts'
import type { XeroCompany, XeroCompanySize } from './company.ts'
import {
  addAdvance,
  addBankTransaction,
  addCreditNote,
  addInvoice,
  isLive,
  openCents,
  pay,
  allocateCredit,
  isUntouched,
  withdraw,
} from './invoices-and-payments.ts'
import {
  addClaim,
  addManualJournal,
  addOrder,
  addQuote,
  addTransfer,
  payClaim,
  payBatch,
} from './other-transactions.ts'
import {
  makeBudgets,
  makeContacts,
  makeGroups,
  makeItems,
  makeLinked,
  makeRepeating,
  makeTracking,
  makeUsers,
} from './master-data.ts'
import { post } from './posting.ts'
import { createRandom } from '../../random.ts'
import type { XeroCredit, XeroInvoice, TradeSide } from './records.ts'

export interface CompanyFounding {
  readonly tenantId: string
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly yearEndMonth: number
}

export function makeCompany(founded: CompanyFounding, seed: number, size: XeroCompanySize, now: number): XeroCompany {
  const random = createRandom(seed)
  const today = new Date(midnight(now))
  const foundedAt = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - size.months + 1, 1)
  const taxes = openTaxes(founded.country)
  const groups = makeGroups(random, ['VIP', 'Wholesale'])
  const company: XeroCompany = {
    ...founded,
    size,
    random,
    foundedAt,
    accounts: openAccounts(random, taxes, foundedAt - 20 * dayMs),
    taxes,
    tracking: makeTracking(random),
    groups,
    themes: makeGroups(random, ['Standard', 'Very orange invoice!']),
    users: makeUsers(random, foundedAt),
    contacts: makeContacts(random, { size, founded, groups, at: foundedAt - 10 * dayMs }),
    items: makeItems(random, size, foundedAt - 10 * dayMs),
    invoices: [],
    credits: [],
    payments: [],
    batches: [],
    bankTransactions: [],
    transfers: [],
    manualJournals: [],
    journals: [],
    orders: [],
    quotes: [],
    repeating: [],
    linked: [],
    receipts: [],
    claims: [],
    budgets: [],
  }
  addConversionBalances(company)
  simulateHistory(company, midnight(now))
  company.repeating.push(...makeRepeating(company, now))
  company.linked.push(...makeLinked(company))
  company.budgets.push(...makeBudgets(company))
  return company
}

/** The conversion balances, on the last day before the first document. */
function addConversionBalances(company: XeroCompany): void {
  const { random, foundedAt } = company
  const cents = [
    random.between(20_000, 90_000) * 100,
    random.between(10_000, 50_000) * 100,
    -random.between(5_000, 30_000) * 100,
  ] as const
  const [bank, equipment, loan] = cents
  const balances = [
    ['090', bank],
    ['710', equipment],
    ['900', loan],
    ['970', -(bank + equipment + loan)],
  ] as const
  post(company, {
    date: foundedAt - dayMs,
    at: foundedAt - dayMs,
    reference: 'Conversion Balance',
    source: null,
    postings: balances.map(([code, amount]) => ({ account: accountOf(company, code), cents: amount })),
  })
}

type ScheduledAction = (at: number) => void

/** Scheduled actions by day, counted from the first. */
interface Agenda {
  add(day: number, act: ScheduledAction): void
}

function simulateHistory(company: XeroCompany, today: number): void {
  const { foundedAt, random } = company
  const days = Math.round((today - foundedAt) / dayMs)
  const acts: ScheduledAction[][] = Array.from({ length: days }, () => [])
  const agenda: Agenda = { add: (day, act) => void acts[day]?.push(act) }
  planTrade(company, agenda, days)
  planOffice(company, agenda, days)
  for (let day = 0; day < days; day += 1) {
    let at = foundedAt + day * dayMs + 8 * 3_600_000
    // An action may schedule further ones on the same day.
    for (const act of acts[day] ?? []) act((at += random.between(1, 90_000)))
  }
}

function planTrade(company: XeroCompany, agenda: Agenda, days: number): void {
  const { size, random } = company
  for (let index = 0; index < size.invoices; index += 1) {
    const day = Math.floor((index / size.invoices) * days)
    const side: TradeSide = index % 5 < 3 ? 'sell' : 'buy'
    const status = random.next() < 0.94 ? 'AUTHORISED' : random.pick(['DRAFT', 'SUBMITTED'])
    agenda.add(day, (at) => {
      const invoice = addInvoice(company, side, at, status)
      planFate(company, agenda, { invoice, day })
    })
  }
  const every = (share: number, act: ScheduledAction): void => {
    const count = Math.ceil(size.invoices * share)
    for (let index = 0; index < count; index += 1) agenda.add(random.between(1, days - 1), act)
  }
  every(0.3, (at) => void addBankTransaction(company, random.next() < 0.3 ? 'sell' : 'buy', at))
  every(0.02, (at) => overpayOrPrepay(company, agenda, { kind: 'overpayment', at }))
  every(0.02, (at) => overpayOrPrepay(company, agenda, { kind: 'prepayment', at }))
  every(0.08, (at) => void addOrder(company, at))
  // Enough for a second page.
  every(Math.max(0.06, Math.min(0.3, 120 / size.invoices)), (at) => void addQuote(company, at))
}

function planFate(company: XeroCompany, agenda: Agenda, { invoice, day }: { invoice: XeroInvoice; day: number }): void {
  const { random, size } = company
  const chance = random.next()
  if (!isLive(invoice)) {
    if (chance < 0.3) agenda.add(day + 2, (at) => withdraw(company, invoice, at))
    return
  }
  if (chance < 0.02)
    return agenda.add(day + random.between(1, 9), (at) => {
      if (isUntouched(invoice)) withdraw(company, invoice, at)
    })
  if (chance < 0.06)
    agenda.add(day + random.between(1, 9), (at) =>
      scheduleCreditUse(company, agenda, addCreditNote(company, invoice, at), invoice),
    )
  const { paymentsPerInvoice = 1.1 } = size
  const parts = Math.floor(paymentsPerInvoice) + (random.next() < paymentsPerInvoice % 1 ? 1 : 0)
  for (let part = parts; part > 0; part -= 1)
    agenda.add(day + random.between(10, 25) + (parts - part) * 12, (at) => {
      const cents = Math.floor(openCents(invoice) / part)
      if (cents > 0 && isLive(invoice)) pay(company, invoice, { cents, at })
    })
}

/** A contact overpays or prepays. */
function overpayOrPrepay(
  company: XeroCompany,
  agenda: Agenda,
  { kind, at }: { kind: 'overpayment' | 'prepayment'; at: number },
): void {
  const type = company.random.pick(['ACCREC', 'ACCPAY'] as const)
  const invoice = company.invoices.findLast(
    (each) => each.type === type && each.status === 'AUTHORISED' && openCents(each) > 0,
  )
  if (invoice !== undefined)
    scheduleCreditUse(company, agenda, addAdvance(company, kind, { contact: invoice.contact, at }), invoice)
}

/**
 * Schedules a credit's use: most are allocated to an invoice of the contact, one in five is refunded, and some stay
 * open.
 */
function scheduleCreditUse(company: XeroCompany, agenda: Agenda, credit: XeroCredit, meant?: XeroInvoice): void {
  const { random, invoices, foundedAt } = company
  const day = Math.round((credit.date - foundedAt) / dayMs) + random.between(1, 8)
  const type = credit.side === 'sell' ? 'ACCREC' : 'ACCPAY'
  agenda.add(day, (at) => {
    if (random.next() < 0.2) return void pay(company, credit, { cents: openCents(credit), at })
    const fits = (each: XeroInvoice): boolean =>
      each.type === type &&
      each.contact === credit.contact &&
      each.status === 'AUTHORISED' &&
      each.date <= at &&
      openCents(each) > 0
    const invoice = meant !== undefined && fits(meant) ? meant : invoices.find(fits)
    if (invoice !== undefined) allocateCredit(company, credit, { invoice, at })
  })
}

function planOffice(company: XeroCompany, agenda: Agenda, days: number): void {
  const { random, invoices, currency } = company
  for (let day = 3; day < days; day += 7) {
    agenda.add(day, (at) => addTransfer(company, at))
    agenda.add(day + 1, (at) => void addManualJournal(company, at, random.next() < 0.9 ? 'POSTED' : 'DRAFT'))
  }
  for (let day = 20; day < days; day += 28) {
    agenda.add(day, (at) => {
      const claim = addClaim(company, at)
      agenda.add(day + 9, (later) => payClaim(company, claim, later))
    })
    agenda.add(day + 2, (at) => {
      const owed = invoices.filter(
        (each) => each.type === 'ACCPAY' && each.status === 'AUTHORISED' && each.currency === currency,
      )
      if (owed.length > 1) payBatch(company, owed.slice(-3), at)
    })
  }
}
