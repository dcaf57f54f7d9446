/**
 * A run of a connector: syncs every stream from source to target, two concurrently. Each stream is idempotent and can
 * be retried after any failure.
 */
import { withinStream } from '../ports/call-meter.ts'
import { companiesFault, type CompanySet } from '../ports/companies.ts'
import { asFault, Fault } from '../ports/faults.ts'
import { baseBundle, type MissingSelection, type Stream } from '../ports/source.ts'
import { FencedError } from '../ports/target.ts'
import { offerRun } from './offer-run.ts'
import { RunReporter } from './run-status.ts'
import type { StreamOutcome, SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { type ClearedStream, clearStreams } from './schema-changes.ts'
import { type FailedStream, runFault, StreamFaults } from './stream-faults.ts'
import { syncStream } from './sync-stream.ts'
import { waitingOutcome } from './stream-counters.ts'
import { tieOut } from './tie-out.ts'
import { examineClosedPeriods, withHistoryOfLedger } from './examine-closed-periods.ts'
import { defineMarkedViews } from './report-marks.ts'
import { updateQuestions } from './questions.ts'
import type { StreamContext } from './stream-context.ts'

const streamConcurrency = 2
const nothingCompared = { removedStreams: [], tieOut: null, closedPeriods: null, marks: [], offer: null } as const

/**
 * Runs a sync. Faults are part of the outcome.
 * @throws FencedError if a newer writer has taken over; the caller must report nothing more
 */
export async function sync(request: SyncRunRequest): Promise<SyncOutcome> {
  const reporter = new RunReporter(request)
  const outcome = await syncAllStreams(request, reporter)
  await reporter.end(outcome)
  return outcome
}

async function syncAllStreams(request: SyncRunRequest, reporter: RunReporter): Promise<SyncOutcome> {
  const outcomes = new Map<string, StreamOutcome>()
  try {
    request.signal.throwIfAborted()
    const { hasCompleted } = await request.target
      .begin(request.writer)
      .catch((error: unknown) => Promise.reject(attributeToTarget(error)))
    await reporter.begin()
    const offered = await listSourceStreams(request)
    const { streams, missing } = selectStreams(request, offered)
    for (const stream of streams) recordOutcome(request, outcomes, waitingOutcome(stream))
    const kept = withHistoryOfLedger(request, streams)
    const cleared = await clearStreams(request, { streams, removedStreams: offered.removed, hasCompleted })
    const faults = new StreamFaults()
    const record = (outcome: StreamOutcome): void => recordOutcome(request, outcomes, outcome)
    await forEachConcurrently(cleared, async (each) => {
      await attemptStream({ ...kept, ...each, hasCompleted, recordOutcome: record }, outcomes, faults)
      await reporter.update(outcomes.values())
    })
    const queried = await queryTarget(request, cleared, outcomes)
    const conclusion = conclude([...outcomes.values()], missing, request.source.companies)
    const mayOffer = conclusion.status === 'completed' && !request.target.facts.storesTablesOnly
    const offer = mayOffer ? await offerRun(request, outcomes) : null
    return { ...conclusion, ...queried, removedStreams: offered.removed, offer }
  } catch (error) {
    if (error instanceof FencedError) throw error
    const streams = [...outcomes.values()]
    if (request.signal.aborted)
      return { status: 'cancelled', fault: null, streams: streams.map(markCancelled), ...nothingCompared }
    return { status: 'failed', fault: asFault(error), streams, ...nothingCompared }
  }
}

/** What needs SQL in the target. */
async function queryTarget(
  request: SyncRunRequest,
  cleared: readonly ClearedStream[],
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<Pick<SyncOutcome, 'tieOut' | 'closedPeriods' | 'marks'>> {
  const { source, target, log } = request
  if (target.facts.storesTablesOnly) {
    if (source.tieOut !== undefined || source.questions !== undefined)
      log('The target stores tables only, so its rows are not tied out, and there are no ready questions.')
    return { tieOut: null, closedPeriods: null, marks: [] }
  }
  const tieOutResult = await tieOut(request, cleared, outcomes)
  const closedPeriods = await examineClosedPeriods(request, cleared, outcomes)
  await updateQuestions(request, outcomes)
  return { tieOut: tieOutResult, closedPeriods, marks: await defineMarkedViews(request, cleared, outcomes) }
}

/**
 * Marks a refused login as the target's. The fault looks the same from both sides, and only the caller knows which one
 * it was.
 */
function attributeToTarget(error: unknown): unknown {
  if (!(error instanceof Fault) || error.kind !== 'signIn') return error
  return new Fault('signIn', {
    code: 'target.login_refused',
    notice: `The target refused the login. ${error.notice}`,
    cause: error,
  })
}

interface SourceStreams {
  readonly streams: readonly Stream[]
  /** Selected in the settings, but unavailable. */
  readonly missing: readonly MissingSelection[]
  /** Names of streams that earlier runs have moved and the source no longer has. */
  readonly removed: readonly string[]
}

async function listSourceStreams({
  source,
  movedBefore,
  streams: wanted,
  log,
}: SyncRunRequest): Promise<SourceStreams> {
  const streams = await source.streams()
  const { missing = [], removed = [] } = Object.groupBy(
    (await source.missingSelections?.(movedBefore)) ?? [],
    ({ isGone }) => (isGone ? 'removed' : 'missing'),
  )
  const unreadable = wanted === undefined ? ((await source.unreadableTables?.()) ?? []) : []
  if (unreadable.length > 0) log(describeUnreadable(unreadable))
  return { streams, missing, removed: wanted === undefined ? removed.map(({ name }) => name) : [] }
}

const unreadableNamedMax = 20

function describeUnreadable(tables: readonly MissingSelection[]): string {
  const named = tables.slice(0, unreadableNamedMax)
  const more = tables.length - named.length
  const names = `${named.map(({ name }) => name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const remedies = new Set(named.flatMap(({ remedy }) => remedy?.split('\n') ?? []))
  return `Not moved, because the user may not read them: ${names}. To move them, let the database’s owner run: ${[...remedies].join(' ')}`
}

interface StreamSelection {
  readonly streams: readonly Stream[]
  /** Requested streams that are unavailable. */
  readonly missing: readonly FailedStream[]
}

/** Selects the requested streams, or without a request all that the settings select and the licence includes. */
function selectStreams(
  { streams: wanted, bundles, movedBefore = [] }: SyncRunRequest,
  { streams: offered, missing: missingSelections }: SourceStreams,
): StreamSelection {
  const isLicensed = ({ bundle = baseBundle }: Stream): boolean => bundles === undefined || bundles.has(bundle)
  const streams = offered.filter(
    (stream) => isLicensed(stream) && (wanted === undefined || wanted.includes(stream.name)),
  )
  const notOffered = wanted?.filter((name) => !streams.some((stream) => stream.name === name)).map((name) => ({ name }))
  const missing: readonly MissingSelection[] = notOffered ?? missingSelections
  const isOffered = (name: string): boolean => offered.some((stream) => stream.name === name)
  const faultOf = ({ name, remedy }: MissingSelection): Fault => {
    if (isOffered(name)) return notLicensedFault
    return movedBefore.includes(name) && remedy !== undefined ? notReadableFault(remedy) : notOfferedFault(remedy)
  }
  return { streams, missing: missing.map((each) => ({ name: each.name, fault: faultOf(each) })) }
}

/**
 * Runs `work` for each stream with bounded concurrency. The first error prevents further starts and is thrown once the
 * running ones end.
 */
async function forEachConcurrently(
  streams: readonly ClearedStream[],
  work: (stream: ClearedStream) => Promise<void>,
): Promise<void> {
  const queue = [...streams]
  const failures: unknown[] = []
  const consume = async (): Promise<void> => {
    for (let stream = queue.shift(); stream !== undefined; stream = queue.shift()) {
      await work(stream).catch((error: unknown) => {
        failures.push(error)
        queue.length = 0
      })
    }
  }
  await Promise.all(Array.from({ length: streamConcurrency }, consume))
  if (failures.length > 0) throw failures[0]
}

/** Syncs a stream. A fault of this stream only is recorded in its outcome; one that affects every stream is thrown. */
async function attemptStream(
  context: StreamContext,
  outcomes: ReadonlyMap<string, StreamOutcome>,
  faults: StreamFaults,
): Promise<void> {
  const { described, recordOutcome, signal, log } = context
  try {
    await withinStream(described.name, () => syncStream(context))
    faults.succeeded()
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    const fault = asFault(error)
    const before = outcomes.get(described.name) ?? waitingOutcome(described)
    recordOutcome({ ...before, progress: { ...before.progress, phase: 'failed' }, fault })
    log(`${described.name}: ${fault.notice}`)
    if (faults.failed(fault)) throw error
  }
}

function recordOutcome(request: SyncRunRequest, outcomes: Map<string, StreamOutcome>, outcome: StreamOutcome): void {
  outcomes.set(outcome.progress.stream, outcome)
  request.report(outcome.progress)
}

function conclude(
  streams: readonly StreamOutcome[],
  missing: readonly FailedStream[],
  companies: CompanySet | undefined,
): Omit<SyncOutcome, 'removedStreams' | 'tieOut' | 'closedPeriods' | 'marks' | 'offer'> {
  const failed = streams.flatMap(({ progress, fault }): FailedStream[] =>
    fault === null ? [] : [{ name: progress.stream, fault }],
  )
  const all = [...failed, ...missing]
  const some = companies === undefined ? null : companiesFault(companies)
  const fault =
    all.length > 0 && some !== null ? runFault([...all, { name: 'Companies', fault: some }]) : (runFault(all) ?? some)
  return { status: fault === null ? 'completed' : 'failed', fault, streams }
}

function notOfferedFault(remedy: string | undefined): Fault {
  const notice =
    'The source does not offer it, or not any more, or the user may not read it. Check its spelling and what else is chosen, grant the right, or take it off the list.'
  return new Fault('settings', { code: 'engine.not_offered', notice, ...(remedy !== undefined && { remedy }) })
}

function notReadableFault(remedy: string): Fault {
  const notice =
    'The user may not read it any more, so its rows in the target stay as they are. Grant the right with the statement, or choose the tables to be moved without it.'
  return new Fault('settings', { code: 'engine.not_readable', notice, remedy })
}

const notLicensedFault = new Fault('settings', {
  code: 'engine.not_licensed',
  notice: 'It belongs to a licence that the connector does not have. Add the licence, or take it off the list.',
})

function markCancelled(outcome: StreamOutcome): StreamOutcome {
  const isOver = outcome.progress.phase === 'done' || outcome.progress.phase === 'failed'
  return isOver ? outcome : { ...outcome, progress: { ...outcome.progress, phase: 'cancelled' } }
}
