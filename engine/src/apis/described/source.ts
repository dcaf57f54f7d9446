/** A source that is described by data: makes the port of a source from a description. */
import { resultsUpTo } from '../../ports/connection-test.ts'
import { asFault } from '../../ports/faults.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type { OpenSource, ReadRequest, Source, Stream } from '../../ports/source.ts'
import type { Call, DescribedApi } from './calls.ts'
import { openDescribedApi } from './connection.ts'
import type { RestDescription, StreamDescription } from './description/schema.ts'
import type { SourceDescription } from './description/source-description.ts'
import { bundlesOf } from './bundles.ts'
import { openOData } from './odata/source.ts'
import { readOrigin } from './origin.ts'
import { type DescribedStream, deletionTest, textsOf } from './read/described-stream.ts'
import { monthlyDescription, readEntriesOf, readMonths } from './months/monthly-stream.ts'
import { oauthOf } from './oauth.ts'
import { readingWords } from './read-words.ts'
import { readChanges } from './read/read-changes.ts'
import { readByKey, readEvents } from './read/read-events.ts'
import { readFeed } from './read/read-feed.ts'
import { readKeys, readWhole, readWholeByKey } from './read/read-whole.ts'
import { readWindows } from './read/read-windows.ts'
import { sampleStream } from './read/sample.ts'
import { type DescribedSettings, parseSettings, sectionOf } from './settings.ts'
import { shapeOf } from './shape.ts'
import { dayParametersOf, tieOutOf } from './tie-out/tie-out.ts'

/** @param description checked by `parseDescription` */
export function describedSource(description: SourceDescription): Source<DescribedSettings> {
  const { type, title, needs, about, guide, allowance } = description
  const oauth = oauthOf(description)
  return {
    type,
    title,
    needs,
    description: about,
    guide,
    ...bundlesOf(description),
    ...(allowance !== undefined && { callLimit: { calls: allowance.calls, per: allowance.per } }),
    ...(oauth !== undefined && { oauth }),
    sections: [sectionOf(description)],
    parse: (properties) => parseSettings(description, properties),
    async open(settings, around) {
      const api = openDescribedApi(description, settings, around)
      return description.engine === 'odata'
        ? openOData(description, api, settings)
        : openSource(description, api, settings)
    },
  }
}

function openSource(description: RestDescription, api: DescribedApi, { values }: DescribedSettings): OpenSource {
  const streams = new Map(
    Object.entries(description.streams).map(([name, stream]) => [name, openStream(description, api, name, stream)]),
  )
  const find = ({ name }: Pick<Stream, 'name'>): DescribedStream => {
    const found = streams.get(name)
    if (found === undefined) throw new Error(`${description.title} has no stream ${name}.`)
    return found
  }
  let origin: string | undefined
  return {
    get origin() {
      return origin
    },
    check: () => checkAll(description, api),
    async streams() {
      // Otherwise the company that a person has chosen by signing in.
      origin = (await readOrigin(description, api)) ?? values['company']
      // Signs in, so that a refusal is not one of every table.
      if (description.origin === undefined) await api.get(checkCall(description, api))
      return [...streams.values()].map(asStream)
    },
    read: (stream, request) => read(description, find(stream), request),
    keys: (stream) => readKeys(find(stream)),
    readByKey: (stream, keys) => readRowsByKey(find(stream), keys),
    ...tieOutOf(description, () => [...streams.values()].map(asStream)),
    sample: (stream, request) => sampleStream(find(stream), request),
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]()
    },
  }
}

function openStream(
  source: RestDescription,
  api: DescribedApi,
  name: string,
  stream: StreamDescription,
): DescribedStream {
  return {
    name,
    api,
    description: stream,
    shape: shapeOf(name, monthlyDescription(name, stream), source),
    paging: stream.paging ?? source.paging ?? { kind: 'none' },
    omitsEmptyLists: source.emptyLists === 'omitted',
    isDeleted: deletionTest(stream),
  }
}

function read(description: RestDescription, stream: DescribedStream, request: ReadRequest): AsyncIterable<RowBatch> {
  const { changes } = stream.description
  if (request.months !== undefined && changes?.kind !== 'months') {
    const days = dayParametersOf(description, stream.name)
    return days === null ? readWhole(stream) : readEntriesOf(stream, days, request.months)
  }
  switch (changes?.kind) {
    case undefined:
      return readWhole(stream)
    case 'cursor':
      return readChanges(stream, changes, request)
    case 'windows':
      return readWindows(stream, changes, request)
    case 'feed':
      return readFeed(stream, changes, request)
    case 'events':
      return readEvents(stream, changes, request)
    case 'months':
      return readMonths(stream, changes, request)
  }
}

function readRowsByKey(stream: DescribedStream, keys: Uint8Array): AsyncIterable<RowBatch> {
  const { changes } = stream.description
  return changes?.kind === 'events' ? readByKey(stream, changes, keys) : readWholeByKey(stream, keys)
}

/** A record that changes during a read may be returned twice, so no stream is distinct. */
function asStream({ name, shape, description, api }: DescribedStream): Stream {
  const { changes, bundle, detail } = description
  const common = {
    name,
    table: shape.table,
    children: shape.children.map(({ table }) => table),
    hasDistinctKeys: false,
    ...(bundle !== undefined && { bundle }),
    ...(detail !== undefined && { isSlow: true }),
  }
  if (changes === undefined)
    return {
      ...common,
      reads: 'whole',
      wholeReason: readingWords(api.title, description),
    }
  return {
    ...common,
    reads: 'since',
    readingNote: readingWords(api.title, description),
    keyComparison: hidesDeletions(description) ? 'daily' : 'never',
    ...(changes.kind === 'cursor' && { changedAtColumn: changes.column }),
  }
}

/** Whether a deleted record can stay unnoticed by reads: always without a status, else if changes are reported for a while only. */
function hidesDeletions({ changes, deletes }: StreamDescription): boolean {
  if (changes?.kind === 'months') return false
  if (deletes?.kind === 'keys' || deletes === undefined) return true
  if (deletes.kind === 'never' || changes === undefined) return false
  return changes.kind !== 'cursor' || changes.maxAgeDays !== undefined || changes.rowsMax !== undefined
}

function checkCall({ check }: RestDescription, api: DescribedApi): Call {
  return api.withSettings({ path: check.path, query: textsOf(check.query) })
}

async function checkAll(description: RestDescription, api: DescribedApi): Promise<readonly ConnectionTestResult[]> {
  const { title } = description
  const names = [`Reach ${title}`, 'Sign in', 'Read']
  try {
    await api.get(checkCall(description, api))
    return resultsUpTo(names, null)
  } catch (error) {
    const { kind, notice } = asFault(error)
    return resultsUpTo(names, { at: kind === 'passing' ? 0 : kind === 'signIn' ? 1 : 2, notice })
  }
}
