/** Loads rows into a staging table as values, by the bulk load of the TDS protocol. */
import { assertNoCut, decodeRows, joinRows } from '../../../encoding/copy-text.ts'
import type { RowBatch, Table } from '../../../ports/model.ts'
import type { BulkLoader, BulkOptions } from '../../sql-target/dialect.ts'
import type { TextRow } from '../../sql-target/sessions.ts'
import { bulkColumn } from './bulk-types.ts'
import {
  collidesWithStaged,
  collidesWithStored,
  deleteStaged,
  deleteSuperseded,
  paddedKeyColumn,
  selectStaged,
} from './merge.ts'
import type { SqlServerSession } from './session.ts'
import { type EncodeValue, encoder, UnfitValue } from './value-encoder.ts'

/** A smaller segment costs more round trips, a larger one more memory. */
const segmentBytes = 4 * 1_048_576

export class SqlServerLoader implements BulkLoader {
  /** Rows are always staged. */
  readonly copied = 0
  readonly mayHaveRows = true
  readonly #session: SqlServerSession
  readonly #options: BulkOptions
  readonly #encoders: readonly EncodeValue[]
  readonly #joiner = joinRows()
  #segment: Uint8Array[] = []
  #segmentSize = 0
  #seen = 0
  #sending: Promise<void> = Promise.resolve()
  /** Whether rows were staged since the last `flush`. */
  #isUnchecked = false

  constructor(session: SqlServerSession, options: BulkOptions) {
    this.#session = session
    this.#options = options
    this.#encoders = options.staged.target.columns.map((column) => encoder(column, options.rejects.unknownValues))
  }

  get #table(): Table {
    return this.#options.staged.target.table
  }

  /** Resolves while the last full segment is still being sent, so that the source can fill the next. */
  async write({ bytes }: RowBatch): Promise<void> {
    const whole = this.#joiner.push(bytes)
    if (whole.length === 0) return
    this.#segment.push(whole)
    this.#segmentSize += whole.length
    if (this.#segmentSize >= segmentBytes) await this.#startSegment()
  }

  /** Afterwards each key is staged once. */
  async flush(): Promise<void> {
    assertNoCut(this.#joiner.waiting)
    await this.#startSegment()
    await this.#sending
    if (this.#isUnchecked) await this.#session.mutex(() => this.#checkKeys())
  }

  async #startSegment(): Promise<void> {
    await this.#sending
    if (this.#segmentSize === 0) return
    const bytes = Buffer.concat(this.#segment)
    this.#segment = []
    this.#segmentSize = 0
    this.#sending = this.#session.mutex(() => this.#stage(bytes))
    // The next call that waits gets the failure; until then it must not count as unhandled.
    this.#sending.catch(() => {})
  }

  async #stage(bytes: Buffer): Promise<void> {
    const { staged, rejects } = this.#options
    const rows = decodeRows(bytes)
    this.#seen += rows.length
    const fitting = rows.flatMap((fields) => this.#fit(fields))
    rejects.stopIfTooMany(this.#seen, this.#table.name)
    if (fitting.length === 0) return
    await this.#session.connection.bulk(
      staged.stage,
      (load) => {
        for (const column of staged.target.columns) {
          const { type, ...options } = bulkColumn(column.type)
          load.addColumn(column.name, type, { ...options, nullable: true })
        }
      },
      fitting,
    )
    this.#isUnchecked = true
  }

  /** The values as the driver sends them; none if one does not fit. */
  #fit(fields: TextRow): readonly (readonly unknown[])[] {
    const values = this.#encoders.map((encode, at) => encode(fields[at] ?? null))
    const unfit = values.findIndex((value) => value instanceof UnfitValue)
    if (unfit === -1) {
      this.#options.rejects.nulled += values.filter(
        (value, at) => value === null && (fields[at] ?? null) !== null,
      ).length
      return [values]
    }
    this.#options.rejects.add(this.#table, { values: fields, at: unfit, reason: (values[unfit] as UnfitValue).reason })
    return []
  }

  async #checkKeys(): Promise<void> {
    const { staged } = this.#options
    if (staged.into !== null) await this.#rejectCollisions()
    const superseded = deleteSuperseded(staged)
    if (superseded !== null) await this.#session.run(superseded)
    this.#isUnchecked = false
  }

  /** Rejects keys that differ but are the same to a unique index of SQL Server. Rows that are in the table stay. */
  async #rejectCollisions(): Promise<void> {
    const { connection, run } = this.#session
    const { staged, rejects } = this.#options
    const column = paddedKeyColumn(staged)
    if (column === null) return
    const at = staged.target.columns.indexOf(column)
    const what = column.type.startsWith('nvarchar') ? 'blanks' : 'zero bytes'
    const reason = `Its key differs from that of another row only by ${what} at the end. SQL Server takes the two for the same key.`
    for (const condition of [collidesWithStored(staged), collidesWithStaged(staged)]) {
      const found = await connection.rows(selectStaged(staged, condition))
      for (const values of found) rejects.add(this.#table, { values: values.map(readable), at, reason })
      if (found.length > 0) await run(deleteStaged(staged, condition))
    }
    rejects.stopIfTooMany(this.#seen, this.#table.name)
  }
}

/** A value of the driver as readable text, for the list of rejected rows. */
function readable(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value)
}
