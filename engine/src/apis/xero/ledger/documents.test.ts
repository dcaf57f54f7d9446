/** Postings of each kind of document, in each available database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Documents, type LedgerBench, openLedger } from '@tributary/testing/conformance/ledger/ledger-bench.ts'
import { cases } from '@tributary/testing/conformance/ledger/ledger-cases.ts'
import { accounts, company, documentId } from '@tributary/testing/conformance/ledger/ledger-documents.ts'

describe.each(['postgres', 'mysql'] as const)('the general ledger in %s', (kind) => {
  let bench: LedgerBench
  const entries = new Map<string, Record<string, string>>()

  beforeAll(async () => {
    bench = await openLedger(kind)
    const documents: Record<string, Documents[string]> = { Organisation: [company], Accounts: accounts }
    for (const each of cases)
      for (const [stream, some] of Object.entries(each.documents))
        documents[stream] = [...(documents[stream] ?? []), ...some]
    await bench.load(documents)
    const rows = await bench.target.select(
      ({ view }) =>
        `SELECT document_id, account_code, SUM(amount) AS amount FROM ${view('general_ledger')} GROUP BY document_id, account_code`,
    )
    for (const [id, code, amount] of rows)
      entries.set(id ?? '', { ...entries.get(id ?? ''), [code ?? 'none']: amount ?? '' })
  })
  afterAll(() => bench[Symbol.asyncDispose]())

  test.each(cases)('$title', ({ entries: expected }) => {
    for (const [number, postings] of Object.entries(expected))
      expect(entries.get(documentId(Number(number))) ?? {}).toEqual(postings)
  })

  test('every document balances, and a month is its first day', async () => {
    const open = await bench.target.select(
      ({ view }) =>
        `SELECT document_id FROM ${view('general_ledger')} GROUP BY document_id, date HAVING SUM(amount) <> 0`,
    )
    expect(open).toEqual([])
    const months = await bench.target.select(({ view }) => `SELECT DISTINCT month FROM ${view('trial_balance')}`)
    expect(months.toSorted()).toEqual([['2026-02-01'], ['2026-03-01']])
  })
})
