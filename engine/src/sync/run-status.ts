/** Reports the run's state to the target. A failed report is logged and never fails the run. */
import { asFault } from '../ports/faults.ts'
import { zeroRowCounts, addRowCounts } from '../ports/run-report.ts'
import { FencedError, type RunRowCounts, type RunReport } from '../ports/target.ts'
import type { StreamOutcome, SyncOutcome, SyncRunRequest } from './sync-request.ts'

/** At least this long between two reports, so that hundreds of small tables do not each cost a round trip. */
const updateIntervalMs = 10_000

export class RunReporter {
  readonly #request: SyncRunRequest
  readonly #startedAt: Date
  #notedAt: number | null = null

  constructor(request: SyncRunRequest) {
    this.#request = request
    this.#startedAt = new Date(request.clock.now())
  }

  begin(): Promise<void> {
    return this.#write({ status: 'running', endedAt: null, notice: null, rows: zeroRowCounts })
  }

  async update(streams: Iterable<StreamOutcome>): Promise<void> {
    if (this.#request.clock.now() - (this.#notedAt ?? 0) < updateIntervalMs) return
    await this.#write({ status: 'running', endedAt: null, notice: null, rows: sumRowCounts(streams) })
  }

  /** Does nothing if the run never began in the target. */
  async end({ status, fault, streams }: SyncOutcome): Promise<void> {
    if (this.#notedAt === null) return
    const endedAt = new Date(this.#request.clock.now())
    await this.#write({ status, endedAt, notice: fault?.notice ?? null, rows: sumRowCounts(streams) })
  }

  async #write(note: Omit<RunReport, 'startedAt'>): Promise<void> {
    this.#notedAt = this.#request.clock.now()
    try {
      await this.#request.target.reportRun({ ...note, startedAt: this.#startedAt })
    } catch (error) {
      if (error instanceof FencedError) throw error
      const reason = this.#request.signal.aborted ? 'The run was stopped.' : asFault(error).notice
      this.#request.log(`The target’s own list of runs was not brought up to date. ${reason}`)
    }
  }
}

function sumRowCounts(streams: Iterable<StreamOutcome>): RunRowCounts {
  let rows = zeroRowCounts
  for (const { progress } of streams) {
    const {
      rowsRead: read,
      rowsWritten: written,
      rowsUpdated: updated,
      rowsDeleted: deleted,
      rowsRejected: rejected,
    } = progress
    rows = addRowCounts(rows, { read, written, updated, deleted, rejected })
  }
  return rows
}
