/** Loads a stream: rows go into files at once, and the commit of each table makes them visible with the checkpoint. */
import type { Checkpoint, RowBatch, RowEncoding } from '../../../ports/model.ts'
import type { ReplacedPart } from '../../../ports/row-scope.ts'
import type { Stream } from '../../../ports/source.ts'
import type { RejectedRowRecord, StreamLoad, WriteCounts } from '../../../ports/target.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import { addCounts, noCounts } from '../../sql-target/row-counts.ts'
import type { StreamTables } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import { commitChanges, type ChangeOfTable } from '../table/commit-loop.ts'
import { expireSnapshots, rowRetention } from '../table/expire-snapshots.ts'
import type { LakeContext } from '../table/lake-context.ts'
import { BatchLog } from './batch-log.ts'
import { joinSmallFiles } from './join-files.ts'
import { keepRows, partOf } from './keep-rows.ts'
import { branchRemoval, mergeChange, type PropertiesOf, refreshChange, replaceChange } from './load-changes.ts'
import { type LoadEnd, type LoadIdentity, LoadStates } from './load-states.ts'
import { openTables, reopenTables, type TablesToOpen } from './open-tables.ts'
import type { StagedTables } from './staged-tables.ts'
import type { TableLoad } from './table-load.ts'

export interface LakeLoadOptions extends LoadIdentity {
  readonly stream: Stream
  readonly tables: StreamTables
  readonly rejects: Rejects
}

/** What a kill may cost a replacement. More frequent commits would leave many small files. */
const lastingRows = 250_000
const lastingMs = 10_000

const noProperties: PropertiesOf = () => ({})

export class LakeLoad implements StreamLoad {
  readonly encoding: RowEncoding = 'text'
  readonly #context: LakeContext
  readonly #options: LakeLoadOptions
  readonly #states: LoadStates
  readonly #losses = { count: 0 }
  readonly #seen: readonly { count: number }[]
  readonly #log = new BatchLog()
  /** Rows that the load has changed, by table. */
  readonly #moved = new Map<string, number>()
  #staged: StagedTables
  #rowsSinceCommit = Number.POSITIVE_INFINITY
  #committedAt = 0
  #isOpen = true

  static async open(context: LakeContext, options: LakeLoadOptions): Promise<LakeLoad> {
    const seen = options.tables.map(() => ({ count: 0 }))
    const losses = { count: 0 }
    const base = { merge: 'rows', replace: 'none', resume: 'refresh' } as const
    const isDirect = options.kind === 'replace' && options.stream.hasDistinctKeys
    const toOpen = { ...options, seen, losses, base: base[options.kind], isDirect }
    return new LakeLoad(context, { ...options, seen, losses, staged: await openTables(context, toOpen) })
  }

  private constructor(
    context: LakeContext,
    options: LakeLoadOptions & Pick<TablesToOpen, 'seen' | 'losses'> & { readonly staged: StagedTables },
  ) {
    this.#context = context
    this.#options = options
    this.#states = new LoadStates(context, options)
    this.#seen = options.seen
    this.#losses = options.losses
    this.#staged = options.staged
  }

  get rejected(): readonly RejectedRowRecord[] {
    return this.#options.rejects.kept
  }

  get rejectedCount(): number {
    return this.#options.rejects.count
  }

  get nulledCount(): number {
    return this.#options.rejects.nulled
  }

  get shortenedCount(): number {
    return this.#losses.count
  }

