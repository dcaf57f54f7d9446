/** A small ledger behind an API: accounts, journals with lines, and a report for each month. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface LedgerLine {
  account: string
  /** In cents, debit positive. */
  cents: bigint
}

interface LedgerJournal {
  readonly id: number
  date: string
  changedAt: number
  lines: LedgerLine[]
  /** Lists leave it out; the report has it. */
  isHidden?: 'from changes' | 'always'
}

export interface LedgerApi extends AsyncDisposable {
  readonly url: string
  readonly token: string
  readonly accounts: Map<string, string>
  readonly journals: LedgerJournal[]
  /** Paths and queries of all calls. */
  readonly calls: string[]
}

type LedgerState = Pick<LedgerApi, 'token' | 'accounts' | 'journals' | 'calls'>

export async function startLedgerApi(clock: { now(): number }): Promise<LedgerApi> {
  const accounts = new Map([
    ['1000', 'Bank'],
    ['4000', 'Sales'],
    ['6000', "Owner's rent"],
  ])
  const state: LedgerState = { token: 'ledger-token', accounts, journals: [], calls: [] }
  const server = createServer((request, response) => {
    state.calls.push(request.url ?? '')
    response.setHeader('date', new Date(clock.now()).toUTCString())
    reply(state, request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    ...state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

function reply(state: LedgerState, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://ledger.example')
  const isIn = request.headers.authorization === `Bearer ${state.token}`
  const body = isIn ? bodyOf(state, url.pathname, url.searchParams) : { error: 'refused' }
  response.writeHead(!isIn ? 401 : body === null ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function bodyOf({ accounts, journals }: LedgerState, path: string, query: URLSearchParams): unknown {
  switch (path) {
    case '/company':
      return { name: 'Ledger Ltd', currency: 'DKK' }
    case '/accounts':
      return { data: [...accounts].map(([number, name]) => ({ number, name })) }
    case '/first':
      return { date: journals.map(({ date }) => date).toSorted()[0] ?? null }
    case '/journals':
      return { data: journals.filter((journal) => isListed(journal, query)).map(journalOf) }
    case '/movements':
      return { rows: figuresOf(journals, query.get('from') ?? '', query.get('to') ?? '') }
    case '/balances':
      return { rows: figuresOf(journals, '', query.get('to') ?? '') }
    default:
      return null
  }
}

/** Accounts without a figure are left out. Debit and credit are positive, as reports print them. */
function figuresOf(journals: readonly LedgerJournal[], from: string, to: string): readonly unknown[] {
  const sums = new Map<string, bigint>()
  for (const { date, lines } of journals)
    if (date >= from && date <= to)
      for (const { account, cents } of lines) sums.set(account, (sums.get(account) ?? 0n) + cents)
  const rows = [...sums]
    .filter(([, cents]) => cents !== 0n)
    .map(([account, cents]) => ({
      account,
      debit: cents > 0n ? decimal(cents) : null,
      credit: cents < 0n ? decimal(-cents) : null,
      kind: 'Posting',
    }))
  return [...rows, { account: 'total', debit: '1.00', credit: null, kind: 'Total' }]
}

function isListed({ date, changedAt, isHidden }: LedgerJournal, query: URLSearchParams): boolean {
  const [since, from, to] = [query.get('since'), query.get('from'), query.get('to')]
  if (isHidden === 'always' || (isHidden === 'from changes' && from === null)) return false
  if (since !== null && changedAt < Date.parse(since)) return false
  return (from === null || date >= from) && (to === null || date <= to)
}

function journalOf({ id, date, changedAt, lines }: LedgerJournal): unknown {
  return {
    id,
    number: `J-${id}`,
    date,
    changed: new Date(changedAt).toISOString(),
    lines: lines.map(({ account, cents }) => ({ account, amount: decimal(cents) })),
  }
}

function decimal(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
