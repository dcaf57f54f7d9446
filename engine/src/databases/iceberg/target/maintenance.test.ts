import { afterAll, beforeAll, expect, test } from 'vitest'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { newName, newWriter } from '@tributary/testing/conformance/target/target-bench.ts'
import { LakeStory } from '@tributary/testing/engine/iceberg/lake-story.ts'
import { liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'
import { connectorTableName } from './connector-table.ts'

let lake: LakeUnderTest
beforeAll(async () => {
  lake = await LakeUnderTest.make()
})
afterAll(() => lake[Symbol.asyncDispose]())

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const hourMs = 60 * 60_000

test('[LAKE-4] runs remove snapshots after a day with the files that only they had, and the rows stay', async () => {
  const main = table(newName('expired'), [id, column('note', { kind: 'text' })])
  const { connectorId } = newWriter()
  let now = Date.now()
  for (let run = 1; run <= 30; run++) {
    now += 2 * hourMs
    await using target = await lake.open(undefined, undefined, { now: () => now })
    await target.begin({ connectorId, runId: `run ${run}`, fence: run })
    await target.prepare(stream(main))
    await using load = await target.load(stream(main), { kind: 'merge' })
    await load.write(
      batch(main, [
        ['1', `note ${run}`],
        [String(run), 'kept'],
      ]),
    )
    await load.finish({ at: run })
  }
  const found = await lake.find(main)
  expect(found?.metadata.snapshots?.length).toBeLessThan(45)
  expect(await lake.rows(main)).toHaveLength(30)
  expect(await lake.findOrphans(main)).toEqual([])
  const own = await lake.catalog.loadTable({ namespace: ['sales'], name: connectorTableName(connectorId) })
  expect(own?.metadata.snapshots?.length).toBeLessThan(25)
})

test('[LAKE-4] a table that many commits have filled has few files, each sorted by key', async () => {
  const main = table(newName('joined'), [id])
  await using target = await lake.open()
  await target.begin(newWriter())
  await target.prepare(stream(main))
  await using load = await target.load(stream(main), { kind: 'merge' })
  for (let at = 0; at < 12; at++) {
    const rows = Array.from({ length: 50 }, (_, row) => [String(at + 12 * (49 - row))])
    await load.write(batch(main, rows))
    await load.commit({ at })
  }
  await load.finish({ at: 12 })
  const found = await lake.find(main)
  if (found === null) throw new Error('The table is missing.')
  const files = liveFiles(await new ManifestCache().readAll(found.storage, snapshotOf(found)))
  expect(files.length).toBeLessThan(4)
  expect(await lake.rows(main)).toEqual(Array.from({ length: 600 }, (_, row) => [String(row)]))
})

test('[LAKE-4] files without a changed row are neither read nor written again', async () => {
  const story = new LakeStory({ comparesKeys: false })
  await using target = await lake.open()
  await story.merge(target, story.writer(1))
  const before = await filesOf(story)
  await using again = await lake.open()
  await story.merge(again, story.writer(2))
  expect(await filesOf(story)).toEqual(before)
})

async function filesOf({ documents }: LakeStory): Promise<readonly string[]> {
  const found = await lake.find(documents)
  if (found === null) return []
  return liveFiles(await new ManifestCache().readAll(found.storage, snapshotOf(found))).map(({ path }) => path)
}
