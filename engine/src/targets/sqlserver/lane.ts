/** Rows on their way into a staging table of texts, by bulk load; and from there, as values, into another. */
import { TYPES } from 'tedious'
import { decodeRows, joinRows } from '../../copy-text.ts'
import { Fault } from '../../faults.ts'
import type { Rejects } from '../../rejects.ts'
import type { SqlConnection } from '../../sqlserver/connection.ts'
import type { Turns } from '../../turns.ts'
import type { ValuedColumn } from '../../placement.ts'
import { isUnknown } from '../../unknown-values.ts'
import {
  collidesWithStaged,
  collidesWithStored,
  convertStatement,
  deleteStaged,
  isMisfit,
  paddedKeyColumn,
  selectMisfits,
  selectStaged,
  type Staged,
} from './merge.ts'
import { misfitOf, stagedLength } from './values.ts'

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
  /** Rows that are staged and not yet converted. */
  waiting = 0
  readonly #options: LaneOptions
  readonly #joiner = joinRows()
  #segment: Uint8Array[] = []
  #segmentSize = 0
  #seen = 0
  #sending: Promise<void> = Promise.resolve()

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Resolves while the last full segment is still under way, so that the source can fill the next. */
  async write(bytes: Uint8Array): Promise<void> {
    const whole = this.#joiner.push(bytes)
    if (whole.length === 0) return
    this.#segment.push(whole)
    this.#segmentSize += whole.length
    if (this.#segmentSize >= segmentBytes) await this.#startSegment()
  }

  /** Everything written so far stands, as values, in the typed table, or is among the rejected. */
  async convert(): Promise<void> {
    if (this.#joiner.waiting > 0) {
      throw new Fault('bug', {
        code: 'engine.row_cut',
        notice: 'The source ended in the middle of a row. The details are in the server log.',
      })
    }
    await this.#startSegment()
    await this.#sending
    if (this.waiting > 0) await this.#options.takeTurn(() => this.#convertStaged())
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
        for (const column of staged.columns)
          load.addColumn(column.name, TYPES.NVarChar, { length: stagedLength(column) ?? Number.POSITIVE_INFINITY, nullable: true })
      },
      fitting,
    )
    this.waiting += fitting.length
  }

  #fit(fields: Fields): readonly Fields[] {
    const { columns } = this.#options.staged
    const known = columns.map((column, at) => this.#known(fields[at] ?? null, column))
    for (const [at, column] of columns.entries()) {
      const reason = misfitOf(known[at] ?? null, column)
      if (reason === null) continue
      this.#reject(fields, at, reason)
      return []
    }
    return [known]
  }

  /** A value that only other databases know may be left empty. */
  #known(value: string | null, { values, isKey }: ValuedColumn): string | null {
    const { rejects } = this.#options
    if (rejects.unknownValues === 'reject' || isKey || !isUnknown(value, values)) return value
    rejects.nulled += 1
    return null
  }

  async #convertStaged(): Promise<void> {
    const { connection, staged, rejects } = this.#options
    const misfit = isMisfit(staged)
    if (misfit !== null) {
      const found = await connection.rows(selectMisfits(staged, misfit))
      for (const [column, ...values] of found)
        this.#reject(values as Fields, Number(column), `This is no ${staged.columns[Number(column)]?.type ?? 'value'}.`)
      rejects.stopWhereTooMany(this.#seen, staged.placement.table.name)
      if (found.length > 0) await connection.run(`DELETE FROM ${staged.stage} WHERE ${misfit}`)
    }
    if (staged.into !== '') await this.#rejectCollisions()
    await connection.run(convertStatement(staged))
    await connection.run(`TRUNCATE TABLE ${staged.stage}`)
    this.waiting = 0
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
      for (const values of found) this.#reject(values as Fields, staged.columns.indexOf(column), reason)
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
