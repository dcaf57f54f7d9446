/** Reads records of a described list again, to be compared with their copies: a short list whole, otherwise a page at its beginning and another one. */
import type { DocumentSample, NoSample, SampleRequest } from '../../../ports/document-sample.ts'
import { keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { columnPointer } from '../columns.ts'
import { reportReason } from '../months/monthly-columns.ts'
import { type Page, totalOf, walkPages } from '../paging.ts'
import type { PagePosition } from '../paging-steps.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, listCall, listOf } from './described-stream.ts'
import { withDetails } from './details.ts'
import { spanQuery } from './read-changes.ts'
import { RecordEncoder } from './record-encoder.ts'
import { callsForChanges, findChanged } from './sample-changes.ts'
import { walkList } from './walk-list.ts'

export async function sampleStream(
  stream: DescribedStream,
  request: SampleRequest,
): Promise<DocumentSample | NoSample> {
  const { shape, description } = stream
  if (description.changes?.kind === 'months') return { reason: reportReason }
  const read = await readPages(stream, request)
  const hasKey = shape.table.key.length > 0
  if (!hasKey && !read.isComplete)
    return { reason: 'Its rows have no key, and there are too many to read all of them again.' }
  const records = hasKey ? distinct(stream, read.records) : read.records
  const documents = await withDetails(stream, chooseDocuments(stream, records, request))
  const encoder = new RecordEncoder(stream, { skipsDeleted: true })
  const batches = await encoder.encode(documents, 1)
  const changed = await findChanged(stream, request, records)
  const count = read.isComplete ? records.length : changed.isComplete ? read.total : null
  return {
    batches,
    listed: hasKey ? records.map((record) => keyOf(shape, record)) : [],
    isComplete: read.isComplete,
    count: count === null ? null : { rows: count },
    changed: changed.keys,
  }
}

interface SampledRecords {
  readonly records: readonly JsonObject[]
  readonly isComplete: boolean
  /** How many records the API counts; null if it does not, or counts deleted ones, too. */
  readonly total: number | null
}

async function readPages(stream: DescribedStream, request: SampleRequest): Promise<SampledRecords> {
  const pagesMax = Math.max(1, request.calls - callsForChanges(stream))
  const records: JsonObject[] = []
  let total: number | null = null
  let pages = 0
  const isInParts = stream.description.follow !== undefined
  for await (const page of walkList(stream, { sampleAt: request.position })) {
    if (page.isRestart) records.length = 0
    if (pages === 0 && !isInParts) total = countedTotal(stream, page)
    records.push(...page.records)
    pages += 1
    if (page.next === null) return { records, isComplete: true, total }
    const rows = total ?? request.rows
    if (pages === pagesMax) break
    if (!isInParts && rows > pagesMax * page.records.length) {
      records.push(...(await readElsewhere(stream, request, { rows, size: page.records.length })))
      break
    }
  }
  return { records, isComplete: false, total }
}

/** Deleted records that a list still has are counted, too. */
function countedTotal({ paging, description }: DescribedStream, { reply }: Page): number | null {
  return description.deletes?.kind === 'status' ? null : totalOf(paging, reply.json)
}

/** So many rows are expected in the list, and so many on a page. */
interface LongList {
  readonly rows: number
  readonly size: number
}

/** A page in the midst of a long list, as far as its paging or a date leads there. */
async function readElsewhere(
  stream: DescribedStream,
  request: SampleRequest,
  long: LongList,
): Promise<readonly JsonObject[]> {
  const { paging, api } = stream
  const from = await positionWithin(stream, request, long)
  const query = from === null ? spanWithin(stream, request) : {}
  if (query === null) return []
  for await (const page of walkPages({ list: listOf(stream), call: listCall(stream, query), paging, from }))
    return page.records
  request.log(`${stream.name}: ${api.title} gave no page.`)
  return []
}

async function positionWithin(
  stream: DescribedStream,
  { position, anyKey }: SampleRequest,
  { rows, size }: LongList,
): Promise<PagePosition> {
  const { paging } = stream
  switch (paging.kind) {
    case 'offset':
    case 'statement':
      return { at: 1 + Math.floor(position * Math.max(0, rows - size)) }
    case 'pageNumber': {
      if (paging.size !== undefined) return { at: 1 + Math.floor(position * Math.max(0, rows - size)) }
      return { at: paging.first + 1 + Math.floor(position * Math.max(0, Math.ceil(rows / size) - 1)) }
    }
    case 'keyset': {
      const key = isKeyOf(stream, paging.at) ? await anyKey?.() : null
      const [at = null] = key ?? []
      return at === null ? null : { at }
    }
    default:
      return null
  }
}

function isKeyOf({ shape, description: { columns } }: DescribedStream, pointer: string): boolean {
  const [name = '', ...others] = shape.table.key
  const written = columns[name]
  return others.length === 0 && written !== undefined && columnPointer(name, written) === pointer
}

const dayMs = 86_400_000
/** How far back records are chosen by the date of their last change. */
const yearsBack = 2

/** Parameters that begin the list at some date; null if the description has none. */
function spanWithin({ description: { changes }, api }: DescribedStream, { position }: SampleRequest) {
  const now = api.now()
  if (changes?.kind === 'windows') {
    const start = Date.parse(changes.start)
    const from = Math.floor((start + position * (now - start)) / dayMs) * dayMs
    return spanQuery([changes.from, from], [changes.to, from + changes.days * dayMs])
  }
  if (changes?.kind !== 'cursor' || changes.path !== undefined || changes.records !== undefined) return null
  const from = now - position * yearsBack * 365 * dayMs
  return spanQuery([changes.from, from], ...(changes.to === undefined ? [] : [[changes.to, now] as const]))
}

/** A record that moves between pages meanwhile is returned twice. The later one is the newer one. */
function distinct({ shape, isDeleted }: DescribedStream, records: readonly JsonObject[]): readonly JsonObject[] {
  const latest = new Map(records.map((record) => [keyOf(shape, record), record]))
  return [...latest.values()].filter((record) => !isDeleted(record))
}

/** Those that take calls each are few: at equal distances. */
function chooseDocuments(
  stream: DescribedStream,
  records: readonly JsonObject[],
  { documents, position }: SampleRequest,
): readonly JsonObject[] {
  const isExpensive = expensiveTest(stream)
  const expensive = records.filter(isExpensive)
  if (expensive.length <= documents) return records
  const step = expensive.length / documents
  const chosen = new Set(Array.from({ length: documents }, (_, at) => expensive[Math.floor((at + position) * step)]))
  return records.filter((record) => !isExpensive(record) || chosen.has(record))
}

function expensiveTest({ description: { detail, children = {} } }: DescribedStream): (record: JsonObject) => boolean {
  if (detail !== undefined) return () => true
  const flags = Object.values(children).flatMap(({ continued }) =>
    continued === undefined ? [] : [pointerReader(continued.when)],
  )
  return (record) => flags.some((find) => find(record) === true)
}
