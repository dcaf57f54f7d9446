import type { DayOfRuns } from '@tributary/contract/runs'
import { expect, test } from 'vitest'
import { chartAxis, durationPoints, freshnessPoints, rowPoints, chartScale } from './chart-points.ts'

const day = (changes: Partial<DayOfRuns>): DayOfRuns => ({
  Day: '2026-11-20',
  Runs: 2,
  Failed: 0,
  RowsRead: 0,
  RowsWritten: 0,
  RowsUpdated: 0,
  RowsDeleted: 0,
  RowsRejected: 0,
  Seconds: 0,
  ...changes,
})

test('each day has a text for its bar', () => {
  const text = (points: readonly { text: string }[]) => points.map((point) => point.text)
  expect(text(rowPoints([day({ RowsWritten: 1_200, RowsRejected: 1 }), day({ Runs: 0 })]))).toEqual([
    '1,200 written, 1 rejected',
    'no runs',
  ])
  expect(text(durationPoints([day({ Seconds: 130 })]))).toEqual(['1 min 5 s on average of 2 runs'])
  expect(text(freshnessPoints([day({}), day({ Failed: 1 }), day({ Failed: 2 }), day({ Runs: 1, Failed: 1 })]))).toEqual(
    [
      'fresh: 2 runs, none failed',
      'fresh, but 1 of 2 runs failed',
      'not fresh: all 2 runs failed',
      'not fresh: the only run failed',
    ],
  )
})

test('a day without a successful run is lower as well as coloured differently', () => {
  const heights = freshnessPoints([day({}), day({ Failed: 1 }), day({ Failed: 2 }), day({ Runs: 0 })]).map(
    ({ height }) => height,
  )
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  expect(new Set(heights).size).toBe(4)
})

test('an outlier day is cut, so that the others remain distinguishable', () => {
  const points = (...heights: number[]) => heights.map((height) => ({ day: 'any', height, text: '' }))
  expect(chartScale(points(10, 20, 30))).toEqual({ top: 30, isCut: false })
  expect(chartScale(points(10, 12, 9, 11, 10, 12, 50_000))).toEqual({ top: 18, isCut: true })
  expect(chartScale(points(0, 0))).toEqual({ top: 1, isCut: false })
})

test('[UX-CHART-1] the axis of a chart ends at a round value with its unit', () => {
  expect(chartAxis('rows', 1)).toEqual({ top: 2, labels: ['2', '1', '0'] })
  expect(chartAxis('rows', 1_437)).toEqual({ top: 2_000, labels: ['2,000', '1,000', '0'] })
  expect(chartAxis('rows', 60_001)).toEqual({ top: 80_000, labels: ['80,000', '40,000', '0'] })
  expect(chartAxis('duration', 14)).toEqual({ top: 20, labels: ['20 s', '10 s', '0 s'] })
  expect(chartAxis('duration', 130)).toEqual({ top: 240, labels: ['4 min', '2 min', '0 s'] })
  expect(chartAxis('duration', 30_000)).toEqual({ top: 36_000, labels: ['10 h', '5 h', '0 s'] })
  expect(chartAxis('health', 1)).toEqual({ top: 1, labels: ['fresh', 'no runs'] })
})
