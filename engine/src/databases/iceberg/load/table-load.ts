/** One table of a load: its rows on their way into files. */
import type { WriteCounts } from '../../../ports/target.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'
import { addCounts, noCounts } from '../../sql-target/row-counts.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { PrecisionLosses } from '../format/moments.ts'
import type { RowWriter } from '../table/partitioned-writer.ts'
import type { PositionDeletionRule } from '../table/position-deletions.ts'
import { type ListedManifest, snapshotOf } from '../table/table-files.ts'
import { shapeOfTable, type TableShape } from '../table/table-shape.ts'
import { applySegment } from './apply-segment.ts'
import { DirectRows } from './direct-rows.ts'
import { RowDecoder } from './row-decoder.ts'
import { type CellTuple, Segment } from './segment.ts'
import { StagedFiles } from './staged-files.ts'

export interface TableLoadOptions {
  readonly target: TargetTable
  readonly table: LoadedTable
  readonly listed: readonly ListedManifest[]
  readonly filePrefix: string
  readonly rejects: Rejects
  readonly losses: PrecisionLosses
  readonly seen: { count: number }
  /** The rows go straight into new files, because no other row has their keys. */
  readonly isDirect: boolean
  readonly deletionRule: PositionDeletionRule | null
}

export class TableLoad {
  readonly target: TargetTable
  readonly shape: TableShape
  readonly files: StagedFiles
  readonly #decoder: RowDecoder
  readonly #directRows: DirectRows | null
  readonly #keyDecoder: RowDecoder
  readonly #segment: Segment
  #writer: RowWriter | null = null
  #merged: WriteCounts = noCounts
  /** Rows that went straight into files. */
  #direct = 0

  constructor({ target, table, rejects, losses, seen, isDirect, ...rest }: TableLoadOptions) {
    this.target = target
    this.shape = shapeOfTable(table, target)
    this.files = new StagedFiles({ ...rest, table, shape: this.shape })
    const options = { target, shape: this.shape, rejects, losses, seen }
    this.#decoder = new RowDecoder(options)
    this.#directRows = isDirect ? new DirectRows(this.#decoder) : null
    const keyColumns = target.key.flatMap((name) => target.columns.find((column) => column.name === name) ?? [])
    this.#keyDecoder = new RowDecoder(options, keyColumns)
    this.#segment = new Segment(this.shape)
  }

  /** Stages rows. Reports their keys, whose children are replaced; of rows that go straight into files there are none. */
  async stage(bytes: Uint8Array, onKey: ((key: CellTuple) => void) | null): Promise<void> {
    if (this.#directRows !== null) {
      this.#writer ??= this.files.openWriter()
      this.#direct += await this.#directRows.write(bytes, this.#writer)
    } else
      for (const row of this.#decoder.decode(bytes)) {
        this.#segment.add(row)
        if (onKey !== null) onKey(this.shape.key.map((at) => row[at] ?? null))
      }
  }

  get isDirect(): boolean {
    return this.#directRows !== null
  }

  /** The keys in rows of key columns only. */
  *decodeKeys(bytes: Uint8Array): Generator<CellTuple> {
    for (const row of this.#keyDecoder.decode(bytes)) yield this.shape.key.map((at) => row[at] ?? null)
  }

  deleteOwner(owner: CellTuple): void {
    this.#segment.deleteOwner(owner)
  }

  /** Forgets what is staged. */
  discard(): void {
    this.#segment.clear()
  }

  /** Rows and deletions that wait in memory. */
  get waiting(): number {
    const { upserts, inserts, deletedOwners } = this.#segment
    return upserts.size + inserts.length + deletedOwners.size
  }

  /** Brings what is staged into files. */
  async flush(): Promise<void> {
    if (this.#writer !== null) {
      const files = await this.#writer.finish()
      this.#writer = null
      this.files.replace([], files)
    }
    if (this.#segment.isEmpty) return
    this.#merged = addCounts(this.#merged, await applySegment(this.files, this.#segment))
    this.#segment.clear()
  }

  assertWhole(): void {
    this.#decoder.assertWhole()
    this.#keyDecoder.assertWhole()
  }

  /** Whether the table has the rows that the staged ones are added to. */
  isBasedOn(table: LoadedTable): boolean {
    return snapshotOf(this.files.table)?.['snapshot-id'] === snapshotOf(table)?.['snapshot-id']
  }

  /** What the files have in them and no commit has counted. */
  get uncounted(): WriteCounts {
    return addCounts(this.#merged, { inserted: this.#direct })
  }

  takeCounts(): WriteCounts {
    const counts = this.uncounted
    this.#merged = noCounts
    this.#direct = 0
    return counts
  }

  /** @param which see `StagedFiles.deleteGarbage` */
  async cancel(which: 'unsent' | 'all'): Promise<void> {
    await this.#writer?.cancel()
    this.#writer = null
    await this.files.deleteGarbage(which)
  }
}
