/** Operations on invoices, credits and payments; each one posts to the ledger. */
import { accountOf, systemAccount } from './chart-of-accounts.ts'
import { dayMs, midnight } from './company.ts'
import type { XeroCompany } from './company.ts'
import { updateTotals, makeLine, makeLines, totalsOf } from './document-lines.ts'
import { postAllocation, postBankTransaction, postCreditNote, postInvoice, postPayment, reverse } from './posting.ts'
import type {
  XeroAccount,
  BankTransaction,
  BatchPayment,
  XeroContact,
  XeroCredit,
  XeroCreditKind,
  XeroDocument,
  XeroInvoice,
  XeroPayment,
  TradeSide,
} from './records.ts'

export const paidCents = ({ payments }: XeroInvoice | XeroCredit): number =>
  payments.reduce((sum, { cents }) => sum + cents, 0)

export const allocatedCents = ({ allocations }: XeroInvoice | XeroCredit): number =>
  allocations.reduce((sum, { cents }) => sum + cents, 0)

/** The unpaid amount of an invoice, or the unused amount of a credit. */
export const openCents = (of: XeroInvoice | XeroCredit): number => of.totalCents - paidCents(of) - allocatedCents(of)

export const isLive = ({ status }: { status: string }): boolean => status === 'AUTHORISED' || status === 'PAID'

/** Only an invoice without payments and allocations may be amended or voided. */
export const isUntouched = ({ status, payments, allocations }: XeroInvoice): boolean =>
  status === 'AUTHORISED' && payments.length === 0 && allocations.length === 0

/** Creates the header fields of any document with lines. */
export function makeDocument(
  company: XeroCompany,
  input: Pick<XeroDocument, 'type' | 'number' | 'contact' | 'lines' | 'lineAmountTypes'> & { at: number },
) {
  const { at, lines, lineAmountTypes, contact } = input
  const { random } = company
  return {
    id: random.guid(),
    type: input.type,
    number: input.number,
    reference: random.next() < 0.4 ? `PO ${random.between(1_000, 9_999)}` : '',
    contact,
    date: midnight(at),
    dueDate: null,
    status: 'AUTHORISED',
    lineAmountTypes,
    lines,
    ...totalsOf(lines, lineAmountTypes),
    currency: contact.currency,
    // The exchange rate of the day varies slightly.
    rate: contact.rate === 1 ? 1 : Number((contact.rate * (0.95 + random.next() / 10)).toFixed(10)),
    updatedAt: at,
    journal: null,
  } satisfies XeroDocument
}

/**
 * Retries until a contact fits: most lists are long and half of them fits. The first contacts are domestic and never
 * archived.
 */
export function pickContact({ random, contacts, currency }: XeroCompany, side: TradeSide, isHome = false): XeroContact {
  for (;;) {
    const contact = random.pick(contacts)
    if (contact.side === side && contact.status === 'ACTIVE' && (!isHome || contact.currency === currency))
      return contact
  }
}

export function addInvoice(company: XeroCompany, side: TradeSide, at: number, status = 'AUTHORISED'): XeroInvoice {
  const { random, invoices } = company
  const lineAmountTypes = random.pick(['Exclusive', 'Exclusive', 'Inclusive', 'NoTax'] as const)
  const number = side === 'sell' ? `INV-${String(invoices.length + 1_001)}` : `B${random.between(10_000, 99_999)}`
  const type = side === 'sell' ? 'ACCREC' : 'ACCPAY'
  const document = makeDocument(company, {
    type,
    number,
    contact: pickContact(company, side),
    lines: makeLines(company, side, lineAmountTypes),
    lineAmountTypes,
    at,
  })
  const dueDate = document.date + random.pick([7, 14, 20, 30]) * dayMs
  const invoice: XeroInvoice = {
    ...document,
    type,
    status,
    dueDate,
    isSent: side === 'sell' && random.next() < 0.7,
    payments: [],
    allocations: [],
  }
  invoices.push(invoice)
  if (status === 'AUTHORISED') postInvoice(company, invoice, at)
  return invoice
}

