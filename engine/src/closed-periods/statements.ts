/** The SELECTs that compare documents in closed periods between two moments. */
import type { ClosedPeriodLedger } from '../ports/closed-periods.ts'
import type { StatementNames } from '../ports/view-names.ts'

export interface Comparison {
  readonly ledger: ClosedPeriodLedger
  /** Names of the tables as they are now. */
  readonly now: StatementNames
  /** Names of the tables as they were at the end of the last examination. */
  readonly before: StatementNames
  /** The last closed day. */
  readonly closedThrough: string
}

/** Documents whose postings in the closed period differ: kind and id. */
export function selectChangedDocuments({ ledger, now, before, closedThrough }: Comparison): string {
  const side = (sign: 1 | -1, names: StatementNames): string =>
    `SELECT ${sign} AS side, p.* FROM (${ledger.postings(names)}) AS p WHERE p.date <= '${requireDay(closedThrough)}'`
  const columns = ['kind', 'document_id', 'document_number', 'date', 'account_id', ...ledger.compared]
  const differs =
    ledger.compares === 'amounts' ? 'SUM(u.side * u.amount) <> 0' : 'SUM(u.side) <> 0 OR SUM(u.side * u.amount) <> 0'
  return `SELECT x.kind, x.document_id FROM (SELECT u.kind, u.document_id
      FROM (${side(1, now)} UNION ALL ${side(-1, before)}) AS u
      GROUP BY ${columns.map((column) => `u.${column}`).join(', ')} HAVING ${differs}) AS x
    GROUP BY x.kind, x.document_id`
}

/**
 * What the changed documents posted before and post now, whatever the date: side, kind, id, date, account id, code and name,
 * number, contact, amount.
 */
export function selectDocumentStates(comparison: Comparison): string {
  const { ledger, now, before } = comparison
  const changed = selectChangedDocuments(comparison)
  const side = (title: string, names: StatementNames): string =>
    `SELECT '${title}' AS side, p.kind, p.document_id, p.date, p.account_id, MAX(p.account_code) AS account_code,
        MAX(p.account_name) AS account_name, p.document_number, MAX(p.contact) AS contact, SUM(p.amount) AS amount
      FROM (${ledger.postings(names)}) AS p JOIN (${changed}) AS c ON c.kind = p.kind AND c.document_id = p.document_id
      GROUP BY p.kind, p.document_id, p.date, p.account_id, p.document_number ${
        ledger.compares === 'amounts' ? 'HAVING SUM(p.amount) <> 0' : ''
      }`
  return `${side('before', before)} UNION ALL ${side('after', now)}`
}

/** Status and time of the last change of the changed documents as they are now: kind, id, status, time. */
export function selectDocumentFacts(comparison: Comparison, documents: (names: StatementNames) => string): string {
  return `SELECT d.kind, d.document_id, MAX(d.status) AS status, MAX(d.changed_at) AS changed_at
    FROM (${documents(comparison.now)}) AS d JOIN (${selectChangedDocuments(comparison)}) AS c
      ON c.kind = d.kind AND c.document_id = d.document_id
    GROUP BY d.kind, d.document_id`
}

function requireDay(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/u.test(text)) throw new Error('This is not a day.')
  return text
}
