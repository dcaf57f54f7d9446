/**
 * Loads rows in segments: one with a row that does not fit is still in memory, so it is rolled back and sent again without the rows that
 * the server names, and all others go in at full speed.
 */
import { assertNoCut, countRows, decodeRows, encodeRows } from '../../../encoding/copy-text.ts'
import { type FittedColumn, fittingValues } from '../../../encoding/fitting-values.ts'
import { isUnknown, unknownReason } from '../../../encoding/unsupported-values.ts'
import type { RowBatch, Table } from '../../../ports/model.ts'
import type { BulkLoader, BulkOptions } from '../../sql-target/dialect.ts'
import type { RowRejection } from '../../sql-target/rejected-rows.ts'
import type { TextRow } from '../../sql-target/sessions.ts'
import type { TargetColumn } from '../../sql-target/table-layout.ts'
import { mysqlFault } from '../faults.ts'
import { secondDigits } from '../types.ts'
import { withPlainValues } from './plain-encoding.ts'
import { asLoadData, type RowSender } from './row-sender.ts'
import { Segment } from './segment.ts'
import type { MysqlSession } from './session.ts'
import { findTypeViolations, type TypeViolation } from './type-violations.ts'

/** A smaller segment costs more statements, a larger one more memory and more to send again. */
const segmentBytes = 8 * 1_048_576
/** A commit waits for the disk, and the load waits for the commit. */
const transactionBytes = 64 * 1_048_576

export class MysqlLoader implements BulkLoader {
  copied = 0
  readonly #session: MysqlSession
  readonly #sender: RowSender
  readonly #options: BulkOptions
  readonly #columns: readonly TargetColumn[]
  readonly #fit: ((rows: Buffer) => Buffer) | null
  /** One is filled while the other is being sent. */
  #filling = new Segment()
  #leaving = new Segment()
  #seen = 0
  #sending: Promise<void> = Promise.resolve()

  static async open(session: MysqlSession, options: BulkOptions): Promise<MysqlLoader> {
    return new MysqlLoader(session, await session.sender(), options)
  }

  constructor(session: MysqlSession, sender: RowSender, options: BulkOptions) {
    this.#session = session
    this.#sender = sender
    this.#options = options
    const { columns } = options.staged.target
    this.#columns = options.encoding === 'plain' ? withPlainValues(columns) : columns
    this.#fit = fittingValues(
      this.#columns.map(({ values, type }) => ({ values, holds: holds(type) })),
      secondDigits,
    )
  }

  get #table(): Table {
    return this.#options.staged.target.table
  }

  get mayHaveRows(): boolean {
    return this.copied > 0
  }

  /** Resolves while the last full segment is still being sent, so that the source can fill the next. */
  async write({ bytes, release }: RowBatch): Promise<void> {
    this.#filling.add(bytes)
    if (this.#filling.size >= segmentBytes) await this.#startSegment()
    release?.()
  }

  async flush(): Promise<void> {
    assertNoCut(this.#filling.rest.length)
    await this.#startSegment()
    await this.#sending
  }

  async #startSegment(): Promise<void> {
    const { whole, rest } = this.#filling
    // Prepared while the last one is being sent: the server would wait for it.
    const bytes = asLoadData(this.#fit?.(whole) ?? whole)
    const rows = countRows(bytes)
    await this.#sending
    if (rows === 0) return
    this.#leaving.clear()
    this.#leaving.add(rest)
    ;[this.#filling, this.#leaving] = [this.#leaving, this.#filling]
    this.#sending = this.#session.mutex(() => this.#load(bytes, rows))
    // The next call that waits gets the failure; until then it must not count as unhandled.
    this.#sending.catch(() => {})
  }

  async #load(bytes: Buffer, rows: number): Promise<void> {
    this.#seen += rows
    const failure = await this.#trySend(bytes, rows)
    if (failure !== null) await this.#loadWithoutViolations(bytes, failure)
    this.#options.rejects.stopIfTooMany(this.#seen, this.#table.name)
    await this.#commitDiscardable(bytes.length)
  }

  /** Rows that no other run could continue with are committed only so that a kill leaves little to roll back. */
  async #commitDiscardable(bytes: number): Promise<void> {
    const session = this.#session
    session.uncommittedBytes += bytes
    if (!this.#options.isDiscardable() || session.uncommittedBytes < transactionBytes) return
    await session.run('COMMIT')
    session.uncommittedBytes = 0
  }

  /** Null where every row was loaded as it is. */
  async #trySend(bytes: Buffer, rows: number): Promise<Error | null> {
    const { run } = this.#session
    await run('SAVEPOINT segment')
    try {
      const warnings = await this.#sender.send({
        into: this.#options.loaded,
        columns: this.#columns,
        bytes,
        mode: 'strict',
      })
      if (warnings === 0) {
        this.copied += rows
        return null
      }
      await run('ROLLBACK TO SAVEPOINT segment')
      return new Error('MySQL changed a value to make it fit.')
    } catch (error) {
      if (mysqlFault(error).kind !== 'data') throw error
      await run('ROLLBACK TO SAVEPOINT segment')
      return error as Error
    }
  }

  async #loadWithoutViolations(bytes: Buffer, failure: Error): Promise<void> {
    const { rejects } = this.#options
    let rows: readonly TextRow[] = decodeRows(bytes)
    for (
      let left: Error | null = failure;
      left !== null;
      left = await this.#trySend(Buffer.from(encodeRows(rows)), rows.length)
    ) {
      const violations = await findTypeViolations(
        { session: this.#session, sender: this.#sender, columns: this.#columns },
        rows,
      )
      if (violations.length === 0) throw left
      rows = this.#withoutViolations(rows, violations)
      rejects.stopIfTooMany(this.#seen, this.#table.name)
      if (rows.length === 0) return
    }
  }

  /** A value that MySQL does not support may become null; a row with any other violation is rejected. */
  #withoutViolations(rows: readonly TextRow[], violations: readonly TypeViolation[]): readonly TextRow[] {
    const byRow = Map.groupBy(violations, ({ row }) => row)
    return rows.flatMap((fields, row) => {
      const found = byRow.get(row) ?? []
      const real = found.find(({ column }) => column === null || !this.#mayBeNull(column, fields))
      if (real !== undefined) this.#options.rejects.add(this.#table, this.#rejection(real, fields))
      if (real !== undefined || found.length === 0) return real === undefined ? [fields] : []
      const places = new Set(found.map(({ column }) => column))
      this.#options.rejects.nulled += places.size
      return [fields.map((value, column) => (places.has(column) ? null : value))]
    })
  }

  #mayBeNull(column: number, fields: TextRow): boolean {
    return (
      this.#options.rejects.unknownValues === 'null' &&
      this.#columns[column]?.isKey === false &&
      this.#isUnknown(column, fields)
    )
  }

  #isUnknown(column: number, fields: TextRow): boolean {
    return isUnknown(fields[column] ?? null, this.#columns[column]?.values ?? { kind: 'text' })
  }

  #rejection({ column, reason }: TypeViolation, fields: TextRow): RowRejection {
    const isExplained = column !== null && this.#isUnknown(column, fields)
    return { values: fields, at: column, reason: isExplained ? unknownReason(fields[column] ?? '') : reason }
  }
}

function holds(type: string): FittedColumn['holds'] {
  if (type === 'tinyint(1)' || type.startsWith('datetime')) return 'other'
  return /^(?:small|big)?int|^decimal/u.test(type) ? 'numbers' : 'text'
}
