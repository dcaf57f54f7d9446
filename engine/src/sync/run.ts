/** One run of a connector: every stream from the source into the target, two at a time, each safe to repeat after any failure. */
import { asFault, Fault, type FaultKind } from '../faults.ts'
import type { Stream } from '../source.ts'
import { Fenced } from '../target.ts'
import type { StreamOutcome, SyncOutcome, SyncRequest } from './request.ts'
import { syncStream, waiting } from './stream.ts'

const atOnce = 2
/** These say something about one stream; all other kinds would meet the next stream as well. */
const ofOneStream: readonly FaultKind[] = ['data', 'settings']

/** Never throws but `Fenced`, when a newer writer has taken over: then nothing more is this run's to say. */
export async function sync(request: SyncRequest): Promise<SyncOutcome> {
  const outcomes = new Map<string, StreamOutcome>()
  try {
    const streams = await open(request)
    for (const stream of streams) settle(request, outcomes, { progress: waiting(stream), rejected: [], fault: null })
    const missing = missingStreams(request, streams)
    await eachOf(streams, (stream) => attempt(request, stream, outcomes))
    return conclude([...outcomes.values()], missing)
  } catch (error) {
    if (error instanceof Fenced) throw error
    const streams = [...outcomes.values()]
    if (request.signal.aborted) return { status: 'cancelled', fault: null, streams: streams.map(cancelled) }
    return { status: 'failed', fault: asFault(error), streams }
  }
}

async function open({ source, target, writer, streams, signal }: SyncRequest): Promise<readonly Stream[]> {
  signal.throwIfAborted()
  await target.begin(writer)
  const all = await source.streams()
  return streams === undefined ? all : all.filter((stream) => streams.includes(stream.name))
}

function missingStreams(request: SyncRequest, found: readonly Stream[]): readonly string[] {
  return (request.streams ?? []).filter((name) => !found.some((stream) => stream.name === name))
}

/** The first error stops the streams that have not begun; those under way come to their own end first. */
async function eachOf(streams: readonly Stream[], work: (stream: Stream) => Promise<void>): Promise<void> {
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

/** A fault of this stream alone is written down; one that would meet every stream is thrown. */
async function attempt(request: SyncRequest, stream: Stream, outcomes: Map<string, StreamOutcome>): Promise<void> {
  const keep = (outcome: StreamOutcome): void => settle(request, outcomes, outcome)
  try {
    await syncStream({ ...request, stream, keep })
  } catch (error) {
    if (error instanceof Fenced || request.signal.aborted) throw error
    const fault = asFault(error)
    const before = outcomes.get(stream.name) ?? { progress: waiting(stream), rejected: [] }
    keep({ ...before, progress: { ...before.progress, phase: 'failed' }, fault })
    request.tell(`${stream.name}: ${fault.notice}`)
    if (!ofOneStream.includes(fault.kind)) throw error
  }
}

function settle(request: SyncRequest, outcomes: Map<string, StreamOutcome>, outcome: StreamOutcome): void {
  outcomes.set(outcome.progress.stream, outcome)
  request.report(outcome.progress)
}

interface Failed {
  readonly name: string
  readonly fault: Fault
}

function conclude(streams: readonly StreamOutcome[], missing: readonly string[]): SyncOutcome {
  const failed = streams.flatMap(({ progress, fault }): Failed[] => (fault === null ? [] : [{ name: progress.stream, fault }]))
  const all = [...failed, ...missing.map((name) => ({ name, fault: notOffered }))]
  return { status: all.length === 0 ? 'completed' : 'failed', fault: summary(all), streams }
}

const notOffered = new Fault('settings', {
  code: 'engine.not_offered',
  notice: 'The source does not offer this any more, or the user may not read it. Grant the right, or take it off the list.',
})

/** One fault for the run: that of the only stream that failed, or a list of them all. */
function summary(failed: readonly Failed[]): Fault | null {
  const [first, ...others] = failed
  if (first === undefined) return null
  const notice = failed.map(({ name, fault }) => `${name}: ${fault.notice}`).join(' ')
  if (others.length === 0) return new Fault(first.fault.kind, { code: first.fault.code, notice, cause: first.fault })
  const isData = failed.every(({ fault }) => fault.kind === 'data')
  return new Fault(isData ? 'data' : 'settings', {
    code: 'engine.streams_failed',
    notice: `${failed.length} streams are not done; the others are. ${notice}`,
  })
}

function cancelled(outcome: StreamOutcome): StreamOutcome {
  const isOver = outcome.progress.phase === 'done' || outcome.progress.phase === 'failed'
  return isOver ? outcome : { ...outcome, progress: { ...outcome.progress, phase: 'cancelled' } }
}
