/** A stream of the engine `rest` whose records are figures of a month, and entries that are read again for some months. */
import type { RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { asText } from '../../http/canonical-text.ts'
import { encodeDocuments } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import type { Query } from '../calls.ts'
import type { Changes, FirstDay } from '../description/schema-changes.ts'
import type { StreamDescription } from '../description/schema.ts'
import { dayText } from '../moments.ts'
import { walkPages } from '../paging.ts'
import { pointerReader, pointerTo } from '../pointer.ts'
import { type DescribedStream, listCall, listOf, textsOf } from '../read/described-stream.ts'
import { momentQuery } from '../read/read-changes.ts'
import { withDetails } from '../read/details.ts'
import { lastDayOf, type Month, plusMonths } from './calendar.ts'
import { balanceColumn, balanceText, linesEnding, monthColumn, monthText } from './monthly-columns.ts'
import { balanceMember, linesMember, monthMember, readByMonth } from './read-by-month.ts'

export type MonthChanges = Changes & { readonly kind: 'months' }

/** The tables of a monthly report as those of any other stream: a row for each month, and its figures as a child table. */
export function monthlyDescription(name: string, stream: StreamDescription): StreamDescription {
  const { changes, key, columns, about } = stream
  if (changes?.kind !== 'months') return stream
  const balance = changes.balances
    ? { [balanceColumn]: { type: 'text(5)', at: pointerTo(balanceMember), about: balanceText } }
    : {}
  const rows = {
    records: pointerTo(linesMember),
    columns: { ...balance, ...columns },
    ...(key.length > 0 && { key: [...Object.keys(balance), ...key] }),
    ...(about !== undefined && { about }),
  }
  return {
    ...stream,
    key: [monthColumn],
    columns: { [monthColumn]: { type: 'date', at: pointerTo(monthMember), about: monthText } },
    children: { [`${name}${linesEnding}`]: rows },
    about: `The months of which ${name}${linesEnding} has the figures.`,
  }
}

export function readMonths(
  stream: DescribedStream,
  changes: MonthChanges,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const { name, shape, api } = stream
  return readByMonth(
    {
      name,
      shape,
      hasBalances: changes.balances,
      now: () => api.now(),
      firstDay: () => firstDay(stream, changes),
      rows: (month) => rowsOf(stream, queryOf(changes, month)),
    },
    request,
  )
}

function queryOf({ from, to, toDay }: Pick<MonthChanges, 'from' | 'to' | 'toDay'>, month: Month): Query {
  const end = toDay === 'last' ? lastDayOf(month) : plusMonths(month, 1)
  return {
    ...(from !== undefined && momentQuery(from, Date.parse(month))),
    ...momentQuery(to, Date.parse(end)),
  }
}

async function firstDay(stream: DescribedStream, { first }: MonthChanges): Promise<string | null> {
  const days: string[] = []
  for (const one of Array.isArray(first) ? first : [first]) {
    const day = await dayOf(stream, one)
    if (day !== null) days.push(day)
  }
  return days.toSorted()[0] ?? null
}

async function dayOf({ api }: DescribedStream, { path, query, at, format }: FirstDay): Promise<string | null> {
  const { json } = await api.get(api.withSettings({ path, query: textsOf(query) }))
  const text = asText(pointerReader(at)(json) ?? null)
  return text === null || text === '' ? null : dayText(text, format)
}

async function rowsOf(stream: DescribedStream, query: Query): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = []
  for await (const { records, isRestart } of pagesOf(stream, query)) {
    if (isRestart) rows.length = 0
    rows.push(...records)
  }
  return rows
}

/** Records of a report need no key. */
function pagesOf(stream: DescribedStream, query: Query): ReturnType<typeof walkPages> {
  const list = { ...listOf(stream), keyOf: (record: JsonObject) => JSON.stringify(record) }
  return walkPages({ list, call: listCall(stream, query), paging: stream.paging, from: null })
}

/** How the entries of some days are read. */
export interface DayParameters {
  readonly from: Parameters<typeof momentQuery>[0]
  readonly to: Parameters<typeof momentQuery>[0]
  /** Whether `to` is the last day, or the one after it. */
  readonly toDay: 'last' | 'next'
}

/** The entries of these months, without a checkpoint. */
export async function* readEntriesOf(
  stream: DescribedStream,
  days: DayParameters,
  months: readonly Month[],
): AsyncGenerator<RowBatch> {
  for (const month of months) {
    const query = queryOf(days, month)
    for await (const { records } of pagesOf(stream, query)) {
      const present = records.filter((record) => !stream.isDeleted(record))
      yield* await encodeDocuments(stream.shape, await withDetails(stream, present))
    }
  }
}
