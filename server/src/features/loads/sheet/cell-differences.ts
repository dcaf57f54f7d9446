/** Computes the changes of a load in a slice, cell by cell. Pure. */
import type { OwnColumn, ColumnValue } from './column-values.ts'

export interface SheetRow {
  readonly values: readonly ColumnValue[]
  /** Row number in the sheet; null if the row does not come from a sheet. */
  readonly row: number | null
}

export type CellDifference =
  | {
      readonly kind: 'changed'
      readonly row: number | null
      readonly column: string
      readonly old: ColumnValue
      readonly new: ColumnValue
    }
  | { readonly kind: 'added'; readonly row: number | null; readonly values: readonly ColumnValue[] }
  | { readonly kind: 'removed'; readonly row: null; readonly values: readonly ColumnValue[] }

export interface SliceComparison {
  readonly columns: readonly OwnColumn[]
  readonly former: readonly (readonly ColumnValue[])[]
  readonly now: readonly SheetRow[]
}

/**
 * Two rows match if everything but their numbers is equal. Among several matching rows, identical ones are paired
 * first, the others
 * in order.
 */
export function findDifferences({ columns, former, now }: SliceComparison): readonly CellDifference[] {
  const positions = columns.map((_, at) => at)
  const numbers = positions.filter((at) => columns[at]?.type === 'number')
  const named = positions.filter((at) => columns[at]?.type !== 'number')
  const { leftFormer, leftNow } = withoutEqual(former, now, positions)
  const unmatched = Map.groupBy(leftFormer, (values) => keyOf(values, named))
  const found = leftNow.flatMap(({ row, values }): readonly CellDifference[] => {
    const before = unmatched.get(keyOf(values, named))?.shift()
    if (before === undefined) return [{ kind: 'added', row, values }]
    const different = numbers.filter((at) => before[at] !== values[at])
    return different.map((at) => ({
      kind: 'changed',
      row,
      column: columns[at]?.name ?? '',
      old: before[at] ?? null,
      new: values[at] ?? null,
    }))
  })
  const removed = [...unmatched.values()].flat()
  return [...found, ...removed.map((values): CellDifference => ({ kind: 'removed', row: null, values }))]
}

function withoutEqual(former: SliceComparison['former'], now: readonly SheetRow[], all: readonly number[]) {
  const byValues = Map.groupBy(former, (values) => keyOf(values, all))
  const leftNow = now.filter(({ values }) => byValues.get(keyOf(values, all))?.shift() === undefined)
  return { leftFormer: [...byValues.values()].flat(), leftNow }
}

function keyOf(values: readonly ColumnValue[], positions: readonly number[]): string {
  return JSON.stringify(positions.map((at) => values[at] ?? null))
}
