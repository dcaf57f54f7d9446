/** Random documents, and the sums of their postings in whole cents, calculated without a database. */
import fc from 'fast-check'
import type { JsonObject } from '@tributary/engine/apis/http/exact-json'
import {
  allocation,
  bankTransaction,
  creditNote,
  documentId,
  invoice,
  manualJournal,
  payment,
  transfer,
  type PricedXeroDocument,
} from './ledger-documents.ts'

export const months = ['2026-01-01', '2026-02-01', '2026-03-01']

const kinds = [
  'ACCREC',
  'ACCPAY',
  'ACCRECCREDIT',
  'ACCPAYCREDIT',
  'RECEIVE',
  'SPEND',
  'RECEIVE-PREPAYMENT',
  'transfer',
  'manual',
] as const

/** Rates are in ten-thousandths, so that division stays in whole numbers. */
const anyDocument = fc.record({
  kind: fc.constantFrom(...kinds),
  counts: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
  month: fc.constantFrom(...months),
  rate: fc.constantFrom(10_000, 7_123, 13_377, 5_000, 6_667),
  inclusive: fc.boolean(),
  lines: fc.array(
    fc.record({
      code: fc.constantFrom('200', '310', '429'),
      cents: fc.integer({ min: -5_000, max: 100_000 }),
      tax: fc.integer({ min: 0, max: 999 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  /** The payment of an invoice, or the amount of a credit note that is allocated to an invoice. */
  settled: fc.option(
    fc.record({ cents: fc.integer({ min: 1, max: 50_000 }), rate: fc.constantFrom(10_000, 7_200, 13_000) }),
  ),
})
type RandomDocument = typeof anyDocument extends fc.Arbitrary<infer Of> ? Of : never

export const anyDocuments = fc.array(anyDocument, { minLength: 20, maxLength: 60 })

export interface ExpectedLedger {
  readonly documents: Readonly<Record<string, readonly JsonObject[]>>
  /** Movements in cents by month and account. */
  readonly moved: ReadonlyMap<string, Readonly<Record<string, number>>>
}

interface DocumentPosting {
  /** The document as the API returns it. */
  readonly document: PricedXeroDocument & { readonly date: string; readonly status: string }
  readonly put: (stream: string, document: JsonObject) => void
  readonly post: (account: string, cents: number) => void
}

export function addUp(made: readonly RandomDocument[]): ExpectedLedger {
  const documents: Record<string, JsonObject[]> = {}
  const moved = new Map(months.map((month): [string, Record<string, number>] => [month, {}]))
  for (const [at, each] of made.entries()) {
    const { kind, counts, month, rate } = each
    const sums = moved.get(month) ?? {}
    adders[kind](each, {
      document: {
        ...each,
        number: 10 * (at + 1),
        type: kind,
        date: `${month.slice(0, 8)}17`,
        rate: rate / 10_000,
        status: counts ? 'AUTHORISED' : 'DELETED',
      },
      put: (stream, document) => void (documents[stream] ??= []).push(document),
      post: (account, cents) => void (sums[account] = (sums[account] ?? 0) + (counts ? cents : 0)),
    })
  }
  return { documents, moved }
}

const adders: Readonly<Record<RandomDocument['kind'], (made: RandomDocument, posting: DocumentPosting) => void>> = {
  ACCREC: (made, posting) => addInvoice(made, posting, 'sale'),
  ACCPAY: (made, posting) => addInvoice(made, posting, 'purchase'),
  ACCRECCREDIT: (made, posting) => addCredit(made, posting, 'sale'),
  ACCPAYCREDIT: (made, posting) => addCredit(made, posting, 'purchase'),
  RECEIVE: (made, posting) => addBank(made, posting, 1),
  SPEND: (made, posting) => addBank(made, posting, -1),
  'RECEIVE-PREPAYMENT': addPrepayment,
  transfer: addTransfer,
  manual: addManual,
}

const controls = { sale: '610', purchase: '800' } as const
type LedgerSide = keyof typeof controls

/**
 * Posts the total to one account, lines and tax to the others, and the rounding difference.
 * @param sign of the total
 */
function postPriced(
  { lines, inclusive, rate, ...rest }: RandomDocument,
  { post }: DocumentPosting,
  { counter, sign }: { counter: string; sign: number },
): void {
  const net = lines.map(({ cents, tax }) => inBase(cents - (inclusive ? tax : 0), rate))
  const made = { lines, inclusive, rate, ...rest }
  const [total, tax] = [inBase(totalOf(made), rate), inBase(taxOf(made), rate)]
  post(counter, sign * total)
  post('820', -sign * tax)
  for (const [at, { code }] of lines.entries()) post(code, -sign * (net[at] ?? 0))
  post('860', -sign * (total - tax - net.reduce((sum, each) => sum + each, 0)))
}

function addInvoice(made: RandomDocument, posting: DocumentPosting, side: LedgerSide): void {
  const sign = side === 'sale' ? 1 : -1
  const { document, put, post } = posting
  put('Invoices', invoice(document))
  postPriced(made, posting, { counter: controls[side], sign })
  if (made.settled === null) return
  const { cents, rate } = made.settled
  const of = { Invoice: { InvoiceID: documentId(document.number) } }
  const type = side === 'sale' ? 'ACCRECPAYMENT' : 'ACCPAYPAYMENT'
  put('Payments', payment({ ...document, number: document.number + 1, type, cents, rate: rate / 10_000, of }))
  const [money, owed] = [inBase(cents, rate), inBase(cents, made.rate)]
  post('090', sign * money)
  post(controls[side], -sign * owed)
  post('499', sign * (owed - money))
}

/** Allocates the credit note to a draft invoice, of which only the rate counts. */
function addCredit(made: RandomDocument, posting: DocumentPosting, side: LedgerSide): void {
  const sign = side === 'sale' ? -1 : 1
  const { document, put, post } = posting
  const against = document.number + 2
  postPriced(made, posting, { counter: controls[side], sign })
  if (made.settled === null) return put('CreditNotes', creditNote(document))
  const { cents, rate } = made.settled
  put('CreditNotes', creditNote(document, [allocation(against, cents, document.date)]))
  put('Invoices', invoice({ number: against, type: 'ACCREC', status: 'DRAFT', rate: rate / 10_000, lines: [] }))
  const difference = sign * (inBase(cents, made.rate) - inBase(cents, rate))
  post('499', difference)
  post(controls[side], -difference)
}

function addBank(made: RandomDocument, posting: DocumentPosting, sign: number): void {
  posting.put('BankTransactions', bankTransaction(posting.document))
  postPriced(made, posting, { counter: '090', sign })
}

function addPrepayment(made: RandomDocument, { document, put, post }: DocumentPosting): void {
  put('BankTransactions', bankTransaction(document))
  const total = inBase(totalOf(made), made.rate)
  post('090', total)
  post('610', -total)
}

function addTransfer({ lines, rate }: RandomDocument, { document, put, post }: DocumentPosting): void {
  const cents = Math.abs(lines[0]?.cents ?? 0)
  put(
    'BankTransfers',
    transfer(document.number, cents, { Date: document.date, CurrencyRate: rate / 10_000, Status: document.status }),
  )
  post('090', -inBase(cents, rate))
  post('091', inBase(cents, rate))
}

function addManual({ lines, inclusive, counts }: RandomDocument, { document, put, post }: DocumentPosting): void {
  put('ManualJournals', manualJournal({ ...document, inclusive, status: counts ? 'POSTED' : 'DRAFT' }))
  for (const { code, cents, tax } of lines) {
    post(code, cents - (inclusive ? tax : 0))
    post('820', tax)
  }
}

function taxOf({ lines }: RandomDocument): number {
  return lines.reduce((sum, { tax }) => sum + tax, 0)
}

function totalOf(made: RandomDocument): number {
  const amounts = made.lines.reduce((sum, { cents }) => sum + cents, 0)
  return made.inclusive ? amounts : amounts + taxOf(made)
}

/** Rounds half a cent away from zero. */
function inBase(cents: number, rate: number): number {
  const size = Math.abs(cents) * 10_000
  return Math.sign(cents) * Math.floor((2 * size + rate) / (2 * rate))
}
