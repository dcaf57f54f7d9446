/** Loads one stream: rows go to staging tables (or straight into shadow tables) in bulk, then one transaction a commit applies them. */
import type { RowBatch, Checkpoint, RowEncoding } from '../../ports/model.ts'
import type { Stream, ConnectionContext } from '../../ports/source.ts'
import type { ReplacedPart } from '../../ports/row-scope.ts'
import type { RejectedRowRecord, StreamLoad, WriteCounts } from '../../ports/target.ts'
import type { ReplacementEnd, ShadowTables, SqlRecord, WriterSession } from './dialect.ts'
import type { StreamHistory } from './history/history-table.ts'
import { keepOtherRows } from './kept-rows.ts'
import { Rejects } from './rejected-rows.ts'
import { findRepeatedParents, type RepeatedParents } from './repeated-parents.ts'
import { addCounts, noCounts } from './row-counts.ts'
import { writeFreshness } from './run-reports.ts'
import { type AppliedRows, StagedRows } from './staged-rows.ts'
import { holdFence, readState, transaction, writeState } from './state-store.ts'
import type { StateKey, StoredState } from './stored-state.ts'
import { shapeOf, type StreamTables } from './table-layout.ts'

export interface LoadContext extends WriterSession {
  readonly stream: Stream
  readonly tables: StreamTables
  readonly around: ConnectionContext
  /** When reading began whose end `finish` marks, ISO 8601. */
  readonly beganAt: string
  /** Null where no history is kept. */
  readonly history: StreamHistory | null
}

/** @param shadow null for a merge */
export async function openLoad(context: LoadContext, shadow: ShadowTables | null): Promise<StreamLoad> {
  const { dialect, stream, tables } = context
  const rejects = new Rejects(dialect.unknownValues)
  const encoding = dialect.encodingFor(stream, tables)
  const progress = { isDiscardable: shadow?.isResumed === false }
  const isDiscardable = (): boolean => progress.isDiscardable
  const rows = await StagedRows.open(context, { stream, tables, shadow, encoding, rejects, isDiscardable })
  return new SqlLoad({ context, shadow, rejects, encoding, rows, progress })
}

interface LoadParts {
  readonly context: LoadContext
  readonly shadow: ShadowTables | null
  readonly rejects: Rejects
  readonly encoding: RowEncoding
  readonly rows: StagedRows
  /** From the first checkpoint on, what a replacement has loaded counts only together with the next one. */
  readonly progress: { isDiscardable: boolean }
}

class SqlLoad implements StreamLoad {
  readonly encoding: RowEncoding
  readonly #context: LoadContext
  readonly #shadow: ShadowTables | null
  readonly #rejects: Rejects
  readonly #rows: StagedRows
  readonly #progress: LoadParts['progress']
  readonly #repeated: RepeatedParents | null
  /** Of rows that were applied before their commit. */
  #early = noCounts
  #isFinishing = false
  #isOpen = true

  constructor({ context, shadow, rejects, encoding, rows, progress }: LoadParts) {
    this.#context = context
    this.#shadow = shadow
    this.#rejects = rejects
    this.encoding = encoding
    this.#rows = rows
    this.#progress = progress
    this.#repeated = findRepeatedParents(context.stream, encoding)
  }

  get rejected(): readonly RejectedRowRecord[] {
    return this.#rejects.kept
  }

  get rejectedCount(): number {
    return this.#rejects.count
  }

  get nulledCount(): number {
    return this.#rejects.nulled
  }

