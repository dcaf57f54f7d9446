/** The ledger's postings that carry a tracking option, each once for each of its categories. */
import type { QuestionContext, ReadyQuestion } from '../../../ports/questions.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import {
  bankDocument,
  creditNoteDocument,
  invoiceDocument,
  manualJournalHeading,
  manualJournalLines,
  receiptDocument,
} from '../ledger/document-kinds.ts'
import { netOf, roundToCents } from '../ledger/posting.ts'
import { joinedLines, lineAmount, type PricedDocument } from '../ledger/priced-documents.ts'
import { ledgerStreams } from '../ledger/tie-out.ts'
import { baseCurrency, described } from './movements.ts'

export const trackedView = 'general_ledger_tracking'

export const trackedLedger: ReadyQuestion = {
  name: trackedView,
  title: 'Which postings carry which tracking option?',
  description: `The lines of documents that carry a tracking option, one row for each line and category. Names are those when the document was last read; the profit and loss by tracking shows today’s. ${baseCurrency}`,
  columns: [
    { name: 'date', description: 'The date of the document.' },
    described.month,
    { name: 'account_id', description: 'Xero’s id of the account.' },
    { name: 'document_id', description: 'Xero’s id of the document.' },
    { name: 'line_id', description: 'The position of the line in the document, or Xero’s id of the journal’s line.' },
    { name: 'tracking_category_id', description: 'Xero’s id of the tracking category.' },
    { name: 'tracking_category', description: 'The category’s name on the document.' },
    { name: 'tracking_option_id', description: 'Xero’s id of the option.' },
    { name: 'tracking_option', description: 'The option’s name on the document.' },
    { name: 'amount', description: 'The line’s amount without tax, debit positive.' },
  ],
  requiredStreams: ledgerStreams,
  select: (
    words,
    context,
  ) => `SELECT p.posted_on AS date, ${words.month('p.posted_on')} AS month, p.account_id, p.document_id, p.line_id,
      p.tracking_category_id, p.tracking_category, p.tracking_option_id, p.tracking_option, p.amount
    FROM (${lines(words, context).join(' UNION ALL ')}) AS p WHERE p.tracking_category_id IS NOT NULL`,
}

function lines(words: StatementNames, { streams }: QuestionContext): readonly string[] {
  if (streams.has('Journals')) return [journalLines(words)]
  const hasClaims = streams.has('ExpenseClaims') && streams.has('Receipts')
  const priced = [invoiceDocument, creditNoteDocument, bankDocument, ...(hasClaims ? [receiptDocument(words)] : [])]
  return [...priced.map((document) => pricedLines(words, document)), manualLines(words)]
}

function pricedLines(words: StatementNames, priced: PricedDocument): string {
  const { heading, table, key, where } = priced
  return `SELECT ${heading.date} AS posted_on, COALESCE(l.account_id, coded.account_id) AS account_id, ${heading.id} AS document_id, ${lineId('l.line_no')} AS line_id,
      ${trackingColumns(words)}, ${lineAmount(priced)} AS amount
    FROM ${joinedLines(words, priced)} ${joinedTracking(words, table, key)} WHERE ${where}`
}

function manualLines(words: StatementNames): string {
  const { date, id } = manualJournalHeading
  return `SELECT ${date} AS posted_on, COALESCE(l.account_id, coded.account_id) AS account_id, ${id} AS document_id, ${lineId('l.line_no')} AS line_id,
      ${trackingColumns(words)}, ${roundToCents(netOf('l', 'd'))} AS amount
    FROM ${manualJournalLines(words)} ${joinedTracking(words, 'manual_journal', 'manual_journal_id')} WHERE d.status = 'POSTED'`
}

function journalLines(words: StatementNames): string {
  return `SELECT j.journal_date AS posted_on, l.account_id, COALESCE(j.source_id, j.journal_id) AS document_id, ${lineId('l.journal_line_id')} AS line_id,
      ${trackingColumns(words)}, ${roundToCents('l.net_amount')} AS amount
    FROM ${words.table('journal')} AS j JOIN ${words.table('journal_line')} AS l ON l.journal_id = j.journal_id
    JOIN ${words.table('journal_line_tracking')} AS t ON t.journal_id = l.journal_id AND t.journal_line_id = l.journal_line_id`
}

const lineId = (line: string): string => `LTRIM(RTRIM(CAST(${line} AS char(36))))`

/** Lines are identified by their position, because their ids change when a document is edited. */
function joinedTracking(words: StatementNames, table: string, key: string): string {
  return `JOIN ${words.table(`${table}_line_tracking`)} AS t ON t.${key} = l.${key} AND t.line_no = l.line_no`
}

/** `option` is a reserved word in some databases. */
function trackingColumns({ quote }: StatementNames): string {
  return `t.tracking_category_id, t.name AS tracking_category, t.tracking_option_id, t.${quote('option')} AS tracking_option`
}
