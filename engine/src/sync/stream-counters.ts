/** Keeps a stream's figures and reports them, not more often than anybody can see. */
import type { RowBatch } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { WriteCounts, StreamLoad, RejectedRowRecord, StreamState } from '../ports/target.ts'
import { nulledWords } from '../encoding/unsupported-values.ts'
import type { StreamPhase, StreamProgress } from './progress.ts'
import type { TargetNames, StreamOutcome } from './sync-request.ts'
import type { StreamContext } from './stream-context.ts'

const reportMs = 250

/** What is known of a stream before its turn comes. */
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
  /** Rejected by loads of this stream that have ended. */
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

  /** The target has its tables. */
  setTargetNames(called: TargetNames): void {
    this.#called = called
  }

  /** An earlier try of the same run had come to its end. */
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

  /** `isLasting`: a later read need not bring these rows again. */
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

  /** The load has ended. */
  closeLoad(load: StreamLoad): void {
    this.#rejected = [...this.#rejected, ...load.rejected]
    this.#rejectedBefore += load.rejectedCount
    if (load.nulledCount > 0) this.#work.log(`${this.#work.stream.name}: ${nulledWords(load.nulledCount)}`)
    this.#report()
  }

  get rejected(): readonly RejectedRowRecord[] {
    return this.#rejected
  }

  /** All rows are read once more, so each is rejected once more. */
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
