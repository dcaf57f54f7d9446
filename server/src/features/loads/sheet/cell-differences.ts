/** What a load changes in a slice, cell by cell. Pure. */
import type { OwnColumn, Value } from './column-values.ts'

export interface SheetRow {
  readonly values: readonly Value[]
  /** In the sheet; null for a row that comes from no sheet. */
  readonly row: number | null
}

export type Difference =
  | {
      readonly kind: 'changed'
      readonly row: number | null
      readonly column: string
      readonly old: Value
      readonly new: Value
    }
  | { readonly kind: 'added'; readonly row: number | null; readonly values: readonly Value[] }
  | { readonly kind: 'removed'; readonly row: null; readonly values: readonly Value[] }

export interface Comparison {
  readonly columns: readonly OwnColumn[]
  readonly former: readonly (readonly Value[])[]
  readonly now: readonly SheetRow[]
}

/**
 * Rows are the same row where everything but their numbers is equal. Of several such rows, those that are equal in whole belong
 * together, and the others in their order.
 */
export function differencesOf({ columns, former, now }: Comparison): readonly Difference[] {
  const inOrder = columns.map((_, at) => at)
  const numbers = inOrder.filter((at) => columns[at]?.type === 'number')
  const named = inOrder.filter((at) => columns[at]?.type !== 'number')
  const { leftFormer, leftNow } = withoutEqual(former, now, inOrder)
  const waiting = Map.groupBy(leftFormer, (values) => keyOf(values, named))
  const found = leftNow.flatMap(({ row, values }): readonly Difference[] => {
    const before = waiting.get(keyOf(values, named))?.shift()
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
  const gone = [...waiting.values()].flat()
  return [...found, ...gone.map((values): Difference => ({ kind: 'removed', row: null, values }))]
}

function withoutEqual(former: Comparison['former'], now: readonly SheetRow[], all: readonly number[]) {
  const byValues = Map.groupBy(former, (values) => keyOf(values, all))
  const leftNow = now.filter(({ values }) => byValues.get(keyOf(values, all))?.shift() === undefined)
  return { leftFormer: [...byValues.values()].flat(), leftNow }
}

function keyOf(values: readonly Value[], places: readonly number[]): string {
  return JSON.stringify(places.map((at) => values[at] ?? null))
}
