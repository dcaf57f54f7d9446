/** Cin7 Core as a source: reads lists by page and documents one by one, within its rate limit. */
import { changedAt } from '../http/changed-at.ts'
import type { ApiClient } from '../http/client.ts'
import { describeShape } from '../http/dictionary.ts'
import { isObject, readMember } from '../http/fields.ts'
import { resultsUpTo } from '../../ports/connection-test.ts'
import { asFault, type Fault } from '../../ports/faults.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { OpenSource, ReadRequest, Source, Stream } from '../../ports/source.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import { type Cin7Connection, openCin7 } from './api.ts'
import { cin7ClosedPeriods } from './closed-periods.ts'
import { readDated } from './details.ts'
import { cin7Dictionary } from './dictionary/dictionary.ts'
import { readByKey, readKeys } from './keys.ts'
import { readLedger } from './ledger.ts'
import { isListed, readList } from './lists.ts'
import { cin7Questions } from './questions/stock.ts'
import { readSample } from './sample.ts'
import { cin7Section, type Cin7Settings, parseCin7 } from './settings.ts'
import { bundleOf, cin7Bundles, cin7Streams, findStream } from './streams.ts'
import { readTasks } from './tasks.ts'
import type { Cin7Stream } from './tables/stream-kinds.ts'

export const cin7Source: Source<Cin7Settings> = {
  type: 'cin7',
  title: 'Cin7 Core',
  needs: 'An Account Id and an Application Key, from Integrations → API in Cin7 Core.',
  description: 'Products, stock, sales, purchases and the ledger of Cin7 Core, with one row per line.',
  guide: [
    'Sign in to Cin7 Core and open Integrations, then API.',
    'Choose the plus sign to add an application, and name it Tributary.',
    'Copy the Account Id shown at the top and the Application Key of the new line.',
  ],
  bundles: cin7Bundles,
  // For each application key.
  callLimit: { calls: 60, per: 'minute' },
  sections: [cin7Section],
  closedPeriods: cin7ClosedPeriods,
  parse: parseCin7,
  open: async (settings, around) => createOpenSource(openCin7(settings, around), settings.accountId),
}

const checks = ['Reach Cin7 Core', 'Sign in', 'Read the company'] as const

/** @param origin the account id */
function createOpenSource(cin7: Cin7Connection, origin: string): OpenSource {
  const { client } = cin7
  return {
    origin,
    check: () => checkAll(client),
    async streams() {
      await client.get('me')
      const available: Cin7Stream[] = []
      for (const stream of cin7Streams)
        if (stream.optional !== true || (await isListed(cin7, stream.list))) available.push(stream)
      return available.map(asStream)
    },
    read: (stream, request) => read(cin7, findStream(stream), request),
    keys: (stream) => readKeys(cin7, findStream(stream)),
    readByKey: (stream, keys, request) => readByKey(cin7, findStream(stream), keys, request),
    sample: (stream, request) => readSample(cin7, findStream(stream), request),
    questions: cin7Questions,
    async checkpointAt(stream, moment) {
      const { kind, list } = findStream(stream)
      return (kind === 'list' || kind === 'dated') && list.since !== undefined ? { until: moment.getTime() } : null
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
    },
  }
}

function read(cin7: Cin7Connection, stream: Cin7Stream, request: ReadRequest): AsyncIterable<RowBatch> {
  if (stream.kind === 'list') return readList(cin7, stream, request.since)
  if (stream.kind === 'dated') return readDated(cin7, stream, request)
  return stream.kind === 'tasks' ? readTasks(cin7, stream, request) : readLedger(cin7, stream, request)
}

/** Rows that move between pages may be returned twice, and so may parts of a document, so no stream is distinct. */
function asStream(stream: Cin7Stream): Stream {
  const { name, kind, list, shape } = stream
  const isWhole = kind === 'list' && list.since === undefined
  const described = describeShape(cin7Dictionary, shape)
  return {
    name,
    bundle: bundleOf(stream),
    ...described,
    ...changedAt(described.table, 'LastModifiedOn'),
    reads: isWhole ? 'whole' : 'since',
    ...(isWhole && { wholeReason: 'Cin7 Core does not report what has changed in this list.' }),
    hasDistinctKeys: false,
    isSlow: kind === 'dated' || kind === 'tasks',
    keyComparison: kind === 'ledger' ? 'never' : 'daily',
  }
}

async function checkAll(client: ApiClient): Promise<ConnectionTestResult[]> {
  try {
    const { json } = await client.get('me', {}, 'once')
    const company = isObject(json) ? readMember(json, 'Company') : null
    if (typeof company === 'string') return resultsUpTo(checks, null)
    return resultsUpTo(checks, {
      at: 2,
      notice: 'Cin7 Core accepts the credentials but does not say whose they are. Check the address in the settings.',
    })
  } catch (error) {
    const fault = asFault(error)
    return resultsUpTo(checks, { at: failedStepOf(fault), notice: fault.notice })
  }
}

function failedStepOf({ kind }: Fault): number {
  if (kind === 'signIn') return 1
  return kind === 'busy' || kind === 'bug' ? 2 : 0
}
