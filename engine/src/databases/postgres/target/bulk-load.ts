/**
 * Rows on their way into one table by COPY. Text goes in segments: one that the server refuses is still at hand, so it is
 * sent again without the rows that the server names, and all the others go in at full speed.
 */
import type pg from 'pg'
import { countRows, decodeRow } from '../../../encoding/copy-text.ts'
import { Fault } from '../../../ports/faults.ts'
import type { Batch, Encoding } from '../../../ports/model.ts'
import { copyIn, type CopyIn } from '../copy-in.ts'
import { errorCode } from '../faults.ts'
import { secondDigits } from '../types.ts'
import { type FittedColumn, fittingValues } from '../../../encoding/fitting-values.ts'
import { columnList, type Placement } from './tables.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'

/** A smaller segment costs more round trips, a larger one more memory and more to send again. */
const segmentBytes = 4 * 1_048_576
const newline = 10

export interface LaneOptions {
  readonly client: pg.Client
  readonly placement: Placement
  /** The table to copy into, quoted. */
  readonly into: string
  /** Physical columns, in the order of the values. */
  readonly columns: readonly string[]
  readonly encoding: Encoding
  readonly rejects: Rejects
}

type Piece = Pick<Batch, 'bytes' | 'release'>

export class Lane {
  /** Rows that are in the table. */
  copied = 0
  readonly #options: LaneOptions
  readonly #sql: string
  readonly #fit: ((rows: Buffer) => Buffer) | null
  #binary: CopyIn | null = null
  /** As they came, so that nothing is copied on the way; the last may end in the middle of a row. */
  #segment: Piece[] = []
  #segmentSize = 0
  #seen = 0

  constructor(options: LaneOptions) {
    this.#options = options
    const format = options.encoding === 'binary' ? ' (FORMAT binary)' : ''
    this.#sql = `COPY ${options.into} (${columnList(options.columns)}) FROM STDIN${format}`
    const { columns, table } = options.placement
    this.#fit = fittingValues(
      columns.map(({ type }, at) => ({ values: table.columns[at]?.type, holds: holds(type) })),
      secondDigits,
    )
  }

  async write(piece: Piece): Promise<void> {
    if (this.#options.encoding === 'binary') {
      this.#binary ??= copyIn(this.#options.client, this.#sql)
      return await this.#binary.write(piece.bytes)
    }
    this.#segment.push(piece)
    this.#segmentSize += piece.bytes.length
    if (this.#segmentSize >= segmentBytes) await this.#sendSegment()
  }

  /** Everything written so far is in the table, or among the rejected. */
  async flush(): Promise<void> {
    await this.#sendSegment()
    if (this.#segmentSize > 0) {
      throw new Fault('bug', {
        code: 'engine.row_cut',
        notice: 'The source ended in the middle of a row. The details are in the server log.',
      })
    }
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
    else await this.#placeOneByOne(Buffer.concat(rows), failure)
    // Only now has the server answered for every byte of them.
    for (const { release } of whole) release?.()
    this.#options.rejects.stopWhereTooMany(this.#seen, this.#options.placement.table.name)
  }

  /** The segment up to the end of its last whole row; what is left begins the next one. */
  #takeWholeRows(): Piece[] {
    const at = this.#segment.findLastIndex(({ bytes }) => bytes.includes(newline))
    const rows = this.#segment.splice(0, at + 1)
    const last = rows.pop()
    if (last === undefined) return []
    const end = last.bytes.lastIndexOf(newline) + 1
    // A copy, for the memory of the piece is given back with its other rows.
    if (end < last.bytes.length) this.#segment.unshift({ bytes: Buffer.from(last.bytes.subarray(end)) })
    this.#segmentSize = this.#segment.reduce((size, { bytes }) => size + bytes.length, 0)
    return [...rows, { ...last, bytes: last.bytes.subarray(0, end) }]
  }

  /** The server names the row that it stopped at: those before it go in, it goes aside, and the rest is tried again. */
  async #placeOneByOne(bytes: Buffer, first: Error): Promise<void> {
    this.#seen += countRows(bytes)
    let rest = bytes
    for (let failure: Error | null = first; failure !== null; failure = await this.#tryCopy([rest])) {
      const { line, column, reason } = this.#whereIn(failure)
      const start = offsetOfLine(rest, line)
      const end = rest.indexOf(newline, start) + 1
      if (end === 0) throw failure
      const before = await this.#tryCopy([rest.subarray(0, start)])
      if (before !== null) throw before
      this.#reject(rest.subarray(start, end - 1), column, reason)
      rest = rest.subarray(end)
    }
  }

  /** What the server has against these rows, of which then none is in; null where all are. */
  async #tryCopy(pieces: readonly Uint8Array[]): Promise<Error | null> {
    if (pieces.every((piece) => piece.length === 0)) return null
    try {
      const copy = copyIn(this.#options.client, this.#sql)
      for (const piece of pieces) await copy.write(piece)
      this.copied += await copy.end()
      return null
    } catch (error) {
      if (isRefusal(error)) return error
      throw error
    }
  }

  #reject(row: Buffer, column: string | null, reason: string): void {
    const { rejects, placement } = this.#options
    const columns = placement.table.columns.map((each) => each.name)
    rejects.add({ table: placement.table.name, columns, values: decodeRow(row.toString('utf8')), column, reason })
    rejects.stopWhereTooMany(this.#seen, placement.table.name)
  }

  /** `COPY tributary_stage_0, line 17, column amount: "abc"`, in whatever language the server speaks. */
  #whereIn(failure: Error): { line: number; column: string | null; reason: string } {
    const { where = '', column: named } = failure as pg.DatabaseError
    // Only up to the value that did not fit, which may read like anything.
    const said = /^COPY [^]*?: /m.exec(where)?.[0] ?? ''
    const line = Number(/^COPY [^,]*,\D*(\d+)/.exec(said)?.[1] ?? Number.NaN)
    if (!Number.isInteger(line)) throw failure
    const at = this.#options.columns.findIndex((name) => name === named || said.endsWith(` ${name}: `))
    return { line, column: this.#options.placement.table.columns[at]?.name ?? null, reason: failure.message }
  }
}

/** A value that does not fit: class 22, and null where none may be. */
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
