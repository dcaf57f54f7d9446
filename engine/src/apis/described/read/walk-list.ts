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
  /** From 0 to less than 1: with which of the parts the walk begins. Of lists that lead to lists that lead to lists, only one is followed. */
  readonly sampleAt?: number
}

export async function* walkList(stream: DescribedStream, { query, sampleAt }: ListWalk = {}): AsyncGenerator<Page> {
  const { paging, description } = stream
  const list = listOf(stream)
  const { follow = [] } = description
  if (follow.length === 0) return yield* walkPages({ list, call: listCall(stream, query), paging, from: null })
  const { parts, isAll } = await findParts(stream, follow, sampleAt)
  const first = Math.floor((sampleAt ?? 0) * parts.length)
  const ordered = [...parts.slice(first), ...parts.slice(0, first)]
  let number = 0
  for (const [at, path] of ordered.entries())
    for await (const page of walkPart(stream, { list, call: partCall(stream, path, query) })) {
      number += 1
      const isEnd = isAll && at + 1 === ordered.length
      const next = page.next ?? (isEnd ? null : { at: ordered[at + 1] ?? '' })
      yield { ...page, number, next, isRestart: false }
    }
}

interface Parts {
  /** The addresses of the lists that have the records. */
  readonly parts: readonly string[]
  readonly isAll: boolean
}

async function findParts(
  stream: DescribedStream,
  [pointer = '', ...others]: readonly string[],
  sampleAt: number | undefined,
): Promise<Parts> {
  const { api, description } = stream
  let parts = await linksIn(stream, [api.withSettings({ path: description.path, query: {} })], pointer)
  let isAll = true
  for (const next of others) {
    const followed = sampleAt === undefined ? parts : parts.slice(Math.floor(sampleAt * parts.length)).slice(0, 1)
    isAll &&= followed.length === parts.length
    const calls = followed.map((path) => ({ path, query: {} }))
    parts = await linksIn(stream, calls, next)
  }
  return { parts, isAll }
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
