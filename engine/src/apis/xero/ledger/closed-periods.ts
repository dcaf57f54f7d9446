/** Documents of Xero in closed periods: its general ledger, lock dates, statuses and change dates. */
import type { ClosedPeriodDefinition, ClosedPeriodLedger } from '../../../ports/closed-periods.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { creditNoteKind } from './document-kinds.ts'
import { ledgerStreams, xeroTieOut } from './tie-out.ts'
import { documentViews, journalViews, ledgerView } from './views.ts'

const books = ledgerStreams.filter((name) => !name.startsWith('Reports/'))
const claims = ['ExpenseClaims', 'Receipts'] as const

export const xeroClosedPeriods: ClosedPeriodDefinition = {
  requiredStreams: books,
  lockDates: {
    stream: 'Organisation',
    select: ({ table }) =>
      `SELECT MAX(o.period_lock_date) AS period, MAX(o.end_of_year_lock_date) AS year_end FROM ${table('organisation')} AS o`,
  },
  ledger: ledgerOfStreams,
  addressOf: xeroTieOut.addressOf,
}

function ledgerOfStreams(moved: ReadonlySet<string>): ClosedPeriodLedger {
  const isOfJournals = moved.has('Journals')
  const hasClaims = claims.every((name) => moved.has(name))
  const [ledger] = isOfJournals ? journalViews() : documentViews(moved)
  if (ledger?.name !== ledgerView) throw new Error('The first view must be the general ledger.')
  return {
    streams: [...books, ...(isOfJournals ? ['Journals'] : []), ...(hasClaims ? claims : [])],
    compares: 'amounts',
    compared: [],
    postings: (names) => `SELECT g.date, g.kind, g.document_id, g.document_number, g.contact,
        COALESCE(CAST(g.account_id AS char(36)), 'none') AS account_id, g.account_code, g.account_name, g.amount
      FROM (${ledger.select(names)}) AS g`,
    documents: (names) => documentsWithStatus(names, hasClaims).join(' UNION ALL '),
  }
}

function documentsWithStatus(names: StatementNames, hasClaims: boolean): readonly string[] {
  const of = (table: string, kind: string, changed = 'd.updated_date_utc'): string =>
    `SELECT ${kind} AS kind, d.${table}_id AS document_id, d.status AS status, ${changed} AS changed_at FROM ${names.table(table)} AS d`
  return [
    of('invoice', `CASE d.type WHEN 'ACCREC' THEN 'Invoice' ELSE 'Bill' END`),
    of('credit_note', creditNoteKind('d')),
    of('bank_transaction', `'Bank transaction'`),
    of('payment', `'Payment'`),
    of('overpayment', `'Overpayment'`),
    of('prepayment', `'Prepayment'`),
    // A transfer has no date of its last change.
    of('bank_transfer', `'Bank transfer'`, 'd._deleted_at'),
    of('manual_journal', `'Manual journal'`),
    ...(hasClaims ? [of('expense_claim', `'Expense claim'`)] : []),
  ]
}
