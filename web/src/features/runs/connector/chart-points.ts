/** Days of runs as points of a chart: how high, and in words. Pure. */
import type { DayOfRuns } from '@tributary/contract/runs'
import { count } from '../../../ui/tables/data-table.tsx'
import { elapsedWords } from '../../../domain/time/relative-time.tsx'

export interface Point {
  readonly day: string
  /** 0 where there is nothing to show. */
  readonly height: number
  readonly words: string
  readonly tone?: 'ok' | 'partly' | 'failed' | 'none'
}

/** What the full height stands for. One day far above all others, as the first load is, is cut, or it would flatten the rest. */
export function topOf(points: readonly Point[]): { top: number; isCut: boolean } {
  const heights = points
    .map(({ height }) => height)
    .filter((height) => height > 0)
    .toSorted((a, b) => a - b)
  const highest = heights.at(-1) ?? 1
  const usual = heights[Math.floor(heights.length * 0.85)] ?? highest
  return highest > usual * 3 ? { top: usual * 1.5, isCut: true } : { top: highest, isCut: false }
}

const noRuns = 'no runs'

export function rowsMoved(days: readonly DayOfRuns[]): Point[] {
  return days.map(({ Day, Runs, RowsWritten, RowsDeleted, RowsRejected }) => {
    const parts = [
      `${count(RowsWritten)} written`,
      RowsDeleted > 0 ? `${count(RowsDeleted)} deleted` : null,
      RowsRejected > 0 ? `${count(RowsRejected)} rejected` : null,
    ]
    return {
      day: Day,
      height: RowsWritten,
      words: Runs === 0 ? noRuns : parts.filter((part) => part !== null).join(', '),
    }
  })
}

export function durations(days: readonly DayOfRuns[]): Point[] {
  return days.map(({ Day, Runs, Seconds }) => {
    const average = Runs === 0 ? 0 : Seconds / Runs
    return {
      day: Day,
      height: average,
      words: Runs === 0 ? noRuns : `${elapsedWords(average * 1_000)} on average of ${runWords(Runs)}`,
    }
  })
}

/** The height says the same as the colour. */
export function health(days: readonly DayOfRuns[]): Point[] {
  return days.map(({ Day, Runs, Failed }) => {
    if (Runs === 0) return { day: Day, height: 0, words: noRuns, tone: 'none' }
    if (Failed === 0) return { day: Day, height: 1, words: `fresh: ${runWords(Runs)}, none failed`, tone: 'ok' }
    if (Failed < Runs)
      return { day: Day, height: 0.7, words: `fresh, but ${Failed} of ${runWords(Runs)} failed`, tone: 'partly' }
    return {
      day: Day,
      height: 0.35,
      words: `not fresh: ${Runs === 1 ? 'the only run' : `all ${Runs} runs`} failed`,
      tone: 'failed',
    }
  })
}

function runWords(runs: number): string {
  return runs === 1 ? '1 run' : `${runs} runs`
}

const dates = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

export function dayWords(day: string): string {
  return dates.format(Date.parse(`${day}T00:00:00Z`))
}
