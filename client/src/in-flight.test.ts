import { expect, test } from 'vitest'
import { InFlight } from './in-flight.ts'

test('equal work runs once at a time, different work at the same time, and again after it has ended or failed', async () => {
  const inFlight = new InFlight()
  const started: string[] = []
  const pending: PromiseWithResolvers<void>[] = []
  const start = (id: string) =>
    inFlight.run({ id }, () => {
      started.push(id)
      const work = Promise.withResolvers<void>()
      pending.push(work)
      return work.promise
    })
  for (const id of ['a', 'a', 'b', 'a']) start(id)
  expect(started).toEqual(['a', 'b'])
  pending[0]?.resolve()
  pending[1]?.reject(new Error('refused'))
  await new Promise((resolve) => setTimeout(resolve))
  for (const id of ['a', 'b', 'b']) start(id)
  expect(started).toEqual(['a', 'b', 'a', 'b'])
})
