/** The rows of a load between the source and their tables: bulk loaders, staging tables, and the list of deleted keys. */
import type { RowBatch } from '../../ports/model.ts'
import type { Stream } from '../../ports/source.ts'
import type { WriteCounts } from '../../ports/target.ts'
import { DeletedKeys } from './deleted-keys.ts'
import type { BulkLoader, BulkOptions, ShadowTables, StagedTable, WriterSession } from './dialect.ts'
import type { StreamHistory } from './history/history-table.ts'
import { recordVersions } from './history/record-versions.ts'
import { addCounts, noCounts } from './row-counts.ts'
import type { StreamTables, TargetTable } from './table-layout.ts'

interface LoadedTable {
  readonly staged: StagedTable & { readonly into: string }
  readonly loader: BulkLoader
  /** How many rows of the table this load has changed. */
  moved: number
}

type LoadedTables = readonly [LoadedTable, ...LoadedTable[]]

export interface StagingOptions extends Omit<BulkOptions, 'staged' | 'loaded'> {
  readonly stream: Stream
  readonly tables: StreamTables
  /** Where rows go in place of the tables; null for a merge. */
  readonly shadow: ShadowTables | null
}

export interface AppliedRows {
  readonly counts: WriteCounts
  /** By how many rows the main table has grown. */
  readonly gained: number
}

export class StagedRows {
  readonly #context: WriterSession
  readonly #stream: string
  readonly #loaded: LoadedTables
  readonly #deletedKeys: DeletedKeys
  readonly #isDirect: boolean
  #countedRows = 0
  /** Whether the tables are still empty. */
  #isEmpty: boolean
  #areStagesDropped = false

  private constructor(
    context: WriterSession,
    { stream, shadow }: StagingOptions,
    { loaded, deletedKeys }: { readonly loaded: LoadedTables; readonly deletedKeys: DeletedKeys },
  ) {
    this.#context = context
    this.#stream = stream.name
    this.#loaded = loaded
    this.#deletedKeys = deletedKeys
    this.#isDirect = shadow?.isDirect === true
    this.#isEmpty = shadow?.isResumed === false
  }

  static async open(context: WriterSession, options: StagingOptions): Promise<StagedRows> {
    const [main, ...children] = options.tables
    const loaded: [LoadedTable, ...LoadedTable[]] = [await openTable(context, options, { target: main, at: 0 })]
    for (const [at, target] of children.entries())
      loaded.push(await openTable(context, options, { target, at: at + 1 }))
    const deletedKeys = await DeletedKeys.open(context, main, { ...options, encoding: 'text' })
    return new StagedRows(context, options, { loaded, deletedKeys })
  }

  async write(batch: RowBatch): Promise<void> {
    if (batch.deletes === true) return await this.#deletedKeys.write(batch)
    const table = this.#loaded.find(({ staged }) => staged.target.table.name === batch.table)
    if (table === undefined)
      throw new Error(`The source gave rows for ‘${batch.table}’, which is no table of ‘${this.#stream}’.`)
    await table.loader.write(batch)
  }

  /** Afterwards everything written is staged or among the rejected rows. */
  async flush(): Promise<void> {
    for (const { loader } of this.#loaded) await loader.flush()
    await this.#deletedKeys.flush()
  }

  /** Brings what is staged into the tables: first what the source has deleted, then parents, then children. */
  async apply(): Promise<AppliedRows> {
    const { dialect, session } = this.#context
    const [main, ...children] = this.#loaded
    const deleted = await this.#deletedKeys.apply([main.staged, ...children.map(({ staged }) => staged)])
    if (this.#isDirect) return this.#countDirectRows(deleted.all)
    let counts: WriteCounts = { ...noCounts, deleted: deleted.all }
    for (const child of children) {
      const missing = await dialect.deleteMissingChildren(session, child.staged, main.staged)
      child.moved += missing
      counts = addCounts(counts, { deleted: missing })
    }
    const merged = await this.#merge(main)
    main.moved += deleted.main
    counts = addCounts(counts, merged)
    for (const child of children) counts = addCounts(counts, await this.#merge(child))
    this.#isEmpty = false
    return { counts, gained: merged.inserted - deleted.main }
  }

  /** Belongs in the transaction that applies the rows, before the stages are emptied. */
  async recordHistory(history: StreamHistory | null, extent: 'touched' | 'all'): Promise<void> {
    if (history === null) return
    const changed = this.#loaded.map(({ staged: { into, stage } }) => ({ into, stage: this.#isDirect ? null : stage }))
    const deletedKeys = this.#deletedKeys.stageToClear
    await recordVersions(
      this.#context,
      { history, changed },
      extent === 'all' ? { kind: 'all' } : { kind: 'touched', deletedKeys },
    )
  }

  async #merge(table: LoadedTable): Promise<Pick<WriteCounts, 'inserted' | 'updated'>> {
    const { dialect, session } = this.#context
    const merged = await dialect.merge(session, table.staged, this.#isEmpty)
    table.moved += merged.inserted + merged.updated
    return merged
  }

  /** Direct rows are in their tables already: counts those that were copied since the last call. */
  #countDirectRows(deleted: number): AppliedRows {
    for (const table of this.#loaded) table.moved = table.loader.copied
    const copied = this.#loaded.reduce((rows, { moved }) => rows + moved, 0)
    const inserted = copied - this.#countedRows
    this.#countedRows = copied
    return { counts: { inserted, updated: 0, deleted }, gained: 0 }
  }

  /** How many rows were changed, by name of the table. */
  get moved(): ReadonlyMap<string, number> {
    return new Map(this.#loaded.map(({ staged, moved }) => [staged.target.name, moved]))
  }

  /** Rows of the main table, or of its shadow table. @param isNew whether the tables hold nothing but this load */
  async countRows(isNew: boolean): Promise<number> {
    const [{ loader, staged }] = this.#loaded
    if (isNew && this.#isDirect && !this.#deletedKeys.mayHaveRows) return loader.copied
    const { dialect, session } = this.#context
    const [row] = await session.rows(`SELECT ${dialect.countRows} FROM ${staged.into}`)
    return Number(row?.[0] ?? 0)
  }

  /** Empties the stages, outside of transactions: TRUNCATE ends one in some databases. */
  async clear(when: 'committed' | 'finished'): Promise<void> {
    if (this.#areStagesDropped) return
    this.#areStagesDropped = when === 'finished'
    const { dialect, session } = this.#context
    const stages = this.#isDirect ? [] : this.#loaded.map(({ staged }) => staged.stage)
    const keys = this.#deletedKeys.stageToClear
    const all = [...stages, ...(keys === null ? [] : [keys])]
    if (all.length > 0) await dialect.clearStages(session, all, when)
  }
}

async function openTable(
  { dialect, session }: WriterSession,
  { stream, tables, shadow, ...options }: StagingOptions,
  { target, at }: { readonly target: TargetTable; readonly at: number },
): Promise<LoadedTable> {
  const into = shadow?.tables[at] ?? dialect.qualified(target.name)
  const staged = { target, stage: dialect.temporary(`stage_${at}`), into, distinct: stream.hasDistinctKeys }
  const isDirect = shadow?.isDirect === true
  if (!isDirect) await dialect.createStage(session, staged, tables[0])
  const loaded = isDirect ? into : staged.stage
  return { staged, loader: await dialect.bulkLoader(session, { ...options, staged, loaded }), moved: 0 }
}
