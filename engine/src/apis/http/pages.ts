/** Walks through a list page by page, one page ahead of its reader, and does not trust the API to stop. */
import { Fault } from '../../ports/faults.ts'

export interface Page<Content> {
  /** From 1. */
  readonly number: number
  readonly rows: number
  /** Rows on all pages, where the API tells. */
  readonly total: number | null
  /** What tells this page's first row from any other. */
  readonly first: string
  readonly content: Content
}

export interface Walk<Content> {
  readonly fetch: (page: number) => Promise<Page<Content>>
  /** Rows asked for in a page. */
  readonly limit: number
  /** The page to begin with, and the total known when the page before it was read. */
  readonly from: number
  readonly total: number | null
}

const restartsMax = 3

/**
 * Rows that vanish while a list is read move later rows to pages that were read already, so a total that shrinks starts
 * the walk again, and so does an end before the total is reached: rows may come twice, none is missed.
 */
export async function* eachPage<Content>({ fetch, limit, from, total }: Walk<Content>): AsyncGenerator<Page<Content>> {
  let known = total
  let size = 0
  let before: string | null = null
  let restarts = 0
  let coming = fetch(from)
  for (;;) {
    const page = await coming
    const isOver = page.rows === 0 || page.first === before
    if (hasShrunk(page.total, known) || (isOver && isShort(page, size === 0 ? limit : size))) {
      if (++restarts > restartsMax) throw neverStill()
      known = page.total
      before = null
      coming = fetch(1)
      continue
    }
    known = page.total
    if (isOver) return
    before = page.first
    size = Math.max(size, page.rows)
    // An API may give fewer rows a page than it was asked for, so its own pages are counted, not ours.
    const isLast = page.total === null ? page.rows < limit : page.number * size >= page.total
    if (!isLast) coming = ahead(fetch(page.number + 1))
    yield page
    if (isLast) return
  }
}

function hasShrunk(total: number | null, known: number | null): boolean {
  return total !== null && known !== null && total < known
}

/** The pages before this one hold less than there is. */
function isShort({ number, total }: Page<unknown>, size: number): boolean {
  return total !== null && (number - 1) * size < total
}

/** A reader who stops early must not leave a rejection that nobody handles. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

function neverStill(): Fault {
  return new Fault('passing', {
    code: 'http.list_changes',
    notice:
      'A list changed so often while it was read that no whole reading was possible. Tributary tries again with the next run.',
  })
}
