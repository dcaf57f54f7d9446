/** Cin7 Core as a source: lists page by page, documents one by one, never faster than it allows. */
import type { ApiClient } from '../../http/client.ts'
import { isObject, member } from '../../http/fields.ts'
import { asFault } from '../../faults.ts'
import type { Fault } from '../../faults.ts'
import type { OpenSource, Source, Stream, Surroundings } from '../../source.ts'
import type { CheckResult } from '../../settings.ts'
import { openCin7 } from './api.ts'
import { readDetails } from './details.ts'
import { readList } from './lists.ts'
import { cin7Section, parseCin7 } from './settings.ts'
import type { Cin7Settings } from './settings.ts'
import { cin7Streams } from './streams.ts'
import type { Cin7Stream } from './tables/declare.ts'

export const cin7Source: Source<Cin7Settings> = {
  type: 'cin7',
  title: 'Cin7 Core',
  needs: 'An Account Id and an Application Key, from Integrations → API in Cin7 Core.',
  sections: [cin7Section],
  parse: parseCin7,
  open: async (settings, around) => opened(openCin7(settings, around), around),
}

const checks = ['Reach Cin7 Core', 'Sign in', 'Read the company'] as const

function opened(client: ApiClient, around: Surroundings): OpenSource {
  return {
    check: () => checkAll(client),
    async streams() {
      await client.get('me')
      return cin7Streams.map(asStream)
    },
    read(stream, request) {
      const declared = cin7Streams.find(({ name }) => name === stream.name)
      if (declared === undefined) throw new Error(`Cin7 Core has no stream ${stream.name}.`)
      return declared.kind === 'list'
        ? readList(client, around.clock, declared, request.since)
        : readDetails(client, around.clock, declared, request)
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
    },
  }
}

/** Rows that move between pages while a list is read may come twice, and so may the parts of a document: nothing is distinct. */
function asStream({ name, kind, list, shape }: Cin7Stream): Stream {
  const children = shape.children.map(({ table }) => table)
  return {
    name,
    table: shape.table,
    children,
    reads: list.since === undefined ? 'whole' : 'since',
    distinct: false,
    slow: kind === 'details',
  }
}

async function checkAll(client: ApiClient): Promise<CheckResult[]> {
  try {
    const { json } = await client.get('me', {}, 'once')
    const company = isObject(json) ? member(json, 'Company') : null
    if (typeof company === 'string') return results(null)
    return results({
      at: 2,
      notice: 'Cin7 Core accepts the credentials but does not say whose they are. Check the address in the settings.',
    })
  } catch (error) {
    const fault = asFault(error)
    return results({ at: stepOf(fault), notice: fault.notice })
  }
}

function stepOf({ kind }: Fault): number {
  if (kind === 'signIn') return 1
  return kind === 'busy' || kind === 'bug' ? 2 : 0
}

function results(failure: { at: number; notice: string } | null): CheckResult[] {
  return checks.map((name, index) => {
    if (failure === null || index < failure.at) return { name, outcome: 'passed' }
    return index === failure.at ? { name, outcome: 'failed', notice: failure.notice } : { name, outcome: 'skipped' }
  })
}
