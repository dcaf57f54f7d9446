/** One run of a connector: every stream from the source into the target, two at a time, each safe to repeat after any failure. */
import { asFault, Fault } from '../ports/faults.ts'
import { baseBundle, type Lacking, type Stream } from '../ports/source.ts'
import { Fenced } from '../ports/target.ts'
import { Notes } from './run-status.ts'
import type { StreamOutcome, SyncOutcome, SyncRequest } from './sync-request.ts'
import { type Cleared, clearStreams } from './schema-changes.ts'
import { type FailedStream, runFault, StreamFaults } from './stream-faults.ts'
import { syncStream } from './sync-stream.ts'
import { waiting } from './stream-counters.ts'
import { tieOut } from './tie-out.ts'
import type { StreamSync } from './stream-context.ts'

const atOnce = 2

/** Never throws but `Fenced`, when a newer writer has taken over: then nothing more is this run's to say. */
export async function sync(request: SyncRequest): Promise<SyncOutcome> {
  const notes = new Notes(request)
  const outcome = await moveAll(request, notes)
  await notes.end(outcome)
  return outcome
}

async function moveAll(request: SyncRequest, notes: Notes): Promise<SyncOutcome> {
  const outcomes = new Map<string, StreamOutcome>()
  try {
    request.signal.throwIfAborted()
    const { hasCompleted } = await request.target
      .begin(request.writer)
      .catch((error: unknown) => Promise.reject(ofTarget(error)))
    await notes.begin()
    const offered = await offer(request)
    const { streams, missing } = chosen(request, offered)
    for (const stream of streams) settle(request, outcomes, waiting(stream))
    const cleared = await clearStreams(request, { streams, gone: offered.gone, hasCompleted })
    const faults = new StreamFaults()
    const keep = (outcome: StreamOutcome): void => settle(request, outcomes, outcome)
    await eachOf(cleared, async (each) => {
      await attempt({ ...request, ...each, hasCompleted, keep }, outcomes, faults)
      await notes.goOn(outcomes.values())
    })
    const tied = await tieOut(request, cleared, outcomes)
    return { ...conclude([...outcomes.values()], missing), gone: offered.gone, tieOut: tied }
  } catch (error) {
    if (error instanceof Fenced) throw error
    const streams = [...outcomes.values()]
    if (request.signal.aborted)
      return { status: 'cancelled', fault: null, streams: streams.map(cancelled), gone: [], tieOut: null }
    return { status: 'failed', fault: asFault(error), streams, gone: [], tieOut: null }
  }
}

/** A refused login looks alike at both ends, and only here it is known which of them refused it. */
function ofTarget(error: unknown): unknown {
  if (!(error instanceof Fault) || error.kind !== 'signIn') return error
  return new Fault('signIn', {
    code: 'target.login_refused',
    notice: `The target did not let us in. ${error.notice}`,
    cause: error,
  })
}

interface Offer {
  readonly streams: readonly Stream[]
  /** Chosen in the settings and not there. */
  readonly lacking: readonly Lacking[]
  /** Names of streams that earlier runs have moved and that are there no more. */
  readonly gone: readonly string[]
}

async function offer({ source, movedBefore, streams: wanted, tell }: SyncRequest): Promise<Offer> {
  const streams = await source.streams()
  const { lacking = [], gone = [] } = Object.groupBy((await source.lacking?.(movedBefore)) ?? [], ({ isGone }) =>
    isGone ? 'gone' : 'lacking',
  )
  const hidden = wanted === undefined ? ((await source.hidden?.()) ?? []) : []
  if (hidden.length > 0) tell(hiddenWords(hidden))
  return { streams, lacking, gone: wanted === undefined ? gone.map(({ name }) => name) : [] }
}

const hiddenNamed = 20

