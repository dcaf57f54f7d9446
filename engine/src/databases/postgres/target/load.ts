/** One stream being loaded: COPY into staging (or straight beside the table), then one transaction for each commit. */
import type pg from 'pg'
import { added, nothing } from '../../sql-target/row-counts.ts'
import type { Batch, Checkpoint, Encoding } from '../../../ports/model.ts'
import type { Session } from '../sessions.ts'
import { quote } from '../types.ts'
import type { Stream, Surroundings } from '../../../ports/source.ts'
import { shapeOf } from '../../sql-target/table-layout.ts'
import type { StoredState } from '../../sql-target/stored-state.ts'
import type { Counts, Load, RejectedRow, Writer } from '../../../ports/target.ts'
import { retrySwap, type Beside } from './shadow-table.ts'
import { GoneKeys } from './deleted-keys.ts'
import { Lane } from './bulk-load.ts'
import { createStage } from './merge.ts'
import { applyPart, deleteGoneOf, type Part } from './loading-table.ts'
import { mainOf, qualified, type Placement } from './tables.ts'
import { holdFence, readState, writeRejects, writeState, type Records } from './records.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import { writeFreshness } from './reports.ts'

export interface Loading {
  readonly session: Session
  /** An error of the server as what is told of it. */
  readonly explain: (error: unknown) => Promise<unknown>
  readonly records: Records
  readonly writer: Writer
  readonly stream: Stream
  readonly placements: readonly Placement[]
  readonly encoding: Encoding
  readonly around: Surroundings
  /** When the reading began whose end `finish` is, ISO 8601. */
  readonly beganAt: string
}

export async function openLoad(loading: Loading, beside: Beside | null): Promise<Load> {
  const load = new PostgresLoad(loading, beside)
  await load.guarded(() => load.makeStages())
  return load
}

interface Applied {
  readonly all: Counts
  /** How many rows the main table has gained. */
  readonly mainRows: number
}

class PostgresLoad implements Load {
  readonly encoding: Encoding
  readonly #loading: Loading
  readonly #beside: Beside | null
  readonly #rejects = new Rejects()
  readonly #parts: readonly Part[]
  readonly #gone: GoneKeys
  #copiedBefore = 0
  #isOpen = true

  constructor(loading: Loading, beside: Beside | null) {
    this.#loading = loading
    this.#beside = beside
    this.encoding = loading.encoding
    this.#parts = loading.placements.map((placement, at) => this.#part(placement, at))
    this.#gone = new GoneKeys(loading.session.client, mainOf(loading.placements), this.#rejects)
  }

  get rejected(): readonly RejectedRow[] {
    return this.#rejects.kept
  }

  get rejectedCount(): number {
    return this.#rejects.count
  }

  get nulledCount(): number {
    return this.#rejects.nulled
  }

  #part(placement: Placement, at: number): Part {
    const into = this.#beside?.tables[at] ?? qualified(placement)
    const stage = quote(`tributary_stage_${at}`)
    const lane = new Lane({
      client: this.#client,
      placement,
      into: this.#isDirect ? into : stage,
      columns: placement.columns.map((column) => column.name),
      encoding: this.encoding,
      rejects: this.#rejects,
    })
    return { staged: { placement, stage, into, distinct: this.#loading.stream.distinct }, lane, moved: 0 }
  }

  get #client(): pg.Client {
    return this.#loading.session.client
  }

