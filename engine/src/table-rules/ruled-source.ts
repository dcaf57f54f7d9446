/**
 * A source with the rules of a connector applied to its streams. Conditions are decided here for every source alike; a database only leaves
 * out rows earlier, where its comparison is certain to leave out none that they keep.
 */
import { assertNoCut, decodeRows, encodeRows, joinRows } from '../encoding/copy-text.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../ports/document-sample.ts'
import type { Checkpoint, RowBatch } from '../ports/model.ts'
import type { KeyReadRequest, OpenSource, ReadRequest, Stream } from '../ports/source.ts'
import type { TableRules } from '../ports/table-rules.ts'
import type { SourceTable } from '../ports/verified-table.ts'
import { shapeRows } from './shape-rows.ts'
import { shapeSample } from './shape-sample.ts'
import { type ShapedStream, shapeStream } from './shaped-stream.ts'
import { shapeVerifiedTable } from './shape-verified-table.ts'

export interface SourceRules {
  /** By name of the stream. */
  readonly rules: ReadonlyMap<string, TableRules>
  /** Keys the hashes. */
  readonly secret: Uint8Array
  readonly log: (line: string) => void
}

/** The source takes over; closing it closes `source`. */
export function applyTableRules(source: OpenSource, applied: SourceRules): OpenSource {
  const rules = new Map([...applied.rules].filter(([, { conditions, masks }]) => conditions.length + masks.length > 0))
  return rules.size === 0 ? source : ruledSource(source, new StreamShapes(source, { ...applied, rules }))
}

function ruledSource(source: OpenSource, shapes: StreamShapes): OpenSource {
  const { companies, missingSelections, unreadableTables, tieOut, questions } = source
  return {
    // Some sources know it only once they have listed their streams.
    get origin() {
      return source.origin
    },
    ...(companies !== undefined && { companies }),
    check: () => source.check(),
    streams: () => shapes.list(),
    ...(missingSelections && { missingSelections: missingSelections.bind(source) }),
    ...(unreadableTables && { unreadableTables: unreadableTables.bind(source) }),
    read: (stream, request) => readRuled(source, shapes.of(stream), stream, request),
    ...keyMethods(source, shapes),
    ...checkpointMethods(source, shapes),
    ...verificationMethods(source, shapes),
    ...(tieOut !== undefined && { tieOut }),
    ...(questions !== undefined && { questions }),
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  }
}

function keyMethods(source: OpenSource, shapes: StreamShapes): Pick<OpenSource, 'keys' | 'readByKey'> {
  const { keys, readByKey } = source
  return {
    ...(keys && {
      keys: (stream, request) => readKeys(source, { shaped: shapes.of(stream), stream }, request?.company),
    }),
    ...(readByKey && {
      readByKey: (stream, wanted, request) =>
        readRuledByKey(source, { shaped: shapes.of(stream), stream, wanted }, request),
    }),
  }
}

type CheckpointMethods = Pick<OpenSource, 'checkpointAt' | 'isFreshEnough' | 'seesAllRows'>

function checkpointMethods(source: OpenSource, shapes: StreamShapes): CheckpointMethods {
  const { checkpointAt, isFreshEnough, seesAllRows } = source
  return {
    ...(checkpointAt && {
      checkpointAt: (stream, moment) => checkpointAt.call(source, shapes.originalOf(stream), moment),
    }),
    ...(isFreshEnough && {
      isFreshEnough: (stream, checkpoint) => isFreshEnough.call(source, shapes.originalOf(stream), checkpoint),
    }),
    ...(seesAllRows && {
      seesAllRows: (stream, checkpoint) => seesAllRows.call(source, shapes.originalOf(stream), checkpoint),
    }),
  }
}

function verificationMethods(source: OpenSource, shapes: StreamShapes): Pick<OpenSource, 'verifiedTable' | 'sample'> {
  const { verifiedTable, sample } = source
  return {
    ...(verifiedTable && {
      verifiedTable: async (stream: Stream, since: Checkpoint | null): Promise<SourceTable> => {
        const shaped = shapes.of(stream)
        const table = await verifiedTable.call(source, shaped?.original ?? stream, since)
        return shaped === null ? table : shapeVerifiedTable(shaped, table)
      },
    }),
    ...(sample && {
      sample: async (stream: Stream, request: SampleRequest): Promise<DocumentSample | NoSample> => {
        const shaped = shapes.of(stream)
        const found = await sample.call(source, shaped?.original ?? stream, request)
        return shaped === null || 'reason' in found ? found : await shapeSample(shaped, found)
      },
    }),
  }
}

