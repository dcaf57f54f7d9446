/** Posts each kind of document to the ledger. Debits are positive; rounding differences have their own account. */
import { systemAccount } from './chart-of-accounts.ts'
import type { XeroCompany } from './company.ts'
import { baseCents } from './money.ts'
import type {
  XeroAccount,
  CreditAllocation,
  BankTransaction,
  XeroCredit,
  XeroDocument,
  ExpenseClaim,
  XeroInvoice,
  XeroJournal,
  ManualJournal,
  XeroPayment,
  XeroPosting,
} from './records.ts'

interface JournalInput {
  readonly date: number
  readonly at: number
  readonly reference: string
  readonly source: XeroJournal['source']
  readonly postings: readonly XeroPosting[]
}

/** Posts one double entry. An unbalanced entry is a bug of the simulator. */
export function post(company: XeroCompany, { date, at, reference, source, postings }: JournalInput): XeroJournal {
  const lines = postings.filter(({ cents }) => cents !== 0)
  if (lines.reduce((sum, { cents }) => sum + cents, 0) !== 0)
    throw new Error(`The entry of ${reference} does not balance.`)
  const { random, journals } = company
  const journal: XeroJournal = {
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

/** Reverses an entry on its own date, because a voided document leaves no trace in a report. */
export function reverse(company: XeroCompany, { date, reference, source, postings }: XeroJournal, at: number): void {
  post(company, {
    date,
    at,
    reference,
    source,
    postings: postings.map((posting) => ({ ...posting, cents: -posting.cents })),
  })
}

export function postInvoice(company: XeroCompany, invoice: XeroInvoice, at: number): void {
  const isSale = invoice.type === 'ACCREC'
  const control = systemAccount(company, isSale ? 'DEBTORS' : 'CREDITORS')
  invoice.journal = postDocument(company, invoice, { counter: control, sign: isSale ? 1 : -1, at, type: invoice.type })
}

export function postCreditNote(company: XeroCompany, credit: XeroCredit, at: number): void {
  credit.journal = postDocument(company, credit, {
    counter: controlOf(company, credit),
    sign: credit.side === 'sell' ? -1 : 1,
    at,
    type: credit.type,
  })
}

export function postBankTransaction(company: XeroCompany, transaction: BankTransaction, at: number): void {
  const { bank, credit, type } = transaction
  const isIn = type.startsWith('RECEIVE')
  const entry = { sign: isIn ? 1 : -1, at, type: isIn ? 'CASHREC' : 'CASHPAID' } as const
  if (credit === null) transaction.journal = postDocument(company, transaction, { counter: bank, ...entry })
  else {
    const cents = entry.sign * baseCents(transaction.totalCents, transaction.rate)
    transaction.journal = post(company, {
      ...entryOf(transaction, entry.type, at),
      postings: [
        { account: bank, cents },
        { account: controlOf(company, credit), cents: -cents },
      ],
    })
  }
}

function postDocument(
  company: XeroCompany,
  document: XeroDocument,
  { counter, sign, at, type }: { counter: XeroAccount; sign: 1 | -1; at: number; type: string },
): XeroJournal {
  const { rate, totalCents, taxCents } = document
  const postings: XeroPosting[] = [
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

function entryOf(
  { date, number, reference, id }: XeroDocument,
  type: string,
  at: number,
): Omit<JournalInput, 'postings'> {
  return { date, at, reference: number === '' ? reference : number, source: { id, type } }
}

/** A line's amount before tax. */
export function netOf(
  { cents, taxCents }: { cents: number; taxCents: number },
  { lineAmountTypes }: Pick<XeroDocument, 'lineAmountTypes'>,
): number {
  return lineAmountTypes === 'Inclusive' ? cents - taxCents : cents
}

function balanced(company: XeroCompany, postings: readonly XeroPosting[]): readonly XeroPosting[] {
  const rest = postings.reduce((sum, { cents }) => sum + cents, 0)
  return [...postings, { account: systemAccount(company, 'ROUNDING'), cents: -rest }]
}

/** The debtors or creditors account. */
function controlOf(company: XeroCompany, of: XeroInvoice | XeroCredit): XeroAccount {
  const isSale = 'side' in of ? of.side === 'sell' : of.type === 'ACCREC'
  return systemAccount(company, isSale ? 'DEBTORS' : 'CREDITORS')
}

/** Payment of an invoice, or refund of a credit. The difference of rates is a gain or loss. */
export function postPayment(company: XeroCompany, payment: Omit<XeroPayment, 'journal'>, at: number): XeroJournal {
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

/** Debtors to debtors: only a difference of rates is posted. */
export function postAllocation(
  company: XeroCompany,
  allocation: Omit<CreditAllocation, 'journal'>,
  at: number,
): XeroJournal | null {
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

export function postManualJournal(company: XeroCompany, manual: ManualJournal, at: number): void {
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

export function postClaim(company: XeroCompany, claim: ExpenseClaim, at: number): void {
  const postings: XeroPosting[] = claim.receipts.flatMap((receipt) => [
    ...receipt.lines.map((line) => ({
      account: line.account,
      cents: netOf(line, receipt),
      description: line.description,
      tracking: line.tracking,
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
