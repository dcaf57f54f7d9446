/** Converts days of runs to points of a chart: height, text and tone. Pure. */
import type { DayOfRuns } from '@tributary/contract/runs'
import type { ConnectorUsage } from '@tributary/contract/usage'
import { formatElapsed } from '../../../domain/time/relative-time.tsx'
import { formatCount, formatSize } from '../../../ui/formats.ts'

export interface ChartPoint {
  readonly day: string
  /** 0 if there is nothing to show. */
  readonly height: number
  readonly text: string
  readonly tone?: 'ok' | 'partly' | 'failed' | 'none'
}

/**
 * Value at full height. An outlier, such as the day of the first load, is cut, because it would flatten all other
 * bars.
 */
export function chartScale(points: readonly ChartPoint[]): { top: number; isCut: boolean } {
  const heights = points
    .map(({ height }) => height)
    .filter((height) => height > 0)
    .toSorted((a, b) => a - b)
  const highest = heights.at(-1) ?? 1
  const usual = heights[Math.floor(heights.length * 0.85)] ?? highest
  return highest > usual * 3 ? { top: usual * 1.5, isCut: true } : { top: highest, isCut: false }
}

export type ChartSeries = 'rows' | 'duration' | 'health'

export interface ChartAxis {
  /** The value at full height: a round one, at least that of the chart's scale. */
  readonly top: number
  /** From top to bottom, at equal distances. */
  readonly labels: readonly string[]
}

/** The vertical axis of a series, for the value of `chartScale`. */
export function chartAxis(series: ChartSeries, top: number): ChartAxis {
  if (series === 'health') return { top, labels: ['fresh', 'no runs'] }
  const round = series === 'rows' ? roundUpCount(top) : roundUpSeconds(top)
  const format = series === 'rows' ? formatCount : formatAxisDuration
  return { top: round, labels: [round, round / 2, 0].map(format) }
}

/** An even number of 1, 2, 4, 6, 8 or 10 times a power of ten, so that its half is round, too. */
function roundUpCount(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  const round = [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value
  return Math.max(2, round)
}

const roundSeconds = [2, 10, 20, 60, 120, 240, 600, 1_200, 3_600, 7_200]

/** Beyond two hours: whole even hours. */
function roundUpSeconds(value: number): number {
  return roundSeconds.find((step) => step >= value) ?? Math.ceil(value / 7_200) * 7_200
}

function formatAxisDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
}

const noRunsText = 'no runs'

export function rowPoints(days: readonly DayOfRuns[]): ChartPoint[] {
  return days.map(({ Day, Runs, RowsWritten, RowsDeleted, RowsRejected }) => {
    const parts = [
      `${formatCount(RowsWritten)} written`,
      RowsDeleted > 0 ? `${formatCount(RowsDeleted)} deleted` : null,
      RowsRejected > 0 ? `${formatCount(RowsRejected)} rejected` : null,
    ]
    return {
      day: Day,
      height: RowsWritten,
      text: Runs === 0 ? noRunsText : parts.filter((part) => part !== null).join(', '),
    }
  })
}

export function durationPoints(days: readonly DayOfRuns[]): ChartPoint[] {
  return days.map(({ Day, Runs, Seconds }) => {
    const average = Runs === 0 ? 0 : Seconds / Runs
    return {
      day: Day,
      height: average,
      text: Runs === 0 ? noRunsText : `${formatElapsed(average * 1_000)} on average of ${formatRunCount(Runs)}`,
    }
  })
}

/** Encodes the outcome as height as well as colour, for users who cannot distinguish the colours. */
export function freshnessPoints(days: readonly DayOfRuns[]): ChartPoint[] {
  return days.map(({ Day, Runs, Failed }) => {
    if (Runs === 0) return { day: Day, height: 0, text: noRunsText, tone: 'none' }
    if (Failed === 0) return { day: Day, height: 1, text: `fresh: ${formatRunCount(Runs)}, none failed`, tone: 'ok' }
    if (Failed < Runs)
      return { day: Day, height: 0.7, text: `fresh, but ${Failed} of ${formatRunCount(Runs)} failed`, tone: 'partly' }
    return {
      day: Day,
      height: 0.35,
      text: `not fresh: ${Runs === 1 ? 'the only run' : `all ${Runs} runs`} failed`,
      tone: 'failed',
    }
  })
}

function formatRunCount(runs: number): string {
  return runs === 1 ? '1 run' : `${runs} runs`
}

export function callPoints(days: ConnectorUsage['Days']): ChartPoint[] {
  return days.map(({ Day, Calls, Bytes }) => ({
    day: Day,
    height: Calls,
    text: Calls === 0 ? 'no calls' : `${formatCount(Calls)} calls, ${formatSize(Bytes)}`,
  }))
}
