/** The pages of the list of a stream. Some APIs give the list in parts, to which the records of another list lead. */
import { Fault } from '../../../ports/faults.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { type Call, misfit, type Query, type RecordList } from '../calls.ts'
import { recordGone } from '../connection.ts'
import { type Page, walkPages } from '../paging.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, listCall, listOf, textsOf } from './described-stream.ts'

interface ListWalk {
  /** Parameters of this read. */
  readonly query?: Query
  /** From 0 to less than 1: with which of the parts the walk begins. */
  readonly startAt?: number
}

export async function* walkList(stream: DescribedStream, { query, startAt = 0 }: ListWalk = {}): AsyncGenerator<Page> {
  const { paging, description } = stream
  const list = listOf(stream)
  const { follow = [] } = description
  if (follow.length === 0) return yield* walkPages({ list, call: listCall(stream, query), paging, from: null })
  const parts = await findParts(stream, follow)
  const first = Math.floor(startAt * parts.length)
  const ordered = [...parts.slice(first), ...parts.slice(0, first)]
  let number = 0
  for (const [at, path] of ordered.entries())
    for await (const page of walkPart(stream, { list, call: partCall(stream, path, query) })) {
      number += 1
      const next = page.next ?? (at + 1 < ordered.length ? { at: ordered[at + 1] ?? '' } : null)
      yield { ...page, number, next, isRestart: false }
    }
}

/** The addresses of the lists that have the records: those to which the records of the last but one list lead. */
async function findParts(stream: DescribedStream, [pointer, ...others]: readonly string[]): Promise<readonly string[]> {
  const { api, description } = stream
  let parts = await linksIn(stream, [api.withSettings({ path: description.path, query: {} })], pointer ?? '')
  for (const next of others)
    parts = await linksIn(
      stream,
      parts.map((path) => ({ path, query: {} })),
      next,
    )
  return parts
}

async function linksIn(stream: DescribedStream, calls: readonly Call[], pointer: string): Promise<readonly string[]> {
  const list: RecordList = { ...listOf(stream), keyOf: (record) => JSON.stringify(record) }
  const links = new Set<string>()
  for (const call of calls)
    for await (const { records, number } of walkPart(stream, { list, call }))
      for (const record of records) links.add(linkOf(list, number, { record, pointer }))
  return [...links]
}

function linkOf(
  list: RecordList,
  page: number,
  { record, pointer }: { readonly record: JsonObject; readonly pointer: string },
): string {
  const link = pointerReader(pointer)(record)
  if (typeof link === 'string' && link !== '') return link
  throw misfit(list, { page, pointer, found: link, wanted: 'the address of a list' })
}

/** A part that is gone by now has no records. */
async function* walkPart(
  { api, paging }: DescribedStream,
  { list, call }: { readonly list: RecordList; readonly call: Call },
): AsyncGenerator<Page> {
  try {
    yield* walkPages({ list, call, paging, from: null })
  } catch (error) {
    if (error instanceof Fault && error.code === `${api.code}.${recordGone}`) return
    throw error
  }
}

/** The address of a part may have parameters, which stay. */
function partCall({ api, description }: DescribedStream, path: string, query: Query = {}): Call {
  return { path, query: { ...api.withSettings({ path: '', query: textsOf(description.query) }).query, ...query } }
}