class StreamShapes {
  readonly #source: OpenSource
  readonly #applied: SourceRules
  readonly #shaped = new Map<string, ShapedStream>()

  constructor(source: OpenSource, applied: SourceRules) {
    this.#source = source
    this.#applied = applied
  }

  async list(): Promise<readonly Stream[]> {
    const { rules, secret, log } = this.#applied
    const streams = await this.#source.streams()
    this.#shaped.clear()
    const unused = [...rules.keys()].filter((name) => !streams.some((stream) => stream.name === name))
    if (unused.length > 0)
      log(
        `The filter or the masks of ${unused.join(', ')} apply to no table, because the source does not offer it now.`,
      )
    return streams.map((original) => {
      const own = rules.get(original.name)
      if (own === undefined) return original
      const shaped = shapeStream(original, own, secret)
      this.#shaped.set(original.name, shaped)
      const hasUnfilteredKeys = shaped.filter !== null && this.#source.keysWithColumns !== true
      return hasUnfilteredKeys ? { ...shaped.stream, hasUnfilteredKeys: true } : shaped.stream
    })
  }

  /** Null without rules. */
  of({ name, rules }: Stream): ShapedStream | null {
    const shaped = this.#shaped.get(name)
    // A stream that was listed with rules must never be read without them.
    if (shaped === undefined && rules !== undefined) throw new Error(`The rules of ${name} are not known.`)
    return shaped ?? null
  }

  originalOf(stream: Stream): Stream {
    return this.of(stream)?.original ?? stream
  }
}

function readRuled(
  source: OpenSource,
  shaped: ShapedStream | null,
  stream: Stream,
  request: ReadRequest,
): AsyncIterable<RowBatch> {
  if (shaped === null) return source.read(stream, request)
  const { original, filter, rules } = shaped
  // What an incremental read leaves out could not be deleted, so only a replacement leaves out rows early.
  const isReplaced = request.replaces === true
  const early = isReplaced && filter !== null ? { conditions: rules.conditions } : {}
  const batches = source.read(original, { ...request, encoding: 'text', ...early })
  return shapeRows(shaped, batches, { deletes: !(isReplaced && request.since === null) })
}

/** The rows of these keys; those that do not match are deleted. */
function readRuledByKey(
  source: OpenSource,
  { shaped, stream, wanted }: { shaped: ShapedStream | null; stream: Stream; wanted: Uint8Array },
  request: KeyReadRequest,
): AsyncIterable<RowBatch> {
  const { readByKey } = source
  if (readByKey === undefined) throw new Error(`The source cannot read rows of ${stream.name} by key.`)
  if (shaped === null) return readByKey.call(source, stream, wanted, request)
  const batches = readByKey.call(source, shaped.original, wanted, { ...request, encoding: 'text' })
  return shapeRows(shaped, batches, { deletes: true })
}

/** The keys of rows that match, or all keys if the source cannot list values with them. */
function readKeys(
  source: OpenSource,
  { shaped, stream }: { shaped: ShapedStream | null; stream: Stream },
  company: string | undefined,
): AsyncIterable<RowBatch> {
  const { keys, keysWithColumns } = source
  if (keys === undefined) throw new Error(`The source cannot list the keys of ${stream.name}.`)
  const ofCompany = company === undefined ? {} : { company }
  if (shaped === null || shaped.filter === null || keysWithColumns !== true)
    return keys.call(
      source,
      shaped?.original ?? stream,
      company === undefined ? undefined : { ...ofCompany, ...noValues },
    )
  const { original, filter, rules } = shaped
  const columns = filter.columns.map(({ name }) => name)
  return matchingKeys(shaped, keys.call(source, original, { columns, conditions: rules.conditions, ...ofCompany }))
}

const noValues = { columns: [], conditions: [] } as const

async function* matchingKeys(
  { original: { table }, filter }: ShapedStream,
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<RowBatch> {
  const joiner = joinRows()
  const width = table.key.length
  for await (const { bytes, release, ...rest } of batches) {
    const rows = decodeRows(joiner.push(Buffer.from(bytes)))
    release?.()
    const keys = rows.filter((values) => filter?.keeps(values.slice(width)) !== false).map((row) => row.slice(0, width))
    yield { ...rest, bytes: encodeRows(keys), rows: keys.length }
  }
  assertNoCut(joiner.waiting)
}
