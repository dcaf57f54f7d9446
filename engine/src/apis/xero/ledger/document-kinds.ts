/** The kinds of documents that post by line: their tables, signs, rates and statuses. */
import type { StatementNames } from '../../../ports/view-names.ts'
import { nullText, oneOf, type PostingHeading } from './posting.ts'
import { codedAccount, type PricedDocument } from './priced-documents.ts'

export const isApproved = (status: string): string => oneOf(status, ['AUTHORISED', 'PAID'])
export const debtors = `'DEBTORS'`
export const creditors = `'CREDITORS'`

export const invoiceDocument: PricedDocument = {
  heading: {
    date: 'd.date',
    kind: `CASE d.type WHEN 'ACCREC' THEN 'Invoice' ELSE 'Bill' END`,
    id: 'd.invoice_id',
    number: 'COALESCE(d.invoice_number, d.reference)',
    contact: 'd.contact_name',
  },
  table: 'invoice',
  lines: 'invoice_line',
  key: 'invoice_id',
  sign: `CASE d.type WHEN 'ACCREC' THEN -1 ELSE 1 END`,
  rate: 'd.currency_rate',
  where: isApproved('d.status'),
  counter: { systemAccount: `CASE d.type WHEN 'ACCREC' THEN ${debtors} ELSE ${creditors} END` },
}

export const creditNoteKind = (note: string): string =>
  `CASE ${note}.type WHEN 'ACCRECCREDIT' THEN 'Credit note' ELSE 'Supplier credit note' END`

export const creditNoteDocument: PricedDocument = {
  heading: {
    date: 'd.date',
    kind: creditNoteKind('d'),
    id: 'd.credit_note_id',
    number: 'COALESCE(d.credit_note_number, d.reference)',
    contact: 'd.contact_name',
  },
  table: 'credit_note',
  lines: 'credit_note_line',
  key: 'credit_note_id',
  sign: `CASE d.type WHEN 'ACCRECCREDIT' THEN 1 ELSE -1 END`,
  rate: 'd.currency_rate',
  where: isApproved('d.status'),
  counter: { systemAccount: `CASE d.type WHEN 'ACCRECCREDIT' THEN ${debtors} ELSE ${creditors} END` },
}

/** Without overpayments and prepayments, whose lines do not post. */
export const bankDocument: PricedDocument = {
  heading: {
    date: 'd.date',
    kind: `'Bank transaction'`,
    id: 'd.bank_transaction_id',
    number: 'd.reference',
    contact: 'd.contact_name',
  },
  table: 'bank_transaction',
  lines: 'bank_transaction_line',
  key: 'bank_transaction_id',
  sign: `CASE WHEN d.type LIKE 'RECEIVE%' THEN -1 ELSE 1 END`,
  rate: 'd.currency_rate',
  where: `d.status = 'AUTHORISED' AND ${oneOf('d.type', ['RECEIVE', 'SPEND'])}`,
  counter: { id: 'd.bank_account_id' },
}

/** The receipts of an expense claim. */
export function receiptDocument(words: StatementNames): PricedDocument {
  return {
    heading: {
      date: 'm.reporting_date',
      kind: `'Expense claim'`,
      id: 'm.expense_claim_id',
      number: 'd.reference',
      contact: 'd.contact_name',
    },
    table: 'receipt',
    lines: 'receipt_line',
    key: 'receipt_id',
    joined: `JOIN ${words.table('expense_claim_receipt')} AS r ON r.receipt_id = d.receipt_id
    JOIN ${words.table('expense_claim')} AS m ON m.expense_claim_id = r.expense_claim_id`,
    sign: '1',
    rate: '1',
    where: isApproved('m.status'),
    counter: { systemAccount: `'UNPAIDEXPCLM'` },
  }
}

export const manualJournalHeading: PostingHeading = {
  date: 'd.date',
  kind: `'Manual journal'`,
  id: 'd.manual_journal_id',
  number: 'd.narration',
  contact: nullText,
}

/** Manual journals `d` with their lines `l`. */
export function manualJournalLines(words: StatementNames): string {
  return `${words.table('manual_journal')} AS d
    JOIN ${words.table('manual_journal_line')} AS l ON l.manual_journal_id = d.manual_journal_id ${codedAccount(words)}`
}
