import { expect, test } from 'vitest'
import { defaultRunMemoryMb, RunMemory } from './run-memory.ts'

test('a run that is alone is charged the growth of the process at its peak', () => {
  let usedMb = 50
  const memory = new RunMemory(() => usedMb)
  memory.begin('run', 128)
  usedMb = 250
  memory.sample()
  usedMb = 90
  expect(memory.peakMb('run')).toBe(200)
})

test('concurrent runs are charged in proportion to what was expected of them', () => {
  let usedMb = 50
  const memory = new RunMemory(() => usedMb)
  memory.begin('small', 100)
  memory.begin('large', 300)
  usedMb = 450
  memory.sample()
  expect([memory.peakMb('small'), memory.peakMb('large')]).toEqual([100, 300])
  memory.end('small')
  memory.end('large')
  // What the process has kept since then is not charged to the next run.
  memory.begin('next', 100)
  expect(memory.peakMb('next')).toBe(0)
})

test('the default budget leaves memory to Node, and stays below its heap limit', () => {
  expect([256, 2_048, 8_192, 65_536].map((limit) => defaultRunMemoryMb(limit))).toEqual([256, 1_344, 3_072, 3_072])
})
