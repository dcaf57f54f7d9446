import { expect, test } from 'vitest'
import { fitType } from './type-widening.ts'
import type { LogicalType } from '../../ports/model.ts'

const text = (maxLength?: number): LogicalType =>
  maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength }
const integer = (bytes: 2 | 4 | 8): LogicalType => ({ kind: 'integer', bytes })
const decimal = (precision: number, scale: number): LogicalType => ({ kind: 'decimal', precision, scale })
const free: LogicalType = { kind: 'decimal' }
const double: LogicalType = { kind: 'double' }
const local = (digits: number): LogicalType => ({ kind: 'localTimestamp', digits })
const instant = (digits: number): LogicalType => ({ kind: 'instant', digits })
const date: LogicalType = { kind: 'date' }

const kept: readonly (readonly [LogicalType, LogicalType])[] = [
  [text(), integer(8)],
  [text(50), text(20)],
  [integer(8), integer(2)],
  [decimal(18, 4), decimal(10, 2)],
  [decimal(19, 0), integer(8)],
  [free, decimal(38, 10)],
  [free, integer(8)],
  [double, integer(4)],
  [integer(2), { kind: 'boolean' }],
  [local(6), local(3)],
  [local(6), date],
  [date, date],
]
const widened: readonly (readonly [LogicalType, LogicalType, LogicalType])[] = [
  [text(20), text(50), text(50)],
  [text(20), text(), text()],
  [text(20), { kind: 'guid' }, text()],
  [integer(2), integer(8), integer(8)],
  [integer(4), decimal(10, 2), decimal(12, 2)],
  [decimal(10, 2), decimal(10, 4), decimal(12, 4)],
  [decimal(10, 2), integer(8), decimal(21, 2)],
  [decimal(10, 2), free, free],
  [integer(4), double, double],
  [local(3), local(6), local(6)],
  [date, local(3), local(3)],
]
const clashing: readonly (readonly [LogicalType, LogicalType])[] = [
  [integer(4), text(5)],
  [date, text()],
  [instant(6), local(6)],
  [local(6), instant(6)],
  [double, decimal(10, 2)],
  [decimal(10, 2), double],
  [integer(8), double],
  [{ kind: 'json' }, text()],
  [{ kind: 'guid' }, text(36)],
  [date, instant(6)],
]

test.each(kept)('a column of %j takes %j as it is', (have, want) =>
  expect(fitType(have, want)).toEqual({ kind: 'keep' }),
)
test.each(widened)('a column of %j is widened for %j to %j', (have, want, to) =>
  expect(fitType(have, want)).toEqual({ kind: 'widen', to }),
)
test('a column of yes and no becomes one of numbers, and its values are asked for once more', () =>
  expect(fitType({ kind: 'boolean' }, integer(2))).toEqual({ kind: 'widen', to: integer(2), rewrites: true }))
test.each(clashing)('a column of %j and values of %j go apart', (have, want) =>
  expect(fitType(have, want)).toEqual({ kind: 'clash' }),
)

test('a column is never made narrower: what it is widened to takes both', () => {
  for (const [have, want] of [...kept, ...widened.map(([have, want]) => [have, want] as const)]) {
    const fit = fitType(have, want)
    const now = fit.kind === 'widen' ? fit.to : have
    expect([now, fitType(now, have)]).toEqual([now, { kind: 'keep' }])
    expect([now, fitType(now, want)]).toEqual([now, { kind: 'keep' }])
  }
})
