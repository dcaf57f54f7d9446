/** One stream of a run: prepare, read on from the checkpoint, commit as checkpoints come, finish, compare keys. */
import type { Clock } from '../clock.ts'
import { Fault } from '../faults.ts'
import type { Batch, Checkpoint } from '../model.ts'
import type { Stream } from '../source.ts'
import type { Counts, Load, StreamState } from '../target.ts'
import { covering, ending, usable, type UsableState } from './covered.ts'
import { withoutLeftOut } from './leave-out.ts'
import { type Again, isFinishedBy, isMergeable, isSweepDue, planStream, type Read, shrinkGuard } from './plan.ts'
import type { StreamPhase, StreamProgress } from './progress.ts'
import { readAhead } from './read-ahead.ts'
import type { StreamOutcome, SyncRequest } from './request.ts'
import { type Cleared, describeChange } from './schema.ts'

export interface StreamSync extends SyncRequest, Cleared {
  /** Whether a run of this connector has ever completed: only then is a new table worth telling. */
  readonly hasCompleted: boolean
  /** Takes the newest outcome; the last one counts. */
  readonly keep: (outcome: StreamOutcome) => void
}

/** Small commits cost the target time, large ones cost the next run what it must read again. */
const commitRows = 20_000
const commitBytes = 8 * 1_048_576
const commitMs = 10_000
const reportMs = 250

export async function syncStream(work: StreamSync): Promise<void> {
  const { source, target, stream, described, writer } = work
  if (described.fault !== undefined) throw described.fault
  const tally = new Tally(work)
  tally.enter('preparing')
  await prepareStream(work)
  const state = usable(work, await target.state(stream))
  reportReadAnew(work, state)
  if (isFinishedBy(writer.runId, state)) tally.again()
  if (isResting(work, state.checkpoint)) return tally.end(state)
  const again = work.from === undefined ? {} : { again: await askAgain(work, work.from) }
  const plan = planStream({ stream, state, wish: work.wish, ...again, runId: writer.runId, now: work.clock.now() })
  if (plan.kind === 'read') await readStream(work, plan, tally)
  work.signal.throwIfAborted()
  const isFresh = plan.kind === 'read' && plan.mode.kind === 'replace' && !plan.mode.resume
  if (!isFresh && source.keys !== undefined && stream.table.key.length > 0) await sweepStream(work, source.keys(described), tally)
  tally.end(await target.state(stream))
}

function reportReadAnew({ stream: { name }, tell }: StreamSync, { isElsewhere, isRedefined }: UsableState): void {
  if (isElsewhere) tell(`${name}: its rows are of another company or database. All of it is read, and takes their place.`)
  else if (isRedefined) tell(`${name}: its definition has changed at the source. All of it is read once more.`)
}

/** What is asked for by itself, from a date or in full does not rest. */
function isResting({ source, described, wish, from, streams }: StreamSync, checkpoint: Checkpoint | null): boolean {
  if (wish === 'full' || from !== undefined || streams?.length === 1 || checkpoint === null) return false
  return source.rests?.(described, checkpoint) === true
}

async function prepareStream({ target, stream, schema, hasCompleted, tell }: StreamSync): Promise<void> {
  const changes = (await target.prepare(stream)).filter(({ column }) => column !== null || hasCompleted)
  for (const change of changes) tell(describeChange(change))
  if (changes.length > 0) schema?.found(stream.name, changes, 'applied')
}

async function askAgain({ source, described }: StreamSync, moment: Date): Promise<Again> {
  return { moment: moment.getTime(), checkpoint: (await source.checkpointAt?.(described, moment)) ?? null }
}

/** What is known of a stream before its turn comes. */
export function waiting(stream: Stream): StreamOutcome {
  return { stream, progress: begun(stream), freshAt: null, rows: null, rejected: [], fault: null }
}

function begun(stream: Stream): StreamProgress {
  const none = { rowsRead: 0, rowsWritten: 0, rowsUpdated: 0, rowsDeleted: 0, rowsRejected: 0 }
  return {
    stream: stream.name,
    table: stream.table.name,
    phase: 'waiting',
    ...none,
    rowsEstimate: stream.rowsEstimate ?? null,
    hasGotOn: false,
  }
}

async function readStream(work: StreamSync, plan: Read, tally: Tally): Promise<void> {
  const { source, target, stream, described, signal } = work
  await using load = await target.load(stream, plan.mode)
  tally.enter('reading')
  let reached: Checkpoint | null = plan.since
  const isLasting = isMergeable(stream) && plan.keeps === undefined
  const commit = async (checkpoint: Checkpoint): Promise<void> =>
    tally.written(await load.commit(covering(work, plan.keeps ?? checkpoint)), load, isLasting)
  const uncommitted = new Uncommitted(work)
  const request = { since: plan.since, encoding: load.encoding, tell: work.tell }
  try {
    for await (const batch of withoutLeftOut(work, readAhead(source.read(described, request), signal))) {
      const checkpoint = uncommitted.takeCheckpoint()
      // Only when more comes: the last checkpoint belongs to `finish`.
      if (checkpoint !== null && uncommitted.isEnough()) {
        await commit(checkpoint)
        uncommitted.clear()
      }
      const size = batch.bytes.length
      await load.write(batch)
      tally.read(batch, load)
      uncommitted.add(batch, size)
      reached = batch.checkpoint ?? reached
    }
    signal.throwIfAborted()
    uncommitted.clear()
    tally.enter('finishing')
    tally.written(await load.finish(ending(work, plan.keeps ?? reached)), load, true)
  } catch (error) {
    const { checkpoint } = uncommitted
    // Set only when it is the source that failed: what it gave whole before that may have cost an API's calls of a day.
    if (checkpoint !== null && !signal.aborted) await commit(checkpoint)
    throw error
  } finally {
    tally.reject(load)
  }
}

