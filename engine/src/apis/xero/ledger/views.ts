/** The views general_ledger and trial_balance, over documents or over Xero's journals. */
import type { LedgerView } from '../../../ports/tie-out.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import { postDocuments } from './documents.ts'
import { roundToCents, type LedgerPosting } from './posting.ts'

export const ledgerView = 'general_ledger'
export const balanceView = 'trial_balance'

export function documentViews(streams: ReadonlySet<string>): readonly LedgerView[] {
  return [{ name: ledgerView, select: (words) => ledgerOf(words, postDocuments(words, streams)) }, trialBalance]
}

export function journalViews(): readonly LedgerView[] {
  return [{ name: ledgerView, select: journals }, trialBalance]
}

const trialBalance: LedgerView = {
  name: balanceView,
  select: ({ view }) => `SELECT g.month, g.account_id, g.account_code, g.account_name, SUM(g.amount) AS amount
    FROM ${view(ledgerView)} AS g GROUP BY g.month, g.account_id, g.account_code, g.account_name`,
}

/** Postings to accounts that documents name, then those to system accounts. */
function ledgerOf(words: StatementNames, postings: readonly LedgerPosting[]): string {
  const named = postings.flatMap((posting) =>
    'id' in posting.account ? selectPosting(posting, posting.account.id) : [],
  )
  const parts = postings.flatMap((posting) =>
    'systemAccount' in posting.account ? selectPosting(posting, posting.account.systemAccount) : [],
  )
  return `${entries(words, { selects: named, accountId: 'p.account', on: 'a.account_id' })}
    UNION ALL ${entries(words, { selects: parts, accountId: 'a.account_id', on: 'a.system_account' })}`
}

function selectPosting({ date, kind, id, number, contact, amount, from }: LedgerPosting, account: string): string {
  return `SELECT ${date} AS posted_on, ${account} AS account, ${kind} AS kind, ${id} AS document_id, ${number} AS document_number,
    ${contact} AS contact, ${amount} AS amount FROM ${from}`
}

interface EntriesQuery {
  readonly selects: readonly string[]
  readonly accountId: string
  readonly on: string
}

function entries(words: StatementNames, { selects, accountId, on }: EntriesQuery): string {
  return `SELECT p.posted_on AS date, ${words.month('p.posted_on')} AS month, ${accountId} AS account_id, a.code AS account_code,
      a.name AS account_name, p.kind, p.document_id, p.document_number, p.contact, p.amount
    FROM (${selects.join(' UNION ALL ')}) AS p LEFT JOIN ${words.table('account')} AS a ON ${on} = p.account WHERE p.amount <> 0`
}

/** Names for the source types of Xero's journals; all others are called journals. */
const kindsBySourceType = {
  ACCREC: 'Invoice',
  ACCPAY: 'Bill',
  ACCRECCREDIT: 'Credit note',
  ACCPAYCREDIT: 'Supplier credit note',
  CASHREC: 'Bank transaction',
  CASHPAID: 'Bank transaction',
  TRANSFER: 'Bank transfer',
  MANJOURNAL: 'Manual journal',
  EXPCLAIM: 'Expense claim',
}

function journals(words: StatementNames): string {
  const kind = `CASE j.source_type ${Object.entries(kindsBySourceType)
    .map(([type, name]) => `WHEN '${type}' THEN '${name}'`)
    .join(' ')} ELSE CASE WHEN j.source_type LIKE '%PAYMENT' THEN 'Payment' ELSE 'Journal' END END`
  return `SELECT j.journal_date AS date, ${words.month('j.journal_date')} AS month, l.account_id, a.code AS account_code, a.name AS account_name,
      ${kind} AS kind, COALESCE(j.source_id, j.journal_id) AS document_id, j.reference AS document_number, NULLIF('', '') AS contact,
      ${roundToCents('l.net_amount')} AS amount
    FROM ${words.table('journal')} AS j JOIN ${words.table('journal_line')} AS l ON l.journal_id = j.journal_id
    LEFT JOIN ${words.table('account')} AS a ON a.account_id = l.account_id WHERE l.net_amount <> 0`
}
