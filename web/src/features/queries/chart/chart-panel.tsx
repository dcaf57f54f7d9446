/** A chart of the result, with the choice of its kind and columns. */
import { NativeSelect, SegmentedControl } from '@mantine/core'
import type { QueryChart, QueryColumn, QueryOutcome } from '@tributary/contract/queries'
import { useMemo } from 'react'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { formatDecimal } from '../../../ui/formats.ts'
import { type ChartData, defaultChart, groupRows, numberColumns } from './chart-data.ts'
import { ChartDrawing } from './chart-drawing.tsx'
import css from './chart.module.css'
import { PivotTable } from './pivot-table.tsx'

interface ChartPanelProps {
  readonly outcome: QueryOutcome
  /** Null: none was chosen. */
  readonly chart: QueryChart | null
  readonly onChange: (chart: QueryChart) => void
}

const kinds = [
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bar' },
  { value: 'number', label: 'Number' },
  { value: 'pivot', label: 'Pivot' },
] as const

export function ChartPanel({ outcome, chart: chosen, onChange }: ChartPanelProps) {
  const chart = chosen ?? defaultChart(outcome.Columns)
  const data = useMemo(() => groupRows(outcome, chart), [outcome, chart])
  if (outcome.Rows.length === 0) return <p className="muted">There are no rows to draw.</p>
  return (
    <div className={css.panel}>
      <ChartChoices chart={chart} columns={outcome.Columns} onChange={onChange} />
      {data.isCut ? (
        <Callout tone="warn" title="Not all groups have room in this chart. Group the rows in the query." />
      ) : null}
      <Drawing chart={chart} data={data} />
    </div>
  )
}

function Drawing({ chart, data }: { chart: QueryChart; data: ChartData }) {
  const label = chart.value === null ? 'Rows' : `Sum of ${chart.value}`
  if (chart.kind === 'pivot') return <PivotTable chart={chart} data={data} />
  if (chart.kind === 'number')
    return (
      <p className={css.figure}>
        <span className={css.number}>{formatDecimal(data.values[0]?.[0] ?? '0')}</span>
        <span className="muted">{label}</span>
      </p>
    )
  return <ChartDrawing kind={chart.kind} label={`${label} by ${chart.category ?? 'row'}`} data={data} />
}

interface ChartChoicesProps {
  readonly chart: QueryChart
  readonly columns: readonly QueryColumn[]
  readonly onChange: (chart: QueryChart) => void
}

function ChartChoices({ chart, columns, onChange }: ChartChoicesProps) {
  const select = (label: string, name: 'category' | 'series' | 'value', from: readonly QueryColumn[], none: string) => (
    <NativeSelect
      label={label}
      value={chart[name] ?? ''}
      data={[{ value: '', label: none }, ...from.map(({ Name }) => ({ value: Name, label: Name }))]}
      onChange={({ currentTarget: { value } }) => onChange({ ...chart, [name]: value === '' ? null : value })}
    />
  )
  const distinct = columns.filter(({ Name }, at) => columns.findIndex((one) => one.Name === Name) === at)
  return (
    <div className={css.choices}>
      <SegmentedControl
        aria-label="Kind of chart"
        value={chart.kind}
        data={[...kinds]}
        onChange={(value) => onChange({ ...chart, kind: kinds.find((kind) => kind.value === value)?.value ?? 'bar' })}
      />
      {chart.kind === 'number'
        ? null
        : select(chart.kind === 'pivot' ? 'Rows' : 'Across', 'category', distinct, 'All rows')}
      {chart.kind === 'number'
        ? null
        : select(chart.kind === 'pivot' ? 'Columns' : 'Series', 'series', distinct, 'None')}
      {select('Value', 'value', numberColumns(distinct), 'Number of rows')}
    </div>
  )
}
