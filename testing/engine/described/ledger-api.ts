/** A small ledger behind an API: accounts, journals with lines, and a report for each month. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LedgerLine {
  account: string
  /** In cents, debit positive. */
  cents: bigint
}

export interface LedgerJournal {
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

export async function startLedgerApi(clock: { now(): number }): Promise<LedgerApi> {
  const accounts = new Map([
    ['1000', 'Bank'],
    ['4000', 'Sales'],
    ['6000', "Owner's rent"],
  ])
  const journals: LedgerJournal[] = []
  const calls: string[] = []
  const token = 'ledger-token'
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    reply(request, response)
  })
  function reply(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://ledger.example')
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', date: new Date(clock.now()).toUTCString() })
      response.end(JSON.stringify(body))
    }
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, { error: 'refused' })
    const body = bodyOf(url.pathname, url.searchParams)
    if (body === null) send(404, { error: 'unknown' })
    else send(200, body)
  }
  function bodyOf(path: string, query: URLSearchParams): unknown {
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
        return { rows: rowsOf(query.get('from') ?? '', query.get('to') ?? '') }
      case '/balances':
        return { rows: rowsOf('', query.get('to') ?? '') }
      default:
        return null
    }
  }
  /** Accounts without a figure are left out. Debit and credit are positive, as reports print them. */
  function rowsOf(from: string, to: string): unknown {
    const sums = new Map<string, bigint>()
    for (const { date, lines } of journals)
      if (date >= from && date <= to)
        for (const { account, cents } of lines) sums.set(account, (sums.get(account) ?? 0n) + cents)
    return [...sums]
      .filter(([, cents]) => cents !== 0n)
      .map(([account, cents]) => ({
        account,
        debit: cents > 0n ? decimal(cents) : null,
        credit: cents < 0n ? decimal(-cents) : null,
        kind: 'Posting',
      }))
      .concat([{ account: 'total', debit: '1.00', credit: null, kind: 'Total' }])
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    token,
    accounts,
    journals,
    calls,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  }
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
