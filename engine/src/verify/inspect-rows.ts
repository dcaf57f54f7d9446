/** Looks at rows that differ once more, by their keys in new reads of both sides, so that a row that changes meanwhile is not reported. */
import type { ComparedRow, TableRead, VerifiedFilter } from '../ports/verified-table.ts'
import type { RowDifferenceKind } from '../ports/verification.ts'
import {
  type ComparedColumn,
  type ComparedTable,
  filterOf,
  formOf,
  maskedText,
  type Side,
  textOf,
} from './compared-table.ts'
import { canonicalText, isSameValue } from './compared-values.ts'
import type { RowKey } from './key-ranges.ts'

/** The values of a row, in the order of the compared columns, and whether it was written after the last run; null if unknown. */
export interface InspectedRow {
  readonly values: ComparedRow
  readonly isNewer: boolean | null
  /** Whether it has a value that only its kind of database knows. */
  readonly hasUnknown: boolean
  /** The filter of the table leaves it out. */
  readonly isLeftOut?: true
}

export interface InspectedKey {
  readonly key: RowKey
  readonly source: readonly InspectedRow[]
  readonly target: readonly InspectedRow[]
}

/** A query with more conditions no longer uses the index. */
const keysAtOnce = 200

export async function inspectKeys(compared: ComparedTable, keys: readonly RowKey[]): Promise<readonly InspectedKey[]> {
  await using source = await compared.source.read()
  await using target = await compared.target.read()
  const found: InspectedKey[] = []
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    const some = keys.slice(start, start + keysAtOnce)
    const conditions = {
      source: keysCondition(compared, 'source', some),
      target: keysCondition(compared, 'target', some),
    }
    const [from, to] = await bothSettled(
      readRows(compared, 'source', source, conditions.source),
      readRows(compared, 'target', target, conditions.target),
    )
    for (const key of some) {
      const id = JSON.stringify(key)
      found.push({ key, source: from.get(id) ?? [], target: to.get(id) ?? [] })
    }
  }
  return found
}

/** Waits for both even if one fails, so that neither uses its session any longer. */
export async function bothSettled<A, B>(first: Promise<A>, second: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([first, second])
  return [await first, await second]
}

function keysCondition({ key: columns }: ComparedTable, side: Side, keys: readonly RowKey[]): string {
  const equals = (key: RowKey): string =>
    `(${columns.map((column, at) => column[side].equals(key[at] ?? '')).join(' AND ')})`
  return keys.map(equals).join(' OR ')
}

/** Rows under a condition, by the texts of their keys, or of all columns if they have no key. */
export async function readRows(
  compared: ComparedTable,
  side: Side,
  { rows, isNewer, mayBeNewer }: TableRead,
  condition: string,
): Promise<ReadonlyMap<string, readonly InspectedRow[]>> {
  const { from } = compared[side]
  const list = compared.columns.map((column) => textOf(column, side))
  const undecided = mayBeNewer === undefined ? '' : ` WHEN ${mayBeNewer} THEN NULL`
  const newer = isNewer === null ? 'NULL' : `CASE WHEN ${isNewer} THEN '1'${undecided} ELSE '0' END`
  const unknown = compared.columns.flatMap((column) => unknownCondition(column, side))
  const flag = unknown.length === 0 ? `'0'` : `CASE WHEN ${unknown.join(' OR ')} THEN '1' ELSE '0' END`
  const filter = filterOf(compared, side)
  const selected = [...list, newer, flag, ...(filter?.columns ?? [])]
  const sql = `SELECT ${selected.join(', ')} FROM ${from} WHERE ${condition}`
  const places = compared.key.map((column) => compared.columns.indexOf(column))
  const found = new Map<string, InspectedRow[]>()
  for await (const some of rows(sql, selected.length))
    for (const row of some) {
      const values = compared.columns.map((column, at) => maskedText(column, side, row[at] ?? null))
      const id = JSON.stringify(places.length === 0 ? values : places.map((place) => values[place] ?? ''))
      const same = found.get(id) ?? []
      same.push(toInspectedRow(values, row.slice(list.length), filter))
      found.set(id, same)
    }
  return found
}

/** @param more whether it was written after the last run, whether it has an unknown value, and the values that the filter needs */
function toInspectedRow(
  values: ComparedRow,
  [wasWritten = null, unknown, ...more]: ComparedRow,
  filter: VerifiedFilter | undefined,
): InspectedRow {
  const isNewer = wasWritten === null ? null : wasWritten === '1'
  const isLeftOut = filter?.keeps(more) === false
  return { values, isNewer, hasUnknown: unknown === '1', ...(isLeftOut && { isLeftOut }) }
}

/** A value that has no text in the common form, although its kind of database can write it. */
function unknownCondition(column: ComparedColumn, side: Side): readonly string[] {
  const { forms, value } = column[side]
  if (column.form === null || column.form === forms[0]?.id || !mayBeUnknown.has(column.type.kind)) return []
  return [`(${formOf(column, side).sql} IS NULL AND ${value} IS NOT NULL)`]
}

const mayBeUnknown: ReadonlySet<string> = new Set(['date', 'localTimestamp', 'instant', 'double', 'decimal'])

/** How the rows of a key differ; null if they are the same by now. */
export function kindOf(compared: ComparedTable, { source, target }: InspectedKey): RowDifferenceKind | null {
  const [from, to] = [source.find(({ isLeftOut }) => isLeftOut !== true), target[0]]
  if (from === undefined) return to === undefined ? null : 'additional'
  if (to === undefined) return 'missing'
  if (target.length > source.length) return 'doubled'
  return differingColumns(compared, from, to).length === 0 ? null : 'different'
}

export interface DifferingColumn {
  readonly name: string
  readonly source: string | null
  readonly target: string | null
}

export function differingColumns(
  { columns }: ComparedTable,
  source: InspectedRow,
  target: InspectedRow,
): readonly DifferingColumn[] {
  return columns.flatMap((column, at) => {
    const [from = null, to = null] = [source.values[at], target.values[at]]
    if (isSameValue(column, from, to)) return []
    return [{ name: column.name, source: canonicalText(column, from), target: canonicalText(column, to) }]
  })
}

/** The values of a row by column, as canonical text. @param which only key columns, or all */
export function namedValues(
  compared: ComparedTable,
  values: ComparedRow,
  which: 'key' | 'all',
): { readonly [column: string]: string | null } {
  return Object.fromEntries(
    compared.columns.flatMap((column, at) =>
      which === 'all' || column.isKey ? [[column.name, canonicalText(column, values[at] ?? null)]] : [],
    ),
  )
}