async function sweepStream(work: StreamSync, keys: AsyncIterable<Batch>, tally: Tally): Promise<void> {
  const { source, target, stream, described, clock, signal } = work
  const state = usable(work, await target.state(stream))
  if (!isSweepDue(state, clock.now(), stream.sweeps)) return
  if (state.checkpoint !== null && (await source.sees?.(described, state.checkpoint)) === false) return
  tally.enter('sweeping')
  const swept = await target.sweep(stream, readAhead(keys, signal), shrinkGuard)
  if (swept.outcome === 'done') {
    if (swept.unplaced !== undefined) work.tell(`${stream.name}: ${unplacedWords(swept.unplaced)}`)
    return tally.deleted(swept.deleted)
  }
  throw new Fault('data', {
    code: 'engine.shrink_guard',
    notice: `${swept.wouldDelete} of the ${swept.rows} rows of ‘${stream.table.name}’ are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, load this table whole: ‘One table alone’ beside ‘Refresh’.`,
  })
}

function unplacedWords(keys: number): string {
  const rows =
    keys === 1
      ? 'one row of the source has a key that the target cannot store, so it is'
      : `${keys} rows of the source have keys that the target cannot store, so they are`
  return `${rows} not in the target. The rejected rows of the run that first met them say why; shorten the keys in the source.`
}

/** What has come since the last commit; `checkpoint` is that of the last batch, so nothing lies between it and the commit. */
class Uncommitted {
  checkpoint: Checkpoint | null = null
  readonly #clock: Clock
  #rows = 0
  #bytes = 0
  #since: number

  constructor({ clock }: StreamSync) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** `size` in bytes as the batch came: the target may have released them. */
  add(batch: Batch, size: number): void {
    this.checkpoint = batch.checkpoint ?? null
    this.#rows += batch.rows
    this.#bytes += size
  }

  takeCheckpoint(): Checkpoint | null {
    const { checkpoint } = this
    this.checkpoint = null
    return checkpoint
  }

  isEnough(): boolean {
    return this.#rows >= commitRows || this.#bytes >= commitBytes || this.#clock.now() - this.#since >= commitMs
  }

  clear(): void {
    this.checkpoint = null
    this.#rows = 0
    this.#bytes = 0
    this.#since = this.#clock.now()
  }
}

/** Keeps a stream's figures and reports them, not more often than anybody can see. */
class Tally {
  readonly #work: StreamSync
  #progress: StreamProgress
  #rejected: StreamOutcome['rejected'] = []
  #end: Pick<StreamOutcome, 'freshAt' | 'rows'> = { freshAt: null, rows: null }
  #isAgain = false
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(work: StreamSync) {
    this.#work = work
    this.#progress = begun(work.described)
  }

  enter(phase: StreamPhase): void {
    this.#progress = { ...this.#progress, phase }
    this.#report()
  }

  /** An earlier try of the same run had come to its end. */
  again(): void {
    this.#isAgain = true
  }

  end({ freshAt, rows }: StreamState): void {
    this.#end = { freshAt: freshAt === null ? null : new Date(freshAt), rows }
    this.enter('done')
  }

  read(batch: Batch, load: Load): void {
    this.#progress = { ...this.#progress, rowsRead: this.#progress.rowsRead + batch.rows, rowsRejected: load.rejectedCount }
    if (this.#work.clock.now() - this.#reportedAt >= reportMs) this.#report()
  }

  /** `isLasting`: a later read need not bring these rows again. */
  written(counts: Counts, load: Load, isLasting: boolean): void {
    this.#progress = {
      ...this.#progress,
      rowsWritten: this.#progress.rowsWritten + counts.inserted + counts.updated,
      rowsUpdated: this.#progress.rowsUpdated + counts.updated,
      rowsDeleted: this.#progress.rowsDeleted + counts.deleted,
      rowsRejected: load.rejectedCount,
    }
    if (isLasting) this.#getOn()
    this.#report()
  }

  deleted(rows: number): void {
    this.#progress = { ...this.#progress, rowsDeleted: this.#progress.rowsDeleted + rows }
    this.#getOn()
    this.#report()
  }

  #getOn(): void {
    const { rowsWritten, rowsDeleted } = this.#progress
    if (rowsWritten + rowsDeleted > 0 && !this.#isAgain) this.#progress = { ...this.#progress, hasGotOn: true }
  }

  reject(load: Load): void {
    this.#rejected = load.rejected
    this.#report()
  }

  #report(): void {
    this.#reportedAt = this.#work.clock.now()
    const { described: stream, keep } = this.#work
    keep({ stream, progress: this.#progress, ...this.#end, rejected: this.#rejected, fault: null })
  }
}
