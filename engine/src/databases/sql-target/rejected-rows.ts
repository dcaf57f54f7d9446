/** Rejected rows: the first thousand are kept, all are counted, and too many stop the stream. */
import { Fault } from '../../ports/faults.ts'
import type { Table } from '../../ports/model.ts'
import type { RejectedRowRecord } from '../../ports/target.ts'
import type { UnknownValues } from '../../encoding/unsupported-values.ts'

const keptMax = 1_000
/** A few bad rows must not stop the others; many suggest that all are wrong. Both limits must be exceeded. */
const toleratedRows = 1_000
const toleratedShare = 0.01

export interface RowRejection {
  readonly values: readonly (string | null)[]
  /** Position of the column that does not take its value, where it is known. */
  readonly at: number | null
  readonly reason: string
}

export class Rejects {
  readonly kept: RejectedRowRecord[] = []
  count = 0
  /** Number of values that became null in stored rows because the target does not support them. */
  nulled = 0
  /** How to treat rows with such values. */
  readonly unknownValues: UnknownValues
  #stored = 0

  constructor(unknownValues: UnknownValues = 'reject') {
    this.unknownValues = unknownValues
  }

  add({ name: table, columns }: Table, { values, at, reason }: RowRejection): void {
    this.count++
    if (this.kept.length >= keptMax) return
    const row = Object.fromEntries(columns.map(({ name }, place) => [name, values[place] ?? null]))
    this.kept.push({ table, row, column: columns[at ?? -1]?.name ?? null, reason })
  }

  /** Throws a `data` Fault. @param seen number of rows, rejected ones included */
  stopIfTooMany(seen: number, table: string): void {
    if (this.count <= toleratedRows || this.count <= seen * toleratedShare) return
    const first = this.kept[0]?.column
    const column = first === null || first === undefined ? '' : ` The first is for the column ‘${first}’.`
    throw new Fault('data', {
      code: 'target.too_many_rejected',
      notice: `${this.count} of ${seen} rows of ‘${table}’ could not be placed, so the stream was stopped and nothing of it was marked as done.${column} Look at the rejected rows and correct the source, or the column in the target.`,
    })
  }

  /** Rows that no transaction has stored yet. */
  unstored(): readonly RejectedRowRecord[] {
    return this.kept.slice(this.#stored)
  }

  markStored(): void {
    this.#stored = this.kept.length
  }
}

/** Keys of a comparison that fit no column. Their rows were counted when they were loaded, so no number of keys is too many. */
export class KeyRejects extends Rejects {
  override stopIfTooMany(): void {}
}
