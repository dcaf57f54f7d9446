/** Reads a list of Cin7 Core: every page of it, or of what changed since the last reading. */
import { areNameless, encodeDocuments } from '../http/documents.ts'
import { isObject, member, members } from '../http/fields.ts'
import type { Json, JsonObject } from '../http/exact-json.ts'
import type { Answer } from '../http/client.ts'
import { eachPage } from '../http/pages.ts'
import type { Page } from '../http/pages.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import { isNotThere, unknownShape } from './api.ts'
import type { Cin7 } from './api.ts'
import { overlapMs } from './detail-queue.ts'
import type { List, ListStream } from './tables/declare.ts'

/** Where a list was left: done up to `until`; or, with a page, that page of what changed after `since` is done. */
interface Place {
  readonly since: number | null
  readonly until: number | null
  readonly page: number
  readonly total: number | null
}

export async function* readList(
  cin7: Cin7,
  { list, shape }: ListStream,
  checkpoint: Checkpoint | null,
): AsyncGenerator<RowBatch> {
  const place = placeOf(checkpoint)
  const query = { ...list.whole, ...sinceQuery(list, place.since) }
  const encode = (rows: readonly JsonObject[]): Promise<RowBatch[]> => {
    if (areNameless(shape, rows)) throw unknownShape(list.path)
    return encodeDocuments(shape, rows)
  }
  const walk = walkList(cin7, list, { query, place, encode })
  for await (const page of walk.pages) {
    const reached = { since: place.since, until: walk.until(), page: page.number, total: page.total }
    for (const [index, batch] of page.content.entries())
      yield index === page.content.length - 1 ? { ...batch, checkpoint: reached } : batch
  }
  yield { table: shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { until: walk.until() } }
}

function placeOf(checkpoint: Checkpoint | null): Place {
  if (checkpoint === null) return beginning
  const until = Number(checkpoint['until'])
  if (typeof checkpoint['page'] !== 'number') return { ...beginning, since: until - overlapMs }
  const { since, page, total } = checkpoint
  return {
    since: typeof since === 'number' ? since : null,
    until,
    page,
    total: typeof total === 'number' ? total : null,
  }
}

const beginning: Place = { since: null, until: null, page: 0, total: null }

export function sinceQuery({ since }: List, moment: number | null): Readonly<Record<string, string>> {
  return since === undefined || moment === null ? {} : { [since]: new Date(moment).toISOString() }
}

interface Walking<Content> {
  /** What is asked for besides what the list always asks for. */
  readonly query?: Readonly<Record<string, string>>
  readonly place?: Place
  readonly limit?: number
  readonly encode: (rows: readonly JsonObject[]) => Content | Promise<Content>
}

interface Walk<Content> {
  readonly pages: AsyncIterable<Page<Content>>
  /** Once a page has come: the moment up to which this walk will have seen every change. */
  until(): number
}

export function walkList<Content>(
  cin7: Cin7,
  list: List,
  { query, place = beginning, limit = list.limit, encode }: Walking<Content>,
): Walk<Content> {
  let until = place.until
  let path = list.path

  async function fetch(number: number): Promise<Page<Content>> {
    const asked = cin7.clock.now()
    const { answer, path: known } = await ask(
      cin7,
      { ...list, path },
      { ...list.query, ...query, Page: String(number), Limit: String(limit) },
    )
    const { json, servedAt } = answer
    path = known
    until ??= Math.min(asked, servedAt ?? asked)
    const rows = rowsOf(json, list)
    const ends = JSON.stringify([rows[0], rows.at(-1)])
    return { number, rows: rows.length, total: totalOf(json), first: ends, content: await encode(rows) }
  }

  return {
    pages: eachPage({ fetch, limit, from: place.page + 1, total: place.total }),
    until: () => until ?? cin7.clock.now(),
  }
}

/** False where this account has no such list: to read it would fail each time. */
export async function isListed(cin7: Cin7, list: List): Promise<boolean> {
  try {
    await ask(cin7, list, { Page: '1', Limit: '1' })
    return true
  } catch (error) {
    if (isNotThere(error)) return false
    throw error
  }
}

/** The answer, and the path that gave it: the other one where Cin7 does not know the first and the other holds the same list. */
async function ask(
  { client }: Cin7,
  list: List,
  query: Readonly<Record<string, string>>,
): Promise<{ answer: Answer; path: string }> {
  const { path, orPath = path } = list
  try {
    return { answer: await client.get(path, query), path }
  } catch (error) {
    if (path === orPath || !isNotThere(error)) throw error
    const answer = await client.get(orPath, query)
    if (answer.json !== null && !has(answer.json, list.rows)) throw error
    return { answer, path: orPath }
  }
}

/** An empty body is an empty list; one that has no list, or none of the rows it counts, is nothing we know. */
function rowsOf(json: Json, { rows, orRows = rows, path }: List): readonly JsonObject[] {
  if (json === null) return []
  const key = has(json, rows) ? rows : orRows
  const found = members(json, key)
  const isMissing = !has(json, key) || (member(json as JsonObject, key) === null && (totalOf(json) ?? 0) > 0)
  if (isMissing) throw unknownShape(path)
  return found
}

function has(json: Json, key: string): boolean {
  return isObject(json) && Object.keys(json).some((name) => name.toLowerCase() === key.toLowerCase())
}

export function totalOf(json: Json): number | null {
  const total = isObject(json) ? member(json, 'Total') : null
  const number = typeof total === 'string' ? Number(total) : total
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
