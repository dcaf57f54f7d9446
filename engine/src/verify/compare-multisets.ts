/** Compares tables whose rows have no key: groups by hash first, then the rows of hashes that differ. */
import type { RowDifference } from '../ports/verification.ts'
import { type ComparedTable, rowHash, type Side, textOf } from './compared-table.ts'
import { type BothReads, compareWhole, differingHashes } from './compare-tables.ts'
import type { DifferenceList } from './differences.ts'
import { bothSettled, namedValues } from './inspect-rows.ts'
import { wholeTable } from './key-ranges.ts'
import {
  groupCondition,
  hashGroups,
  type HashedRows,
  noRows,
  type ReadSide,
  readHashes,
  summarise,
} from './row-hashes.ts'

/** Returns how many rows the source has. */
export async function compareMultisets(
  compared: ComparedTable,
  reads: BothReads,
  list: DifferenceList,
): Promise<number> {
  if (!compared.isSummarisedHere) {
    const whole = await compareWhole(compared, reads, wholeTable)
    if (whole.isSame) return whole.rows
  }
  const source: ReadSide = { compared, side: 'source', read: reads.source }
  const target: ReadSide = { compared, side: 'target', read: reads.target }
  const request = { range: wholeTable, boundaries: [] }
  const [from, to] = await bothSettled(summarise(source, request), summarise(target, request))
  const groups = Array.from({ length: hashGroups }, (_, at) => at).filter((at) => {
    const [left, right] = [from.get(at) ?? noRows, to.get(at) ?? noRows]
    return left.rows !== right.rows || left.sum !== right.sum
  })
  if (groups.length > 0) await compareGroups({ source, target }, groups, list)
  return [...from.values()].reduce((sum, { rows }) => sum + rows, 0)
}

async function compareGroups(
  sides: { readonly source: ReadSide; readonly target: ReadSide },
  groups: readonly number[],
  list: DifferenceList,
): Promise<void> {
  const { compared } = sides.source
  const [source, target] = await bothSettled(
    readHashes(sides.source, groupCondition(compared, 'source', groups)),
    readHashes(sides.target, groupCondition(compared, 'target', groups)),
  )
  const differing = new Set<HashedRows>(differingHashes(source, target))
  const ids = (rows: ReadonlyMap<string, HashedRows>): readonly string[] =>
    [...rows].flatMap(([id, each]) => (differing.has(each) ? [id] : []))
  const hashes = [...new Set([...ids(source), ...ids(target)])]
  for (const hash of hashes) {
    const [left, right] = [source.get(hash)?.rows ?? 0, target.get(hash)?.rows ?? 0]
    const side = left > 0 ? sides.source : sides.target
    const key = list.kept.length < valuesMax ? await readValues(side, hash) : {}
    const kind = left > right ? 'missing' : left > 0 ? 'doubled' : 'additional'
    for (let row = 0; row < Math.abs(left - right); row++) list.add(pending(compared, kind, key))
  }
}

/** Finding a row by its hash reads the whole table, so only the first rows are shown with their values. */
const valuesMax = 20

function pending(compared: ComparedTable, kind: RowDifference['kind'], key: RowDifference['key']) {
  const difference: RowDifference = {
    table: compared.target.name,
    key,
    kind,
    columns: [],
    cause: 'unknown',
    isRepaired: false,
  }
  return { inspected: { key: [], source: [], target: [] }, difference, isPending: true, isUndecided: false }
}

async function readValues({ compared, side, read }: ReadSide, hash: string): Promise<RowDifference['key']> {
  if (compared.isSummarisedHere) return {}
  const { from } = compared[side]
  const list = compared.columns.map((column) => textOf(column, side))
  const condition = hashCondition(compared, side, hash)
  let found: RowDifference['key'] = {}
  for await (const [row] of read.rows(`SELECT ${list.join(', ')} FROM ${from} WHERE ${condition}`, list.length))
    if (row !== undefined) found = namedValues(compared, row, 'all')
  return found
}

/** The hash as it is, or as the signed number of the same bits. */
function hashCondition(compared: ComparedTable, side: Side, hash: string): string {
  const signed = BigInt.asIntN(64, BigInt(hash))
  const values = signed < 0n ? [hash, String(signed)] : [hash]
  return `${rowHash(compared, side)} IN (${values.join(', ')})`
}
