/** Reads a list of Cin7 Core: every page of it, or of what changed since the last reading. */
import type { ApiClient } from '../../http/client.ts'
import type { Clock } from '../../clock.ts'
import { encodeDocuments } from '../../http/documents.ts'
import { isObject, member, members } from '../../http/fields.ts'
import type { Json, JsonObject } from '../../http/exact-json.ts'
import { eachPage } from '../../http/pages.ts'
import type { Page } from '../../http/pages.ts'
import type { Batch, Checkpoint } from '../../model.ts'
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
  client: ApiClient,
  clock: Clock,
  { list, shape }: ListStream,
  checkpoint: Checkpoint | null,
): AsyncGenerator<Batch> {
  const place = placeOf(checkpoint)
  const walk = walkList({ client, clock, list, place, encode: (rows) => encodeDocuments(shape, rows) })
  for await (const page of walk.pages) {
    const reached = { since: place.since, until: walk.until(), page: page.number, total: page.total }
    for (const [index, batch] of page.content.entries()) yield index === page.content.length - 1 ? { ...batch, checkpoint: reached } : batch
  }
  yield { table: shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { until: walk.until() } }
}

function placeOf(checkpoint: Checkpoint | null): Place {
  if (checkpoint === null) return { since: null, until: null, page: 0, total: null }
  const until = Number(checkpoint['until'])
  if (typeof checkpoint['page'] !== 'number') return { since: until - overlapMs, until: null, page: 0, total: null }
  const { since, page, total } = checkpoint
  return { since: typeof since === 'number' ? since : null, until, page, total: typeof total === 'number' ? total : null }
}

interface Walking<Content> {
  readonly client: ApiClient
  readonly clock: Clock
  readonly list: List
  readonly place: Place
  readonly encode: (rows: readonly JsonObject[]) => Content | Promise<Content>
}

/** `until` tells, once a page has come, the moment up to which this walk will have seen every change. */
export function walkList<Content>({ client, clock, list, place, encode }: Walking<Content>): {
  pages: AsyncIterable<Page<Content>>
  until(): number
} {
  let until = place.until
  const changed = list.since !== undefined && place.since !== null ? { [list.since]: new Date(place.since).toISOString() } : {}

  async function fetch(number: number): Promise<Page<Content>> {
    const asked = clock.now()
    const { json, servedAt } = await client.get(list.path, { ...list.query, ...changed, Page: String(number), Limit: String(list.limit) })
    until ??= Math.min(asked, servedAt ?? asked)
    const rows = members(json, list.rows)
    return { number, rows: rows.length, total: totalOf(json), first: JSON.stringify(rows[0] ?? null), content: await encode(rows) }
  }

  return { pages: eachPage({ fetch, limit: list.limit, from: place.page + 1, total: place.total }), until: () => until ?? clock.now() }
}

function totalOf(json: Json): number | null {
  const total = isObject(json) ? member(json, 'Total') : null
  return typeof total === 'number' ? total : null
}
