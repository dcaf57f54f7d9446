/** Rows and deletions of a table that wait to be applied to its files. */
import type { Cell } from '../format/cells.ts'
import type { CellRow } from '../table/data-writer.ts'
import { type TableShape, textAt } from '../table/table-shape.ts'

/** The values of some columns, by which files are found. */
export type CellTuple = readonly Cell[]

export class Segment {
  readonly shape: TableShape
  /** By key; of several rows with one key the last wins. */
  readonly upserts = new Map<string, CellRow>()
  /** Rows of a table without a key. */
  readonly inserts: CellRow[] = []
  /** The owners (parents of a child's rows, otherwise keys) whose rows are deleted, unless they are among the upserts. */
  readonly deletedOwners = new Map<string, CellTuple>()

  constructor(shape: TableShape) {
    this.shape = shape
  }

  get isEmpty(): boolean {
    return this.upserts.size + this.inserts.length + this.deletedOwners.size === 0
  }

  add(row: CellRow): undefined {
    const { shape } = this
    if (shape.key.length === 0) this.inserts.push(row)
    else this.upserts.set(textAt(shape, row, shape.key), row)
  }

  /** @param owner the values of the owner columns, in their order */
  deleteOwner(owner: CellTuple): void {
    const { shape } = this
    const row: Cell[] = []
    for (const [at, position] of shape.owner.entries()) row[position] = owner[at] ?? null
    this.deletedOwners.set(textAt(shape, row, shape.owner), owner)
  }

  clear(): void {
    this.upserts.clear()
    this.inserts.length = 0
    this.deletedOwners.clear()
  }
}
