/** One stream being loaded: rows into staging (or straight beside the table), then one transaction for each commit. */
import { added, nothing } from '../../sql-target/row-counts.ts'
import type { Batch, Checkpoint } from '../../../ports/model.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import type { Stream } from '../../../ports/source.ts'
import type { Counts, Load, RejectedRow, Writer } from '../../../ports/target.ts'
import { keyOnly, shapeOf } from '../../sql-target/table-layout.ts'
import type { StoredState } from '../../sql-target/stored-state.ts'
import { takingTurns } from '../../sql-target/mutex.ts'
import type { UnknownValues } from '../../../encoding/unsupported-values.ts'
import type { Beside } from './shadow-table.ts'
import { Lane } from './bulk-load.ts'
import { deleteGone, deleteRows, type Gone, goneKeys, mergePart, parentKeys, type Part } from './loading-table.ts'
import { createKeys, createStage, deleteGoneChildren, temporary } from './merge.ts'
import { type Placement, tableOptions } from './tables.ts'
import { asPlain, canBePlain } from './plain-encoding.ts'
import { holdFence, readState, type Swap, writeRejects, writeState } from './records.ts'
import { writeFreshness } from './reports.ts'
import { chooseSender, type Sender } from './send.ts'

export interface Loading {
  /** Used by this load alone, and closed by it. */
  readonly connection: MysqlConnection
  readonly writer: Writer
  readonly stream: Stream
  /** The main table first. */
  readonly placements: readonly [Placement, ...Placement[]]
  readonly collation: string
  readonly unknownValues: UnknownValues
  /** When the reading began whose end `finish` is, ISO 8601. */
  readonly beganAt: string
}

/** A commit waits for the disk, and the load waits for the commit. */
const transactionBytes = 64 * 1_048_576

export async function openLoad(loading: Loading, beside: Beside | null): Promise<Load> {
  const load = new MysqlLoad(loading, beside, await chooseSender(loading.connection))
  await load.makeStages()
  return load
}

interface Applied {
  readonly all: Counts
  /** How many rows the main table has gained. */
  readonly mainRows: number
}

class MysqlLoad implements Load {
  readonly encoding: 'text' | 'plain'
  readonly #loading: Loading
  readonly #beside: Beside | null
  readonly #sender: Sender
  readonly #rejects: Rejects
  readonly #main: Part
  readonly #children: readonly Part[]
  /** Keys of rows that the source says are gone. */
  readonly #gone: Lane
  readonly #takeTurn = takingTurns()
  #copiedBefore = 0
  #uncommittedBytes = 0
  /** From the first checkpoint on, what is loaded beside the table counts only together with the next one. */
  #isResumable: boolean

  constructor(loading: Loading, beside: Beside | null, sender: Sender) {
    this.#loading = loading
    this.#rejects = new Rejects(loading.unknownValues)
    this.#beside = beside
    this.#sender = sender
    this.#isResumable = beside === null || beside.resumed
    this.encoding = loading.stream.plain === true && canBePlain(loading.placements) ? 'plain' : 'text'
    const [main, ...children] = loading.placements
    this.#main = this.#part(main, 0)
    this.#children = children.map((placement, at) => this.#part(placement, at + 1))
    this.#gone = this.#lane(keyOnly(main), goneKeys)
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
    const into = this.#beside?.tables[at] ?? quote(placement.name)
    const stage = temporary(`stage_${at}`)
    const lane = this.#lane(this.encoding === 'plain' ? asPlain(placement) : placement, this.#isDirect ? into : stage)
    return { staged: { placement, stage, into }, lane, moved: 0 }
  }

  #lane(placement: Placement, into: string): Lane {
    return new Lane({
      placement,
      into,
      columns: placement.columns,
      connection: this.#connection,
      sender: this.#sender,
      rejects: this.#rejects,
      tableOptions: tableOptions(this.#loading.collation),
      inTurn: (work) => this.#takeTurn(work),
      afterSegment: (bytes) => this.#commitSome(bytes),
    })
  }

  /** Rows beside the table that nobody could go on with: committed only so that a kill leaves little to roll back. */
  async #commitSome(bytes: number): Promise<void> {
    this.#uncommittedBytes += bytes
    if (this.#isResumable || this.#uncommittedBytes < transactionBytes) return
    await this.#connection.run('COMMIT')
    this.#uncommittedBytes = 0
  }

