/** One stream of a run: prepare, read on from the checkpoint, commit as checkpoints come, finish, compare keys. */
import type { Clock } from '../clock.ts'
import { Fault } from '../faults.ts'
import type { Batch, Checkpoint } from '../model.ts'
import type { Stream } from '../source.ts'
import type { Counts, Load, SchemaChange } from '../target.ts'
import { isSweepDue, planStream, shrinkGuard, type Plan } from './plan.ts'
import type { StreamPhase, StreamProgress } from './progress.ts'
import { readAhead } from './read-ahead.ts'
import type { StreamOutcome, SyncRequest } from './request.ts'

export interface StreamSync extends SyncRequest {
  readonly stream: Stream
  /** Takes the newest outcome; the last one counts. */
  readonly keep: (outcome: StreamOutcome) => void
}

/** Small commits cost the target time, large ones cost the next run what it must read again. */
const commitRows = 20_000
const commitBytes = 8 * 1_048_576
const commitMs = 10_000
const reportMs = 250

export async function syncStream(work: StreamSync): Promise<void> {
  const { source, target, stream, tell } = work
  const tally = new Tally(work)
  tally.enter('preparing')
  for (const change of await target.prepare(stream)) tell(describe(change))
  const state = await target.state(stream)
  const plan = planStream({ stream, state, wish: work.wish, runId: work.writer.runId })
  if (plan.kind === 'read') await readStream(work, plan, tally)
  work.signal.throwIfAborted()
  const isFresh = plan.kind === 'read' && plan.mode.kind === 'replace' && !plan.mode.resume
  if (!isFresh && source.keys !== undefined && stream.table.key.length > 0) await sweepStream(work, source.keys(stream), tally)
  tally.enter('done')
}

/** Everything a stream's progress line begins with. */
export function waiting(stream: Stream): StreamProgress {
  const none = { rowsRead: 0, rowsWritten: 0, rowsUpdated: 0, rowsDeleted: 0, rowsRejected: 0 }
  return { stream: stream.name, table: stream.table.name, phase: 'waiting', ...none, rowsEstimate: stream.rowsEstimate ?? null }
}

async function readStream(work: StreamSync, plan: Extract<Plan, { kind: 'read' }>, tally: Tally): Promise<void> {
  const { source, target, stream, signal } = work
  await using load = await target.load(stream, plan.mode)
  tally.enter('reading')
  let reached: Checkpoint | null = plan.since
  const uncommitted = new Uncommitted(work)
  const request = { since: plan.since, encoding: load.encoding, tell: work.tell }
  try {
    for await (const batch of readAhead(source.read(stream, request), signal)) {
      const checkpoint = uncommitted.takeCheckpoint()
      // Only when more comes: the last checkpoint belongs to `finish`.
      if (checkpoint !== null && uncommitted.isEnough()) {
        tally.written(await load.commit(checkpoint), load)
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
    tally.written(await load.finish(reached), load)
  } catch (error) {
    // Set only when it is the source that failed: what it gave whole before that may have cost an API's calls of a day.
    if (uncommitted.checkpoint !== null && !signal.aborted) tally.written(await load.commit(uncommitted.checkpoint), load)
    throw error
  } finally {
    tally.reject(load)
  }
}

async function sweepStream(work: StreamSync, keys: AsyncIterable<Batch>, tally: Tally): Promise<void> {
  const { target, stream, clock, signal } = work
  const state = await target.state(stream)
  if (!isSweepDue(state, clock.now())) return
  tally.enter('sweeping')
  const swept = await target.sweep(stream, readAhead(keys, signal), shrinkGuard)
  if (swept.outcome === 'done') return tally.deleted(swept.deleted)
  throw new Fault('data', {
    code: 'engine.shrink_guard',
    notice: `${swept.wouldDelete} of the ${swept.rows} rows of ‘${stream.table.name}’ are no longer in the source. That is unusual, so nothing was deleted; all other changes are done. If it is right, run a full refresh.`,
  })
}

function describe({ table, column, before, after }: SchemaChange): string {
  return before === null
    ? `The table ${table} has a new column ${column} (${after}).`
    : `The column ${column} of the table ${table} is now ${after}; it was ${before}.`
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
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(work: StreamSync) {
    this.#work = work
    this.#progress = waiting(work.stream)
  }

  enter(phase: StreamPhase): void {
    this.#progress = { ...this.#progress, phase }
    this.#report()
  }

  read(batch: Batch, load: Load): void {
    this.#progress = { ...this.#progress, rowsRead: this.#progress.rowsRead + batch.rows, rowsRejected: load.rejectedCount }
    if (this.#work.clock.now() - this.#reportedAt >= reportMs) this.#report()
  }

  written(counts: Counts, load: Load): void {
    this.#progress = {
      ...this.#progress,
      rowsWritten: this.#progress.rowsWritten + counts.inserted + counts.updated,
      rowsUpdated: this.#progress.rowsUpdated + counts.updated,
      rowsDeleted: this.#progress.rowsDeleted + counts.deleted,
      rowsRejected: load.rejectedCount,
    }
    this.#report()
  }

  deleted(rows: number): void {
    this.#progress = { ...this.#progress, rowsDeleted: this.#progress.rowsDeleted + rows }
    this.#report()
  }

  reject(load: Load): void {
    this.#rejected = load.rejected
    this.#report()
  }

  #report(): void {
    this.#reportedAt = this.#work.clock.now()
    this.#work.keep({ progress: this.#progress, rejected: this.#rejected, fault: null })
  }
}