export function approve(company: XeroCompany, invoice: XeroInvoice, at: number): void {
  Object.assign(invoice, { status: 'AUTHORISED', updatedAt: at })
  postInvoice(company, invoice, at)
}

/** A draft is deleted, an approved invoice voided; both keep their id. */
export function withdraw(company: XeroCompany, document: XeroInvoice | XeroCredit | BankTransaction, at: number): void {
  document.status = document.journal === null ? 'DELETED' : 'VOIDED'
  document.updatedAt = at
  reverseEntry(company, document, at)
}

export function reverseEntry(company: XeroCompany, document: { journal: XeroDocument['journal'] }, at: number): void {
  if (document.journal === null) return
  reverse(company, document.journal, at)
  document.journal = null
}

/** Changes prices: reverses the entry and posts a new one. Only for unpaid invoices. */
export function amend(company: XeroCompany, invoice: XeroInvoice, at: number): void {
  const isPosted = invoice.journal !== null
  reverseEntry(company, invoice, at)
  invoice.lines = makeLines(company, invoice.type === 'ACCREC' ? 'sell' : 'buy', invoice.lineAmountTypes)
  updateTotals(invoice)
  invoice.updatedAt = at
  if (isPosted) postInvoice(company, invoice, at)
}

interface PaymentInput {
  readonly cents: number
  readonly at: number
  readonly batch?: BatchPayment
}

export function pay(
  company: XeroCompany,
  of: XeroInvoice | XeroCredit,
  { cents, at, batch }: PaymentInput,
): XeroPayment {
  const { random, payments } = company
  const bare = {
    id: random.guid(),
    type: paymentType(of),
    date: midnight(at),
    cents,
    rate: of.rate === 1 ? 1 : Number((of.rate * (0.97 + random.next() / 20)).toFixed(10)),
    account: batch?.account ?? bankOf(company),
    of,
    batch: batch ?? null,
    reference: random.next() < 0.3 ? `Ref ${random.between(100, 999)}` : '',
    status: 'AUTHORISED' as const,
    isReconciled: random.next() < 0.8,
    updatedAt: at,
  }
  const payment: XeroPayment = { ...bare, journal: postPayment(company, bare, at) }
  payments.push(payment)
  of.payments.push(payment)
  batch?.payments.push(payment)
  settle(of, at)
  return payment
}

export const bankOf = (company: XeroCompany): XeroAccount =>
  accountOf(company, company.random.next() < 0.9 ? '090' : '091')

function paymentType(of: XeroInvoice | XeroCredit): string {
  if (!('side' in of)) return of.type === 'ACCREC' ? 'ACCRECPAYMENT' : 'ACCPAYPAYMENT'
  const kind = { creditNote: 'CREDIT', overpayment: 'OVERPAYMENT', prepayment: 'PREPAYMENT' }[of.kind]
  return `${of.side === 'sell' ? 'AR' : 'AP'}${kind}PAYMENT`
}

export function deletePayment(company: XeroCompany, payment: XeroPayment, at: number): void {
  const { of } = payment
  reverse(company, payment.journal, at)
  Object.assign(payment, { status: 'DELETED', updatedAt: at })
  of.payments.splice(of.payments.indexOf(payment), 1)
  settle(of, at)
}

function settle(of: XeroInvoice | XeroCredit, at: number): void {
  of.status = openCents(of) === 0 ? 'PAID' : 'AUTHORISED'
  of.updatedAt = at
}

export function addCreditNote(company: XeroCompany, invoice: XeroInvoice, at: number): XeroCredit {
  const { credits, random } = company
  const side = invoice.type === 'ACCREC' ? 'sell' : 'buy'
  const [line] = invoice.lines
  const document = makeDocument(company, {
    type: side === 'sell' ? 'ACCRECCREDIT' : 'ACCPAYCREDIT',
    number: `CN-${String(credits.length + 1).padStart(4, '0')}`,
    contact: invoice.contact,
    lines: line === undefined ? [] : [{ ...line, id: random.guid() }],
    lineAmountTypes: invoice.lineAmountTypes,
    at,
  })
  const credit: XeroCredit = { ...document, kind: 'creditNote', side, payments: [], allocations: [] }
  credits.push(credit)
  postCreditNote(company, credit, at)
  return credit
}