  write(batch: RowBatch): Promise<void> {
    return this.#guard(async () => {
      if (this.#isMerge) await this.#log.add(batch)
      await this.#staged.stage(batch)
      this.#rowsSinceCommit += batch.rows
      batch.release?.()
    })
  }

  commit(checkpoint: Checkpoint): Promise<WriteCounts> {
    return this.#guard(async () => {
      if (!this.#isMerge) return await this.#commitRefresh(checkpoint)
      const counts = await this.#commitMerge(this.#states.merged(checkpoint), null)
      await this.#openNext('rows')
      return counts
    })
  }

  finish(checkpoint: Checkpoint | null, part?: ReplacedPart): Promise<WriteCounts> {
    return this.#guard(async () => {
      const end = { checkpoint, part }
      await this.#flush()
      for (const { files, target } of this.#staged.loads) {
        await joinSmallFiles(files)
        await expireSnapshots(this.#context, target.name, rowRetention)
      }
      const counts = this.#isMerge ? await this.#commitMerge(noProperties, end) : await this.#commitReplacement(end)
      await this.#close()
      return counts
    })
  }

  get #isMerge(): boolean {
    return this.#options.kind === 'merge'
  }

  async #commitMerge(ofMain: PropertiesOf, end: LoadEnd | null): Promise<WriteCounts> {
    await this.#flush()
    const current = new Map<number, TableLoad>(this.#staged.loads.entries())
    const changes = this.#staged.loads.map((opened, at) => {
      const properties: PropertiesOf = (table, rows) => {
        const load = current.get(at) ?? opened
        if (end === null) return at === 0 ? ofMain(table, rows) : {}
        return this.#endOf(load, at, end)(table, rows)
      }
      const onTopOf = async (table: LoadedTable): Promise<TableLoad> => {
        const load = current.get(at) ?? opened
        if (load.isBasedOn(table)) return load
        const rebased = await this.#rebase(load, at, table)
        current.set(at, rebased)
        return rebased
      }
      return mergeChange(this.#context, onTopOf, { name: opened.target.name, properties, isEnd: end !== null })
    })
    await commitChanges(this.#context, parentLast(changes))
    const loads = [...current.values()]
    const counts = loads.map((load) => this.#takeCounts(load)).reduce(addCounts, noCounts)
    for (const { files } of loads) await files.deleteGarbage('replaced')
    this.#log.clear()
    return counts
  }

  /** Another program has committed to the table: the staged rows are applied to it as it is now. */
  async #rebase(load: TableLoad, at: number, table: LoadedTable): Promise<TableLoad> {
    await load.cancel('all')
    const { stream, tables, rejects } = this.#options
    const { staged, load: rebased } = await reopenTables(this.#context, {
      stream,
      tables,
      // Their rows have been rejected already.
      rejects: new Rejects(rejects.unknownValues),
      losses: { count: 0 },
      seen: tables.map(() => ({ count: Number.POSITIVE_INFINITY })),
      base: 'rows',
      isDirect: false,
      only: at,
      table,
    })
    for await (const batch of this.#log.read()) await staged.stage(batch)
    await staged.flush()
    return rebased
  }

  async #commitRefresh(checkpoint: Checkpoint): Promise<WriteCounts> {
    const now = this.#context.around.clock.now()
    if (this.#rowsSinceCommit < lastingRows && now - this.#committedAt < lastingMs) return this.#takeAllCounts()
    await this.#flush()
    const changes = this.#staged.loads.map((load, at) =>
      refreshChange(this.#context, load, at === 0 ? this.#states.refreshed(checkpoint) : noProperties),
    )
    await commitChanges(this.#context, parentLast(changes))
    this.#rowsSinceCommit = 0
    this.#committedAt = now
    const counts = this.#takeAllCounts()
    for (const { files } of this.#staged.loads) await files.deleteGarbage('replaced')
    await this.#openNext('refresh')
    return counts
  }

  async #commitReplacement(end: LoadEnd): Promise<WriteCounts> {
    await this.#flush()
    const { part } = end
    const { loads } = this.#staged
    if (part !== undefined) for (const { files, target } of loads) await keepRows(files, partOf(files, target, part))
    const changes = loads.map((load, at) => {
      const properties = this.#endOf(load, at, end)
      return replaceChange(this.#context, load, { properties, part })
    })
    await commitChanges(this.#context, parentLast(changes))
    if (this.#context.catalog.commitTables === null)
      for (const { target } of loads.slice(1)) await commitChanges(this.#context, [branchRemoval(target.name)])
    for (const { files } of loads) await files.deleteGarbage('replaced')
    return this.#takeAllCounts()
  }

  #endOf(load: TableLoad, at: number, end: LoadEnd): PropertiesOf {
    const { inserted, updated, deleted } = load.uncounted
    const moved = (this.#moved.get(load.target.name) ?? 0) + inserted + updated + deleted
    return at === 0 ? this.#states.ended(end, moved) : this.#states.childEnded(end, moved)
  }

  #takeAllCounts(): WriteCounts {
    return this.#staged.loads.map((load) => this.#takeCounts(load)).reduce(addCounts, noCounts)
  }

  #takeCounts(load: TableLoad): WriteCounts {
    const counts = load.takeCounts()
    const { name } = load.target
    this.#moved.set(name, (this.#moved.get(name) ?? 0) + counts.inserted + counts.updated + counts.deleted)
    return counts
  }

  async #flush(): Promise<void> {
    this.#staged.assertWhole()
    await this.#staged.flush()
  }

  async #openNext(base: TablesToOpen['base']): Promise<void> {
    const { stream, tables, rejects, kind } = this.#options
    this.#staged = await openTables(this.#context, {
      stream,
      tables,
      rejects,
      losses: this.#losses,
      seen: this.#seen,
      base,
      isDirect: kind === 'replace' && stream.hasDistinctKeys,
    })
  }

  /** After an error nothing of the load is committed any more. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#context.around.signal.throwIfAborted()
      if (!this.#isOpen) throw new Error('The load has ended.')
      return await work()
    } catch (error) {
      await this.#cancel()
      throw error
    }
  }

  async #cancel(): Promise<void> {
    if (!this.#isOpen) return
    await this.#close()
    // What cannot be deleted now is found by the next writer.
    await this.#staged.cancel().catch(() => undefined)
  }

  async #close(): Promise<void> {
    this.#isOpen = false
    await this.#log[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cancel()
  }
}

/** Where tables are committed one after the other, the main table decides: its properties have the checkpoint. */
function parentLast(changes: readonly ChangeOfTable[]): readonly ChangeOfTable[] {
  const [main, ...children] = changes
  return main === undefined ? [] : [...children, main]
}
