import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Checkpoint } from '../../ports/model.ts'
import {
  checkpointOf,
  earliestMoment,
  overlapMs,
  buildQueue,
  spansLeftAfter,
  spansFromCheckpoint,
} from './detail-queue.ts'
import type { QueuedDocument, ChangeSpan } from './detail-queue.ts'

test('the newest documents come first, each once', () => {
  const queue = buildQueue(spansFromCheckpoint(null), [queued('a', 1), queued('b', 3), queued('a', 2), queued('c', 3)])
  expect(queue.map(({ id, changedAt }) => `${id}${changedAt}`)).toEqual(['b3', 'c3', 'a2'])
})

test('the next read starts at the last one, minus an overlap', () => {
  expect(earliestMoment(spansFromCheckpoint(null))).toBeNull()
  expect(earliestMoment(spansFromCheckpoint(checkpointOf([], 10_000_000)))).toBe(10_000_000 - overlapMs)
})

/** Documents that change between runs, and runs that are interrupted at any point. */
const history = fc.array(
  fc.record({
    changes: fc.array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 1, max: 900_000 })), { maxLength: 8 }),
    cutAfter: fc.nat({ max: 6 }),
  }),
  {
    minLength: 1,
    maxLength: 8,
  },
)

test('[ENG-1] an uninterrupted run ends with the latest version of every document, however the runs before were interrupted', () => {
  fc.assert(
    fc.property(history, (runs) => {
      const world = new Map<string, number>([...'abcdefgh'].map((id, index) => [id, index * 1_000]))
      const read = new Map<string, number>()
      let now = 1_000_000
      let checkpoint: Checkpoint | null = null
      for (const { changes, cutAfter } of [...runs, { changes: [], cutAfter: Infinity }]) {
        for (const [id, later] of changes) world.set(id, (now += later))
        now += 1_000
        checkpoint = run({ world, read, checkpoint, until: now, cutAfter })
      }
      expect(read).toEqual(world)
      expect(spansFromCheckpoint(checkpoint)).toHaveLength(1)
    }),
    { numRuns: 1_000 },
  )
})

test('[ENG-1] a resumed run reads nothing twice, except later changes and the overlap', () => {
  const items = Array.from({ length: 20 }, (_, index) => queued(`id${index}`, index * 600_000))
  const first = buildQueue(spansFromCheckpoint(null), items).slice(0, 7)
  const rest = first.reduce<readonly ChangeSpan[]>(
    (spans, done) => spansLeftAfter(spans, done),
    spansFromCheckpoint(null),
  )
  const checkpoint = checkpointOf(rest, 20 * 600_000)
  const second = buildQueue(spansFromCheckpoint(checkpoint), [
    ...items.filter(({ id }) => id !== 'id19'),
    queued('id19', 21 * 600_000),
  ])
  expect(second.map(({ id }) => id)).toEqual([
    'id19',
    ...items
      .slice(0, 13)
      .toReversed()
      .map(({ id }) => id),
  ])
})

interface SimulatedRun {
  readonly world: ReadonlyMap<string, number>
  readonly read: Map<string, number>
  readonly checkpoint: Checkpoint | null
  readonly until: number
  readonly cutAfter: number
}

/** Simulates a run: reads the list, then documents one by one until the interruption. Returns the last checkpoint. */
function run({ world, read, checkpoint, until, cutAfter }: SimulatedRun): Checkpoint | null {
  let spans = spansFromCheckpoint(checkpoint)
  const from = earliestMoment(spans) ?? -Infinity
  const listed = [...world].map(([id, changedAt]) => queued(id, changedAt)).filter(({ changedAt }) => changedAt >= from)
  const queue = buildQueue(spans, listed)
  for (const [index, wanted] of queue.entries()) {
    if (index >= cutAfter) return index === 0 ? checkpoint : checkpointOf(spans, until)
    read.set(wanted.id, wanted.changedAt)
    spans = spansLeftAfter(spans, wanted)
  }
  return checkpointOf([], until)
}

function queued(id: string, changedAt: number): QueuedDocument {
  return { id, changedAt }
}
