/**
 * Bar chart with one bar a day. Arrow keys and pointer select a day; a hidden table holds the same data for screen
 * readers.
 */
import { Button } from '@mantine/core'
import { type PointerEvent, useId, useState } from 'react'
import { type TableColumn, DataTable } from '../../../ui/tables/data-table.tsx'
import { chartAxis, type ChartPoint, chartScale, type ChartSeries } from './chart-points.ts'
import css from './day-chart.module.css'
import { formatDay } from '../../../ui/formats.ts'

interface DayChartProps {
  title: string
  unit: string
  series: ChartSeries
  points: readonly ChartPoint[]
}

export function DayChart({ title, unit, series, points }: DayChartProps) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const caption = `${title}, ${unit}`
  return (
    <section className={css.chart} aria-labelledby={id}>
      <div className={css.head}>
        <h3 id={id}>{title}</h3>
        <span className={css.unit}>{unit}</span>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-pressed={isTable}
          aria-label={`${title} as table`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? 'Chart' : 'Table'}
        </Button>
      </div>
      {isTable ? (
        <DataTable caption={caption} columns={dayColumns(unit)} rows={points.toReversed()} rowKey={({ day }) => day} />
      ) : (
        <>
          <DayPlot title={title} series={series} points={points} />
          {series === 'health' ? <HealthLegend /> : null}
          <HiddenTable caption={caption} points={points} />
        </>
      )}
    </section>
  )
}

/** Explains the heights and colours of the bars. */
function HealthLegend() {
  return (
    <ul className={css.legend} aria-label="Bars">
      {healthTones.map(({ tone, height, label }) => (
        <li key={tone}>
          <svg viewBox={`0 0 ${dayWidth} ${plotHeight}`} preserveAspectRatio="none" aria-hidden>
            <DayBar bar={{ day: tone, height, text: label, tone }} index={0} top={1} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}

/** With the heights of `freshnessPoints`. */
const healthTones = [
  { tone: 'ok', height: 1, label: 'all runs completed' },
  { tone: 'partly', height: 0.7, label: 'some failed' },
  { tone: 'failed', height: 0.35, label: 'all failed' },
  { tone: 'none', height: 0, label: 'no runs' },
] as const

/** The same data for screen readers, which cannot read the drawing. */
function HiddenTable({ caption, points }: { caption: string; points: readonly ChartPoint[] }) {
  return (
    <table className="visually-hidden">
      <caption>{caption}</caption>
      <tbody>
        {points.map(({ day, text }) => (
          <tr key={day}>
            <th scope="row">{formatDay(day, 'weekday')}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function dayColumns(unit: string): TableColumn<ChartPoint>[] {
  return [
    { title: 'Day', cell: ({ day }) => formatDay(day, 'weekday') },
    { title: unit.charAt(0).toUpperCase() + unit.slice(1), cell: ({ text }) => text },
  ]
}

/** In units of the SVG view box: a day is 10 wide. */
const dayWidth = 10
const barGap = 2
const plotHeight = 100

function DayPlot({ title, series, points }: Omit<DayChartProps, 'unit'>) {
  const last = points.length - 1
  const [at, setAt] = useState(last)
  const shown = Math.min(at, last)
  const scale = chartScale(points)
  const { top, labels } = chartAxis(series, scale.top)
  const point = points[shown]
  if (point === undefined) return null
  const text = `${formatDay(point.day, 'weekday')}: ${point.text}`

  function follow({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * points.length))))
  }

  return (
    <>
      <p className={css.readout} aria-hidden>
        {text}
      </p>
      <div className={css.area}>
        <p className={css.scale} aria-hidden>
          {labels.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </p>
        <div className={css.plot} data-series={series} onPointerMove={follow} onPointerDown={follow}>
          <input
            type="range"
            min={0}
            max={last}
            value={shown}
            aria-label={`${title}, by day`}
            aria-valuetext={text}
            onChange={(event) => setAt(event.currentTarget.valueAsNumber)}
          />
          <svg viewBox={`0 0 ${points.length * dayWidth} ${plotHeight}`} preserveAspectRatio="none" aria-hidden>
            <rect className={css.cursor} x={shown * dayWidth} y={0} width={dayWidth} height={plotHeight} />
            {labels.slice(0, -1).map((label, index) => (
              <path
                key={label}
                className={css.grid}
                d={`M0 ${(index * plotHeight) / (labels.length - 1)}H${points.length * dayWidth}`}
              />
            ))}
            {points.map((bar, index) => (
              <DayBar key={bar.day} bar={bar} index={index} top={top} />
            ))}
          </svg>
        </div>
        <p className={css.axis} aria-hidden>
          <span>{formatDay(points[0]?.day ?? point.day, 'weekday')}</span>
          <span>{formatDay(points[Math.floor(last / 2)]?.day ?? point.day, 'weekday')}</span>
          <span>{formatDay(points[last]?.day ?? point.day, 'weekday')}</span>
        </p>
      </div>
      {scale.isCut ? <p className={css.remark}>Bars with a gap are higher than shown.</p> : null}
    </>
  )
}

function DayBar({ bar: { height, tone }, index, top }: { bar: ChartPoint; index: number; top: number }) {
  const tall = Math.max(height === 0 ? 1 : 3, Math.min(1, height / top) * plotHeight)
  const x = index * dayWidth + barGap / 2
  return (
    <>
      <rect
        className={css.bar}
        data-tone={tone ?? (height === 0 ? 'none' : undefined)}
        x={x}
        y={plotHeight - tall}
        width={dayWidth - barGap}
        height={tall}
      />
      {height > top ? (
        <rect className={css.cut} x={x} y={plotHeight * 0.12} width={dayWidth - barGap} height={4} />
      ) : null}
    </>
  )
}
