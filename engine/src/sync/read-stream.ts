/** Reads a stream into its target: on from the checkpoint, committing as checkpoints come, to the end. */
import type { Clock } from '../ports/clock.ts'
import type { RowBatch, Checkpoint } from '../ports/model.ts'
import { annotateCheckpoint, annotateFinalCheckpoint } from './checkpoint-validity.ts'
import { withoutRejectedColumns } from './rejected-columns.ts'
import { isMergeable, type StreamReadPlan } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import type { StreamCounters } from './stream-counters.ts'
import type { StreamContext } from './stream-context.ts'

/** Small commits cost the target time, large ones cost the next run what it must read again. */
const commitRows = 20_000
const commitBytes = 8 * 1_048_576
const commitMs = 10_000

export async function readStream(work: StreamContext, plan: StreamReadPlan, tally: StreamCounters): Promise<void> {
  const { source, target, stream, described, signal } = work
  await using load = await target.load(stream, plan.mode)
  tally.enterPhase('reading')
  let reached: Checkpoint | null = plan.since
  const isLasting = isMergeable(stream) && plan.keptCheckpoint === undefined
  const commit = async (checkpoint: Checkpoint): Promise<void> =>
    tally.addWritten(await load.commit(annotateCheckpoint(work, plan.keptCheckpoint ?? checkpoint)), load, isLasting)
  const uncommitted = new Uncommitted(work)
  const request = { since: plan.since, encoding: load.encoding, log: work.log }
  try {
    for await (const batch of withoutRejectedColumns(work, readAhead(source.read(described, request), signal))) {
      const checkpoint = uncommitted.takeCheckpoint()
      // Only when more comes: the last checkpoint belongs to `finish`.
      if (checkpoint !== null && uncommitted.isEnough()) {
        await commit(checkpoint)
        uncommitted.clear()
      }
      const size = batch.bytes.length
      await load.write(batch)
      tally.addRead(batch, load)
      uncommitted.add(batch, size)
      reached = batch.checkpoint ?? reached
    }
    signal.throwIfAborted()
    uncommitted.clear()
    tally.enterPhase('finishing')
    tally.addWritten(await load.finish(annotateFinalCheckpoint(work, plan.keptCheckpoint ?? reached)), load, true)
  } catch (error) {
    const { checkpoint } = uncommitted
    // Set only when it is the source that failed: what it gave whole before that may have cost an API's calls of a day.
    if (checkpoint !== null && !signal.aborted) await commit(checkpoint)
    throw error
  } finally {
    tally.closeLoad(load)
  }
}

/** What has come since the last commit; `checkpoint` is that of the last batch, so nothing lies between it and the commit. */
class Uncommitted {
  checkpoint: Checkpoint | null = null
  readonly #clock: Clock
  #rows = 0
  #bytes = 0
  #since: number

  constructor({ clock }: StreamContext) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** `size` in bytes as the batch came: the target may have released them. */
  add(batch: RowBatch, size: number): void {
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
