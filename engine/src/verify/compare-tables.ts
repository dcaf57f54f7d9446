/** Compares one table with its copy: checksums of ranges first, then the hashes of rows in ranges that differ, then values. */
import type { TableRead } from '../ports/verified-table.ts'
import type { ComparedTable } from './compared-table.ts'
import { textOf } from './compared-table.ts'
import { bothSettled, inspectKeys } from './inspect-rows.ts'
import { chooseBoundaries, compareKeys, type KeyRange, rangeCondition, type RowKey, splitRange } from './key-ranges.ts'
import { type HashedRows, noRows, type ReadSide, readHashes, summarise, summariseWhole } from './row-hashes.ts'
import { type CauseContext, type DifferenceList, type FoundDifference, judge } from './differences.ts'

/** Rows of a range, about; and how many ranges a statement has at most. SQL Server nests ten CASE expressions. */
const rowsPerRange = 4_000
const rangesMax = 256
/** Ranges with more rows are divided before the hashes of their rows are read. */
const rowsAtOnce = 20_000
const samplesPerRange = 20

export interface Comparison {
  readonly compared: ComparedTable
  readonly causes: CauseContext
  readonly list: DifferenceList
  /** Repairs rows and returns the differences as they are afterwards; absent: nothing is repaired. */
  readonly repair?: (found: readonly FoundDifference[]) => Promise<readonly FoundDifference[]>
  readonly signal: AbortSignal
}

/** Both reads of a comparison. */
export interface BothReads {
  readonly source: TableRead
  readonly target: TableRead
}

/** Boundaries of ranges from a sample of the target's keys. @param rows about how many are in the range */
export async function sampleBoundaries(
  compared: ComparedTable,
  target: TableRead,
  { range, rows }: { readonly range: KeyRange; readonly rows: number },
): Promise<readonly RowKey[]> {
  const ranges = Math.min(rangesMax, Math.ceil(rows / rowsPerRange))
  if (ranges < 2 || compared.key.length === 0) return []
  const { words, from } = compared.target
  const keys = compared.key.map((column) => textOf(column, 'target'))
  const share = (ranges * samplesPerRange) / rows
  const condition = rangeCondition(compared, 'target', range)
  const sample: RowKey[] = []
  for await (const some of target.rows(
    `SELECT ${keys.join(', ')} FROM ${words.sample(from, share, condition)}`,
    keys.length,
  ))
    for (const row of some) sample.push(row.map((text) => text ?? ''))
  const isInside = (key: RowKey): boolean => range.from === null || compareKeys(compared, key, range.from) > 0
  return chooseBoundaries(compared, sample, ranges - 1).filter(isInside)
}

export interface ComparedRange {
  readonly range: KeyRange
  /** Called if the range has to be divided. */
  readonly boundaries: () => Promise<readonly RowKey[]>
}

/**
 * Compares the rows of a range: as a whole first, which is all that equal tables need. Returns how many rows the source has there.
 * Streamed columns cost the network each time, so then the range is divided at once.
 */
export async function compareRange(
  comparison: Comparison,
  reads: BothReads,
  { range, boundaries }: ComparedRange,
): Promise<number> {
  const { compared } = comparison
  if (!compared.isSummarisedHere) {
    const whole = await compareWhole(compared, reads, range)
    if (whole.isSame) return whole.rows
  }
  return await divide(comparison, reads, { range, boundaries: await boundaries() })
}

/** Returns how many rows the source has in a range, and whether both sides have the same. */
export async function compareWhole(
  compared: ComparedTable,
  reads: BothReads,
  range: KeyRange,
): Promise<{ readonly rows: number; readonly isSame: boolean }> {
  const sides = sidesOf(compared, reads)
  const [source, target] = await bothSettled(summariseWhole(sides.source, range), summariseWhole(sides.target, range))
  return { rows: source.rows, isSame: source.rows === target.rows && source.sum === target.sum }
}

async function divide(
  comparison: Comparison,
  reads: BothReads,
  { range, boundaries }: { readonly range: KeyRange; readonly boundaries: readonly RowKey[] },
): Promise<number> {
  const { compared } = comparison
  const sides = sidesOf(compared, reads)
  const request = { range, boundaries }
  const [source, target] = await bothSettled(summarise(sides.source, request), summarise(sides.target, request))
  const ranges = splitRange(range, boundaries)
  for (const [at, part] of ranges.entries()) {
    comparison.signal.throwIfAborted()
    const [from, to] = [source.get(at) ?? noRows, target.get(at) ?? noRows]
    if (from.rows === to.rows && from.sum === to.sum) continue
    await narrow(comparison, reads, { range: part, rows: Math.max(from.rows, to.rows) })
  }
  return [...source.values()].reduce((sum, { rows }) => sum + rows, 0)
}

async function narrow(
  comparison: Comparison,
  reads: BothReads,
  part: { readonly range: KeyRange; readonly rows: number },
): Promise<void> {
  const { compared } = comparison
  const boundaries = part.rows > rowsAtOnce ? await sampleBoundaries(compared, reads.target, part) : []
  if (boundaries.length > 0) {
    await divide(comparison, reads, { range: part.range, boundaries })
    return
  }
  const sides = sidesOf(compared, reads)
  const [source, target] = await bothSettled(
    readHashes(sides.source, rangeCondition(compared, 'source', part.range)),
    readHashes(sides.target, rangeCondition(compared, 'target', part.range)),
  )
  const keys = differingHashes(source, target).map(({ key }) => key)
  if (keys.length > 0) await inspect(comparison, keys)
}

/** Those of either side that the other does not have in the same way. */
export function differingHashes(
  source: ReadonlyMap<string, HashedRows>,
  target: ReadonlyMap<string, HashedRows>,
): readonly HashedRows[] {
  const isSame = (left: HashedRows, right: HashedRows | undefined): boolean =>
    right !== undefined && left.rows === right.rows && left.sum === right.sum
  const changed = [...source].filter(([id, rows]) => !isSame(rows, target.get(id)))
  const additional = [...target].filter(([id]) => !source.has(id))
  return [...changed, ...additional].map(([, rows]) => rows)
}

function sidesOf(compared: ComparedTable, reads: BothReads): { readonly source: ReadSide; readonly target: ReadSide } {
  return {
    source: { compared, side: 'source', read: reads.source },
    target: { compared, side: 'target', read: reads.target },
  }
}

async function inspect({ compared, causes, list, repair }: Comparison, keys: readonly RowKey[]): Promise<void> {
  const found: FoundDifference[] = []
  for (const inspected of await inspectKeys(compared, keys)) {
    const outcome = judge(causes, inspected)
    if (outcome === 'newer') list.newerRows += 1
    else if (outcome !== 'same') found.push(outcome.found)
  }
  const after = found.length > 0 && repair !== undefined ? await repair(found) : found
  for (const each of after) list.add(each)
}
