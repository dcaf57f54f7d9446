/** One bar a day. The arrow keys go from day to day, the pointer points, and behind it lies a table with the same. */
import { Button } from '@mantine/core'
import { type PointerEvent, useId, useState } from 'react'
import { type Column, DataTable } from '../../../ui/tables/data-table.tsx'
import { dayWords, type Point, topOf } from './chart-points.ts'
import css from './day-chart.module.css'

interface DayChartProps {
  title: string
  unit: string
  series: 'rows' | 'duration' | 'health'
  points: readonly Point[]
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
        <DataTable caption={caption} columns={columns(unit)} rows={points.toReversed()} rowKey={({ day }) => day} />
      ) : (
        <>
          <Plot title={title} series={series} points={points} />
          <TableBehind caption={caption} points={points} />
        </>
      )}
    </section>
  )
}

/** The same for screen readers, which find no way into a drawing. */
function TableBehind({ caption, points }: { caption: string; points: readonly Point[] }) {
  return (
    <table className="visually-hidden">
      <caption>{caption}</caption>
      <tbody>
        {points.map(({ day, words }) => (
          <tr key={day}>
            <th scope="row">{dayWords(day)}</th>
            <td>{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function columns(unit: string): Column<Point>[] {
  return [
    { title: 'Day', cell: ({ day }) => dayWords(day) },
    { title: unit.charAt(0).toUpperCase() + unit.slice(1), cell: ({ words }) => words },
  ]
}

/** In units of the drawing: a day is 10 wide. */
const step = 10
const gap = 2
const high = 100

function Plot({ title, series, points }: Omit<DayChartProps, 'unit'>) {
  const last = points.length - 1
  const [at, setAt] = useState(last)
  const shown = Math.min(at, last)
  const { top, isCut } = topOf(points)
  const point = points[shown]
  if (point === undefined) return null
  const words = `${dayWords(point.day)}: ${point.words}`

  function follow({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * points.length))))
  }

  return (
    <>
      <p className={css.readout} aria-hidden>
        {words}
      </p>
      <div className={css.plot} data-series={series} onPointerMove={follow} onPointerDown={follow}>
        <input
          type="range"
          min={0}
          max={last}
          value={shown}
          aria-label={`${title}, by day`}
          aria-valuetext={words}
          onChange={(event) => setAt(event.currentTarget.valueAsNumber)}
        />
        <svg viewBox={`0 0 ${points.length * step} ${high}`} preserveAspectRatio="none" aria-hidden>
          <rect className={css.cursor} x={shown * step} y={0} width={step} height={high} />
          {points.map((bar, index) => (
            <Bar key={bar.day} bar={bar} index={index} top={top} />
          ))}
        </svg>
      </div>
      <p className={css.axis} aria-hidden>
        <span>{dayWords(points[0]?.day ?? point.day)}</span>
        {isCut ? <span>With a gap: higher than shown</span> : null}
        <span>{dayWords(points[last]?.day ?? point.day)}</span>
      </p>
    </>
  )
}

function Bar({ bar: { height, tone }, index, top }: { bar: Point; index: number; top: number }) {
  const tall = Math.max(height === 0 ? 1 : 3, Math.min(1, height / top) * high)
  const x = index * step + gap / 2
  return (
    <>
      <rect
        className={css.bar}
        data-tone={tone ?? (height === 0 ? 'none' : undefined)}
        x={x}
        y={high - tall}
        width={step - gap}
        height={tall}
      />
      {height > top ? <rect className={css.cut} x={x} y={high * 0.12} width={step - gap} height={4} /> : null}
    </>
  )
}
