/** Postings of each kind of document, on an accrual basis. */
import type { StatementNames } from '../../../ports/view-names.ts'
import {
  roundToCents,
  type PostingHeading,
  toBaseCurrency,
  isUnset,
  netOf,
  nullText,
  oneOf,
  type LedgerPosting,
} from './posting.ts'
import {
  bankDocument,
  creditNoteDocument,
  creditNoteKind,
  creditors,
  debtors,
  invoiceDocument,
  isApproved,
  manualJournalHeading,
  manualJournalLines,
  receiptDocument,
} from './document-kinds.ts'
import { accountOfLine, postPriced } from './priced-documents.ts'

/** @param streams names of the selected streams: expense claims post only if theirs are among them */
export function postDocuments(words: StatementNames, streams: ReadonlySet<string>): readonly LedgerPosting[] {
  const hasClaims = streams.has('ExpenseClaims') && streams.has('Receipts')
  return [
    ...postPriced(words, invoiceDocument),
    ...postPriced(words, creditNoteDocument),
    ...bankTransactions(words),
    ...payments(words),
    ...allocations(words),
    ...transfers(words),
    ...manualJournals(words),
    ...(hasClaims ? expenseClaims(words) : []),
  ]
}

const realisedGain = { systemAccount: `'REALISEDCURRENCYGAIN'` } as const

/** An overpayment or prepayment is the contact's credit until it is applied to an invoice, whatever its line says. */
function bankTransactions(words: StatementNames): readonly LedgerPosting[] {
  const { heading } = bankDocument
  const isIn = `d.type LIKE 'RECEIVE%'`
  const total = toBaseCurrency('COALESCE(d.total, 0)', 'd.currency_rate')
  const credits = ['RECEIVE-OVERPAYMENT', 'RECEIVE-PREPAYMENT', 'SPEND-OVERPAYMENT', 'SPEND-PREPAYMENT']
  const from = `${words.table('bank_transaction')} AS d WHERE d.status = 'AUTHORISED' AND ${oneOf('d.type', credits)}`
  const onCredit = (account: LedgerPosting['account'], sign: string): LedgerPosting => ({
    ...heading,
    account,
    amount: `${sign} * ${total}`,
    from,
  })
  return [
    ...postPriced(words, bankDocument),
    onCredit({ id: 'd.bank_account_id' }, `CASE WHEN ${isIn} THEN 1 ELSE -1 END`),
    onCredit(
      { systemAccount: `CASE WHEN ${isIn} THEN ${debtors} ELSE ${creditors} END` },
      `CASE WHEN ${isIn} THEN -1 ELSE 1 END`,
    ),
  ]
}

/** Payments of invoices and refunds of credits. The difference between the two rates is a realised gain or loss. */
function payments(words: StatementNames): readonly LedgerPosting[] {
  const heading: PostingHeading = {
    date: 'p.date',
    kind: `'Payment'`,
    id: 'p.payment_id',
    number: 'COALESCE(p.invoice_number, p.credit_note_number, p.reference)',
    contact: 'COALESCE(p.contact_name, o.contact_name, e.contact_name)',
  }
  const from = `${words.table('payment')} AS p
    LEFT JOIN ${words.table('invoice')} AS i ON i.invoice_id = p.invoice_id
    LEFT JOIN ${words.table('credit_note')} AS c ON c.credit_note_id = p.credit_note_id
    LEFT JOIN ${words.table('overpayment')} AS o ON o.overpayment_id = p.overpayment_id
    LEFT JOIN ${words.table('prepayment')} AS e ON e.prepayment_id = p.prepayment_id
    WHERE p.status = 'AUTHORISED'`
  const isSale = `(p.payment_type = 'ACCRECPAYMENT' OR p.payment_type LIKE 'AR%')`
  const sign = `CASE WHEN p.payment_type = 'ACCRECPAYMENT' OR p.payment_type LIKE 'AP%' THEN 1 ELSE -1 END`
  const money = toBaseCurrency('p.amount', 'p.currency_rate')
  const owed = toBaseCurrency(
    'p.amount',
    'COALESCE(i.currency_rate, c.currency_rate, o.currency_rate, e.currency_rate)',
  )
  return [
    { ...heading, account: { id: 'p.account_id' }, amount: `${sign} * ${money}`, from },
    {
      ...heading,
      account: { systemAccount: `CASE WHEN ${isSale} THEN ${debtors} ELSE ${creditors} END` },
      amount: `-1 * ${sign} * ${owed}`,
      from,
    },
    { ...heading, account: realisedGain, amount: `${sign} * (${owed} - ${money})`, from },
  ]
}