  get #connection(): MysqlConnection {
    return this.#loading.connection
  }

  get #isDirect(): boolean {
    return this.#beside?.isDirect === true
  }

  async makeStages(): Promise<void> {
    const options = tableOptions(this.#loading.collation)
    const main = this.#main.staged.placement
    if (main.key.length > 0) await this.#connection.run(createKeys(main, goneKeys, options))
    if (this.#isDirect) return
    for (const { staged } of [this.#main, ...this.#children]) await this.#connection.run(createStage(staged, options))
    if (this.#children.length > 0) await this.#connection.run(createKeys(main, parentKeys, options))
  }

  async write(batch: Batch): Promise<void> {
    if (batch.deletes === true) return this.#gone.write(batch.bytes)
    const part = [this.#main, ...this.#children].find(({ staged }) => staged.placement.table.name === batch.table)
    if (part === undefined)
      throw new Error(`The source gave rows for ‘${batch.table}’, which is no table of ‘${this.#loading.stream.name}’.`)
    await part.lane.write(batch.bytes)
    batch.release?.()
  }

  async commit(checkpoint: Checkpoint): Promise<Counts> {
    const { all, mainRows } = await this.#apply()
    this.#isResumable = true
    const state = await this.#state()
    const { writer, placements } = this.#loading
    const refresh = {
      checkpoint,
      runId: writer.runId,
      fence: writer.fence,
      shape: shapeOf(placements),
      beganAt: this.#loading.beganAt,
    }
    await this.#settle(
      this.#beside === null
        ? { ...state, checkpoint, refresh: null, rows: await this.#rowsAfter(state, mainRows) }
        : { ...state, refresh },
    )
    await this.#emptyStages()
    return all
  }

  async finish(checkpoint: Checkpoint | null): Promise<Counts> {
    const { all, mainRows } = await this.#apply()
    const state = await this.#state()
    const ended = { refresh: null, finishedRun: this.#loading.writer.runId, freshAt: this.#loading.beganAt }
    if (this.#beside === null) {
      const rows = await this.#rowsAfter(state, mainRows)
      await this.#settleEnd({ ...state, ...ended, checkpoint: checkpoint ?? state.checkpoint, rows })
    } else {
      const rows =
        this.#isDirect && !this.#beside.resumed && this.#gone.copied === 0
          ? this.#main.lane.copied
          : await this.#countRows(this.#main.staged.into)
      const sweptAt = this.#beside.resumed ? null : new Date(this.#beside.now).toISOString()
      await this.#swap(this.#beside, { before: state, after: { ...ended, checkpoint, rows, sweptAt } })
    }
    await this[Symbol.asyncDispose]()
    return all
  }

  /** DDL ends a transaction in MySQL, so the swap is decided in one, done, and noted in another; `begin` finishes what was decided. */
  async #swap(beside: Beside, state: { readonly before: StoredState; readonly after: StoredState }): Promise<void> {
    await this.#settle(state.before, { state: state.after, tables: beside.swapped })
    await beside.swap()
    await this.#settleEnd(state.after)
    await beside.dropFormer()
  }

  async #settleEnd(state: StoredState): Promise<void> {
    const { writer, stream, beganAt } = this.#loading
    const moved = Object.fromEntries(
      [this.#main, ...this.#children].map((part) => [part.staged.placement.name, part.moved]),
    )
    await writeFreshness(this.#connection, {
      writer,
      stream: stream.name,
      moved,
      freshAt: beganAt,
      comparedAt: state.sweptAt,
    })
    await this.#settle(state)
  }

  /** Brings what is staged into its tables: what has gone first, then parents, then children. */
  async #apply(): Promise<Applied> {
    const parts = [this.#main, ...this.#children]
    for (const { lane } of [...parts, { lane: this.#gone }]) await lane.flush()
    const deleted =
      this.#gone.copied === 0 ? { main: 0, all: 0 } : await deleteGone(this.#connection, this.#main, this.#children)
    if (this.#isDirect) return this.#countCopied(deleted)
    let all: Counts = { ...nothing, deleted: deleted.all }
    for (const child of this.#children) {
      for (const sql of deleteGoneChildren(child.staged, this.#main.staged, parentKeys))
        all = added(all, { ...nothing, deleted: await deleteRows(this.#connection, sql) })
    }
    const merged = await mergePart(this.#connection, this.#main)
    all = added(all, merged)
    this.#main.moved += deleted.main
    for (const child of this.#children) all = added(all, await mergePart(this.#connection, child))
    return { all, mainRows: merged.inserted - deleted.main }
  }

  /** Direct rows are in their tables already; this tells how many came since it was last asked. */
  #countCopied(deleted: Gone): Applied {
    for (const part of [this.#main, ...this.#children]) part.moved = part.lane.copied
    const copied = [this.#main, ...this.#children].reduce((rows, { moved }) => rows + moved, 0)
    const inserted = copied - this.#copiedBefore
    this.#copiedBefore = copied
    return { all: { inserted, updated: 0, deleted: deleted.all }, mainRows: 0 }
  }

  /** Not within the transaction, which TRUNCATE would end. */
  async #emptyStages(): Promise<void> {
    if (this.#isDirect) return
    for (const { staged } of [this.#main, ...this.#children])
      await this.#connection.run(`TRUNCATE TABLE ${staged.stage}`)
  }

  /** Counted once; afterwards every commit says what it has changed. */
  async #rowsAfter(state: StoredState, gained: number): Promise<number> {
    return state.rows === null ? await this.#countRows(this.#main.staged.into) : state.rows + gained
  }

  async #countRows(table: string): Promise<number> {
    const [row] = await this.#connection.rows(`SELECT COUNT(*) AS n FROM ${table}`)
    return Number(row?.['n'])
  }

  #state(): Promise<StoredState> {
    return readState(this.#connection, {
      connectorId: this.#loading.writer.connectorId,
      stream: this.#loading.stream.name,
    })
  }

  /** The end of every transaction: state, refused rows, and the fence last. */
  async #settle(state: StoredState, swap: Swap | null = null): Promise<void> {
    const { writer, stream } = this.#loading
    await writeState(this.#connection, { writer, stream: stream.name, state, swap })
    await writeRejects(this.#connection, {
      writer,
      stream: stream.name,
      rows: this.#rejects.unstored(),
      settle: this.#beside !== null,
    })
    await holdFence(this.#connection, writer)
    await this.#connection.run('COMMIT')
    this.#rejects.markStored()
  }

  /** Closing the connection rolls back what is open and drops the temporary tables. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}
