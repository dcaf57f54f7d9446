import type { QueryChart } from '@tributary/contract/queries'
import { formatDecimal } from '../../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../../ui/tables/data-table.tsx'
import type { ChartData } from './chart-data.ts'
import { sumDecimals } from './decimal-sum.ts'

interface PivotRow {
  readonly category: string
  readonly at: number
}

/** Sums by two columns, with a total for each row. */
export function PivotTable({ chart, data }: { chart: QueryChart; data: ChartData }) {
  const valueOf = (series: number, { at }: PivotRow) => data.values[series]?.[at] ?? null
  const columns: TableColumn<PivotRow>[] = [
    { title: chart.category ?? 'All rows', id: 'category', cell: ({ category }) => category || 'All rows' },
    ...data.series.map((title, series) => ({
      title: title || (chart.value ?? 'Rows'),
      id: `series ${series}`,
      isNumber: true,
      cell: (row: PivotRow) => {
        const value = valueOf(series, row)
        return value === null ? '–' : formatDecimal(value)
      },
    })),
  ]
  if (data.series.length > 1)
    columns.push({
      title: 'Total',
      id: 'total',
      isNumber: true,
      cell: (row) => formatDecimal(sumDecimals(data.series.map((_, series) => valueOf(series, row) ?? '0'))),
    })
  return (
    <DataTable
      caption="Pivot table"
      columns={columns}
      rows={data.categories.map((category, at) => ({ category, at }))}
      rowKey={({ at }) => String(at)}
      keepsColumns
    />
  )
}
