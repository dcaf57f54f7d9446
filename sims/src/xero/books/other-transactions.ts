/** Further transactions: transfers, manual journals, claims, orders and quotes. */
import { accountOf, systemAccount } from './chart-of-accounts.ts'
import { midnight } from './company.ts'
import type { XeroCompany } from './company.ts'
import {
  bankOf,
  makeDocument,
  openCents,
  pay,
  pickContact,
  reverseEntry,
  deletePayment,
} from './invoices-and-payments.ts'
import { makeLine, makeLines, someTracking } from './document-lines.ts'
import { taxCentsOf } from './money.ts'
import { post, postClaim, postManualJournal, reverse } from './posting.ts'
import type {
  BankTransfer,
  BatchPayment,
  XeroDocument,
  ExpenseClaim,
  XeroInvoice,
  ManualJournal,
  ManualLine,
  TradeSide,
} from './records.ts'

/** Pays several domestic bills at once. */
export function payBatch(company: XeroCompany, bills: readonly XeroInvoice[], at: number): BatchPayment {
  const { random, batches } = company
  const batch: BatchPayment = {
    id: random.guid(),
    type: 'PAYBATCH',
    account: accountOf(company, '090'),
    date: midnight(at),
    payments: [],
    status: 'AUTHORISED',
    updatedAt: at,
  }
  batches.push(batch)
  for (const bill of bills) pay(company, bill, { cents: openCents(bill), at, batch })
  return batch
}

export function deleteBatch(company: XeroCompany, batch: BatchPayment, at: number): void {
  for (const payment of batch.payments) if (payment.status === 'AUTHORISED') deletePayment(company, payment, at)
  Object.assign(batch, { status: 'DELETED', updatedAt: at })
}

export function addTransfer(company: XeroCompany, at: number): void {
  const { random, transfers } = company
  const [first, second] = [accountOf(company, '090'), accountOf(company, '091')]
  const [from, to] = random.next() < 0.6 ? [first, second] : [second, first]
  const cents = random.between(10, 400) * 2_500
  const { id, date } = { id: random.guid(), date: midnight(at) }
  const journal = post(company, {
    date,
    at,
    reference: 'Transfer',
    source: { id, type: 'TRANSFER' },
    postings: [
      { account: from, cents: -cents },
      { account: to, cents },
    ],
  })
  const legIds = [random.guid(), random.guid()] as const
  transfers.push({
    id,
    date,
    createdAt: at,
    updatedAt: at,
    from,
    to,
    cents,
    legIds,
    reference: '',
    status: 'AUTHORISED',
    journal,
  })
}

export function deleteTransfer(company: XeroCompany, transfer: BankTransfer, at: number): void {
  Object.assign(transfer, { status: 'DELETED', updatedAt: at })
  reverse(company, transfer.journal, at)
}

/** Two or three lines that balance including tax. */
export function addManualJournal(
  company: XeroCompany,
  at: number,
  status: 'DRAFT' | 'POSTED' = 'POSTED',
): ManualJournal {
  const { random, manualJournals, taxes } = company
  const [, purchase, none] = taxes
  if (purchase === undefined || none === undefined) throw new Error('The company has no tax rates.')
  const cents = random.between(1_000, 250_000)
  const isTaxed = random.next() < 0.4
  const taxCents = isTaxed ? taxCentsOf(cents, purchase.percent, false) : 0
  const line = (code: string, amount: number, tax = none): ManualLine => ({
    account: accountOf(company, code),
    description: 'Accrual',
    cents: amount,
    tax,
    taxCents: tax === none ? 0 : Math.sign(amount) * taxCents,
    tracking: someTracking(company),
  })
  const manual: ManualJournal = {
    id: random.guid(),
    narration: `${random.pick(['Accrual', 'Correction', 'Depreciation', 'Year end'])} ${manualJournals.length + 1}`,
    date: midnight(at),
    status,
    lineAmountTypes: isTaxed ? 'Exclusive' : 'NoTax',
    lines: [
      line('416', cents, isTaxed ? purchase : none),
      line('711', -Math.floor(cents / 2)),
      line('429', Math.floor(cents / 2) - cents - taxCents),
    ],
    updatedAt: at,
    journal: null,
  }
  manualJournals.push(manual)
  if (status === 'POSTED') postManualJournal(company, manual, at)
  return manual
}

