import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Checkpoint } from '../../ports/model.ts'
import { checkpointOf, earliest, overlapMs, queueOf, spansAfter, spansOf } from './detail-queue.ts'
import type { Item, Span } from './detail-queue.ts'

test('newest come first, and each once', () => {
  const queue = queueOf(spansOf(null), [item('a', 1), item('b', 3), item('a', 2), item('c', 3)])
  expect(queue.map(({ id, changedAt }) => `${id}${changedAt}`)).toEqual(['b3', 'c3', 'a2'])
})

test('the next reading asks from the last one on, with an overlap', () => {
  expect(earliest(spansOf(null))).toBeNull()
  expect(earliest(spansOf(checkpointOf([], 10_000_000)))).toBe(10_000_000 - overlapMs)
})

/** A world that changes between runs, and runs that are cut anywhere. */
const life = fc.array(
  fc.record({
    changes: fc.array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.integer({ min: 1, max: 900_000 })), { maxLength: 8 }),
    cutAfter: fc.nat({ max: 6 }),
  }),
  {
    minLength: 1,
    maxLength: 8,
  },
)

test('[ENG-1] whatever changes and wherever runs are cut, a run that ends has read the last version of everything', () => {
  fc.assert(
    fc.property(life, (runs) => {
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
      expect(spansOf(checkpoint)).toHaveLength(1)
    }),
    { numRuns: 1_000 },
  )
})

test('[ENG-1] a run that goes on reads nothing twice but what has changed since or lies in the overlap', () => {
  const items = Array.from({ length: 20 }, (_, index) => item(`id${index}`, index * 600_000))
  const first = queueOf(spansOf(null), items).slice(0, 7)
  const rest = first.reduce<readonly Span[]>((spans, done) => spansAfter(spans, done), spansOf(null))
  const checkpoint = checkpointOf(rest, 20 * 600_000)
  const second = queueOf(spansOf(checkpoint), [...items.filter(({ id }) => id !== 'id19'), item('id19', 21 * 600_000)])
  expect(second.map(({ id }) => id)).toEqual([
    'id19',
    ...items
      .slice(0, 13)
      .toReversed()
      .map(({ id }) => id),
  ])
})

interface Run {
  readonly world: ReadonlyMap<string, number>
  readonly read: Map<string, number>
  readonly checkpoint: Checkpoint | null
  readonly until: number
  readonly cutAfter: number
}

/** What a run does: asks the list, reads one by one, and is cut, with the checkpoint of its last document. */
function run({ world, read, checkpoint, until, cutAfter }: Run): Checkpoint | null {
  let spans = spansOf(checkpoint)
  const from = earliest(spans) ?? -Infinity
  const listed = [...world].map(([id, changedAt]) => item(id, changedAt)).filter(({ changedAt }) => changedAt >= from)
  const queue = queueOf(spans, listed)
  for (const [index, wanted] of queue.entries()) {
    if (index >= cutAfter) return index === 0 ? checkpoint : checkpointOf(spans, until)
    read.set(wanted.id, wanted.changedAt)
    spans = spansAfter(spans, wanted)
  }
  return checkpointOf([], until)
}

function item(id: string, changedAt: number): Item {
  return { id, changedAt }
}
