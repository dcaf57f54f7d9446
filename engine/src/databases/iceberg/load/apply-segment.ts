/**
 * Applies a segment to the files with affected rows: they are written again or, by the rule of the files, changed rows are deleted by their
 * positions and written to a new file. Files whose rows stay the same are not touched.
 */
import type { WriteCounts } from '../../../ports/target.ts'
import { equalCells, type Cell } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { readRowGroups } from '../format/parquet-reader.ts'
import type { CellRow } from '../table/data-writer.ts'
import type { RowWriter } from '../table/partitioned-writer.ts'
import { partitionKey, partitionOfFile } from '../table/partitions.ts'
import { type TableShape, textAt } from '../table/table-shape.ts'
import { TupleSearch } from './file-search.ts'
import type { Segment } from './segment.ts'
import type { StagedFiles } from './staged-files.ts'
import { visitRows } from './visit-rows.ts'

export async function applySegment(files: StagedFiles, segment: Segment): Promise<WriteCounts> {
  const application = new SegmentApplication(files, segment)
  for (const file of application.candidates()) await application.applyTo(file)
  await application.insertRest()
  return application.counts
}

/** Files below this size are joined with new rows, so that small commits leave few files. Not those whose deleted rows are listed. */
const smallFileBytes = 4 * 1_048_576
const joinedBytes = 8 * 1_048_576

class SegmentApplication {
  readonly #files: StagedFiles
  readonly #segment: Segment
  /** The keys that files have already, with the file that keeps the row. */
  readonly #found = new Map<string, string>()
  /** Changed rows whose former version was deleted by its position. */
  readonly #moved: CellRow[] = []
  #inserted = 0
  #updated = 0
  #deleted = 0

  constructor(files: StagedFiles, segment: Segment) {
    this.#files = files
    this.#segment = segment
  }

