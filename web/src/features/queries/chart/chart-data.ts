/** Groups the rows of a result for a chart. Sums are exact; only positions on screen are rounded. */
import type { QueryChart, QueryColumn, QueryOutcome } from '@tributary/contract/queries'
import { sumDecimals } from './decimal-sum.ts'

export interface ChartData {
  readonly categories: readonly string[]
  readonly series: readonly string[]
  /** By series, then by category. Null: no row. */
  readonly values: readonly (readonly (string | null)[])[]
  /** Categories or series that have no room. */
  readonly isCut: boolean
}

const categoriesMax = { line: 500, bar: 60, number: 1, pivot: 500 } as const
const seriesMax = { line: 6, bar: 6, number: 1, pivot: 50 } as const

/** The columns that a chart can count: numbers. */
export function numberColumns(columns: readonly QueryColumn[]): QueryColumn[] {
  return columns.filter(({ Kind }) => Kind === 'number')
}

/** Chooses columns: the first that is no number as the category, and the last number as the value. */
export function defaultChart(columns: readonly QueryColumn[]): QueryChart {
  const numbers = numberColumns(columns)
  const value = numbers.at(-1)?.Name ?? null
  const category =
    (columns.find(({ Kind }) => Kind !== 'number') ?? columns.find(({ Name }) => Name !== value))?.Name ?? null
  const isTime = columns.some(({ Name, Kind }) => Name === category && (Kind === 'date' || Kind === 'timestamp'))
  return { kind: category === null ? 'number' : isTime ? 'line' : 'bar', category, series: null, value }
}

/** Columns that the result does not have count as not chosen. Without a value column, rows are counted. */
export function groupRows({ Columns, Rows }: QueryOutcome, chart: QueryChart): ChartData {
  const at = (name: string | null) => Columns.findIndex(({ Name }) => Name === name)
  const [categoryAt, seriesAt, valueAt] = [at(chart.category), at(chart.series), at(chart.value)]
  const cells = new Map<string, Map<string, string[]>>()
  const categories = new Set<string>()
  for (const row of Rows) {
    const category = categoryAt === -1 || chart.kind === 'number' ? '' : (row[categoryAt] ?? 'NULL')
    const series = seriesAt === -1 || chart.kind === 'number' ? '' : (row[seriesAt] ?? 'NULL')
    categories.add(category)
    const bySeries = cells.get(series) ?? new Map<string, string[]>()
    cells.set(series, bySeries)
    const values = bySeries.get(category) ?? []
    bySeries.set(category, values)
    values.push(valueAt === -1 ? '1' : (row[valueAt] ?? ''))
  }
  const shownCategories = [...categories].slice(0, categoriesMax[chart.kind])
  const shownSeries = [...cells.keys()].slice(0, seriesMax[chart.kind])
  return {
    categories: shownCategories,
    series: shownSeries,
    values: shownSeries.map((series) =>
      shownCategories.map((category) => {
        const values = cells.get(series)?.get(category)
        return values === undefined ? null : sumDecimals(values)
      }),
    ),
    isCut: shownCategories.length < categories.size || shownSeries.length < cells.size,
  }
}
