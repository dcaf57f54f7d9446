/** Keeps a stream's figures and reports them, not more often than anybody can see. */
import type { Batch } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { Counts, Load, RejectedRow, StreamState } from '../ports/target.ts'
import { nulledWords } from '../encoding/unsupported-values.ts'
import type { StreamPhase, StreamProgress } from './progress.ts'
import type { Called, StreamOutcome } from './sync-request.ts'
import type { StreamSync } from './stream-context.ts'

const reportMs = 250

/** What is known of a stream before its turn comes. */
export function waiting(stream: Stream): StreamOutcome {
  return { stream, progress: begun(stream), freshAt: null, rows: null, rejected: [], called: null, fault: null }
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

export class Tally {
  readonly #work: StreamSync
  #progress: StreamProgress
  #rejected: readonly RejectedRow[] = []
  /** Rejected by loads of this stream that have ended. */
  #rejectedBefore = 0
  #end: Pick<StreamOutcome, 'freshAt' | 'rows'> = { freshAt: null, rows: null }
  #called: Called | null = null
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

  /** The target has its tables. */
  place(called: Called): void {
    this.#called = called
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
    this.#progress = {
      ...this.#progress,
      rowsRead: this.#progress.rowsRead + batch.rows,
      rowsRejected: this.#rejectedBefore + load.rejectedCount,
    }
    if (this.#work.clock.now() - this.#reportedAt >= reportMs) this.#report()
  }

  /** `isLasting`: a later read need not bring these rows again. */
  written(counts: Counts, load: Load, isLasting: boolean): void {
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

  deleted(rows: number): void {
    this.#progress = { ...this.#progress, rowsDeleted: this.#progress.rowsDeleted + rows }
    this.#getOn()
    this.#report()
  }

  #getOn(): void {
    const { rowsWritten, rowsDeleted } = this.#progress
    if (rowsWritten + rowsDeleted > 0 && !this.#isAgain) this.#progress = { ...this.#progress, hasGotOn: true }
  }

  /** The load has ended. */
  close(load: Load): void {
    this.#rejected = [...this.#rejected, ...load.rejected]
    this.#rejectedBefore += load.rejectedCount
    if (load.nulledCount > 0) this.#work.tell(`${this.#work.stream.name}: ${nulledWords(load.nulledCount)}`)
    this.#report()
  }

  get rejected(): readonly RejectedRow[] {
    return this.#rejected
  }

  /** All rows are read once more, so each is rejected once more. */
  forgetRejected(): void {
    this.#rejected = []
    this.#rejectedBefore = 0
  }

  #report(): void {
    this.#reportedAt = this.#work.clock.now()
    const { described: stream, keep } = this.#work
    keep({
      stream,
      progress: this.#progress,
      ...this.#end,
      rejected: this.#rejected,
      called: this.#called,
      fault: null,
    })
  }
}
