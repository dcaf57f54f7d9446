/** A connector from the ledger API, by a description with a tie-out, to a target. */
import { parseDescription } from '@tributary/engine/apis/described/description/parse'
import { describedSource } from '@tributary/engine/apis/described/source'
import type { OpenSource } from '@tributary/engine/ports/source'
import { type ApiConnector, connectApi } from '../apis/api-connector.ts'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import type { EndKind } from '../databases/database-ends.ts'
import { openNetwork } from '../sync/source-context.ts'
import { type LedgerApi, startLedgerApi } from './ledger-api.ts'

const heading = `format: 1
type: ledger
engine: rest
title: Ledger API
needs: A token.
about: Journals with lines.
guide: [Ask for a token.]
settings:
  token: { label: Token, kind: secret }
base: https://api.ledger.example/
hosts: [api.ledger.example]
signIn: { kind: bearer, token: token }
pace: { calls: 1000, seconds: 1 }
paging: { kind: none }
check: { path: company }
`

export function ledgerDescription(report: 'movements' | 'balances'): string {
  return `${heading}streams:
  company:
    path: company
    records: ''
    key: [name]
    columns: { name: text(100), currency: text(3) }
  account:
    path: accounts
    records: /data
    key: [number]
    columns: { number: text(20), name: text(100) }
  journal:
    path: journals
    records: /data
    key: [id]
    changes: { kind: cursor, column: changed, from: { parameter: since } }
    deletes: { kind: never, why: Posted journals stay. }
    columns: { id: bigint, number: text(20), date: date, changed: instant(3) }
    children:
      journal_line:
        records: /lines
        columns: { account: text(20), amount: decimal }
  figure:
    path: ${report}
    records: /rows
    key: [account]
    changes:
      kind: months
      from: { parameter: from, format: date }
      to: { parameter: to, format: date }
      first: { path: first, at: /date }
      balances: ${report === 'balances'}
    columns: { account: text(20), debit: decimal, credit: decimal, kind: text(20) }
tieOut:
  company: { stream: company, name: name, currency: currency }
  accounts: { stream: account, id: number, code: number, name: name }
  entries:
    - stream: journal
      table: journal_line
      date: date
      account: account
      amount: amount
      document: { id: id, number: number }
      again: { from: { parameter: from, format: date }, to: { parameter: to, format: date } }
  report: { stream: figure, account: account, debit: debit, credit: credit, only: { column: kind, equals: [posting] } }
  addresses: { '*': 'https://ledger.example/journals/{id}' }
`
}

interface LedgerConnector extends ApiConnector {
  readonly api: LedgerApi
  readonly clock: SharedClock
  open(): Promise<OpenSource>
  /** Adds a journal that is changed now. */
  post(date: string, ...lines: readonly (readonly [account: string, cents: bigint])[]): LedgerApi['journals'][number]
}

export async function connectLedger(
  report: 'movements' | 'balances',
  to: EndKind = 'postgres',
): Promise<LedgerConnector> {
  const clock = sharedClock()
  const api = await startLedgerApi(clock)
  const { description, problems } = parseDescription(ledgerDescription(report))
  if (description === null) throw new Error(JSON.stringify(problems))
  const source = describedSource(description)
  const open = (signal = new AbortController().signal): Promise<OpenSource> =>
    source.open(source.parse({ 'ledger.token': api.token, 'ledger.address': api.url }), {
      network: openNetwork,
      clock,
      signal,
    })
  const connector = await connectApi(
    {
      clock,
      open,
      [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
    },
    to,
  )
  return {
    ...connector,
    api,
    clock,
    open: () => open(),
    post(date, ...lines) {
      const journal = {
        id: api.journals.length + 1,
        date,
        changedAt: clock.now(),
        lines: lines.map(([account, cents]) => ({ account, cents })),
      }
      api.journals.push(journal)
      return journal
    },
  }
}
