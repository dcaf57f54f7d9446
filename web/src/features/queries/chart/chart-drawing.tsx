/** Lines or bars as SVG. Screen readers get a description; the table next to the chart has the figures. */
import { formatDecimal } from '../../../ui/formats.ts'
import type { ChartData } from './chart-data.ts'
import css from './chart.module.css'

interface ChartDrawingProps {
  readonly kind: 'line' | 'bar'
  readonly label: string
  readonly data: ChartData
}

/** In units of the drawing. */
const [width, height] = [960, 320]
const inset = { left: 88, right: 16, top: 16, bottom: 44 }
const plotWidth = width - inset.left - inset.right
const plotHeight = height - inset.top - inset.bottom
const labelsMax = 8

export function ChartDrawing({ kind, label, data }: ChartDrawingProps) {
  const scale = createScale(data)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on a phone, also by keyboard
    <figure className={css.chart} tabIndex={0} aria-label="Chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the drawing is not an image file
        role="img"
        aria-label={`${label}. The table shows the figures.`}
      >
        <Axis scale={scale} />
        <CategoryLabels categories={data.categories} />
        {data.series.map((series, index) =>
          kind === 'line' ? (
            <Line key={series} data={data} index={index} scale={scale} />
          ) : (
            <Bars key={series} data={data} index={index} scale={scale} />
          ),
        )}
      </svg>
      <figcaption className={css.legend}>
        {data.series.length === 1 && data.series[0] === ''
          ? label
          : data.series.map((series, index) => (
              <span key={series} className={css.key} data-series={index}>
                {series}
              </span>
            ))}
      </figcaption>
    </figure>
  )
}

interface Scale {
  readonly ticks: readonly number[]
  /** From a value to the vertical place. */
  readonly y: (value: number) => number
}

function createScale({ values }: ChartData): Scale {
  const numbers = values.flat().flatMap((value) => (value === null ? [] : [Number(value)]))
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)]
  const step = niceStep((high - low || 1) / 4)
  const [first, last] = [Math.floor(low / step) * step, Math.ceil((high || (low < 0 ? 0 : 1)) / step) * step]
  const ticks = Array.from({ length: Math.round((last - first) / step) + 1 }, (_, at) => first + at * step)
  const y = (value: number) => inset.top + plotHeight * (1 - (value - first) / (last - first || 1))
  return { ticks, y }
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough) ?? 10
  return factor * power
}

function Axis({ scale: { ticks, y } }: { scale: Scale }) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        className={css.grid}
        data-zero={tick === 0 || undefined}
        x1={inset.left}
        x2={width - inset.right}
        y1={y(tick)}
        y2={y(tick)}
      />
      <text className={css.text} textAnchor="end" x={inset.left - 8} y={y(tick) + 4}>
        {formatDecimal(String(Number(tick.toPrecision(12))))}
      </text>
    </g>
  ))
}

function xOf(index: number, count: number): number {
  return inset.left + ((index + 0.5) / count) * plotWidth
}

function CategoryLabels({ categories }: { categories: readonly string[] }) {
  const every = Math.ceil(categories.length / labelsMax)
  return categories.map((category, index) =>
    index % every === 0 ? (
      <text
        key={category}
        className={css.text}
        textAnchor="middle"
        x={xOf(index, categories.length)}
        y={height - inset.bottom + 20}
      >
        {category.length > 14 ? `${category.slice(0, 13)}…` : category}
      </text>
    ) : null,
  )
}

interface SeriesProps {
  readonly data: ChartData
  readonly index: number
  readonly scale: Scale
}

/** Interrupted where there is no row. */
function Line({ data: { values, categories }, index, scale }: SeriesProps) {
  const row = values[index] ?? []
  const path = row
    .map((value, at) =>
      value === null
        ? ''
        : `${at === 0 || row[at - 1] === null ? 'M' : 'L'}${xOf(at, categories.length)} ${scale.y(Number(value))}`,
    )
    .join('')
  return (
    <>
      <path className={css.line} data-series={index} d={path} />
      {categories.length > 60
        ? null
        : row.map((value, at) =>
            value === null ? null : (
              <circle
                key={categories[at]}
                className={css.dot}
                data-series={index}
                r={3}
                cx={xOf(at, categories.length)}
                cy={scale.y(Number(value))}
              >
                <title>{`${categories[at]}: ${formatDecimal(value)}`}</title>
              </circle>
            ),
          )}
    </>
  )
}

function Bars({ data: { values, categories, series }, index, scale }: SeriesProps) {
  const slot = (plotWidth / categories.length) * 0.8
  const barWidth = slot / series.length
  return (values[index] ?? []).map((value, at) => {
    if (value === null) return null
    const [from, to] = [scale.y(0), scale.y(Number(value))]
    return (
      <rect
        key={categories[at]}
        className={css.bar}
        data-series={index}
        x={xOf(at, categories.length) - slot / 2 + index * barWidth}
        y={Math.min(from, to)}
        width={Math.max(1, barWidth - 1)}
        height={Math.max(1, Math.abs(from - to))}
      >
        <title>{`${categories[at]}: ${formatDecimal(value)}`}</title>
      </rect>
    )
  })
}
