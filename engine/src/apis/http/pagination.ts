/** Reads a paginated list, prefetching one page, with protection against an API that never ends it. */
import { Fault } from '../../ports/faults.ts'

export interface ListPage<Content> {
  /** From 1. */
  readonly number: number
  readonly rows: number
  /** Rows on all pages, if the API reports it. */
  readonly total: number | null
  /** Identifies the page's rows, so that a repeated page is noticed. */
  readonly marker: string
  readonly content: Content
}

export interface PagedList<Content> {
  readonly fetch: (page: number) => Promise<ListPage<Content>>
  /** Requested rows per page. */
  readonly limit: number
  /** The page to start with, and the total when the previous page was read. */
  readonly from: number
  readonly total: number | null
}

const restartsMax = 3

/**
 * Rows deleted during the walk move later rows to pages that were already read. So the walk restarts if the total
 * shrinks, or if the list ends before its total.
 * Rows may be returned twice; none is missed.
 */
export async function* readPages<Content>({
  fetch,
  limit,
  from,
  total,
}: PagedList<Content>): AsyncGenerator<ListPage<Content>> {
  let knownTotal = total
  let size = 0
  let previousFirst: string | null = null
  let restarts = 0
  let nextPage = fetch(from)
  for (;;) {
    const page = await nextPage
    const isEnd = page.rows === 0 || page.marker === previousFirst
    if (hasShrunk(page.total, knownTotal) || (isEnd && isShort(page, size === 0 ? limit : size))) {
      if (++restarts > restartsMax) throw unstableListFault()
      knownTotal = page.total
      previousFirst = null
      nextPage = fetch(1)
      continue
    }
    knownTotal = page.total
    if (isEnd) return
    previousFirst = page.marker
    size = Math.max(size, page.rows)
    // An API may return smaller pages than requested, so the total is compared with the actual page size.
    const isLast = page.total === null ? page.rows < limit : page.number * size >= page.total
    if (!isLast) nextPage = prefetch(fetch(page.number + 1))
    yield page
    if (isLast) return
  }
}

function hasShrunk(total: number | null, knownTotal: number | null): boolean {
  return total !== null && knownTotal !== null && total < knownTotal
}

/** True if the pages before this one hold fewer rows than the total. */
function isShort({ number, total }: ListPage<unknown>, size: number): boolean {
  return total !== null && (number - 1) * size < total
}

/** A consumer that stops early must not leave an unhandled rejection. */
function prefetch<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

function unstableListFault(): Fault {
  return new Fault('passing', {
    code: 'http.list_changes',
    notice:
      'A list changed so often while it was read that it could not be read completely. Tributary tries again with the next run.',
  })
}