/** Allocates a credit to an invoice of the same contact, in the same currency. */
export function allocateCredit(
  company: XeroCompany,
  credit: XeroCredit,
  { invoice, at }: { invoice: XeroInvoice; at: number },
): void {
  const cents = Math.min(openCents(credit), openCents(invoice))
  if (cents <= 0 || invoice.currency !== credit.currency) return
  const bare = { id: company.random.guid(), cents, date: midnight(at), invoice, credit }
  const allocation = { ...bare, journal: postAllocation(company, bare, at) }
  credit.allocations.push(allocation)
  invoice.allocations.push(allocation)
  settle(credit, at)
  settle(invoice, at)
}

/** A removed allocation leaves no record. */
export function removeAllocation(company: XeroCompany, credit: XeroCredit, at: number): void {
  const allocation = credit.allocations.pop()
  if (allocation === undefined) return
  const { invoice, journal } = allocation
  invoice.allocations.splice(invoice.allocations.indexOf(allocation), 1)
  if (journal !== null) reverse(company, journal, at)
  settle(credit, at)
  settle(invoice, at)
}

/** A payment or receipt without an invoice. */
export function addBankTransaction(company: XeroCompany, side: TradeSide, at: number): BankTransaction {
  const { bankTransactions, random } = company
  const lineAmountTypes = random.pick(['Inclusive', 'Inclusive', 'NoTax'] as const)
  const type = side === 'sell' ? 'RECEIVE' : 'SPEND'
  const lines = makeLines(company, side, lineAmountTypes).slice(0, 2)
  const document = makeDocument(company, {
    type,
    number: '',
    contact: pickContact(company, side, true),
    lines,
    lineAmountTypes,
    at,
  })
  const transaction: BankTransaction = {
    ...document,
    bank: bankOf(company),
    isReconciled: random.next() < 0.8,
    credit: null,
  }
  bankTransactions.push(transaction)
  postBankTransaction(company, transaction, at)
  return transaction
}

/** An overpayment or prepayment, which waits for invoices. */
export function addAdvance(
  company: XeroCompany,
  kind: Exclude<XeroCreditKind, 'creditNote'>,
  { contact, at }: { contact: XeroContact; at: number },
): XeroCredit {
  const { bankTransactions, credits, random, taxes } = company
  const { side } = contact
  const isOver = kind === 'overpayment'
  const lineAmountTypes = isOver ? 'NoTax' : 'Inclusive'
  const type = `${side === 'sell' ? 'RECEIVE' : 'SPEND'}-${kind.toUpperCase()}`
  const account = isOver
    ? systemAccount(company, side === 'sell' ? 'DEBTORS' : 'CREDITORS')
    : accountOf(company, side === 'sell' ? '200' : '310')
  const tax = isOver ? taxes[2] : taxes[side === 'sell' ? 0 : 1]
  if (tax === undefined) throw new Error('The company has no tax rates.')
  const line = makeLine(company, {
    description: isOver ? 'Paid too much' : 'Deposit',
    account,
    price: random.between(2_000, 60_000) * 100,
    tax,
    isInclusive: !isOver,
  })
  const document = makeDocument(company, { type, number: '', contact, lines: [line], lineAmountTypes, at })
  const credit: XeroCredit = { ...document, kind, side, payments: [], allocations: [] }
  const transaction: BankTransaction = {
    ...document,
    id: random.guid(),
    bank: accountOf(company, '090'),
    isReconciled: true,
    credit,
  }
  credits.push(credit)
  bankTransactions.push(transaction)
  postBankTransaction(company, transaction, at)
  return credit
}