  get #isDirect(): boolean {
    return this.#beside?.direct === true
  }

  async makeStages(): Promise<void> {
    if (this.#isDirect) return
    for (const { staged } of this.#parts) await this.#client.query(createStage(staged))
  }

  write(batch: Batch): Promise<void> {
    return this.guarded(async () => {
      if (batch.deletes === true) return await this.#gone.write(batch)
      const part = this.#parts.find(({ staged }) => staged.placement.table.name === batch.table)
      if (part === undefined)
        throw new Error(
          `The source gave rows for ‘${batch.table}’, which is no table of ‘${this.#loading.stream.name}’.`,
        )
      await part.lane.write(batch)
    })
  }

  commit(checkpoint: Checkpoint): Promise<Counts> {
    return this.guarded(async () => {
      await this.#flush()
      return await this.#transaction(async () => {
        const { all, mainRows } = await this.#applyStages()
        const state = await this.#state()
        const refresh = {
          checkpoint,
          runId: this.#loading.writer.runId,
          fence: this.#loading.writer.fence,
          shape: shapeOf(this.#loading.placements),
          beganAt: this.#loading.beganAt,
        }
        await this.#settle(
          this.#beside === null
            ? { ...state, checkpoint, refresh: null, rows: more(state.rows, mainRows) }
            : { ...state, refresh },
        )
        return all
      })
    })
  }

  finish(checkpoint: Checkpoint | null): Promise<Counts> {
    return this.guarded(async () => {
      await this.#flush()
      const counts =
        this.#beside === null
          ? await this.#finishMerge(checkpoint)
          : await this.#finishReplace(this.#beside, checkpoint)
      this.#isOpen = false
      this.#loading.session.release()
      return counts
    })
  }

  async #finishMerge(checkpoint: Checkpoint | null): Promise<Counts> {
    return await this.#transaction(async () => {
      const { all, mainRows } = await this.#applyStages()
      const state = await this.#state()
      await this.#dropStages()
      await this.#settleEnd({
        ...state,
        checkpoint: checkpoint ?? state.checkpoint,
        refresh: null,
        rows: more(state.rows, mainRows),
      })
      return all
    })
  }

  async #finishReplace(beside: Beside, checkpoint: Checkpoint | null): Promise<Counts> {
    const { all } = await this.#applyStages()
    await this.#dropStages()
    await beside.complete()
    const rows = await this.#countBeside(beside)
    // Rows loaded before a break may have been deleted in the source since, so only an unbroken refresh counts as a sweep.
    const sweptAt = beside.resumed ? null : new Date(this.#loading.around.clock.now()).toISOString()
    await retrySwap(this.#client, this.#loading.around, (attempt) =>
      this.#transaction(async () => {
        await beside.swap(attempt)
        await this.#settleEnd({ checkpoint, refresh: null, rows, sweptAt })
      }),
    )
    return all
  }

  async #countBeside(beside: Beside): Promise<number> {
    if (beside.direct) return this.#parts[0]?.lane.copied ?? 0
    const counted = await this.#client.query<{ rows: string }>(`SELECT count(*)::text AS rows FROM ${beside.tables[0]}`)
    return Number(counted.rows[0]?.rows ?? 0)
  }

  async #flush(): Promise<void> {
    for (const { lane } of this.#parts) await lane.flush()
    await this.#gone.flush()
  }

  /** Brings what is staged into its tables: children that have gone first, then parents, then children. */
  async #applyStages(): Promise<Applied> {
    const [main, ...children] = this.#parts
    if (main === undefined) throw new Error('A stream has at least its main table.')
    const deleted = await this.#gone.apply(
      main.staged,
      children.map(({ staged }) => staged),
    )
    if (this.#isDirect) return this.#countCopied()
    main.moved += deleted.main
    let all: Counts = { ...nothing, deleted: deleted.all }
    for (const child of children) all = added(all, await deleteGoneOf(this.#client, child, main))
    const merged = await applyPart(this.#client, main)
    all = added(all, merged)
    for (const child of children) all = added(all, await applyPart(this.#client, child))
    await this.#client.query(`TRUNCATE ${this.#stageNames()}`)
    return { all, mainRows: merged.inserted - deleted.main }
  }

  /** Direct rows are in their tables already; this tells how many came since it was last asked. */
  #countCopied(): Applied {
    for (const part of this.#parts) part.moved = part.lane.copied
    const copied = this.#parts.reduce((rows, { moved }) => rows + moved, 0)
    const inserted = copied - this.#copiedBefore
    this.#copiedBefore = copied
    return { all: { ...nothing, inserted }, mainRows: 0 }
  }

  #stageNames(): string {
    return this.#parts.map(({ staged }) => staged.stage).join(', ')
  }

  async #dropStages(): Promise<void> {
    await this.#gone.drop()
    if (!this.#isDirect) await this.#client.query(`DROP TABLE ${this.#stageNames()}`)
  }

  #state(): Promise<StoredState> {
    return readState(this.#client, this.#loading.records, {
      connectorId: this.#loading.writer.connectorId,
      stream: this.#loading.stream.name,
    })
  }

  async #settleEnd(state: Omit<StoredState, 'finishedRun' | 'freshAt'>): Promise<void> {
    const { records, writer, stream, beganAt } = this.#loading
    const moved = new Map(this.#parts.map((part) => [part.staged.placement.name, part.moved]))
    await writeFreshness(this.#client, records, {
      writer,
      stream: stream.name,
      moved,
      freshAt: beganAt,
      comparedAt: state.sweptAt,
    })
    await this.#settle({ ...state, finishedRun: writer.runId, freshAt: beganAt })
  }

  /** The end of every transaction: state, refused rows, and the fence last. */
  async #settle(state: StoredState): Promise<void> {
    const { records, writer, stream } = this.#loading
    await writeState(this.#client, records, { writer, stream: stream.name, state })
    await writeRejects(this.#client, records, {
      writer,
      stream: stream.name,
      rows: this.#rejects.unstored(),
      settle: this.#beside !== null,
    })
    await holdFence(this.#client, records, writer)
  }

  async #transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#client.query('BEGIN')
    const result = await work()
    await this.#client.query('COMMIT')
    this.#rejects.markStored()
    return result
  }

  /** Any error closes the session, which rolls back, and comes out as a Fault where it is the server's. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#loading.around.signal.throwIfAborted()
      return await work()
    } catch (error) {
      this.#close()
      throw await this.#loading.explain(error)
    }
  }

  #close(): void {
    if (this.#isOpen) this.#loading.session.destroy()
    this.#isOpen = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close()
  }
}

function more(rows: number | null, gained: number): number | null {
  return rows === null ? null : rows + gained
}