export function endManualJournal(company: XeroCompany, manual: ManualJournal, at: number): void {
  manual.status = manual.journal === null ? 'DELETED' : 'VOIDED'
  manual.updatedAt = at
  reverseEntry(company, manual, at)
}

export function addClaim(company: XeroCompany, at: number): ExpenseClaim {
  const { random, claims, receipts, users } = company
  const made = Array.from({ length: random.between(1, 3) }, () => {
    const lines = makeLines(company, 'buy', 'Inclusive').slice(0, 2)
    const contact =
      company.contacts.find(({ side, currency }) => side === 'buy' && currency === company.currency) ??
      pickContact(company, 'buy')
    const receipt = makeDocument(company, {
      type: 'RECEIPT',
      number: String(receipts.length + 1),
      contact,
      lines,
      lineAmountTypes: 'Inclusive',
      at,
    })
    receipts.push(receipt)
    return receipt
  })
  const claim: ExpenseClaim = {
    id: random.guid(),
    user: random.pick(users),
    date: midnight(at),
    receipts: made,
    totalCents: made.reduce((sum, { totalCents }) => sum + totalCents, 0),
    payments: [],
    status: 'AUTHORISED',
    updatedAt: at,
    journal: null,
  }
  claims.push(claim)
  postClaim(company, claim, at)
  return claim
}

export function payClaim(company: XeroCompany, claim: ExpenseClaim, at: number): void {
  const { id, date } = { id: company.random.guid(), date: midnight(at) }
  const account = bankOf(company)
  const cents = claim.totalCents
  post(company, {
    date,
    at,
    reference: claim.user.email,
    source: { id, type: 'EXPPAYMENT' },
    postings: [
      { account: systemAccount(company, 'UNPAIDEXPCLM'), cents },
      { account, cents: -cents },
    ],
  })
  claim.payments.push({ id, date, cents, account })
  Object.assign(claim, { status: 'PAID', updatedAt: at })
}

/** Orders and quotes do not post. */
export function addOrder(company: XeroCompany, at: number): XeroDocument {
  const { orders, random } = company
  const number = `PO-${String(orders.length + 1).padStart(4, '0')}`
  const order = offer(company, {
    side: 'buy',
    type: 'PURCHASEORDER',
    number,
    at,
    status: random.pick(['DRAFT', 'SUBMITTED', 'AUTHORISED', 'BILLED']),
  })
  orders.push(order)
  return order
}

export function addQuote(company: XeroCompany, at: number): XeroDocument {
  const { quotes, random } = company
  const number = `QU-${String(quotes.length + 1).padStart(4, '0')}`
  const quote = offer(company, {
    side: 'sell',
    type: 'QUOTE',
    number,
    at,
    status: random.pick(['DRAFT', 'SENT', 'ACCEPTED', 'DECLINED', 'INVOICED']),
  })
  quotes.push(quote)
  return quote
}

export function offer(
  company: XeroCompany,
  input: { side: TradeSide; type: string; number: string; at: number; status: string },
): XeroDocument {
  const { side, type, number, at, status } = input
  const lines = makeLines(company, side, 'Exclusive')
  const document: XeroDocument = makeDocument(company, {
    type,
    number,
    contact: pickContact(company, side),
    lines,
    lineAmountTypes: 'Exclusive',
    at,
  })
  return Object.assign(document, { status, dueDate: document.date + 14 * 86_400_000 })
}

/** A line without an item, for repeating invoices. */
export function agreementLine(company: XeroCompany, code: string, price: number) {
  const tax = company.taxes[code < '300' ? 0 : 1]
  if (tax === undefined) throw new Error('The company has no tax rates.')
  return makeLine(company, { description: 'Each month', account: accountOf(company, code), price, tax })
}
