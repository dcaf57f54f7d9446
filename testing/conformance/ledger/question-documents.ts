/** A small company for questions: accounts with classes, and reports with balances. */
import type { JsonObject } from '@tributary/engine/apis/http/exact-json'
import { xeroStreams } from '@tributary/engine/apis/xero/streams'
import { accounts, company, trialBalance } from './ledger-documents.ts'

/** In addition to those of every ledger. */
export const questionStreams = ['ExpenseClaims', 'Receipts', 'Contacts', 'TrackingCategories']
/** Of a connector that moves everything but journals. */
export const questionContext = {
  streams: new Set(xeroStreams.map(({ name }) => name).filter((name) => name !== 'Journals')),
  now: 0,
}

const classesByCode: readonly (readonly [first: string, last: string, name: string])[] = [
  ['000', '099', 'ASSET'],
  ['200', '299', 'REVENUE'],
  ['300', '499', 'EXPENSE'],
  ['600', '799', 'ASSET'],
  ['800', '899', 'LIABILITY'],
]
export const classifiedAccounts = accounts.map((account) => {
  const code = String(account['Code'])
  return { ...account, Class: classesByCode.find(([first, last]) => code >= first && code <= last)?.[2] ?? null }
})
export const questionBasics = { Organisation: [{ ...company, FinancialYearEndMonth: 3 }], Accounts: classifiedAccounts }

/** The first month, whose year to date is what moved in it, on top of the opening balances. */
export function firstMonth(
  cents: Readonly<Record<string, number>>,
  opening: Readonly<Record<string, number>> = {},
): JsonObject {
  const codes = { ...opening, ...cents }
  const report = trialBalance(
    '2026-03-01',
    Object.fromEntries(Object.keys(codes).map((code) => [code, cents[code] ?? 0])),
  )
  const lines = (report['Lines'] as readonly JsonObject[]).map((line) => {
    const code = String(line['Code'])
    const balance = (cents[code] ?? 0) + (opening[code] ?? 0)
    return { ...line, YtdDebit: balance > 0 ? balance / 100 : null, YtdCredit: balance < 0 ? -balance / 100 : null }
  })
  return { ...report, Lines: lines }
}
