import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FaultPlan } from '@tributary/testing/engine/iceberg/faulty-catalog.ts'
import { attempt, expectFinalRows, openFaulty } from '@tributary/testing/engine/iceberg/lake-attempts.ts'
import { finalDocuments, finalLines, LakeStory } from '@tributary/testing/engine/iceberg/lake-story.ts'
import { appendRow, compact } from '@tributary/testing/engine/iceberg/other-program.ts'
import { alwaysByPosition, LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { FencedError } from '../../../ports/target.ts'
import type { TableCommit, TableIdentifier } from '../catalog/catalog.ts'
import { tableName } from './facts.ts'

let lake: LakeUnderTest
beforeAll(async () => {
  lake = await LakeUnderTest.make()
})
afterAll(() => lake[Symbol.asyncDispose]())

afterEach(() => {
  lake.deletionRule = null
})

test.each([
  ['merge', 'copied'],
  ['merge', 'deleted by position'],
  ['replace', 'copied'],
] as const)(
  '[LAKE-2] a lost reply to any commit of a run (%s, changed rows %s) is neither repeated nor taken for a failure',
  async (kind, changedRows) => {
    lake.deletionRule = changedRows === 'copied' ? null : alwaysByPosition
    const { commits } = await attempt(lake, new LakeStory(), { kind, fence: 1, fault: null })
    for (let at = 1; at <= commits; at++)
      for (const when of ['before', 'after'] as const) {
        const story = new LakeStory()
        await attempt(lake, story, { kind, fence: 1, fault: { kind: 'lostReply', at, when } })
        await expectFinalRows(lake, story, `lost the reply to commit ${at}, ${when} it was applied`)
      }
  },
  300_000,
)

const others: { readonly [action: string]: (story: LakeStory, identifier: TableIdentifier) => Promise<void> } = {
  appends: async ({ documents }, identifier) => {
    const isMain = identifier.name === tableName(documents.name)
    await appendRow(lake.catalog, identifier, isMain ? ['77', 'of another', '7.70'] : ['77', '1', 'of another'])
  },
  compacts: (_, identifier) => compact(lake.catalog, identifier),
}

describe.each([
  ['appends', 'copied'],
  ['compacts', 'copied'],
  ['compacts', 'deleted by position'],
])('another program that %s', (action, changedRows) => {
  test(`[LAKE-2] between reading and committing is rebased onto, never overwritten (changed rows ${changedRows})`, async () => {
    lake.deletionRule = changedRows === 'copied' ? null : alwaysByPosition
    const { commits } = await attempt(lake, new LakeStory({ comparesKeys: false }), {
      kind: 'merge',
      fence: 1,
      fault: null,
    })
    let interrupted = 0
    for (let at = 1; at <= commits; at++) {
      const story = new LakeStory({ comparesKeys: false })
      const appended = new Set<string>()
      const work = async ({ identifier }: TableCommit): Promise<void> => {
        if (identifier.name.startsWith('tributary_run')) return
        interrupted++
        appended.add(identifier.name)
        await others[action]?.(story, identifier)
      }
      await attempt(lake, story, { kind: 'merge', fence: 1, fault: { kind: 'interrupt', at, work } })
      const [own, ofLines] = [story.documents, story.lines].map(
        ({ name }) => action === 'appends' && appended.has(tableName(name)),
      )
      expect({ ...(await story.rows(lake)), at }).toEqual({
        at,
        documents: own === true ? [...finalDocuments, ['77', 'of another', '7.70']] : finalDocuments,
        lines: ofLines === true ? [...finalLines, ['77', '1', 'of another']] : finalLines,
      })
      for (const each of [story.documents, story.lines]) expect(await lake.findOrphans(each)).toEqual([])
    }
    expect(interrupted).toBeGreaterThan(6)
  }, 300_000)
})

describe('two workers of one connector', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    '[LAKE-2] in any interleaving with another program end with the rows of the source (seed %i)',
    async (seed) => {
      lake.deletionRule = seed % 2 === 0 ? alwaysByPosition : null
      const story = new LakeStory()
      const random = numbersFrom(seed)
      const table = (): TableIdentifier => ({
        namespace: ['sales'],
        name: tableName((random() < 0.5 ? story.documents : story.lines).name),
      })
      const runs = [1, 2, 3].map(async (fence) => {
        for (let turn = random() * 40; turn > 0; turn--) await setImmediate()
        const plan = new FaultPlan(null)
        await using target = await openFaulty(lake, plan)
        const kind = random() < 0.7 ? 'merge' : 'replace'
        await story[kind](target, story.writer(fence)).catch((error: unknown) => {
          if (!(error instanceof FencedError)) throw error
        })
      })
      const compactions = Array.from({ length: 6 }, async () => {
        for (let turn = random() * 80; turn > 0; turn--) await setImmediate()
        await compact(lake.catalog, table()).catch(() => undefined)
      })
      await Promise.all([...runs, ...compactions])
      await attempt(lake, story, { kind: 'merge', fence: 9, fault: null })
      await expectFinalRows(lake, story, 'afterwards')
    },
    60_000,
  )
})

/** The same numbers between 0 and 1 for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x9e_37_79_b9) >>> 0
    return state / 2 ** 32
  }
}

test('[LAKE-1] a table that another program has upgraded to format version 3 is left as it is, and the run says why', async () => {
  const story = new LakeStory()
  await attempt(lake, story, { kind: 'merge', fence: 1, fault: null })
  const identifier = { namespace: ['sales'], name: tableName(story.documents.name) }
  await lake.catalog.commitTable({
    identifier,
    requirements: [],
    updates: [{ action: 'upgrade-format-version', 'format-version': 3 }],
  })
  const filesOf = async () => {
    const table = await lake.catalog.loadTable(identifier)
    const files = []
    for await (const { location } of table?.storage.list(`${table.metadata.location}/`) ?? []) files.push(location)
    return { metadata: table?.metadata, files: files.toSorted() }
  }
  const before = await filesOf()
  for (const kind of ['merge', 'replace'] as const)
    await expect(attempt(lake, story, { kind, fence: 2, fault: null })).rejects.toMatchObject({
      kind: 'settings',
      code: 'iceberg.format_version',
      notice: expect.stringContaining('upgraded the table'),
    })
  expect(await filesOf()).toEqual(before)
  await lake.catalog.renameTable(identifier, { ...identifier, name: `${identifier.name}_v3` })
  await attempt(lake, story, { kind: 'merge', fence: 3, fault: null })
  expect((await lake.catalog.loadTable(identifier))?.metadata['format-version']).toBe(2)
})
