/**
 * Compares Xero's trial balance with the one computed from a company's documents, or from Xero's journals if they are
 * selected.
 */
import type { LedgerCell, TieOutDefinition } from '../../../ports/tie-out.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { causeOfAccount, isBookedByXero, reasonOf } from './undocumented-entries.ts'
import { roundToCents } from './posting.ts'
import { balanceView, documentViews, journalViews, ledgerView } from './views.ts'

const documents = [
  'Invoices',
  'CreditNotes',
  'Payments',
  'Overpayments',
  'Prepayments',
  'BankTransactions',
  'BankTransfers',
  'ManualJournals',
] as const

const claims = ['ExpenseClaims', 'Receipts'] as const

/** The streams of which a company's ledger consists. */
export const ledgerStreams = ['Organisation', 'Accounts', ...documents, 'Reports/TrialBalance'] as const

export const xeroTieOut: TieOutDefinition = {
  requiredStreams: ledgerStreams,
  reportStream: 'Reports/TrialBalance',
  company: ({ table }) => `SELECT o.name, o.base_currency FROM ${table('organisation')} AS o`,
  ledger: (streams) => {
    const isOfJournals = streams.has('Journals')
    return {
      basis: isOfJournals ? 'journals' : 'documents',
      // A journal never changes once written.
      datedStreams: isOfJournals ? [] : [...documents, ...claims].filter((name) => streams.has(name)),
      views: isOfJournals ? journalViews() : documentViews(streams),
      selectFigures: (words) => compare(words, isOfJournals ? 'NULL' : unexplainedReason),
      selectDocuments: documentsBehind,
    }
  },
  addressOf: ({ kind, id }) => {
    const path = pagesByKind[kind]
    return path === undefined ? null : `https://go.xero.com/${path}${encodeURIComponent(id)}`
  },
}

/** By kind of document. Xero has no page by id for other kinds. */
const pagesByKind: { readonly [kind: string]: string | undefined } = {
  Invoice: 'AccountsReceivable/View.aspx?InvoiceID=',
  Bill: 'AccountsPayable/View.aspx?InvoiceID=',
  'Credit note': 'AccountsReceivable/ViewCreditNote.aspx?creditNoteID=',
  'Supplier credit note': 'AccountsPayable/ViewCreditNote.aspx?creditNoteID=',
  'Bank transaction': 'Bank/ViewTransaction.aspx?bankTransactionID=',
  Payment: 'Bank/ViewTransaction.aspx?bankTransactionID=',
  'Manual journal': 'Journal/View.aspx?invoiceID=',
}

/** Stands in for the id of a system account that the company does not have. */
const noAccount = 'none'

function accountIdOf(row: string): string {
  return `COALESCE(CAST(${row}.account_id AS char(36)), '${noAccount}')`
}

/** Compares the months whose report has been read, for every account with a figure on either side. */
function compare(words: StatementNames, reason: string): string {
  return `SELECT w.month, ${accountIdOf('w')} AS account_id, w.code,
      COALESCE(w.name, 'No such account') AS name, w.computed, w.reported, ${reason} AS reason
    FROM (${weighedFigures(words)}) AS w`
}

/** What Xero books by itself: month, account id and amount, debit positive. Nothing if Xero's journals are moved. */
export function bookedByXero(words: StatementNames): string {
  return `SELECT w.month, w.account_id, -1 * w.difference AS amount FROM (${weighedFigures(words)}) AS w
    WHERE w.difference <> 0 AND (${isExplained})`
}

/** The figures with the sum of the differences of all accounts with the same cause. */
function weighedFigures(words: StatementNames): string {
  return `SELECT v.*, SUM(v.difference) OVER (PARTITION BY v.month, v.cause) AS cause_difference,
        SUM(v.is_xeros * ABS(v.difference)) OVER (PARTITION BY v.month, v.cause) AS xeros_difference
      FROM (${figuresWithCauses(words)}) AS v`
}

/**
 * An account that documents write to is excused only if the differences of all accounts with the same cause sum to
 * zero.
 */
const isExplained = 'w.is_xeros = 1 OR (w.xeros_difference <> 0 AND w.cause_difference = 0)'
const unexplainedReason = `CASE WHEN ${isExplained} THEN ${reasonOf('w.cause')} END`

function figuresWithCauses(words: StatementNames): string {
  return `SELECT f.month, f.account_id, COALESCE(a.code, f.code) AS code, COALESCE(a.name, f.name) AS name, f.computed, f.reported,
      f.computed - f.reported AS difference, ${causeOfAccount} AS cause, ${isBookedByXero} AS is_xeros
    FROM (${figures(words)}) AS f LEFT JOIN ${words.table('account')} AS a ON a.account_id = f.account_id
    CROSS JOIN ${words.table('organisation')} AS o
    WHERE f.computed <> 0 OR f.reported <> 0`
}

function figures({ table, view }: StatementNames): string {
  const reported = roundToCents('COALESCE(r.debit, 0) - COALESCE(r.credit, 0)')
  return `SELECT b.month, b.account_id, MAX(b.code) AS code, MAX(b.name) AS name, SUM(b.computed) AS computed, SUM(b.reported) AS reported
    FROM (SELECT c.month, c.account_id, c.account_code AS code, c.account_name AS name, c.amount AS computed, ${roundToCents('0')} AS reported
        FROM ${view(balanceView)} AS c
        WHERE c.month IN (SELECT m.month FROM ${table('report_trial_balance_month')} AS m)
      UNION ALL SELECT r.month, r.account_id, r.code, r.name, ${roundToCents('0')} AS computed, ${reported} AS reported FROM ${table('report_trial_balance')} AS r) AS b
    GROUP BY b.month, b.account_id`
}

function documentsBehind({ view }: StatementNames, places: readonly LedgerCell[]): string {
  return `SELECT n.month, ${accountIdOf('n')} AS account_id, n.kind, n.document_id AS id, n.document_number AS number, n.date, n.contact, n.amount
    FROM (SELECT m.*, ROW_NUMBER() OVER (PARTITION BY m.month, m.account_id ORDER BY m.date DESC, m.document_id) AS place
      FROM (SELECT g.month, g.account_id, g.kind, g.document_id, MAX(g.document_number) AS document_number, g.date, MAX(g.contact) AS contact, SUM(g.amount) AS amount
        FROM ${view(ledgerView)} AS g WHERE ${places.map(conditionFor).join(' OR ')}
        GROUP BY g.month, g.account_id, g.kind, g.document_id, g.date) AS m) AS n
    WHERE n.place <= 500`
}

function conditionFor({ month, accountId }: LedgerCell): string {
  const isOfAccount =
    accountId === noAccount ? 'g.account_id IS NULL' : `g.account_id = '${requireAccountId(accountId)}'`
  return `(g.month = '${requireMonth(month)}' AND ${isOfAccount})`
}

function requireAccountId(text: string): string {
  if (!/^[\da-f-]{36}$/iu.test(text)) throw new Error('This is not the id of an account.')
  return text
}

function requireMonth(text: string): string {
  if (!/^\d{4}-\d\d-01$/u.test(text)) throw new Error('This is not a month.')
  return text
}
