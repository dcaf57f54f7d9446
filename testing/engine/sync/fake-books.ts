/** Fake books: entries that may change without notice, and a report of them that may be wrong. */
import type { Fault } from '@tributary/engine/ports/faults'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import type { TieOutDefinition } from '@tributary/engine/ports/tie-out'
import { batch, column, stream, table, type RowFields } from './fixtures.ts'

interface BookEntry {
  readonly id: string
  day: string
  account: string
  amount: string
}

export interface FakeBooks {
  readonly entries: BookEntry[]
  /** Reported sums by month and account; the sums of the entries by default. */
  readonly reported: Map<string, string>
  /** Stream and months of each repeated read. */
  readonly readAgain: string[]
  /** Months that an ordinary read of the report omits. */
  readonly stale: Set<string>
  /** Called before months are read again. */
  before: (stream: string) => Promise<void> | void
  /** Thrown by repeated reads. */
  fault: Fault | null
}

const day = column('day', { kind: 'date' }, false)
const account = column('account', { kind: 'text', maxLength: 20 }, false)
const amount = column('amount', { kind: 'decimal', precision: 19, scale: 2 })
const entry = table('entry', [column('id', { kind: 'text', maxLength: 20 }, false), day, account, amount])
const month = table('report_month', [column('month', { kind: 'date' }, false)])
const line = {
  ...table('report', [column('month', { kind: 'date' }, false), account, amount], ['month', 'account']),
  parentKey: ['month'],
}
const streams: readonly Stream[] = [
  stream(entry, { hasDistinctKeys: false }),
  stream(month, { name: 'report', children: [line], hasDistinctKeys: false }),
]

export function newBooks(): FakeBooks {
  return { entries: [], reported: new Map(), readAgain: [], stale: new Set(), before: () => {}, fault: null }
}

/** Returns each entry only once, and the complete report each time, except for its stale months. */
export function booksSource(books: FakeBooks, tieOut: TieOutDefinition = booksTieOut): OpenSource {
  return {
    check: async () => [],
    streams: async () => streams,
    async *read({ name }, { since, months }) {
      if (months !== undefined) {
        await books.before(name)
        if (books.fault !== null) throw books.fault
        books.readAgain.push(`${name} ${months.join(' ')}`)
      }
      if (name === 'entry') {
        const rows = books.entries.filter((each) =>
          months === undefined ? since === null : months.includes(monthOf(each.day)),
        )
        yield batch(entry, rows.map(fieldsOf), { read: true })
        return
      }
      const reportMonths = [...new Set(books.entries.map((each) => monthOf(each.day)))].filter((each) =>
        months === undefined ? since === null || !books.stale.has(each) : months.includes(each),
      )
      yield batch(
        month,
        reportMonths.map((each) => [each]),
      )
      yield batch(
        line,
        reportMonths.flatMap((each) => linesOf(books, each)),
        { read: true },
      )
    },
    tieOut,
    async [Symbol.asyncDispose]() {},
  }
}

const fieldsOf = (each: BookEntry): RowFields => [each.id, each.day, each.account, each.amount]

function monthOf(date: string): string {
  return `${date.slice(0, 8)}01`
}

function linesOf({ entries, reported }: FakeBooks, of: string): RowFields[] {
  const sums = new Map<string, number>()
  for (const each of entries.filter((one) => monthOf(one.day) === of))
    sums.set(each.account, (sums.get(each.account) ?? 0) + Number(each.amount))
  return [...sums].map(([name, sum]) => [of, name, reported.get(`${of} ${name}`) ?? sum.toFixed(2)])
}

export const booksTieOut: TieOutDefinition = {
  requiredStreams: ['entry', 'report'],
  reportStream: 'report',
  company: () => `SELECT 'Made Ltd' AS name, 'NZD' AS currency`,
  ledger: () => ({
    basis: 'documents',
    datedStreams: ['entry'],
    views: [
      {
        name: 'ledger',
        select: (words) =>
          `SELECT id, day, ${words.month('day')} AS month, account, amount FROM ${words.table('entry')}`,
      },
    ],
    selectFigures: (
      words,
    ) => `SELECT month, account AS account_id, account AS code, 'Account ' || account AS name, SUM(computed), SUM(reported),
        CASE account WHEN 'beyond' THEN 'The source books it by itself.' END
      FROM (SELECT month, account, amount AS computed, 0.00 AS reported FROM ${words.view('ledger')} AS l
        UNION ALL SELECT month, account, 0.00, amount FROM ${words.table('report')}) AS both_sides GROUP BY month, account`,
    selectDocuments: (
      words,
      places,
    ) => `SELECT month, account, 'Entry', id, NULL, day, NULL, amount FROM ${words.view('ledger')} AS l
      WHERE ${places.map((at) => `(month = '${at.month}' AND account = '${at.accountId}')`).join(' OR ')} ORDER BY id`,
  }),
  addressOf: ({ id }) => `https://books.example/${id}`,
}
