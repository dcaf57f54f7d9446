import { afterAll, beforeAll, expect, test } from 'vitest'
import { attempt, expectFinalRows } from '@tributary/testing/engine/iceberg/lake-attempts.ts'
import { LakeStory } from '@tributary/testing/engine/iceberg/lake-story.ts'
import { alwaysByPosition, LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { isFull } from '@tributary/testing/programmes/extent.ts'

let lake: LakeUnderTest
beforeAll(async () => {
  lake = await LakeUnderTest.make()
})
afterAll(() => lake[Symbol.asyncDispose]())

/** A process that ends after a call leaves what one leaves that ends before the next call. */
const moments = isFull ? (['before', 'after'] as const) : (['after'] as const)

test.each([
  ['merge', 'copied'],
  ['merge', 'deleted by position'],
  ['replace', 'copied'],
] as const)(
  '[LAKE-2] [LAKE-4] a run (%s, changed rows %s) that is killed before or after any call to storage and catalog loses no row, doubles none, and leaves no orphan after the next run',
  async (kind, changedRows) => {
    lake.deletionRule = changedRows === 'copied' ? null : alwaysByPosition
    const { calls } = await attempt(lake, new LakeStory(), { kind, fence: 1, fault: null })
    expect(calls).toBeGreaterThan(20)
    for (let at = 1; at <= calls; at++)
      for (const when of moments) {
        const story = new LakeStory()
        await attempt(lake, story, { kind, fence: 1, fault: { kind: 'kill', at, when } })
        await attempt(lake, story, { kind, fence: 2, fault: null })
        await expectFinalRows(lake, story, `killed ${when} call ${at}`)
      }
  },
  600_000,
)