  get counts(): WriteCounts {
    return { inserted: this.#inserted, updated: this.#updated, deleted: this.#deleted }
  }

  candidates(): readonly DataFile[] {
    const { shape, upserts, deletedOwners } = this.#segment
    const pick = (positions: readonly number[]) => positions.flatMap((at) => shape.fields[at] ?? [])
    const keys = [...upserts.values()].map((row) => shape.key.map((at) => row[at] ?? null))
    const searches = [
      new TupleSearch(pick(shape.key), keys),
      new TupleSearch(pick(shape.owner), deletedOwners.values()),
    ]
    return this.#files.files.filter((file) => searches.some((search) => search.mayBeIn(file)))
  }

  async applyTo(file: DataFile): Promise<void> {
    const affected = await this.#findAffectedRows(file)
    if (affected.size === 0) return
    const { positions, moved } = await this.#compare(file, affected)
    if (positions.length === 0) return
    if (await this.#files.deletePositions(file, positions)) {
      for (const row of moved) this.#moved.push(row)
      return
    }
    const written = new Set<string>()
    await this.#rewrite([file], async (writer) => {
      await this.#visit([file], (row) => {
        const kept = this.#keptRow(row, file, written)
        return kept === null ? undefined : writer.add(kept)
      })
    })
  }

  /** Replaces files by those that `write` fills. */
  async #rewrite(files: readonly DataFile[], write: (writer: RowWriter) => Promise<void>): Promise<void> {
    const writer = this.#files.openWriter()
    try {
      await write(writer)
      this.#files.replace(files, await writer.finish())
    } catch (error) {
      await writer.cancel()
      throw error
    }
  }

  /** Reads the columns of the key and the owner only. Returns the rows of each group that has some, by the start of the group. */
  async #findAffectedRows(file: DataFile): Promise<ReadonlyMap<number, readonly number[]>> {
    const { shape } = this.#segment
    const positions = [...new Set([...shape.key, ...shape.owner])]
    const narrow = positions.flatMap((at) => shape.fields[at] ?? [])
    const affected = new Map<number, readonly number[]>()
    for await (const group of readRowGroups(this.#files.table.storage, file, narrow)) {
      const rows: number[] = []
      const row: Cell[] = []
      for (let at = 0; at < group.rows; at++) {
        for (const [column, position] of positions.entries()) row[position] = group.columns[column]?.[at] ?? null
        if (this.#fateOf(row).kind !== 'kept') rows.push(at)
      }
      if (rows.length > 0) affected.set(group.start, rows)
    }
    return affected
  }

  /** Notes the keys that the file has. Returns which rows change. */
  async #compare(file: DataFile, affected: ReadonlyMap<number, readonly number[]>): Promise<ChangedRows> {
    const positions: number[] = []
    const moved: CellRow[] = []
    const { storage } = this.#files.table
    const groups = readRowGroups(storage, file, this.#segment.shape.fields, (start) => affected.has(start))
    for await (const { start, columns, offsets } of groups)
      for (const at of affected.get(start) ?? []) {
        const row = columns.map((cells) => cells[at] ?? null)
        const next = this.#compareRow(row, file)
        if (next === 'same') continue
        positions.push(start + (offsets?.[at] ?? at))
        if (next !== null && this.#files.deletionRule !== null) moved.push(next)
      }
    return { positions, moved }
  }

  /** The row as it becomes; null if it is deleted. */
  #compareRow(row: CellRow, { path }: DataFile): CellRow | null | 'same' {
    const fate = this.#fateOf(row)
    if (fate.kind === 'kept') return 'same'
    // A key that another program has added twice remains once.
    if (fate.kind === 'deleted' || this.#found.has(fate.key)) {
      this.#deleted++
      return null
    }
    this.#found.set(fate.key, path)
    if (isSame(this.#segment.shape, row, fate.row)) return 'same'
    this.#updated++
    return merged(this.#segment.shape, row, fate.row)
  }

  /** @param written keys of rows that the new file has */
  #keptRow(row: CellRow, { path }: DataFile, written: Set<string>): CellRow | null {
    const fate = this.#fateOf(row)
    if (fate.kind === 'kept') return row
    if (fate.kind === 'deleted' || this.#found.get(fate.key) !== path || written.has(fate.key)) return null
    written.add(fate.key)
    return merged(this.#segment.shape, row, fate.row)
  }

  #fateOf(row: CellRow): RowFate {
    const { shape, upserts, deletedOwners } = this.#segment
    const key = shape.key.length === 0 ? '' : textAt(shape, row, shape.key)
    const upsert = shape.key.length === 0 ? undefined : upserts.get(key)
    if (upsert !== undefined) return { kind: 'upserted', key, row: upsert }
    const isDeleted = deletedOwners.size > 0 && deletedOwners.has(textAt(shape, row, shape.owner))
    return isDeleted ? { kind: 'deleted' } : { kind: 'kept' }
  }

  #visit(files: readonly DataFile[], visit: (row: CellRow) => Promise<void> | undefined): Promise<void> {
    return visitRows({ storage: this.#files.table.storage, files, fields: this.#segment.shape.fields }, visit)
  }

  /** Writes the rows that no file has yet, and changed rows whose former version was deleted by its position. */
  async insertRest(): Promise<void> {
    const { upserts, inserts } = this.#segment
    const added = [...upserts].flatMap(([key, row]) => (this.#found.has(key) ? [] : [row])).concat(inserts)
    const rest = [...added, ...this.#moved]
    if (rest.length === 0) return
    const joined = this.#smallFiles(rest)
    await this.#rewrite(joined, async (writer) => {
      await this.#visit(joined, (row) => writer.add(row))
      for (const row of rest) await writer.add(row)
    })
    this.#inserted += added.length
  }

  /** Of the partitions that the rows get into. */
  #smallFiles(rows: readonly CellRow[]): readonly DataFile[] {
    const partitions = this.#files.partitionsOf(rows)
    const keyOf = (file: DataFile): string => partitionKey(partitionOfFile(file))
    const sizeMax = Math.min(smallFileBytes, this.#files.deletionRule?.bytesMin ?? smallFileBytes)
    const small = this.#files.files.filter((file) => file.size < sizeMax && partitions.has(keyOf(file)))
    return [...Map.groupBy(small, keyOf).values()].flatMap(firstToJoin)
  }
}

function firstToJoin(files: readonly DataFile[]): readonly DataFile[] {
  let bytes = 0
  return files.toSorted((left, right) => left.size - right.size).filter(({ size }) => (bytes += size) <= joinedBytes)
}

interface ChangedRows {
  /** In the file, in ascending order. */
  readonly positions: readonly number[]
  /** As they become; those that are deleted are not among them. */
  readonly moved: readonly CellRow[]
}

type RowFate =
  | { readonly kind: 'kept' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'upserted'; readonly key: string; readonly row: CellRow }

function isSame({ columns }: TableShape, row: CellRow, next: CellRow): boolean {
  return columns.every((at) => equalCells(row[at] ?? null, next[at] ?? null))
}

/** Columns that the source does not have any more keep their values. */
function merged({ columns }: TableShape, row: CellRow, next: CellRow): CellRow {
  const cells = [...row]
  for (const at of columns) cells[at] = next[at] ?? null
  return cells
}
