/** Replies of the simulated e-conomic: numbered pages of a collection, and refusals. */
import type { EconomicCollection } from './collections.ts'
import { Money } from './money.ts'
import type { EconomicRecord } from './records.ts'

export interface EconomicReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function refusal(httpStatusCode: number, message: string): EconomicReply {
  return { status: httpStatusCode, body: { message, httpStatusCode, errorCode: `E0${httpStatusCode}`, logId: 'none' } }
}

const parameters = new Set(['skippages', 'pagesize', 'sort', 'filter'])

export function collectionReply(url: URL, collection: EconomicCollection, pageSizeMax = 1_000): EconomicReply {
  const { searchParams } = url
  const wrong = problemOf(searchParams)
  if (wrong !== null) return refusal(400, wrong)
  const wantedSize = Number(searchParams.get('pagesize') ?? 20)
  const page = Number(searchParams.get('skippages') ?? 0)
  const filtered = filter(collection, searchParams.get('filter'))
  if (filtered === null) return refusal(400, 'This property cannot be filtered.')
  const sorted = sort(collection, filtered, searchParams.get('sort'))
  if (sorted === null) return refusal(400, 'This property cannot be sorted by.')
  const size = Math.min(wantedSize, pageSizeMax)
  const hasNext = (page + 1) * size < sorted.length
  return {
    status: 200,
    body: {
      collection: sorted.slice(page * size, (page + 1) * size),
      pagination: {
        skipPages: page,
        pageSize: size,
        maxPageSizeAllowed: 1_000,
        results: sorted.length,
        resultsWithoutFilter: collection.records.length,
        ...(hasNext && { nextPage: pageAddress(url, page + 1) }),
      },
      self: url.href,
    },
  }
}

function problemOf(searchParams: URLSearchParams): string | null {
  const strange = [...searchParams.keys()].find((name) => !parameters.has(name))
  if (strange !== undefined) return `Unknown parameter ${strange}.`
  const isNumber = (name: string): boolean => /^\d{1,7}$/u.test(searchParams.get(name) ?? '1')
  if (!isNumber('pagesize') || !isNumber('skippages')) return 'pagesize and skippages must be numbers.'
  const size = Number(searchParams.get('pagesize') ?? 20)
  return size < 1 || size > 1_000 ? 'pagesize must be between 1 and 1000.' : null
}

function pageAddress(url: URL, page: number): string {
  const next = new URL(url)
  next.searchParams.set('skippages', String(page))
  return next.href
}

/** Conditions that are joined by and: `date$gte:2026-01-01$and:date$lt:2026-02-01`. */
function filter({ records, filterable }: EconomicCollection, written: string | null): readonly EconomicRecord[] | null {
  if (written === null) return records
  const conditions = written.split('$and:').map((one) => /^([\w.]+)\$(eq|gte|gt|lte|lt):(.+)$/u.exec(one))
  if (conditions.some((one) => one === null || !filterable.includes(one[1] ?? ''))) return null
  return records.filter((record) =>
    conditions.every((one) => {
      const order = compare(record[one?.[1] ?? ''], one?.[3])
      return { eq: order === 0, gte: order >= 0, gt: order > 0, lte: order <= 0, lt: order < 0 }[one?.[2] as 'eq']
    }),
  )
}

function sort(
  { sortable }: EconomicCollection,
  records: readonly EconomicRecord[],
  by: string | null,
): readonly EconomicRecord[] | null {
  if (by === null) return records
  if (!sortable.includes(by)) return null
  return records.toSorted((one, other) => compare(one[by], other[by]))
}

function compare(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((value) => (value instanceof Money ? value.cents / 100 : value))
  if (typeof a === 'number') return a - Number(b)
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}
