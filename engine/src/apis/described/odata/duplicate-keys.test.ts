import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Occurrences } from './duplicate-keys.ts'

const key = fc.oneof(
  fc.integer({ min: 0, max: 12_000 }).map(String),
  fc.constantFrom('0', '4095', '4096', '9007199254740993', '900719925474099', '', 'a', '007', '-5', '1.0'),
)
const step = fc.oneof({ weight: 8, arbitrary: key }, fc.constantFrom({ is: 'keep' } as const, { is: 'drop' } as const))

test('each row is numbered among the rows with its key, for any keys and windows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const occurrences = new Occurrences()
      const kept: string[] = []
      let fresh: string[] = []
      for (const each of steps) {
        if (typeof each === 'string') {
          const like = [...kept, ...fresh].filter((other) => other === each).length
          expect(occurrences.next(each)).toBe(like + 1)
          fresh.push(each)
        } else if (each.is === 'keep') {
          occurrences.keep()
          kept.push(...fresh.splice(0))
        } else {
          occurrences.drop()
          fresh = []
        }
      }
    }),
    { numRuns: 300, examples: [[['7', { is: 'keep' }, '007']]] },
  )
})