  write(batch: RowBatch): Promise<void> {
    return this.#guard(async () => {
      if (this.#repeated?.add(batch) === true) await this.#applyEarly()
      await this.#rows.write(batch)
    })
  }

  /** Without a checkpoint: after an interruption, these rows are read again. */
  async #applyEarly(): Promise<void> {
    await this.#rows.flush()
    await this.#transaction(async () => {
      const { counts, gained } = await this.#apply()
      const state = await this.#readState()
      const rows = this.#shadow === null ? await this.#rowsAfter(state, gained) : state.rows
      await this.#writeState({ ...state, rows })
      this.#early = addCounts(this.#early, counts)
    })
  }

  #withEarly(counts: WriteCounts): WriteCounts {
    const all = addCounts(this.#early, counts)
    this.#early = noCounts
    return all
  }

  commit(checkpoint: Checkpoint): Promise<WriteCounts> {
    return this.#guard(async () => {
      await this.#rows.flush()
      const written = await this.#transaction(async () => {
        const { counts, gained } = await this.#apply()
        this.#progress.isDiscardable = false
        const state = await this.#readState()
        await this.#writeState(
          this.#shadow === null
            ? { ...state, checkpoint, refresh: null, rows: await this.#rowsAfter(state, gained) }
            : { ...state, refresh: this.#refreshAt(checkpoint) },
        )
        return counts
      })
      this.#repeated?.clear()
      return this.#withEarly(written)
    })
  }

  #refreshAt(checkpoint: Checkpoint): StoredState['refresh'] {
    const { dialect, writer, tables, beganAt } = this.#context
    const shape = shapeOf(tables, dialect.hashesValues)
    return { checkpoint, runId: writer.runId, fence: writer.fence, shape, beganAt }
  }

  finish(checkpoint: Checkpoint | null, part?: ReplacedPart): Promise<WriteCounts> {
    return this.#guard(async () => {
      await this.#rows.flush()
      this.#isFinishing = true
      const counts =
        this.#shadow === null
          ? await this.#finishMerge(checkpoint)
          : await this.#shadow.finish(this.#replacementEnd(this.#shadow, checkpoint, part))
      this.#isOpen = false
      this.#context.session.release()
      return this.#withEarly(counts)
    })
  }

  /** Rows of a replacement get into history when it takes the place of the tables. */
  async #apply(): Promise<AppliedRows> {
    const applied = await this.#rows.apply()
    if (this.#shadow === null) await this.#rows.recordHistory(this.#context.history, 'touched')
    return applied
  }

  async #finishMerge(checkpoint: Checkpoint | null): Promise<WriteCounts> {
    return await this.#transaction(async () => {
      const { counts, gained } = await this.#apply()
      const state = await this.#readState()
      const rows = await this.#rowsAfter(state, gained)
      await this.#writeEnd({ ...state, ...this.#ended, checkpoint: checkpoint ?? state.checkpoint, rows })
      return counts
    })
  }

  get #ended(): Pick<StoredState, 'refresh' | 'finishedRun' | 'freshAt'> {
    return { refresh: null, finishedRun: this.#context.writer.runId, freshAt: this.#context.beganAt }
  }

  #replacementEnd(shadow: ShadowTables, checkpoint: Checkpoint | null, part?: ReplacedPart): ReplacementEnd {
    const finishedAt = new Date(this.#context.around.clock.now()).toISOString()
    const { isResumed } = shadow
    let former: StoredState | null = null
    let gained = 0
    return {
      apply: async () => {
        const { counts } = await this.#rows.apply()
        const state = await this.#readState()
        former = state
        return { counts, state, rows: await this.#rows.countRows(!isResumed) }
      },
      recordHistory: async () => {
        if (part !== undefined) gained = await keepOtherRows(this.#context, shadow, part)
        await this.#rows.recordHistory(this.#context.history, 'all')
      },
      clearStages: () => this.#rows.clear('finished'),
      transaction: (work) => this.#transaction(work),
      // Rows loaded before a break may have been deleted in the source since: only an unbroken refresh counts as a key comparison.
      endState: (rows) => {
        const end = { ...this.#ended, checkpoint, rows: rows + gained, sweptAt: isResumed ? null : finishedAt }
        if (part === undefined || former === null) return end
        const { finishedRun, freshAt, sweptAt } = former
        return part.keepsEnd === true ? { ...end, finishedRun, freshAt, sweptAt } : { ...end, sweptAt }
      },
      writeState: (state, additional) => this.#writeState(state, additional),
      writeEnd: (state) => this.#writeEnd(state),
    }
  }

  /** Rows of the main table: counted once at most, afterwards every commit adds what it has changed. */
  async #rowsAfter({ rows }: StoredState, gained: number): Promise<number | null> {
    if (rows !== null) return rows + gained
    return this.#context.dialect.countsRows ? await this.#rows.countRows(false) : null
  }

  get #key(): StateKey {
    return { connectorId: this.#context.writer.connectorId, stream: this.#context.stream.name }
  }

  #readState(): Promise<StoredState> {
    return readState(this.#context.dialect, this.#context.session, this.#key)
  }

  async #writeEnd(state: StoredState): Promise<void> {
    const { stream, beganAt } = this.#context
    const freshness = {
      stream: stream.name,
      moved: this.#rows.moved,
      freshAt: state.freshAt ?? beganAt,
      comparedAt: state.sweptAt,
    }
    await writeFreshness(this.#context, freshness)
    await this.#writeState(state)
  }

  /** The end of every transaction: state, rejected rows, and the fencing token last. */
  async #writeState(state: StoredState, additional?: SqlRecord): Promise<void> {
    const { dialect, session, writer, stream } = this.#context
    await writeState(dialect, session, { writer, stream: stream.name, state, ...(additional && { additional }) })
    await dialect.writeRejects(session, {
      writer,
      stream: stream.name,
      rows: this.#rejects.unstored(),
      clearsEarlier: this.#shadow !== null,
    })
    await holdFence(dialect, session, writer)
  }

  async #transaction<T>(work: () => Promise<T>): Promise<T> {
    const { dialect, session } = this.#context
    const result = await transaction(dialect, session, async () => {
      await dialect.lockStream(session, this.#key)
      return await work()
    })
    this.#rejects.markStored()
    await this.#rows.clear(this.#isFinishing ? 'finished' : 'committed')
    return result
  }

  /** Any error closes the session, which rolls back. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#context.around.signal.throwIfAborted()
      return await work()
    } catch (error) {
      this.#close()
      throw await this.#context.session.explain(error)
    }
  }

  #close(): void {
    if (this.#isOpen) this.#context.session.destroy()
    this.#isOpen = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close()
  }
}
