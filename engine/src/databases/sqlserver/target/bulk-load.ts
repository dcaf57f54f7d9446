/** Rows on their way into a staging table, as values, by bulk load. */
import { decodeRows, joinRows } from '../../../encoding/copy-text.ts'
import { Fault } from '../../../ports/faults.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'
import type { SqlConnection } from '../connection.ts'
import type { Turns } from '../../sql-target/mutex.ts'
import { bulkColumn } from './bulk-types.ts'
import {
  collidesWithStaged,
  collidesWithStored,
  deleteStaged,
  deleteSuperseded,
  paddedKeyColumn,
  selectStaged,
  type Staged,
} from './merge.ts'
import { type Encode, encoder, Misfit } from './values.ts'

/** A smaller segment costs more round trips, a larger one more memory. */
const segmentBytes = 4 * 1_048_576

export interface LaneOptions {
  readonly connection: SqlConnection
  readonly staged: Staged
  readonly rejects: Rejects
  readonly takeTurn: Turns
}

type Fields = readonly (string | null)[]

export class Lane {
  readonly #options: LaneOptions
  readonly #encoders: readonly Encode[]
  readonly #joiner = joinRows()
  #segment: Uint8Array[] = []
  #segmentSize = 0
  #seen = 0
  #sending: Promise<void> = Promise.resolve()
  /** Whether rows were staged since the last `settle`. */
  #isUnsettled = false

  constructor(options: LaneOptions) {
    this.#options = options
    this.#encoders = options.staged.columns.map((column) => encoder(column, options.rejects.unknownValues))
  }

  /** Resolves while the last full segment is still under way, so that the source can fill the next. */
  async write(bytes: Uint8Array): Promise<void> {
    const whole = this.#joiner.push(bytes)
    if (whole.length === 0) return
    this.#segment.push(whole)
    this.#segmentSize += whole.length
    if (this.#segmentSize >= segmentBytes) await this.#startSegment()
  }

  /** Everything written so far is staged, each key once, or is among the rejected. */
  async settle(): Promise<void> {
    if (this.#joiner.waiting > 0) {
      throw new Fault('bug', {
        code: 'engine.row_cut',
        notice: 'The source ended in the middle of a row. The details are in the server log.',
      })
    }
    await this.#startSegment()
    await this.#sending
    if (this.#isUnsettled) await this.#options.takeTurn(() => this.#settleStaged())
  }

  async #startSegment(): Promise<void> {
    await this.#sending
    if (this.#segmentSize === 0) return
    const bytes = Buffer.concat(this.#segment)
    this.#segment = []
    this.#segmentSize = 0
    this.#sending = this.#options.takeTurn(() => this.#stage(bytes))
    // The failure is met by whoever waits next; until then it must not count as nobody's.
    this.#sending.catch(() => {})
  }

  async #stage(bytes: Buffer): Promise<void> {
    const { connection, staged, rejects } = this.#options
    const rows = decodeRows(bytes)
    this.#seen += rows.length
    const fitting = rows.flatMap((fields) => this.#fit(fields))
    rejects.stopWhereTooMany(this.#seen, staged.placement.table.name)
    if (fitting.length === 0) return
    await connection.bulk(
      staged.stage,
      (load) => {
        for (const column of staged.columns) {
          const { type, ...options } = bulkColumn(column.type)
          load.addColumn(column.name, type, { ...options, nullable: true })
        }
      },
      fitting,
    )
    this.#isUnsettled = true
  }

  /** The values as the driver sends them; none where one does not fit. */
  #fit(fields: Fields): readonly (readonly unknown[])[] {
    const values = this.#encoders.map((encode, at) => encode(fields[at] ?? null))
    const misfit = values.findIndex((value) => value instanceof Misfit)
    if (misfit === -1) {
      this.#options.rejects.nulled += values.filter(
        (value, at) => value === null && (fields[at] ?? null) !== null,
      ).length
      return [values]
    }
    this.#reject(fields, misfit, (values[misfit] as Misfit).reason)
    return []
  }

  async #settleStaged(): Promise<void> {
    const { connection, staged } = this.#options
    if (staged.into !== '') await this.#rejectCollisions()
    const superseded = deleteSuperseded(staged)
    if (superseded !== null) await connection.run(superseded)
    this.#isUnsettled = false
  }

  /** Keys that a unique index of SQL Server takes for the same, though they are not. What is in the table already stays. */
  async #rejectCollisions(): Promise<void> {
    const { connection, staged } = this.#options
    const column = paddedKeyColumn(staged)
    if (column === null) return
    const what = column.type.startsWith('nvarchar') ? 'blanks' : 'zero bytes'
    const reason = `Its key differs from that of another row only by ${what} at the end. SQL Server takes the two for the same key.`
    for (const condition of [collidesWithStored(staged), collidesWithStaged(staged)]) {
      const found = await connection.rows(selectStaged(staged, condition))
      for (const values of found) this.#reject(values.map(readable), staged.columns.indexOf(column), reason)
      if (found.length > 0) await connection.run(deleteStaged(staged, condition))
    }
    this.#options.rejects.stopWhereTooMany(this.#seen, staged.placement.table.name)
  }

  #reject(values: Fields, at: number, reason: string): void {
    const { rejects, staged } = this.#options
    const { table } = staged.placement
    rejects.add({
      table: table.name,
      columns: table.columns.map((column) => column.name),
      values,
      column: table.columns[at]?.name ?? null,
      reason,
    })
  }
}

/** A value of the driver, as a person may read it among the rejected. */
function readable(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value)
}
