/**
 * Reads a page of rows of a table in an order, after a position. In memory are one row group and the page. Files are left out by their
 * bounds; of the others the columns of the order and of the filter are read, and further columns of the row groups only that have rows
 * of the page.
 */
import type { DataFile } from '../format/manifest.ts'
import { readRowGroups, type RowGroup } from '../format/parquet-reader.ts'
import type { TableField } from '../format/parquet-schema.ts'
import type { ObjectStorage } from '../storage/storage.ts'
import type { CellRow } from '../table/data-writer.ts'
import { BestRows, compareCell, compareValues, type OrderedRow, type OrderTerm } from './best-rows.ts'
import { boundsOf, type ColumnBounds } from './file-bounds.ts'

export interface LakeFilter {
  /** The positions of the fields that it looks at. */
  readonly fields: readonly number[]
  /** @param row has the values of the filter's fields at their positions */
  matches(row: CellRow): boolean
  /** False only if no row of a file with these bounds matches. */
  mayMatch(boundsAt: (field: number) => ColumnBounds): boolean
}

export interface PageRequest {
  readonly filter: LakeFilter
  /** The last terms make the order unique. Empty: in the order of the files, and `after` must be null. */
  readonly order: readonly OrderTerm[]
  /** The values of the order's columns in the row before the page. */
  readonly after: CellRow | null
  readonly limit: number
}

export interface LakePage {
  readonly rows: readonly CellRow[]
  readonly hasMore: boolean
}

export interface PageSource {
  readonly storage: Pick<ObjectStorage, 'read'>
  readonly files: readonly DataFile[]
  readonly fields: readonly TableField[]
  readonly signal: AbortSignal
}

/** A row of the page, by its place. */
interface PlacedRow extends OrderedRow {
  readonly file: DataFile
  /** Of its row group in the file. */
  readonly start: number
  /** In the row group. */
  readonly at: number
}

export async function readPage(source: PageSource, request: PageRequest): Promise<LakePage> {
  const { order, limit } = request
  const best = new BestRows<PlacedRow>(order, limit + 1)
  for (const { file, leading } of listCandidates(source, request)) {
    if (best.isComplete || (order[0] !== undefined && comesAfter(leading, order[0], best.bound))) break
    await scanFile(source, request, file, best)
  }
  const found = best.list()
  return { rows: await readRows(source, found.slice(0, limit)), hasMore: found.length > limit }
}

interface Candidate {
  readonly file: DataFile
  /** Of the first column of the order. */
  readonly leading: ColumnBounds
}

/** The files that may have rows of the page, those with the first rows first. */
function listCandidates(source: PageSource, { filter, order, after }: PageRequest): readonly Candidate[] {
  const [term] = order
  const candidates = source.files
    .filter((file) => filter.mayMatch((field) => boundsOf(file, source.fields[field])))
    .map((file) => ({ file, leading: boundsOf(file, source.fields[term?.at ?? -1]) }))
  if (term === undefined) return candidates
  return candidates
    .filter(({ leading }) => after === null || !comesBefore(leading, term, after[0] ?? null))
    .sort((left, right) => compareStarts(left.leading, right.leading, term))
}

/** Unknown starts, and nulls in descending order, come first. */
function compareStarts(left: ColumnBounds, right: ColumnBounds, term: OrderTerm): number {
  const [one, other] = [startOf(left, term), startOf(right, term)]
  if (one === null || other === null) return Number(other === null) - Number(one === null)
  return term.descending ? compareCell(other, one) : compareCell(one, other)
}

/** The first value that a file can have in the order; null if unknown. */
function startOf({ least, greatest, hasNulls }: ColumnBounds, { descending }: OrderTerm) {
  if (!descending) return least
  return hasNulls ? null : greatest
}

/** Whether all rows of the file come after these values, with which a page ends. */
function comesAfter(bounds: ColumnBounds, term: OrderTerm, last: CellRow | null): boolean {
  const start = startOf(bounds, term)
  if (last === null || start === null) return false
  const compared = compareCell(start, last[0] ?? null)
  return term.descending ? compared < 0 : compared > 0
}

/** Whether all rows of the file come before the value. */
function comesBefore({ least, greatest, hasNulls }: ColumnBounds, { descending }: OrderTerm, value: CellRow[number]) {
  if (descending) return value !== null && least !== null && compareCell(least, value) > 0
  return !hasNulls && greatest !== null && compareCell(greatest, value) < 0
}

async function scanFile(
  { storage, fields, signal }: PageSource,
  { filter, order, after }: PageRequest,
  file: DataFile,
  best: BestRows<PlacedRow>,
): Promise<void> {
  const read = [...new Set([...filter.fields, ...order.map(({ at }) => at)])]
  const needed = read.flatMap((at) => fields[at] ?? [])
  for await (const group of readRowGroups(storage, file, needed)) {
    signal.throwIfAborted()
    for (let at = 0; at < group.rows; at++) {
      const row = rowAt(group, read, at)
      const values = order.map((term) => row[term.at] ?? null)
      if (after !== null && compareValues(order, values, after) <= 0) continue
      if (filter.matches(row)) best.offer({ values, file, start: group.start, at })
    }
    if (best.isComplete) return
  }
}

/** A row that has the columns of the group at the positions of their fields. */
export function rowAt({ columns }: RowGroup, positions: readonly number[], at: number): CellRow {
  const row: CellRow[number][] = []
  for (let column = 0; column < positions.length; column++) row[positions[column] ?? 0] = columns[column]?.[at] ?? null
  return row
}

/** In their order, with all columns. */
async function readRows(
  { storage, fields, signal }: PageSource,
  placed: readonly PlacedRow[],
): Promise<readonly CellRow[]> {
  const rows = new Map<PlacedRow, CellRow>()
  for (const [file, ofFile] of Map.groupBy(placed, (row) => row.file)) {
    const byGroup = Map.groupBy(ofFile, ({ start }) => start)
    for await (const group of readRowGroups(storage, file, fields, (start) => byGroup.has(start))) {
      signal.throwIfAborted()
      for (const row of byGroup.get(group.start) ?? [])
        rows.set(
          row,
          group.columns.map((cells) => cells[row.at] ?? null),
        )
    }
  }
  return placed.map((row) => rows.get(row) ?? [])
}
