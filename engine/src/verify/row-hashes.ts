/** Hashes of rows, summarised in the databases, or here where some columns have to be streamed. */
import { comparableText } from '../encoding/comparable-text.ts'
import { createHash } from 'node:crypto'
import type { ComparedRow, TableRead } from '../ports/verified-table.ts'
import { type ComparedTable, filterOf, maskedText, rowHash, type Side, textOf } from './compared-table.ts'
import { type KeyRange, rangeCondition, rangeIndex, type RowKey } from './key-ranges.ts'

/** Rows of a range: their number, and the sum of their hashes modulo 2^64. */
export interface Summary {
  readonly rows: number
  readonly sum: bigint
}

export const noRows: Summary = { rows: 0, sum: 0n }

/** One side of a comparison within one consistent read. */
export interface ReadSide {
  readonly compared: ComparedTable
  readonly side: Side
  readonly read: TableRead
}

export interface SummaryRequest {
  readonly range: KeyRange
  /** Ordered boundaries within the range. Unused for rows without a key, which are grouped by their hash. */
  readonly boundaries: readonly RowKey[]
}

/** Rows without a key fall into as many groups, by the lowest bits of their hash. */
export const hashGroups = 256

/** One summary of all rows of a range: an aggregate without groups, which databases compute in parallel. Not if rows are summarised here. */
export async function summariseWhole({ compared, side, read }: ReadSide, range: KeyRange): Promise<Summary> {
  const { from, words } = compared[side]
  const condition = rangeCondition(compared, side, range)
  const where = condition === null ? '' : ` WHERE ${condition}`
  const sql = `SELECT ${words.count}, ${words.sum(rowHash(compared, side, 'raw'))} FROM ${from}${where}`
  let summary = noRows
  for await (const [row] of read.rows(sql, 2)) if (row !== undefined) summary = toSummary(row[0], row[1])
  return summary
}

function toSummary(count: string | null | undefined, sum: string | null | undefined): Summary {
  return { rows: Number(count ?? 0), sum: BigInt.asUintN(64, BigInt(sum ?? 0)) }
}

/** One statement over the whole range: a summary for each range between the boundaries, by its index. */
export async function summarise(at: ReadSide, request: SummaryRequest): Promise<ReadonlyMap<number, Summary>> {
  const { compared, side } = at
  const { from, words } = compared[side]
  const hasKey = compared.key.length > 0
  const index = hasKey ? rangeIndex(compared, side, request.boundaries) : '0'
  const condition = rangeCondition(compared, side, request.range)
  const where = condition === null ? '' : ` WHERE ${condition}`
  if (compared.isSummarisedHere) return await summariseHere(at, index, where)
  const group = hasKey ? 'x.b' : `x.h & ${hashGroups - 1}`
  const inner = `SELECT ${hasKey ? `${index} AS b, ` : ''}${rowHash(compared, side)} AS h FROM ${from}${where}`
  const sql = `SELECT ${words.numberText(group)}, ${words.count}, ${words.sum('x.h')} FROM (${inner}) AS x GROUP BY ${group}`
  const summaries = new Map<number, Summary>()
  for await (const rows of at.read.rows(sql, 3))
    for (const [key, count, sum] of rows) summaries.set(Number(key), toSummary(count, sum))
  return summaries
}

async function summariseHere(at: ReadSide, index: string, where: string): Promise<ReadonlyMap<number, Summary>> {
  const { compared, side } = at
  const { words } = compared[side]
  const list = [words.numberText(index), ...hashColumns(compared, side)]
  const summaries = new Map<number, Summary>()
  for await (const rows of readKept(at, list, where))
    for (const row of rows) {
      const hash = combinedHash(at, row.slice(1))
      const group = compared.key.length > 0 ? Number(row[0]) : Number(hash % BigInt(hashGroups))
      const before = summaries.get(group) ?? noRows
      summaries.set(group, { rows: before.rows + 1, sum: BigInt.asUintN(64, before.sum + hash) })
    }
  return summaries
}

/** The rows that the filter of the side keeps. */
async function* readKept(
  { compared, side, read }: ReadSide,
  list: readonly string[],
  where: string,
): AsyncGenerator<readonly ComparedRow[]> {
  const filter = filterOf(compared, side)
  const all = [...list, ...(filter?.columns ?? [])]
  for await (const rows of read.rows(`SELECT ${all.join(', ')} FROM ${compared[side].from}${where}`, all.length))
    yield filter === undefined
      ? rows
      : rows.filter((row) => filter.keeps(row.slice(list.length))).map((row) => row.slice(0, list.length))
}

/** The hash of the database and the values that it does not cover. */
function hashColumns(compared: ComparedTable, side: Side): readonly string[] {
  const { words } = compared[side]
  return [words.numberText(rowHash(compared, side)), ...compared.streamed.map((column) => textOf(column, side))]
}

/** @param values as `hashColumns` selects them */
function combinedHash({ compared: { streamed }, side }: ReadSide, [hash, ...values]: ComparedRow): bigint {
  const own = BigInt.asUintN(64, BigInt(hash ?? 0))
  if (streamed.length === 0) return own
  const texts = streamed.map((column, at) => comparableText(column.type, maskedText(column, side, values[at] ?? null)))
  return createHash('md5')
    .update(JSON.stringify([String(own), texts]))
    .digest()
    .readBigUInt64BE()
}

export interface HashedRows extends Summary {
  /** The texts of the key columns; those of a row without a key are empty. */
  readonly key: RowKey
}

/** The rows of a range by key, or by hash where they have none. Several rows with one key are summarised. */
export async function readHashes(at: ReadSide, condition: string | null): Promise<ReadonlyMap<string, HashedRows>> {
  const { compared, side } = at
  const keys = compared.key.map((column) => textOf(column, side))
  const list = [...keys, ...hashColumns(compared, side)]
  const where = condition === null ? '' : ` WHERE ${condition}`
  const found = new Map<string, HashedRows>()
  for await (const rows of readKept(at, list, where))
    for (const row of rows) {
      const hash = combinedHash(at, row.slice(keys.length))
      const key = row.slice(0, keys.length).map((text) => text ?? '')
      const id = keys.length === 0 ? String(hash) : JSON.stringify(key)
      const before = found.get(id)
      found.set(id, { key, rows: (before?.rows ?? 0) + 1, sum: BigInt.asUintN(64, (before?.sum ?? 0n) + hash) })
    }
  return found
}

/** Condition for rows without a key whose hash is in one of these groups; null if the hash is computed here. */
export function groupCondition(compared: ComparedTable, side: Side, groups: readonly number[]): string | null {
  if (compared.isSummarisedHere) return null
  return `(${rowHash(compared, side)} & ${hashGroups - 1}) IN (${groups.join(', ')})`
}
