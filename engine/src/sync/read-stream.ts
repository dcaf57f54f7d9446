/** Reads a stream into its target, from the checkpoint to the end, and commits at the source's checkpoints. */
import type { Clock } from '../ports/clock.ts'
import type { RowBatch, Checkpoint } from '../ports/model.ts'
import type { ReadRequest } from '../ports/source.ts'
import { annotateCheckpoint, annotateFinalCheckpoint } from './checkpoint-validity.ts'
import { withoutRejectedColumns } from './rejected-columns.ts'
import { isMergeable, type ReadEnd, type StreamReadPlan } from './plan.ts'
import { readAhead } from './read-ahead.ts'
import type { StreamCounters } from './stream-counters.ts'
import type { StreamContext } from './stream-context.ts'
import { UnknownMembers } from './unknown-members.ts'

/** Small commits slow the target down; after an interruption, large ones make the next run read more again. */
const commitRows = 20_000
const commitBytes = 8 * 1_048_576
const commitMs = 10_000

export async function readStream(
  context: StreamContext,
  plan: StreamReadPlan,
  counters: StreamCounters,
): Promise<void> {
  const { source, target, stream, described, signal } = context
  await using load = await target.load(stream, plan.mode)
  counters.enterPhase('reading')
  let reached: Checkpoint | null = plan.since
  const isLasting = isMergeable(stream) && plan.keptCheckpoint === undefined
  const commit = async (checkpoint: Checkpoint): Promise<void> =>
    counters.addWritten(
      await load.commit(annotateCheckpoint(context, plan.keptCheckpoint ?? checkpoint)),
      load,
      isLasting,
    )
  const uncommitted = new Uncommitted(context)
  const unknownMembers = new UnknownMembers()
  const request = { ...requestOf(plan), encoding: load.encoding, log: context.log }
  try {
    for await (const batch of withoutRejectedColumns(context, readAhead(source.read(described, request), signal))) {
      const checkpoint = uncommitted.takeCheckpoint()
      // Commit only when another batch follows: `finish` commits the last checkpoint.
      if (checkpoint !== null && uncommitted.isEnough()) {
        await commit(checkpoint)
        uncommitted.clear()
      }
      // Deletions are applied before rows, so rows that they delete must not wait with them. An earlier checkpoint only reads more again.
      if (batch.supersedes === true) {
        await commit(reached ?? {})
        uncommitted.clear()
      }
      const size = batch.bytes.length
      await load.write(batch)
      counters.addRead(batch, load)
      unknownMembers.add(batch)
      uncommitted.add(batch, size)
      reached = batch.checkpoint ?? reached
    }
    signal.throwIfAborted()
    uncommitted.clear()
    counters.enterPhase('finishing')
    const { checkpoint: ended, part } = endOf(plan, reached)
    counters.addWritten(await load.finish(annotateFinalCheckpoint(context, ended), part), load, true)
  } catch (error) {
    const { checkpoint } = uncommitted
    // Set only if the source failed. Its complete rows are committed, because they may have cost a day's rate budget.
    if (checkpoint !== null && !signal.aborted) await commit(checkpoint)
    throw error
  } finally {
    unknownMembers.report(context)
    counters.closeLoad(load)
  }
}

function endOf({ end, keptCheckpoint }: StreamReadPlan, reached: Checkpoint | null): ReadEnd {
  return end?.(reached) ?? { checkpoint: keptCheckpoint ?? reached }
}

function requestOf({ since, mode, companies }: StreamReadPlan): Pick<ReadRequest, 'since' | 'replaces' | 'companies'> {
  return { since, ...(mode.kind === 'replace' && { replaces: true }), ...(companies !== undefined && { companies }) }
}

/**
 * Counts what was read since the last commit. `checkpoint` is that of the last batch, so a commit includes no rows
 * after it.
 */
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

  /** @param size of the batch in bytes before it was written; the target may have released them since */
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
