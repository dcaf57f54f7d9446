/**
 * Loads rows by COPY. Text goes in segments: one that the server refuses is still in memory, so it is sent again without the rows that
 * the server names, and all others go in at full speed.
 */
import type pg from 'pg'
import { assertNoCut, countRows, decodeRow } from '../../../encoding/copy-text.ts'
import { type FittedColumn, fittingValues } from '../../../encoding/fitting-values.ts'
import type { RowBatch, Table } from '../../../ports/model.ts'
import type { BulkLoader, BulkOptions } from '../../sql-target/dialect.ts'
import { copyIn, type CopyIn } from '../copy-in.ts'
import { errorCode } from '../faults.ts'
import { columnList, secondDigits } from '../types.ts'

/** A smaller segment costs more round trips, a larger one more memory and more to send again. */
const segmentBytes = 4 * 1_048_576
const newline = 10

type SegmentPiece = Pick<RowBatch, 'bytes' | 'release'>

export class CopyLoader implements BulkLoader {
  copied = 0
  readonly mayHaveRows = true
  readonly #client: pg.Client
  readonly #options: BulkOptions
  readonly #columns: readonly string[]
  readonly #sql: string
  readonly #fit: ((rows: Buffer) => Buffer) | null
  #binary: CopyIn | null = null
  /** Pieces as they arrived, so that nothing is copied; the last may end in the middle of a row. */
  #segment: SegmentPiece[] = []
  #segmentSize = 0
  #seen = 0

  constructor(client: pg.Client, options: BulkOptions) {
    this.#client = client
    this.#options = options
    const { columns, table } = options.staged.target
    this.#columns = columns.map(({ name }) => name)
    const format = options.encoding === 'binary' ? ' (FORMAT binary)' : ''
    this.#sql = `COPY ${options.loaded} (${columnList(this.#columns)}) FROM STDIN${format}`
    this.#fit = fittingValues(
      columns.map(({ type }, at) => ({ values: table.columns[at]?.type, holds: holds(type) })),
      secondDigits,
    )
  }

  async write(batch: RowBatch): Promise<void> {
    if (this.#options.encoding === 'binary') {
      this.#binary ??= copyIn(this.#client, this.#sql)
      return await this.#binary.write(batch.bytes)
    }
    this.#segment.push(batch)
    this.#segmentSize += batch.bytes.length
    if (this.#segmentSize >= segmentBytes) await this.#sendSegment()
  }

  async flush(): Promise<void> {
    await this.#sendSegment()
    assertNoCut(this.#segmentSize)
    this.copied += (await this.#binary?.end()) ?? 0
    this.#binary = null
  }

  async #sendSegment(): Promise<void> {
    const whole = this.#takeWholeRows()
    const pieces = whole.map(({ bytes }) => bytes)
    const rows = this.#fit === null ? pieces : [this.#fit(Buffer.concat(pieces))]
    const before = this.copied
    const failure = await this.#tryCopy(rows)
    if (failure === null) this.#seen += this.copied - before
    else await this.#loadWithoutRejected(Buffer.concat(rows), failure)
    // Only now has the server confirmed every byte of them.
    for (const { release } of whole) release?.()
    this.#options.rejects.stopIfTooMany(this.#seen, this.#table.name)
  }

  /** The segment up to the end of its last whole row; the rest begins the next one. */
  #takeWholeRows(): SegmentPiece[] {
    const at = this.#segment.findLastIndex(({ bytes }) => bytes.includes(newline))
    const rows = this.#segment.splice(0, at + 1)
    const last = rows.pop()
    if (last === undefined) return []
    const end = last.bytes.lastIndexOf(newline) + 1
    // Copied, because the memory of the piece is released with its other rows.
    if (end < last.bytes.length) this.#segment.unshift({ bytes: Buffer.from(last.bytes.subarray(end)) })
    this.#segmentSize = this.#segment.reduce((size, { bytes }) => size + bytes.length, 0)
    return [...rows, { ...last, bytes: last.bytes.subarray(0, end) }]
  }

  /** The server names the row that it stopped at: loads those before it, rejects it, and tries the rest again. */
  async #loadWithoutRejected(bytes: Buffer, first: Error): Promise<void> {
    const { rejects } = this.#options
    this.#seen += countRows(bytes)
    let rest = bytes
    for (let failure: Error | null = first; failure !== null; failure = await this.#tryCopy([rest])) {
      const { line, at } = this.#whereIn(failure)
      const start = offsetOfLine(rest, line)
      const end = rest.indexOf(newline, start) + 1
      if (end === 0) throw failure
      const before = await this.#tryCopy([rest.subarray(0, start)])
      if (before !== null) throw before
      const values = decodeRow(rest.toString('utf8', start, end - 1))
      rejects.add(this.#table, { values, at, reason: failure.message })
      rejects.stopIfTooMany(this.#seen, this.#table.name)
      rest = rest.subarray(end)
    }
  }

  /** Null if all rows were loaded; otherwise the server's error, and none was. */
  async #tryCopy(pieces: readonly Uint8Array[]): Promise<Error | null> {
    if (pieces.every((piece) => piece.length === 0)) return null
    try {
      const copy = copyIn(this.#client, this.#sql)
      for (const piece of pieces) await copy.write(piece)
      this.copied += await copy.end()
      return null
    } catch (error) {
      if (isRefusal(error)) return error
      throw error
    }
  }

  get #table(): Table {
    return this.#options.staged.target.table
  }

  /** Parses `COPY tributary_stage_0, line 17, column amount: "abc"`, in whatever language the server reports it. */
  #whereIn(failure: Error): { line: number; at: number } {
    const { where = '', column: named } = failure as pg.DatabaseError
    // Only up to the value that did not fit, which may contain anything.
    const context = /^COPY [^]*?: /m.exec(where)?.[0] ?? ''
    const line = Number(/^COPY [^,]*,\D*(\d+)/.exec(context)?.[1] ?? Number.NaN)
    if (!Number.isInteger(line)) throw failure
    return { line, at: this.#columns.findIndex((name) => name === named || context.endsWith(` ${name}: `)) }
  }
}

/** A value does not fit its column: error class 22, or null in a column that is NOT NULL. */
function isRefusal(error: unknown): error is Error {
  const code = errorCode(error)
  return code.startsWith('22') || code === '23502'
}

function offsetOfLine(rows: Buffer, line: number): number {
  let offset = 0
  for (let at = 1; at < line; at++) {
    const next = rows.indexOf(newline, offset)
    if (next === -1) return rows.length
    offset = next + 1
  }
  return offset
}

function holds(type: string): FittedColumn['holds'] {
  if (type === 'boolean' || type.startsWith('timestamp')) return 'other'
  return /^(?:smallint|integer|bigint|numeric)/.test(type) ? 'numbers' : 'text'
}