function hiddenWords(hidden: readonly Lacking[]): string {
  const named = hidden.slice(0, hiddenNamed)
  const more = hidden.length - named.length
  const names = `${named.map(({ name }) => name).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const remedies = new Set(named.flatMap(({ remedy }) => remedy?.split('\n') ?? []))
  return `Not moved, because the user may not read them: ${names}. To move them, let the database’s owner run: ${[...remedies].join(' ')}`
}

interface Chosen {
  readonly streams: readonly Stream[]
  /** Those that were asked for and cannot be had. */
  readonly missing: readonly FailedStream[]
}

/** A run of some streams asks for those, and one of everything for what the settings name. */
function chosen(
  { streams: wanted, bundles, movedBefore = [] }: SyncRequest,
  { streams: offered, lacking }: Offer,
): Chosen {
  const isHeld = ({ bundle = baseBundle }: Stream): boolean => bundles === undefined || bundles.has(bundle)
  const streams = offered.filter((stream) => isHeld(stream) && (wanted === undefined || wanted.includes(stream.name)))
  const notThere = wanted?.filter((name) => !streams.some((stream) => stream.name === name)).map((name) => ({ name }))
  const missing: readonly Lacking[] = notThere ?? lacking
  const isOffered = (name: string): boolean => offered.some((stream) => stream.name === name)
  const faultOf = ({ name, remedy }: Lacking): Fault => {
    if (isOffered(name)) return notHeld
    return movedBefore.includes(name) && remedy !== undefined ? notReadable(remedy) : notOffered(remedy)
  }
  return { streams, missing: missing.map((lack) => ({ name: lack.name, fault: faultOf(lack) })) }
}

/** The first error stops the streams that have not begun; those under way come to their own end first. */
async function eachOf(streams: readonly Cleared[], work: (stream: Cleared) => Promise<void>): Promise<void> {
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
  await Promise.all(Array.from({ length: atOnce }, lane))
  if (failures.length > 0) throw failures[0]
}

/** A fault of this stream alone is kept with it; one that every stream would meet is thrown. */
async function attempt(
  work: StreamSync,
  outcomes: ReadonlyMap<string, StreamOutcome>,
  faults: StreamFaults,
): Promise<void> {
  const { described, keep, signal, tell } = work
  try {
    await syncStream(work)
    faults.succeeded()
  } catch (error) {
    if (error instanceof Fenced || signal.aborted) throw error
    const fault = asFault(error)
    const before = outcomes.get(described.name) ?? waiting(described)
    keep({ ...before, progress: { ...before.progress, phase: 'failed' }, fault })
    tell(`${described.name}: ${fault.notice}`)
    if (faults.failed(fault)) throw error
  }
}

function settle(request: SyncRequest, outcomes: Map<string, StreamOutcome>, outcome: StreamOutcome): void {
  outcomes.set(outcome.progress.stream, outcome)
  request.report(outcome.progress)
}

function conclude(
  streams: readonly StreamOutcome[],
  missing: readonly FailedStream[],
): Omit<SyncOutcome, 'gone' | 'tieOut'> {
  const failed = streams.flatMap(({ progress, fault }): FailedStream[] =>
    fault === null ? [] : [{ name: progress.stream, fault }],
  )
  const all = [...failed, ...missing]
  return { status: all.length === 0 ? 'completed' : 'failed', fault: runFault(all), streams }
}

function notOffered(remedy: string | undefined): Fault {
  const notice =
    'The source does not offer it, or not any more, or the user may not read it. Check its spelling and what else is chosen, grant the right, or take it off the list.'
  return new Fault('settings', { code: 'engine.not_offered', notice, ...(remedy !== undefined && { remedy }) })
}

function notReadable(remedy: string): Fault {
  const notice =
    'The user may not read it any more, so its rows in the target stay as they are. Grant the right with the statement, or choose the tables to be moved without it.'
  return new Fault('settings', { code: 'engine.not_readable', notice, remedy })
}

const notHeld = new Fault('settings', {
  code: 'engine.not_licensed',
  notice: 'It belongs to a licence that the connector does not have. Add the licence, or take it off the list.',
})

function cancelled(outcome: StreamOutcome): StreamOutcome {
  const isOver = outcome.progress.phase === 'done' || outcome.progress.phase === 'failed'
  return isOver ? outcome : { ...outcome, progress: { ...outcome.progress, phase: 'cancelled' } }
}
