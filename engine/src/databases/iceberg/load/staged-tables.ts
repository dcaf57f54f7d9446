/** The tables of a stream while a load stages rows for them, the main table first. */
import type { Stream } from '../../../ports/source.ts'
import { findRepeatedParents, type RepeatedParents } from '../../sql-target/repeated-parents.ts'
import type { LoggedBatch } from './batch-log.ts'
import type { CellTuple } from './segment.ts'
import type { TableLoad } from './table-load.ts'

/** Rows of a table without children that wait in memory. Children must not be applied before their parents. */
const waitingMax = 50_000

export class StagedTables {
  readonly loads: readonly [TableLoad, ...TableLoad[]]
  readonly #stream: Stream
  readonly #repeated: RepeatedParents | null
  /** The only table whose rows get into files; null for all. */
  readonly #only: TableLoad | null

  constructor(stream: Stream, loads: readonly [TableLoad, ...TableLoad[]], only: TableLoad | null = null) {
    this.loads = loads
    this.#stream = stream
    this.#only = only
    this.#repeated = findRepeatedParents(stream, 'text')
  }

  async stage(batch: LoggedBatch): Promise<void> {
    const [main, ...children] = this.loads
    const load = this.loads.find(({ target }) => target.table.name === batch.table)
    if (load === undefined)
      throw new Error(`The source gave rows for ‘${batch.table}’, which is no table of ‘${this.#stream.name}’.`)
    if (batch.deletes === true) return await this.#stageDeletions(batch)
    if (this.#repeated?.add({ ...batch, rows: 0 }) === true) await this.flush()
    const replaceChildren = (key: CellTuple): void => {
      for (const child of children) child.deleteOwner(key)
    }
    const hasChildren = load === main && children.length > 0 && !main.isDirect
    await load.stage(batch.bytes, hasChildren ? replaceChildren : null)
    if (children.length === 0 && main.waiting >= waitingMax) await this.flush()
  }

  async #stageDeletions({ bytes }: LoggedBatch): Promise<void> {
    const [main, ...children] = this.loads
    // Rows that went straight into files may be among the deleted ones.
    if (main.isDirect) await this.flush()
    for (const key of main.decodeKeys(bytes)) for (const load of [main, ...children]) load.deleteOwner(key)
  }

  /** Brings everything that is staged into files. */
  async flush(): Promise<void> {
    for (const load of this.loads) {
      if (this.#only === null || this.#only === load) await load.flush()
      else load.discard()
    }
  }

  assertWhole(): void {
    for (const load of this.loads) load.assertWhole()
  }

  /** Deletes the files that no commit was sent with. */
  async cancel(): Promise<void> {
    for (const load of this.loads) await load.cancel('unsent')
  }
}
