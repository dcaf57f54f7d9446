/** The keys of rows that the source reports as deleted, on their way to a DELETE. */
import type { RowBatch } from '../../ports/model.ts'
import type { BulkLoader, BulkOptions, StagedTable, WriterSession } from './dialect.ts'
import { keyColumnsOnly, type TargetTable } from './table-layout.ts'

type ListOptions = Omit<BulkOptions, 'staged' | 'loaded'>

export class DeletedKeys {
  readonly #context: WriterSession
  readonly #options: ListOptions
  readonly #list: StagedTable
  #loader: BulkLoader | null = null

  private constructor(context: WriterSession, main: TargetTable, options: ListOptions) {
    this.#context = context
    this.#options = options
    this.#list = keyList(context, main, 'deleted')
  }

  /** Most sources report no deletions, so where the database allows it the list is created for the first one. */
  static async open(context: WriterSession, main: TargetTable, options: ListOptions): Promise<DeletedKeys> {
    const keys = new DeletedKeys(context, main, options)
    if (context.dialect.listsDeletedKeysAlways && main.key.length > 0) await keys.#createList()
    return keys
  }

  async #createList(): Promise<BulkLoader> {
    this.#loader = await openKeyList(this.#context, this.#list, this.#options)
    return this.#loader
  }

  get mayHaveRows(): boolean {
    return this.#loader?.mayHaveRows === true
  }

  async write(batch: RowBatch): Promise<void> {
    const loader = this.#loader ?? (await this.#createList())
    await loader.write(batch)
  }

  async flush(): Promise<void> {
    await this.#loader?.flush()
  }

  /** Deletes the listed rows, children first. Returns how many of the main table and of all tables. */
  async apply([main, ...children]: StagedTables): Promise<{ readonly main: number; readonly all: number }> {
    if (!this.mayHaveRows) return { main: 0, all: 0 }
    const { dialect, session } = this.#context
    const deleteFrom = ({ target, into }: StagedTable): Promise<number> =>
      dialect.deleteByKeys(session, { target, from: into, keys: this.#list, which: 'listed' })
    let all = 0
    for (const child of children) all += await deleteFrom(child)
    const rows = await deleteFrom(main)
    return { main: rows, all: all + rows }
  }

  /** The list, if it must be emptied. */
  get stageToClear(): string | null {
    return this.mayHaveRows ? this.#list.stage : null
  }
}

type StagedTables = readonly [StagedTable, ...StagedTable[]]

/** A temporary table for keys of the main table. */
export function keyList({ dialect }: WriterSession, main: TargetTable, name: string): StagedTable {
  return { target: keyColumnsOnly(main), stage: dialect.temporary(name), into: null, distinct: false }
}

export async function openKeyList(
  { dialect, session }: WriterSession,
  list: StagedTable,
  options: ListOptions,
): Promise<BulkLoader> {
  await dialect.createStage(session, list, list.target)
  return await dialect.bulkLoader(session, { ...options, staged: list, loaded: list.stage })
}
