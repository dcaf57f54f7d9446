/** Tries a stream of a description: a few pages, with what was sent and received, the rows of them, and what does not fit. */
import { asFault } from '../../../ports/faults.ts'
import type { ConnectionContext, OpenSource, Stream } from '../../../ports/source.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import type { DescribedSettings } from '../../described/settings.ts'
import { describedSource } from '../../described/source.ts'
import { secretsOf } from '../secrets.ts'
import { type ExchangeRecord, ExchangeRecorder } from './exchange-record.ts'
import { TablesRead, type TriedTable, type TriedValue } from './tables-read.ts'

export interface TryRequest {
  readonly description: SourceDescription
  readonly settings: DescribedSettings
  /** Absent: the first stream. */
  readonly stream?: string | undefined
  readonly pages: number
  /** Further secrets to mask, such as an access token. */
  readonly secrets?: readonly string[]
  /** Reading ends after this time, and what was read is returned. Default: no limit. */
  readonly timeMs?: number
}

export interface TryResult {
  readonly stream: string
  /** Names of all streams that the description reads. */
  readonly streams: readonly string[]
  readonly exchanges: readonly ExchangeRecord[]
  readonly tables: readonly TriedTable[]
  /** Values that do not fit their type. A target would reject these rows. */
  readonly misfits: readonly TriedValue[]
  readonly log: readonly string[]
  /** Why reading ended before so many pages; null if it did not fail. */
  readonly fault: string | null
  /** The list has more pages than were read. */
  readonly hasMore: boolean
}

const callsMax = 60
const rowsShown = 200

/** Rejects only if the caller aborts. */
export async function tryStream(request: TryRequest, around: ConnectionContext): Promise<TryResult> {
  const { description, settings, pages, timeMs } = request
  const recorder = new ExchangeRecorder([...secretsOf(description, settings), ...(request.secrets ?? [])], callsMax)
  const enough = new AbortController()
  const late = timeMs === undefined ? null : AbortSignal.timeout(timeMs)
  const signal = AbortSignal.any([around.signal, enough.signal, ...(late === null ? [] : [late])])
  const observe: NonNullable<ConnectionContext['observe']> = (exchange) => {
    recorder.record(exchange)
    if (recorder.records.length >= callsMax) enough.abort()
  }
  const read = new TablesRead(rowsShown)
  const log: string[] = []
  const found = { stream: request.stream ?? '', streams: [] as string[], fault: null as string | null, hasMore: false }
  try {
    await using source = await describedSource(description).open(settings, { ...around, signal, observe })
    const streams = await source.streams()
    found.streams = streams.map(({ name }) => name)
    const stream = findStream(streams, request.stream)
    if (stream === undefined) found.fault = noStream(request.stream, found.streams)
    else {
      found.stream = stream.name
      read.open(stream)
      found.hasMore = await readPages(source, { stream, pages, log }, read)
    }
  } catch (error) {
    around.signal.throwIfAborted()
    if (enough.signal.aborted) found.hasMore = true
    else if (late?.aborted === true) found.fault = `Reading ended after ${(timeMs ?? 0) / 1_000} seconds.`
    else found.fault = recorder.masked(asFault(error).notice)
  }
  return {
    ...found,
    exchanges: recorder.records,
    ...read.result((text) => recorder.masked(text)),
    log: log.map((line) => recorder.masked(line)),
  }
}

function findStream(streams: readonly Stream[], name: string | undefined): Stream | undefined {
  return name === undefined ? streams[0] : streams.find((stream) => stream.name === name)
}

function noStream(name: string | undefined, known: readonly string[]): string {
  return name === undefined
    ? 'The description reads no stream.'
    : `There is no stream ${name}. There is ${known.join(', ')}.`
}

interface PagesRead {
  readonly stream: Stream
  readonly pages: number
  readonly log: string[]
}

/** @returns whether there is more to read */
async function readPages(source: OpenSource, { stream, pages, log }: PagesRead, read: TablesRead): Promise<boolean> {
  let page = 0
  const batches = source.read(stream, { since: null, encoding: 'text', log: (line) => void log.push(line) })
  for await (const batch of batches) {
    if (batch.table === stream.table.name && batch.rows > 0 && (page += 1) > pages) return true
    read.add(batch)
  }
  return false
}
