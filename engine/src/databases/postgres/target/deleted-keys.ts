/** The keys of rows that the source says are gone, on their way to a DELETE. */
import type pg from 'pg'
import type { Batch } from '../../../ports/model.ts'
import { quote } from '../types.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'
import { Lane } from './bulk-load.ts'
import { matching, type Staged } from './merge.ts'
import { keyOnly } from '../../sql-target/table-layout.ts'
import type { Placement } from './tables.ts'

const list = quote('tributary_deleted')

/** Most sources tell of no deletions, so the list is made when the first one comes. */
export class GoneKeys {
  readonly #client: pg.Client
  readonly #main: Placement
  readonly #rejects: Rejects
  #lane: Lane | null = null

  constructor(client: pg.Client, main: Placement, rejects: Rejects) {
    this.#client = client
    this.#main = main
    this.#rejects = rejects
  }

  async write(batch: Batch): Promise<void> {
    this.#lane ??= await this.#open()
    await this.#lane.write(batch)
  }

  async flush(): Promise<void> {
    await this.#lane?.flush()
  }

  /** Deletes the listed rows, their children first, and answers how many went from the main table and from all. */
  async apply(main: Staged, children: readonly Staged[]): Promise<{ readonly main: number; readonly all: number }> {
    if (this.#lane === null) return { main: 0, all: 0 }
    let all = 0
    for (const child of children) all += await this.#delete(child, child.placement.parentKey)
    const rows = await this.#delete(main, main.placement.key)
    await this.#client.query(`TRUNCATE ${list}`)
    return { main: rows, all: all + rows }
  }

  async drop(): Promise<void> {
    if (this.#lane !== null) await this.#client.query(`DROP TABLE ${list}`)
    this.#lane = null
  }

  async #open(): Promise<Lane> {
    const placement = keyOnly(this.#main)
    await this.#client.query(
      `CREATE TEMP TABLE ${list} (${placement.columns.map((column) => `${quote(column.name)} ${column.type} NOT NULL`).join(', ')})`,
    )
    return new Lane({
      client: this.#client,
      placement,
      into: list,
      columns: this.#main.key,
      encoding: 'text',
      rejects: this.#rejects,
    })
  }

  async #delete({ into }: Staged, columns: readonly string[]): Promise<number> {
    const deleted = await this.#client.query(
      `DELETE FROM ${into} AS kept USING ${list} AS gone WHERE ${matching(this.#main.key, 'gone', columns, 'kept')}`,
    )
    return deleted.rowCount ?? 0
  }
}