/** An allocated credit stays within debtors or creditors, so only a difference of rates posts. */
function allocations(words: StatementNames): readonly LedgerPosting[] {
  return [
    ...allocationsOf(words, {
      table: 'credit_note',
      kind: creditNoteKind('c'),
      number: 'c.credit_note_number',
      sales: 'ACCRECCREDIT',
    }),
    ...allocationsOf(words, {
      table: 'overpayment',
      kind: `'Overpayment'`,
      number: nullText,
      sales: 'RECEIVE-OVERPAYMENT',
    }),
    ...allocationsOf(words, {
      table: 'prepayment',
      kind: `'Prepayment'`,
      number: 'c.reference',
      sales: 'RECEIVE-PREPAYMENT',
    }),
  ]
}

interface CreditKind {
  readonly table: string
  readonly kind: string
  readonly number: string
  /** The type of customers' credits; all others are suppliers'. */
  readonly sales: string
}

function allocationsOf(words: StatementNames, { table, kind, number, sales }: CreditKind): readonly LedgerPosting[] {
  const heading: PostingHeading = { date: 'a.date', kind, id: `c.${table}_id`, number, contact: 'c.contact_name' }
  const from = `${words.table(`${table}_allocation`)} AS a
    JOIN ${words.table(table)} AS c ON c.${table}_id = a.${table}_id
    JOIN ${words.table('invoice')} AS i ON i.invoice_id = a.invoice_id
    WHERE ${isApproved('c.status')} AND ${isUnset('a.is_deleted')} AND COALESCE(c.currency_rate, 1) <> COALESCE(i.currency_rate, 1)`
  const sign = `CASE c.type WHEN '${sales}' THEN 1 ELSE -1 END`
  const difference = `(${toBaseCurrency('a.amount', 'i.currency_rate')} - ${toBaseCurrency('a.amount', 'c.currency_rate')})`
  return [
    { ...heading, account: realisedGain, amount: `${sign} * ${difference}`, from },
    {
      ...heading,
      account: { systemAccount: `CASE c.type WHEN '${sales}' THEN ${debtors} ELSE ${creditors} END` },
      amount: `-1 * ${sign} * ${difference}`,
      from,
    },
  ]
}

function transfers(words: StatementNames): readonly LedgerPosting[] {
  const heading: PostingHeading = {
    date: 't.date',
    kind: `'Bank transfer'`,
    id: 't.bank_transfer_id',
    number: nullText,
    contact: nullText,
  }
  const from = `${words.table('bank_transfer')} AS t WHERE COALESCE(t.status, '') <> 'DELETED'`
  const amount = toBaseCurrency('t.amount', 't.currency_rate')
  return [
    { ...heading, account: { id: 't.from_bank_account_id' }, amount: `-1 * ${amount}`, from },
    { ...heading, account: { id: 't.to_bank_account_id' }, amount, from },
  ]
}

function manualJournals(words: StatementNames): readonly LedgerPosting[] {
  const from = `${manualJournalLines(words)} WHERE d.status = 'POSTED'`
  const tax = roundToCents('COALESCE(l.tax_amount, 0)')
  return [
    { ...manualJournalHeading, account: accountOfLine, amount: roundToCents(netOf('l', 'd')), from },
    { ...manualJournalHeading, account: { systemAccount: `'GST'` }, amount: tax, from },
  ]
}

function expenseClaims(words: StatementNames): readonly LedgerPosting[] {
  const receipt = receiptDocument(words)
  const unpaid = receipt.counter
  const paid: PostingHeading = { ...receipt.heading, date: 'p.date', number: nullText, contact: nullText }
  const from = `${words.table('expense_claim_payment')} AS p
    JOIN ${words.table('expense_claim')} AS m ON m.expense_claim_id = p.expense_claim_id
    WHERE ${isApproved('m.status')} AND COALESCE(p.status, '') <> 'DELETED'`
  return [
    ...postPriced(words, receipt),
    { ...paid, account: unpaid, amount: roundToCents('p.amount'), from },
    { ...paid, account: { id: 'p.account_id' }, amount: `-1 * ${roundToCents('p.amount')}`, from },
  ]
}
