/** One run of a connector: every stream from the source into the target, two at a time, each safe to repeat after any failure. */
import { asFault, Fault } from '../ports/faults.ts'
import { baseBundle, type MissingSelection, type Stream } from '../ports/source.ts'
import { FencedError } from '../ports/target.ts'
import { RunReporter } from './run-status.ts'
import type { StreamOutcome, SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { type ClearedStream, clearStreams } from './schema-changes.ts'
import { type FailedStream, runFault, StreamFaults } from './stream-faults.ts'
import { syncStream } from './sync-stream.ts'
import { waitingOutcome } from './stream-counters.ts'
import { tieOut } from './tie-out.ts'
import type { StreamContext } from './stream-context.ts'

const streamConcurrency = 2

/** Never throws but `Fenced`, when a newer writer has taken over: then nothing more is this run's to say. */
export async function sync(request: SyncRunRequest): Promise<SyncOutcome> {
  const notes = new RunReporter(request)
  const outcome = await syncAllStreams(request, notes)
  await notes.end(outcome)
  return outcome
}

async function syncAllStreams(request: SyncRunRequest, notes: RunReporter): Promise<SyncOutcome> {
  const outcomes = new Map<string, StreamOutcome>()
  try {
    request.signal.throwIfAborted()
    const { hasCompleted } = await request.target
      .begin(request.writer)
      .catch((error: unknown) => Promise.reject(attributeToTarget(error)))
    await notes.begin()
    const offered = await listSourceStreams(request)
    const { streams, missing } = selectStreams(request, offered)
    for (const stream of streams) recordOutcome(request, outcomes, waitingOutcome(stream))
    const cleared = await clearStreams(request, { streams, removedStreams: offered.removed, hasCompleted })
    const faults = new StreamFaults()
    const keep = (outcome: StreamOutcome): void => recordOutcome(request, outcomes, outcome)
    await forEachConcurrently(cleared, async (each) => {
      await attemptStream({ ...request, ...each, hasCompleted, recordOutcome: keep }, outcomes, faults)
      await notes.update(outcomes.values())
    })
    const tied = await tieOut(request, cleared, outcomes)
    return { ...conclude([...outcomes.values()], missing), removedStreams: offered.removed, tieOut: tied }
  } catch (error) {
    if (error instanceof FencedError) throw error
    const streams = [...outcomes.values()]
    if (request.signal.aborted)
      return { status: 'cancelled', fault: null, streams: streams.map(markCancelled), removedStreams: [], tieOut: null }
    return { status: 'failed', fault: asFault(error), streams, removedStreams: [], tieOut: null }
  }
}

/** A refused login looks alike at both ends, and only here it is known which of them refused it. */
function attributeToTarget(error: unknown): unknown {
  if (!(error instanceof Fault) || error.kind !== 'signIn') return error
  return new Fault('signIn', {
    code: 'target.login_refused',
    notice: `The target did not let us in. ${error.notice}`,
    cause: error,
  })
}

interface SourceStreams {
  readonly streams: readonly Stream[]
  /** Chosen in the settings and not there. */
  readonly missing: readonly MissingSelection[]
  /** Names of streams that earlier runs have moved and that are there no more. */
  readonly removed: readonly string[]
}

async function listSourceStreams({
  source,
  movedBefore,
  streams: wanted,
  log,
}: SyncRunRequest): Promise<SourceStreams> {
  const streams = await source.streams()
  const { lacking = [], gone = [] } = Object.groupBy(
    (await source.missingSelections?.(movedBefore)) ?? [],
    ({ isGone }) => (isGone ? 'gone' : 'lacking'),
  )
  const hidden = wanted === undefined ? ((await source.unreadableTables?.()) ?? []) : []
  if (hidden.length > 0) log(describeUnreadable(hidden))
  return { streams, missing: lacking, removed: wanted === undefined ? gone.map(({ name }) => name) : [] }
}

const unreadableNamedMax = 20

function describeUnreadable(hidden: readonly MissingSelection[]): string {
  const named = hidden.slice(0, unreadableNamedMax)
  const more = hidden.length - named.length
  const names = `${named.map(({ name }) => name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const remedies = new Set(named.flatMap(({ remedy }) => remedy?.split('\n') ?? []))
  return `Not moved, because the user may not read them: ${names}. To move them, let the database’s owner run: ${[...remedies].join(' ')}`
}

interface StreamSelection {
  readonly streams: readonly Stream[]
  /** Those that were asked for and cannot be had. */
  readonly missing: readonly FailedStream[]
}

/** A run of some streams asks for those, and one of everything for what the settings name. */
function selectStreams(
  { streams: wanted, bundles, movedBefore = [] }: SyncRunRequest,
  { streams: offered, missing: lacking }: SourceStreams,
): StreamSelection {
  const isHeld = ({ bundle = baseBundle }: Stream): boolean => bundles === undefined || bundles.has(bundle)
  const streams = offered.filter((stream) => isHeld(stream) && (wanted === undefined || wanted.includes(stream.name)))
  const notThere = wanted?.filter((name) => !streams.some((stream) => stream.name === name)).map((name) => ({ name }))
  const missing: readonly MissingSelection[] = notThere ?? lacking
  const isOffered = (name: string): boolean => offered.some((stream) => stream.name === name)
  const faultOf = ({ name, remedy }: MissingSelection): Fault => {
    if (isOffered(name)) return notLicensedFault
    return movedBefore.includes(name) && remedy !== undefined ? notReadableFault(remedy) : notOfferedFault(remedy)
  }
  return { streams, missing: missing.map((lack) => ({ name: lack.name, fault: faultOf(lack) })) }
}

/** The first error stops the streams that have not begun; those under way come to their own end first. */
async function forEachConcurrently(
  streams: readonly ClearedStream[],
  work: (stream: ClearedStream) => Promise<void>,
): Promise<void> {
  const left = [...streams]
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    for (let stream = left.shift(); stream !== undefined; stream = left.shift()) {
      await work(stream).catch((error: unknown) => {
        failures.push(error)
        left.length = 0
      })
    }
  }
  await Promise.all(Array.from({ length: streamConcurrency }, lane))
  if (failures.length > 0) throw failures[0]
}

/** A fault of this stream alone is kept with it; one that every stream would meet is thrown. */
async function attemptStream(
  work: StreamContext,
  outcomes: ReadonlyMap<string, StreamOutcome>,
  faults: StreamFaults,
): Promise<void> {
  const { described, recordOutcome, signal, log } = work
  try {
    await syncStream(work)
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
): Omit<SyncOutcome, 'removedStreams' | 'tieOut'> {
  const failed = streams.flatMap(({ progress, fault }): FailedStream[] =>
    fault === null ? [] : [{ name: progress.stream, fault }],
  )
  const all = [...failed, ...missing]
  return { status: all.length === 0 ? 'completed' : 'failed', fault: runFault(all), streams }
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
