/** Counts a stream's rows and reports its progress, throttled. */
import type { RowBatch } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { WriteCounts, StreamLoad, RejectedRowRecord, StreamState } from '../ports/target.ts'
import { nulledWords } from '../encoding/unsupported-values.ts'
import type { StreamPhase, StreamProgress } from './progress.ts'
import type { TargetNames, StreamOutcome } from './sync-request.ts'
import type { StreamContext } from './stream-context.ts'

const reportMs = 250

/** The outcome of a stream that has not started yet. */
export function waitingOutcome(stream: Stream): StreamOutcome {
  return {
    stream,
    progress: initialProgress(stream),
    freshAt: null,
    rows: null,
    rejected: [],
    targetNames: null,
    fault: null,
  }
}

function initialProgress(stream: Stream): StreamProgress {
  const none = { rowsRead: 0, rowsWritten: 0, rowsUpdated: 0, rowsDeleted: 0, rowsRejected: 0 }
  return {
    stream: stream.name,
    table: stream.table.name,
    phase: 'waiting',
    ...none,
    rowsEstimate: stream.rowsEstimate ?? null,
    hasAdvanced: false,
  }
}

export class StreamCounters {
  readonly #work: StreamContext
  #progress: StreamProgress
  #rejected: readonly RejectedRowRecord[] = []
  /** Rows rejected by finished loads of this stream. */
  #rejectedBefore = 0
  #end: Pick<StreamOutcome, 'freshAt' | 'rows'> = { freshAt: null, rows: null }
  #called: TargetNames | null = null
  #isAgain = false
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(work: StreamContext) {
    this.#work = work
    this.#progress = initialProgress(work.described)
  }

  enterPhase(phase: StreamPhase): void {
    this.#progress = { ...this.#progress, phase }
    this.#report()
  }

  /** Call it once the target has the stream's tables. */
  setTargetNames(called: TargetNames): void {
    this.#called = called
  }

  /** An earlier attempt of the same run had finished the stream, so reading on is no progress. */
  markAlreadyFinished(): void {
    this.#isAgain = true
  }

  finish({ freshAt, rows }: StreamState): void {
    this.#end = { freshAt: freshAt === null ? null : new Date(freshAt), rows }
    this.enterPhase('done')
  }

  addRead(batch: RowBatch, load: StreamLoad): void {
    this.#progress = {
      ...this.#progress,
      rowsRead: this.#progress.rowsRead + batch.rows,
      rowsRejected: this.#rejectedBefore + load.rejectedCount,
    }
    if (this.#work.clock.now() - this.#reportedAt >= reportMs) this.#report()
  }

  /** @param isLasting a retry need not read these rows again */
  addWritten(counts: WriteCounts, load: StreamLoad, isLasting: boolean): void {
    this.#progress = {
      ...this.#progress,
      rowsWritten: this.#progress.rowsWritten + counts.inserted + counts.updated,
      rowsUpdated: this.#progress.rowsUpdated + counts.updated,
      rowsDeleted: this.#progress.rowsDeleted + counts.deleted,
      rowsRejected: this.#rejectedBefore + load.rejectedCount,
    }
    if (isLasting) this.#getOn()
    this.#report()
  }

  addDeleted(rows: number): void {
    this.#progress = { ...this.#progress, rowsDeleted: this.#progress.rowsDeleted + rows }
    this.#getOn()
    this.#report()
  }

  #getOn(): void {
    const { rowsWritten, rowsDeleted } = this.#progress
    if (rowsWritten + rowsDeleted > 0 && !this.#isAgain) this.#progress = { ...this.#progress, hasAdvanced: true }
  }

  /** Adds the rejected rows of a load that has ended. */
  closeLoad(load: StreamLoad): void {
    this.#rejected = [...this.#rejected, ...load.rejected]
    this.#rejectedBefore += load.rejectedCount
    if (load.nulledCount > 0) this.#work.log(`${this.#work.stream.name}: ${nulledWords(load.nulledCount)}`)
    const { shortenedCount = 0 } = load
    if (shortenedCount > 0)
      this.#work.log(
        `${this.#work.stream.name}: ${shortenedCount} times are finer than a microsecond, the precision of the target. The digits beyond it were cut off.`,
      )
    this.#report()
  }

  get rejected(): readonly RejectedRowRecord[] {
    return this.#rejected
  }

  /** Call it before all rows are read again, because each of them would be rejected a second time. */
  forgetRejected(): void {
    this.#rejected = []
    this.#rejectedBefore = 0
  }

  #report(): void {
    this.#reportedAt = this.#work.clock.now()
    const { described: stream, recordOutcome } = this.#work
    recordOutcome({
      stream,
      progress: this.#progress,
      ...this.#end,
      rejected: this.#rejected,
      targetNames: this.#called,
      fault: null,
    })
  }
}
