/** How each kind of document reaches the ledger. Debits are positive; what rounding leaves goes to its own account. */
import { systemAccount } from './chart-of-accounts.ts'
import type { Company } from './company.ts'
import { baseCents } from './money.ts'
import type {
  Account,
  Allocation,
  BankTransaction,
  Credit,
  Document,
  ExpenseClaim,
  Invoice,
  Journal,
  ManualJournal,
  Payment,
  Posting,
} from './records.ts'

interface Entry {
  readonly date: number
  readonly at: number
  readonly reference: string
  readonly source: Journal['source']
  readonly postings: readonly Posting[]
}

/** Writes one double entry. One that does not balance is a fault of the simulator. */
export function post(company: Company, { date, at, reference, source, postings }: Entry): Journal {
  const lines = postings.filter(({ cents }) => cents !== 0)
  if (lines.reduce((sum, { cents }) => sum + cents, 0) !== 0)
    throw new Error(`The entry of ${reference} does not balance.`)
  const { random, journals } = company
  const journal: Journal = {
    id: random.guid(),
    number: journals.length + 1,
    date,
    createdAt: at,
    reference,
    source,
    postings: lines,
  }
  journals.push(journal)
  return journal
}

/** Takes an entry back on the day it was made for, as a voided document leaves no trace in a report. */
export function reverse(company: Company, { date, reference, source, postings }: Journal, at: number): void {
  post(company, {
    date,
    at,
    reference,
    source,
    postings: postings.map((posting) => ({ ...posting, cents: -posting.cents })),
  })
}

export function postInvoice(company: Company, invoice: Invoice, at: number): void {
  const isSale = invoice.type === 'ACCREC'
  const control = systemAccount(company, isSale ? 'DEBTORS' : 'CREDITORS')
  invoice.journal = postDocument(company, invoice, { counter: control, sign: isSale ? 1 : -1, at, type: invoice.type })
}

export function postCreditNote(company: Company, credit: Credit, at: number): void {
  credit.journal = postDocument(company, credit, {
    counter: controlOf(company, credit),
    sign: credit.side === 'sell' ? -1 : 1,
    at,
    type: credit.type,
  })
}

export function postBankTransaction(company: Company, transaction: BankTransaction, at: number): void {
  const { bank, credit, type } = transaction
  const isIn = type.startsWith('RECEIVE')
  const told = { sign: isIn ? 1 : -1, at, type: isIn ? 'CASHREC' : 'CASHPAID' } as const
  if (credit === null) transaction.journal = postDocument(company, transaction, { counter: bank, ...told })
  else {
    const cents = told.sign * baseCents(transaction.totalCents, transaction.rate)
    transaction.journal = post(company, {
      ...entryOf(transaction, told.type, at),
      postings: [
        { account: bank, cents },
        { account: controlOf(company, credit), cents: -cents },
      ],
    })
  }
}

function postDocument(
  company: Company,
  document: Document,
  { counter, sign, at, type }: { counter: Account; sign: 1 | -1; at: number; type: string },
): Journal {
  const { rate, totalCents, taxCents } = document
  const postings: Posting[] = [
    { account: counter, cents: sign * baseCents(totalCents, rate) },
    ...document.lines.map((line) => ({
      account: line.account,
      cents: -sign * baseCents(netOf(line, document), rate),
      description: line.description,
      tracking: line.tracking,
    })),
    { account: systemAccount(company, 'GST'), cents: -sign * baseCents(taxCents, rate) },
  ]
  return post(company, { ...entryOf(document, type, at), postings: balanced(company, postings) })
}

function entryOf({ date, number, reference, id }: Document, type: string, at: number): Omit<Entry, 'postings'> {
  return { date, at, reference: number === '' ? reference : number, source: { id, type } }
}

/** A line before tax. */
export function netOf(
  { cents, taxCents }: { cents: number; taxCents: number },
  { lineAmountTypes }: Pick<Document, 'lineAmountTypes'>,
): number {
  return lineAmountTypes === 'Inclusive' ? cents - taxCents : cents
}

function balanced(company: Company, postings: readonly Posting[]): readonly Posting[] {
  const rest = postings.reduce((sum, { cents }) => sum + cents, 0)
  return [...postings, { account: systemAccount(company, 'ROUNDING'), cents: -rest }]
}

/** Debtors or creditors. */
function controlOf(company: Company, of: Invoice | Credit): Account {
  const isSale = 'side' in of ? of.side === 'sell' : of.type === 'ACCREC'
  return systemAccount(company, isSale ? 'DEBTORS' : 'CREDITORS')
}

/** Money for an invoice, or back for a credit; what the rates differ by is a gain or a loss. */
export function postPayment(company: Company, payment: Omit<Payment, 'journal'>, at: number): Journal {
  const { of, cents, rate, account, date, id, type, reference } = payment
  const isCredit = 'side' in of
  const isSale = isCredit ? of.side === 'sell' : of.type === 'ACCREC'
  const sign = isSale === isCredit ? -1 : 1
  const money = sign * baseCents(cents, rate)
  const owed = sign * baseCents(cents, of.rate)
  return post(company, {
    date,
    at,
    reference: reference === '' ? of.number : reference,
    source: { id, type },
    postings: [
      { account, cents: money },
      { account: controlOf(company, of), cents: -owed },
      { account: systemAccount(company, 'REALISEDCURRENCYGAIN'), cents: owed - money },
    ],
  })
}

/** Debtors to debtors: only a difference of rates is left to tell. */
export function postAllocation(company: Company, allocation: Omit<Allocation, 'journal'>, at: number): Journal | null {
  const { invoice, credit, cents, date, id } = allocation
  const sign = credit.side === 'sell' ? 1 : -1
  const difference = sign * (baseCents(cents, invoice.rate) - baseCents(cents, credit.rate))
  if (difference === 0) return null
  return post(company, {
    date,
    at,
    reference: credit.number,
    source: { id, type: credit.type },
    postings: [
      { account: systemAccount(company, 'REALISEDCURRENCYGAIN'), cents: difference },
      { account: controlOf(company, credit), cents: -difference },
    ],
  })
}

export function postManualJournal(company: Company, manual: ManualJournal, at: number): void {
  const tax = manual.lines.reduce((sum, { taxCents }) => sum + taxCents, 0)
  const postings = manual.lines.map((line) => ({
    account: line.account,
    cents: netOf(line, manual),
    description: line.description,
    tracking: line.tracking,
  }))
  manual.journal = post(company, {
    date: manual.date,
    at,
    reference: manual.narration,
    source: { id: manual.id, type: 'MANJOURNAL' },
    postings: balanced(company, [...postings, { account: systemAccount(company, 'GST'), cents: tax }]),
  })
}

export function postClaim(company: Company, claim: ExpenseClaim, at: number): void {
  const postings: Posting[] = claim.receipts.flatMap((receipt) => [
    ...receipt.lines.map((line) => ({
      account: line.account,
      cents: netOf(line, receipt),
      description: line.description,
    })),
    { account: systemAccount(company, 'GST'), cents: receipt.taxCents },
  ])
  claim.journal = post(company, {
    date: claim.date,
    at,
    reference: claim.user.email,
    source: { id: claim.id, type: 'EXPCLAIM' },
    postings: balanced(company, [
      ...postings,
      { account: systemAccount(company, 'UNPAIDEXPCLM'), cents: -claim.totalCents },
    ]),
  })
}
