/** Tells the target how the run stands. A note that cannot be written is a line in the log, never the end of a run. */
import { asFault } from '../ports/faults.ts'
import { noRows, sumOfRows } from '../ports/run-report.ts'
import { Fenced, type RowFigures, type RunNote } from '../ports/target.ts'
import type { StreamOutcome, SyncOutcome, SyncRequest } from './sync-request.ts'

/** Between two notes of a run that goes on: a target far away must not be asked for each of hundreds of small tables. */
const pauseMs = 10_000

export class Notes {
  readonly #request: SyncRequest
  readonly #startedAt: Date
  #notedAt: number | null = null

  constructor(request: SyncRequest) {
    this.#request = request
    this.#startedAt = new Date(request.clock.now())
  }

  begin(): Promise<void> {
    return this.#write({ status: 'running', endedAt: null, notice: null, rows: noRows })
  }

  async goOn(streams: Iterable<StreamOutcome>): Promise<void> {
    if (this.#request.clock.now() - (this.#notedAt ?? 0) < pauseMs) return
    await this.#write({ status: 'running', endedAt: null, notice: null, rows: figures(streams) })
  }

  /** Nothing to say where the run never began in the target. */
  async end({ status, fault, streams }: SyncOutcome): Promise<void> {
    if (this.#notedAt === null) return
    const endedAt = new Date(this.#request.clock.now())
    await this.#write({ status, endedAt, notice: fault?.notice ?? null, rows: figures(streams) })
  }

  async #write(note: Omit<RunNote, 'startedAt'>): Promise<void> {
    this.#notedAt = this.#request.clock.now()
    try {
      await this.#request.target.note({ ...note, startedAt: this.#startedAt })
    } catch (error) {
      if (error instanceof Fenced) throw error
      const reason = this.#request.signal.aborted ? 'The run was stopped.' : asFault(error).notice
      this.#request.tell(`The target’s own list of runs was not brought up to date. ${reason}`)
    }
  }
}

function figures(streams: Iterable<StreamOutcome>): RowFigures {
  let rows = noRows
  for (const { progress } of streams) {
    const {
      rowsRead: read,
      rowsWritten: written,
      rowsUpdated: updated,
      rowsDeleted: deleted,
      rowsRejected: rejected,
    } = progress
    rows = sumOfRows(rows, { read, written, updated, deleted, rejected })
  }
  return rows
}
