/** What a source counts, and control totals: the sum of every amount of its documents, against those of the target. */
import { comparableText } from '../encoding/comparable-text.ts'
import type { RowDifference } from '../ports/verification.ts'
import type { ComparedRow } from '../ports/verified-table.ts'
import {
  arrange,
  countCopies,
  decodeBatches,
  type FoundInSample,
  idOfKey,
  readCopies,
  readRows,
  type SampledStream,
  type SampledTable,
} from './sampled-documents.ts'

interface ComparedFigures {
  readonly found: readonly FoundInSample[]
  readonly isCompared: boolean
}

export const noTotals: ComparedFigures = { found: [], isCompared: false }

/** What the source counts, without the documents that the next run adds. A complete list is compared by its keys. */
export async function compareCount(sampled: SampledStream): Promise<ComparedFigures> {
  const { stream, tables, table, rows, sample } = sampled
  const { count, changed, isComplete } = sample
  if (count === null || (isComplete && stream.table.key.length > 0)) return noTotals
  const counted = tables.find(({ described }) => described.name === count.table) ?? table
  const copied = counted === table ? rows : await countCopies(counted)
  const expected = count.rows - (counted === table ? await countUnknown(table, changed ?? new Set()) : 0)
  if (copied === expected) return { found: [], isCompared: true }
  const columns = [{ name: 'number of rows', source: String(expected), target: String(copied) }]
  const isPending = mayHaveChanged(sampled) || mayBeDeleted(sampled, copied - expected)
  return { found: [{ difference: figureOf(counted, columns), isPending, encodedKey: null }], isCompared: true }
}

function mayHaveChanged({ sample: { changed } }: SampledStream): boolean {
  return changed === null || changed.size > 0
}

/** A source that does not report its deletions has fewer rows until the next comparison of keys. */
function mayBeDeleted({ stream }: SampledStream, additional: number): boolean {
  return additional > 0 && stream.keyComparison !== 'never'
}

function figureOf({ copy }: SampledTable, columns: RowDifference['columns']): RowDifference {
  return { table: copy.name, key: {}, kind: 'different', columns, cause: 'unknown', isRepaired: false }
}

/** How many of these documents the copy does not have yet. */
async function countUnknown(table: SampledTable, keys: ReadonlySet<string>): Promise<number> {
  const ids = [...keys].map((key) => idOfKey(table, key))
  const values = ids.map((id) => JSON.parse(id) as (string | null)[])
  return ids.length - (await readCopies(table, values)).length
}

/** The totals of all documents, if all of them were read again. */
export async function compareAll(sampled: SampledStream): Promise<ComparedFigures> {
  const { tables, sample } = sampled
  const sent = decodeBatches(sample.batches)
  const isAll = sample.isComplete && (sent.get(tables[0]?.described.name ?? '')?.length ?? 0) >= sample.listed.length
  if (!isAll) return noTotals
  const differences = await compareTotals(tables, sent, sample.ignoredColumns ?? [])
  const isPending = mayHaveChanged(sampled)
  return { found: differences.map((difference) => ({ difference, isPending, encodedKey: null })), isCompared: true }
}

/** The totals that differ. @param sent all rows of the source by table */
async function compareTotals(
  tables: readonly SampledTable[],
  sent: ReadonlyMap<string, readonly ComparedRow[]>,
  ignored: readonly string[],
): Promise<readonly RowDifference[]> {
  const found: RowDifference[] = []
  for (const table of tables) {
    const amounts = table.copy.columns.flatMap(({ name, type }, at) =>
      type.kind === 'decimal' && !ignored.includes(name) ? [at] : [],
    )
    if (amounts.length === 0) continue
    const source = addUp(
      (sent.get(table.described.name) ?? []).map((row) => arrange(table, row)),
      amounts,
    )
    const copied = addUp(
      (await readRows(table, null)).map(({ values }) => values),
      amounts,
    )
    const columns = amounts.flatMap((at, index) => {
      const [from, to] = [source[index] ?? '0', copied[index] ?? '0']
      return from === to ? [] : [{ name: `total of ${table.copy.columns[at]?.name}`, source: from, target: to }]
    })
    if (columns.length > 0)
      found.push({ table: table.copy.name, key: {}, kind: 'different', columns, cause: 'unknown', isRepaired: false })
  }
  return found
}

function addUp(rows: readonly ComparedRow[], places: readonly number[]): readonly string[] {
  return places.map((at) => sumOf(rows.map((row) => row[at] ?? null)))
}

/** The exact sum of decimals. What is no finite decimal is left out on both sides. */
function sumOf(values: readonly (string | null)[]): string {
  const decimals = values.flatMap((value) => {
    const match = /^(-?)(\d+)(?:\.(\d*))?$/u.exec(value ?? '')
    return match === null ? [] : [{ sign: match[1] === '-' ? -1n : 1n, whole: match[2] ?? '0', part: match[3] ?? '' }]
  })
  const digits = decimals.reduce((most, { part }) => Math.max(most, part.length), 0)
  const sum = decimals.reduce(
    (total, { sign, whole, part }) => total + sign * BigInt(whole + part.padEnd(digits, '0')),
    0n,
  )
  const text = (sum < 0n ? -sum : sum).toString().padStart(digits + 1, '0')
  const point = text.length - digits
  const sign = sum < 0n ? '-' : ''
  const written = digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`
  return `${sign}${comparableText({ kind: 'decimal' }, written) ?? written}`
}
