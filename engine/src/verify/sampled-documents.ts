/** Documents that a source has sent again, and their copies in the target, with their children. */
import { comparableText } from '../encoding/comparable-text.ts'
import { decodeRow, decodeRows, joinRows, type RowJoiner } from '../encoding/copy-text.ts'
import type { DocumentSample } from '../ports/document-sample.ts'
import type { RowBatch, Table } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { RowDifference } from '../ports/verification.ts'
import type { ComparedRow, VerifiedTable } from '../ports/verified-table.ts'

/** A table of the stream as both sides have it. */
export interface SampledTable {
  readonly copy: VerifiedTable
  readonly described: Table
  /** Places of the copy's columns in the rows of the source. */
  readonly places: readonly number[]
  /** Places of the key, and of the key of the document, in the copy's columns. */
  readonly key: readonly number[]
  readonly document: readonly number[]
}

export interface CopiedRow {
  readonly values: ComparedRow
  /** Whether something else wrote it after the last run; null if the target does not know. */
  readonly wasWritten: boolean | null
}

export interface SampledStream {
  readonly stream: Stream
  readonly tables: readonly SampledTable[]
  /** The main table, and how many rows its copy has. */
  readonly table: SampledTable
  readonly rows: number
  /** When the last run that has read it began. */
  readonly freshAt: Date | null
  readonly sample: DocumentSample
}

export interface FoundInSample {
  readonly difference: RowDifference
  /** The document may have changed since the last run. */
  readonly isPending: boolean
  /** The values of the key of the document, by which it is read again; null for a figure. */
  readonly encodedKey: ComparedRow | null
}

/** A query with more conditions no longer uses the index. */
const keysAtOnce = 200

/** @param copies of the stream's tables, the main table first */
export function pairTables({ table, children }: Stream, copies: readonly VerifiedTable[]): readonly SampledTable[] {
  return [table, ...children].flatMap((described, at) => {
    const copy = copies[at]
    if (copy === undefined) return []
    const placesOf = (names: readonly string[]) =>
      names.map((name) => copy.columns.findIndex((column) => column.name === name))
    const places = copy.columns.map(({ name }) => described.columns.findIndex((column) => column.name === name))
    const all = copy.columns.map((_, place) => place)
    return [
      {
        copy,
        described,
        places,
        key: described.key.length === 0 ? all : placesOf(described.key),
        document: described.parentKey !== undefined ? placesOf(described.parentKey) : placesOf(described.key),
      },
    ]
  })
}

/** The rows of batches by table, as the source has sent them. */
export function decodeBatches(batches: readonly RowBatch[]): ReadonlyMap<string, readonly ComparedRow[]> {
  const joiners = new Map<string, RowJoiner>()
  const rows = new Map<string, ComparedRow[]>()
  for (const batch of batches) {
    const joiner = joiners.get(batch.table) ?? joinRows()
    joiners.set(batch.table, joiner)
    const known = rows.get(batch.table) ?? []
    known.push(...decodeRows(joiner.push(Buffer.from(batch.bytes))))
    rows.set(batch.table, known)
  }
  return rows
}

/** The values of a row of the source in the order of the copy's columns. */
export function arrange({ places }: SampledTable, row: ComparedRow): ComparedRow {
  return places.map((at) => row[at] ?? null)
}

/** The same for equal values, however each side writes them. */
export function idOf({ copy: { columns } }: SampledTable, values: ComparedRow, places: readonly number[]): string {
  return JSON.stringify(places.map((at) => comparableText(columns[at]?.type ?? { kind: 'text' }, values[at] ?? null)))
}

/** The id of a key of the main table, encoded as in `OpenSource.keys`. */
export function idOfKey({ described }: SampledTable, encoded: string): string {
  const values = decodeRow(encoded.replace(/\n$/u, ''))
  const types = described.key.map((name) => described.columns.find((column) => column.name === name)?.type)
  return JSON.stringify(types.map((type, at) => comparableText(type ?? { kind: 'text' }, values[at] ?? null)))
}

/** The copy's rows of these documents. @param keys of the main table, as the source writes them */
export async function readCopies(table: SampledTable, keys: readonly ComparedRow[]): Promise<readonly CopiedRow[]> {
  const columns = table.document.flatMap((at) => table.copy.columns[at] ?? [])
  const equals = (key: ComparedRow): string =>
    `(${columns.map((column, at) => column.equals(key[at] ?? '')).join(' AND ')})`
  const found: CopiedRow[] = []
  for (let start = 0; start < keys.length; start += keysAtOnce)
    found.push(
      ...(await readRows(
        table,
        keys
          .slice(start, start + keysAtOnce)
          .map(equals)
          .join(' OR '),
      )),
    )
  return found
}

/** @param condition null: all rows */
export async function readRows({ copy }: SampledTable, condition: string | null): Promise<readonly CopiedRow[]> {
  await using read = await copy.read()
  const list = copy.columns.map(({ canonical }) => canonical)
  const written = read.isNewer === null ? 'NULL' : `CASE WHEN ${read.isNewer} THEN '1' ELSE '0' END`
  const where = condition === null ? '' : ` WHERE ${condition}`
  const found: CopiedRow[] = []
  for await (const rows of read.rows(
    `SELECT ${[...list, written].join(', ')} FROM ${copy.from}${where}`,
    list.length + 1,
  ))
    for (const row of rows) {
      const flag = row[list.length] ?? null
      found.push({ values: row.slice(0, list.length), wasWritten: flag === null ? null : flag === '1' })
    }
  return found
}

export async function countCopies({ copy }: SampledTable): Promise<number> {
  await using read = await copy.read()
  let rows = 0
  for await (const [row] of read.rows(`SELECT ${copy.words.count} FROM ${copy.from}`, 1)) rows = Number(row?.[0] ?? 0)
  return rows
}

const keysToChooseFrom = 50

/** The key of some row. Null if the sample of the database has none. @param position from 0 to less than 1 */
export async function chooseKey(
  { copy, key }: SampledTable,
  rows: number,
  position: number,
): Promise<ComparedRow | null> {
  await using read = await copy.read()
  const list = key.flatMap((at) => copy.columns[at]?.canonical ?? [])
  const from = copy.words.sample(copy.from, keysToChooseFrom / Math.max(1, rows), null)
  const found: ComparedRow[] = []
  for await (const batch of read.rows(`SELECT ${list.join(', ')} FROM ${from}`, list.length)) found.push(...batch)
  return found[Math.floor(position * found.length)] ?? null
}

/** Keys of the main table that are not among the listed ones, at most so many. */
export async function findUnlisted(
  table: SampledTable,
  listed: ReadonlySet<string>,
  most: number,
): Promise<readonly CopiedRow[]> {
  const { copy, key } = table
  await using read = await copy.read()
  const columns = key.flatMap((at) => copy.columns[at] ?? [])
  const written = read.isNewer === null ? 'NULL' : `CASE WHEN ${read.isNewer} THEN '1' ELSE '0' END`
  const list = [...columns.map(({ canonical }) => canonical), written]
  const found: CopiedRow[] = []
  for await (const rows of read.rows(`SELECT ${list.join(', ')} FROM ${copy.from}`, list.length))
    for (const row of rows) {
      const values = row.slice(0, columns.length)
      const id = JSON.stringify(columns.map(({ type }, at) => comparableText(type, values[at] ?? null)))
      if (listed.has(id) || found.length >= most) continue
      const flag = row[columns.length] ?? null
      found.push({ values, wasWritten: flag === null ? null : flag === '1' })
    }
  return found
}
