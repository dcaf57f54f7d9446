/**
 * Rows on their way into one table. They go in segments: one with a row that does not fit is still at hand, so it is
 * taken back and sent again without the rows that the server named, and all the others go in at full speed.
 */
import { countRows, decodeRows, encodeRows } from '../../../encoding/copy-text.ts'
import { Fault } from '../../../ports/faults.ts'
import { mysqlFault } from '../faults.ts'
import { secondDigits } from '../types.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'
import { type FittedColumn, fittingValues } from '../../../encoding/fitting-values.ts'
import { findMisfits, type Misfit, type Probe } from './type-violations.ts'
import { isUnknown, unknownReason } from '../../../encoding/unsupported-values.ts'
import type { Placement } from './tables.ts'
import { Segment } from './segment.ts'
import { asLoadData } from './send.ts'

/** A smaller segment costs more statements, a larger one more memory and more to send again. */
const segmentBytes = 8 * 1_048_576

export interface LaneOptions extends Probe {
  readonly placement: Placement
  /** The table to write to, quoted. */
  readonly into: string
  readonly rejects: Rejects
  /** A connection does one thing at a time, and several lanes may share it. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>
  /** Told how many bytes the segment had. */
  readonly afterSegment: (bytes: number) => Promise<void>
}

type Fields = readonly (string | null)[]

export class Lane {
  /** Rows that are in the table. */
  copied = 0
  readonly #options: LaneOptions
  readonly #fit: ((rows: Buffer) => Buffer) | null
  /** One is filled while the other is under way. */
  #filling = new Segment()
  #leaving = new Segment()
  #seen = 0
  #sending: Promise<void> = Promise.resolve()

  constructor(options: LaneOptions) {
    this.#options = options
    this.#fit = fittingValues(
      options.columns.map(({ values, type }) => ({ values, holds: holds(type) })),
      secondDigits,
    )
  }

  /** Resolves while the last full segment is still under way, so that the source can fill the next. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#filling.add(bytes)
    if (this.#filling.size >= segmentBytes) await this.#startSegment()
  }

  /** Everything written so far is in the table, or among the rejected. */
  async flush(): Promise<void> {
    if (this.#filling.rest.length > 0) {
      throw new Fault('bug', {
        code: 'engine.row_cut',
        notice: 'The source ended in the middle of a row. The details are in the server log.',
      })
    }
    await this.#startSegment()
    await this.#sending
  }

  async #startSegment(): Promise<void> {
    const { whole, rest } = this.#filling
    // Made ready while the last one is under way, for the server would wait for it.
    const bytes = asLoadData(this.#fit?.(whole) ?? whole)
    const rows = countRows(bytes)
    await this.#sending
    if (rows === 0) return
    this.#leaving.clear()
    this.#leaving.add(rest)
    ;[this.#filling, this.#leaving] = [this.#leaving, this.#filling]
    this.#sending = this.#options.inTurn(() => this.#place(bytes, rows))
    // The failure is met by whoever waits next; until then it must not count as nobody's.
    this.#sending.catch(() => {})
  }

  async #place(bytes: Buffer, rows: number): Promise<void> {
    const { rejects, placement } = this.#options
    this.#seen += rows
    const failure = await this.#trySend(bytes, rows)
    if (failure !== null) await this.#placeWithoutMisfits(bytes, failure)
    rejects.stopWhereTooMany(this.#seen, placement.table.name)
    await this.#options.afterSegment(bytes.length)
  }

  /** Null where every row went in as it is. */
  async #trySend(bytes: Buffer, rows: number): Promise<Error | null> {
    const { connection, sender, into, columns } = this.#options
    await connection.run('SAVEPOINT segment')
    try {
      const warnings = await sender.send({ into, columns, bytes, where: 'strictly' })
      if (warnings === 0) {
        this.copied += rows
        return null
      }
      await connection.run('ROLLBACK TO SAVEPOINT segment')
      return new Error('MySQL changed a value to make it fit.')
    } catch (error) {
      if (mysqlFault(error).kind !== 'data') throw error
      await connection.run('ROLLBACK TO SAVEPOINT segment')
      return error as Error
    }
  }

  async #placeWithoutMisfits(bytes: Buffer, failure: Error): Promise<void> {
    const { rejects, placement } = this.#options
    let rows: readonly Fields[] = decodeRows(bytes)
    for (
      let left: Error | null = failure;
      left !== null;
      left = await this.#trySend(Buffer.from(encodeRows(rows)), rows.length)
    ) {
      const misfits = await findMisfits(this.#options, rows)
      if (misfits.length === 0) throw left
      rows = this.#withoutMisfits(rows, misfits)
      rejects.stopWhereTooMany(this.#seen, placement.table.name)
      if (rows.length === 0) return
    }
  }

  /** A value that only other databases know may be left empty; a row with any other misfit goes aside. */
  #withoutMisfits(rows: readonly Fields[], misfits: readonly Misfit[]): readonly Fields[] {
    const byRow = Map.groupBy(misfits, (misfit) => misfit.row)
    return rows.flatMap((fields, row) => {
      const found = byRow.get(row) ?? []
      const real = found.find(({ column }) => column === null || !this.#mayBeNull(column, fields))
      if (real !== undefined) this.#reject(fields, this.#explained(real, fields))
      if (real !== undefined || found.length === 0) return real === undefined ? [fields] : []
      const places = new Set(found.map(({ column }) => column))
      this.#options.rejects.nulled += places.size
      return [fields.map((value, column) => (places.has(column) ? null : value))]
    })
  }

  #mayBeNull(column: number, fields: Fields): boolean {
    const { columns, rejects } = this.#options
    return rejects.unknownValues === 'null' && columns[column]?.isKey === false && this.#isUnknown(column, fields)
  }

  #isUnknown(column: number, fields: Fields): boolean {
    return isUnknown(fields[column] ?? null, this.#options.columns[column]?.values ?? { kind: 'text' })
  }

  #explained(misfit: Misfit, fields: Fields): Misfit {
    const { column } = misfit
    return column !== null && this.#isUnknown(column, fields)
      ? { ...misfit, reason: unknownReason(fields[column] ?? '') }
      : misfit
  }

  #reject(fields: Fields, { column, reason }: Misfit): void {
    const { placement, rejects } = this.#options
    const columns = placement.table.columns.map((each) => each.name)
    rejects.add({
      table: placement.table.name,
      columns,
      values: fields,
      column: column === null ? null : (columns[column] ?? null),
      reason,
    })
  }
}

function holds(type: string): FittedColumn['holds'] {
  if (type === 'tinyint(1)' || type.startsWith('datetime')) return 'other'
  return /^(?:small|big)?int|^decimal/u.test(type) ? 'numbers' : 'text'
}
