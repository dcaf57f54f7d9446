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
  const reader = (name: string | null, missing: string) => {
    const at = Columns.findIndex(({ Name }) => Name === name)
    return (row: (string | null)[], ofNull: string) => (at === -1 ? missing : (row[at] ?? ofNull))
  }
  const isNumber = chart.kind === 'number'
  const [categoryOf, seriesOf] = [chart.category, chart.series].map((name) => reader(isNumber ? null : name, ''))
  const valueOf = reader(chart.value, '1')
  const groups = new Groups()
  for (const row of Rows) groups.add(categoryOf?.(row, 'NULL') ?? '', seriesOf?.(row, 'NULL') ?? '', valueOf(row, ''))
  return groups.toChartData(categoriesMax[chart.kind], seriesMax[chart.kind])
}

class Groups {
  readonly #categories = new Set<string>()
  /** By series, then by category. */
  readonly #values = new Map<string, Map<string, string[]>>()

  add(category: string, series: string, value: string): void {
    this.#categories.add(category)
    const bySeries = this.#values.get(series) ?? new Map<string, string[]>()
    this.#values.set(series, bySeries)
    const values = bySeries.get(category) ?? []
    bySeries.set(category, values)
    values.push(value)
  }

  toChartData(categoriesLimit: number, seriesLimit: number): ChartData {
    const categories = [...this.#categories].slice(0, categoriesLimit)
    const series = [...this.#values.keys()].slice(0, seriesLimit)
    const sumOf = (one: string, category: string) => {
      const values = this.#values.get(one)?.get(category)
      return values === undefined ? null : sumDecimals(values)
    }
    return {
      categories,
      series,
      values: series.map((one) => categories.map((category) => sumOf(one, category))),
      isCut: categories.length < this.#categories.size || series.length < this.#values.size,
    }
  }
}
