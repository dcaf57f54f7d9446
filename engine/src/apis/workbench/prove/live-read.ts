/** Reads a part of a stream from the live account, within limits of rows and calls. */
import { asFault } from '../../../ports/faults.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import type { ConnectionContext, ObservedExchange, OpenSource, Stream } from '../../../ports/source.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import type { DescribedSettings } from '../../described/settings.ts'
import { describedSource } from '../../described/source.ts'
import { secretsOf } from '../secrets.ts'
import { ExchangeRecorder } from '../try/exchange-record.ts'
import { TablesRead, type TablesResult, type TriedTable } from '../try/tables-read.ts'

export interface LiveReadRequest {
  readonly description: SourceDescription
  readonly settings: DescribedSettings
  readonly stream: string
  readonly since?: Checkpoint
  /** Further secrets to mask, such as an access token. */
  readonly secrets?: readonly string[]
  readonly rowsMax: number
}

export interface LiveRead extends TablesResult {
  /** The rows of the stream's main table. */
  readonly main: TriedTable
  /** Keys of its rows in the order of reading. */
  readonly keys: readonly string[]
  readonly pages: number
  readonly isComplete: boolean
  readonly checkpoint: Checkpoint | null
  readonly changedAtColumn: string | undefined
  readonly exchanges: readonly Pick<NonNullable<ObservedExchange['reply']>, 'status' | 'headers'>[]
}

export type LiveOutcome = LiveRead | { readonly fault: string }

const callsMax = 120

export async function readLive(request: LiveReadRequest, around: ConnectionContext): Promise<LiveOutcome> {
  const { description, settings, secrets = [] } = request
  const recorder = new ExchangeRecorder([...secretsOf(description, settings), ...secrets], 0)
  const exchanges: LiveRead['exchanges'][number][] = []
  const enough = new AbortController()
  const observe = ({ reply }: ObservedExchange): void => {
    exchanges.push({ status: reply?.status ?? 0, headers: reply?.headers ?? {} })
    if (exchanges.length >= callsMax) enough.abort()
  }
  const signal = AbortSignal.any([around.signal, enough.signal])
  const read = new TablesRead(request.rowsMax)
  const progress = { pages: 0, rows: 0, isComplete: false, checkpoint: null as Checkpoint | null }
  let stream: Stream | undefined
  try {
    await using source = await describedSource(description).open(settings, { ...around, signal, observe })
    stream = (await source.streams()).find(({ name }) => name === request.stream)
    if (stream === undefined) return { fault: `There is no stream ${request.stream}.` }
    read.open(stream)
    await readSome(source, { stream, request, read }, progress)
  } catch (error) {
    around.signal.throwIfAborted()
    if (!enough.signal.aborted || stream === undefined) return { fault: recorder.masked(asFault(error).notice) }
  }
  const result = read.result((text) => recorder.masked(text))
  const main = result.tables.find(({ name }) => name === stream.table.name) ?? emptyTable(stream)
  const places = stream.table.key.map((key) => main.columns.findIndex(({ name }) => name === key))
  const keys = main.rows.map((row) => JSON.stringify(places.length === 0 ? row : places.map((place) => row[place])))
  return { ...result, ...progress, main, keys, changedAtColumn: stream.changedAtColumn, exchanges }
}

interface SomeRead {
  readonly stream: Stream
  readonly request: LiveReadRequest
  readonly read: TablesRead
}

interface ReadProgress {
  pages: number
  rows: number
  isComplete: boolean
  checkpoint: Checkpoint | null
}

async function readSome(
  source: OpenSource,
  { stream, request, read }: SomeRead,
  progress: ReadProgress,
): Promise<void> {
  const how = { since: request.since ?? null, encoding: 'text', log: () => undefined } as const
  for await (const batch of source.read(stream, how)) {
    read.add(batch)
    if (batch.checkpoint !== undefined) progress.checkpoint = batch.checkpoint
    if (batch.table !== stream.table.name || batch.deletes === true || batch.rows === 0) continue
    progress.pages += 1
    progress.rows += batch.rows
    if (progress.rows >= request.rowsMax) return
  }
  progress.isComplete = true
}

function emptyTable({ table }: Stream): TriedTable {
  return { name: table.name, columns: [], rows: [], rowsRead: 0 }
}
