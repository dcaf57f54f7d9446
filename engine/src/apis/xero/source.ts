/** Xero as a source: changes since the last read, a weekly re-read of everything, and Xero's reports for comparison. */
import { resultsUpTo } from '../../ports/connection-test.ts'
import { asFault, type Fault } from '../../ports/faults.ts'
import { changedAt } from '../http/changed-at.ts'
import { asText } from '../http/canonical-text.ts'
import { describeShape } from '../http/dictionary.ts'
import { readMember, readMembers } from '../http/fields.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type { OpenSource, ReadRequest, Source, Stream } from '../../ports/source.ts'
import { openXero, type XeroApi } from './api.ts'
import { xeroDictionary } from './dictionary/dictionary.ts'
import { xeroAuthorising } from './oauth.ts'
import { checkpointOfMoment, readChanges } from './read-changes.ts'
import { readJournals } from './read-journals.ts'
import { isOffered } from './available-streams.ts'
import { readByKey, readKeys } from './keys.ts'
import { xeroClosedPeriods } from './ledger/closed-periods.ts'
import { xeroTieOut } from './ledger/tie-out.ts'
import { xeroQuestions } from './questions/questions.ts'
import { readReport } from './read-reports.ts'
import { parseXero, xeroSection, type XeroSettings } from './settings.ts'
import { readSample } from './sample.ts'
import { bundleOf, xeroBundles, xeroStreams, findStream } from './streams.ts'
import type { XeroStream } from './tables/stream-kinds.ts'
import { wasReadToday, readBudgets, readWhole } from './read-whole.ts'

export const xeroSource: Source<XeroSettings> = {
  type: 'xero',
  title: 'Xero',
  needs: 'A person who may see the company’s books in Xero and signs in there.',
  description:
    'Invoices, payments, bank transactions, journals and contacts of Xero, line by line, checked against its trial balance.',
  guide: [
    'Choose to connect: Xero opens and asks you to sign in.',
    'Choose the company, and allow access. Tributary asks to read, never to write.',
    'Xero brings you back here; the connector then has the company’s name.',
  ],
  bundles: xeroBundles,
  // For each company. A published application may ask Xero for more.
  callLimit: { calls: 5_000, per: 'day' },
  assistantTerms: {
    name: 'Xero Developer Platform Terms and Conditions',
    address: 'https://developer.xero.com/xero-developer-platform-terms-conditions',
    restriction:
      'They forbid using data from Xero’s API to train an artificial intelligence model or to contribute to one.',
  },
  sections: [xeroSection],
  closedPeriods: xeroClosedPeriods,
  oauth: xeroAuthorising,
  parse: parseXero,
  open: async (settings, around) => createOpenSource(openXero(settings, around)),
}

function createOpenSource(api: XeroApi): OpenSource {
  return {
    origin: api.tenantId,
    check: () => checkAll(api),
    async streams() {
      await api.confirm()
      const there: XeroStream[] = []
      for (const stream of xeroStreams) if (await isOffered(api, stream)) there.push(stream)
      return there.map(asStream)
    },
    read: (stream, request) => read(api, findStream(stream), request),
    isFreshEnough: (stream, checkpoint) => canSkip(findStream(stream), checkpoint, api.clock.now()),
    keys: (stream, request) => readKeys(api, findStream(stream), request?.columns),
    keysWithColumns: true,
    readByKey: (stream, keys) => readByKey(api, findStream(stream), keys),
    sample: (stream, request) => readSample(api, findStream(stream), request),
    tieOut: xeroTieOut,
    questions: xeroQuestions,
    async checkpointAt(stream, moment) {
      return findStream(stream).kind === 'changing' ? checkpointOfMoment(moment) : null
    },
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]()
    },
  }
}

function read(api: XeroApi, stream: XeroStream, request: ReadRequest): AsyncIterable<RowBatch> {
  switch (stream.kind) {
    case 'whole':
      return readWhole(api, stream)
    case 'changing':
      return readChanges(api, stream, request)
    case 'journals':
      return readJournals(api, stream, request)
    case 'budgets':
      return readBudgets(api, stream)
    case 'report':
      return readReport(api, stream, request)
  }
}

/** True if a run may skip the stream. */
function canSkip(stream: XeroStream, checkpoint: Checkpoint, now: number): boolean {
  if (stream.kind === 'whole' || stream.kind === 'budgets') return wasReadToday(checkpoint, now)
  return (
    stream.kind === 'report' &&
    stream.frequency === 'daily' &&
    checkpoint['next'] === null &&
    wasReadToday(checkpoint, now)
  )
}

/** Rows that change during a read may be returned twice, so no stream is distinct. */
function asStream(stream: XeroStream): Stream {
  const { name, kind, shape } = stream
  const isWhole = kind === 'whole' || kind === 'budgets'
  const described = describeShape(xeroDictionary, shape)
  return {
    name,
    bundle: bundleOf(stream),
    ...described,
    ...changedAt(described.table, 'UpdatedDateUTC'),
    reads: isWhole ? 'whole' : 'since',
    ...(isWhole && {
      wholeReason: 'Xero does not report what has changed in this list, so it is read whole once a day.',
    }),
    hasDistinctKeys: false,
    keyComparison: kind === 'changing' && stream.hasUnreportedDeletions === true ? 'daily' : 'never',
  }
}

/** Takes one call, and a second one to find the cause if Xero refuses. */
async function checkAll(api: XeroApi): Promise<ConnectionTestResult[]> {
  try {
    const answer = await api.get({ path: 'Organisation', scope: 'accounting.settings.read', patience: 'once' })
    const [company] = readMembers(answer, 'Organisations')
    const name = company === undefined ? null : asText(readMember(company, 'Name'))
    if (name !== null) return resultsUpTo([...signInChecks, `Read the company ‘${name}’`], null)
    return resultsUpTo([...signInChecks, 'Read the company'], {
      at: 2,
      notice: 'Xero accepts the sign-in but does not name the company. Connect it again.',
    })
  } catch (error) {
    const fault = asFault(error)
    return resultsUpTo([...signInChecks, 'Read the company'], { at: failedStepOf(fault), notice: fault.notice })
  }
}

const signInChecks = ['Reach Xero', 'Sign in']

function failedStepOf({ kind }: Fault): number {
  if (kind === 'passing') return 0
  return kind === 'signIn' ? 1 : 2
}
