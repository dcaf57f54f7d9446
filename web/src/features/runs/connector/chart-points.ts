/** Converts days of runs to points of a chart: height, text and tone. Pure. */
import type { DayOfRuns } from '@tributary/contract/runs'
import { formatElapsed } from '../../../domain/time/relative-time.tsx'
import { formatCount } from '../../../ui/formats.ts'

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
