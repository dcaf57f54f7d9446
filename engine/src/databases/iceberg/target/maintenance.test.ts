import { afterAll, beforeAll, expect, test } from 'vitest'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { newName, newWriter } from '@tributary/testing/conformance/target/target-bench.ts'
import { type Fault, FaultPlan, KilledError } from '@tributary/testing/engine/iceberg/faulty-catalog.ts'
import { attempt, expectFinalRows, openFaulty } from '@tributary/testing/engine/iceberg/lake-attempts.ts'
import { LakeStory } from '@tributary/testing/engine/iceberg/lake-story.ts'
import { appendRow, compact } from '@tributary/testing/engine/iceberg/other-program.ts'
import { FencedError } from '../../../ports/target.ts'
import { liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'
import { connectorTableName } from './connector-table.ts'
import { tableName } from './facts.ts'

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

test('[LAKE-4] daily maintenance joins files, removes old snapshots and files of dead workers, and the next run continues at the checkpoint', async () => {
  const main = table(newName('maintained'), [id, column('note', { kind: 'text' })])
  const { connectorId } = newWriter()
  let now = Date.now()
  const open = () => lake.open(undefined, undefined, { now: () => now })
  for (let run = 1; run <= 4; run++) {
    now += 2 * hourMs
    await using target = await open()
    await target.begin({ connectorId, runId: `run ${run}`, fence: run })
    await target.prepare(stream(main))
    await using load = await target.load(stream(main), { kind: 'merge' })
    await load.write(batch(main, [[String(run), 'kept']]))
    await load.finish({ at: run })
  }
  const loaded = await lake.find(main)
  if (loaded === null) throw new Error('The table is missing.')
  const { metadata, storage } = loaded
  await storage.write(`${metadata.location}/data/tributary-2-dead.parquet`, Buffer.from('dead'))
  await appendRow(lake.catalog, { namespace: ['sales'], name: tableName(main.name) }, ['5', 'other'])
  now += 30 * hourMs
  {
    await using target = await open()
    await target.begin({ connectorId, runId: 'maintenance', fence: 5 })
    const done = []
    for await (const each of target.maintainTables()) done.push(each)
    expect(done).toEqual([
      {
        table: tableName(main.name),
        joinedFiles: 2,
        smallFilesLeft: 0,
        removedSnapshots: expect.any(Number),
        removedFiles: 1,
      },
    ])
    expect(done[0]?.removedSnapshots).toBeGreaterThan(5)
  }
  const found = await lake.find(main)
  expect(liveFiles(await new ManifestCache().readAll(storage, snapshotOf(found ?? loaded)))).toHaveLength(1)
  expect(found?.metadata.snapshots?.length).toBeLessThan(4)
  expect(found?.metadata.properties?.['tributary.unclean-since']).toBeUndefined()
  expect(await lake.findOrphans(main)).toEqual([])
  await using target = await open()
  await target.begin({ connectorId, runId: 'run 6', fence: 6 })
  await target.prepare(stream(main))
  expect((await target.state(stream(main))).checkpoint).toEqual({ at: 4 })
  await using load = await target.load(stream(main), { kind: 'merge' })
  await load.write(batch(main, [['1', 'changed']]))
  await load.finish({ at: 5 })
  expect(await lake.rows(main)).toEqual([
    ['1', 'changed'],
    ...['2', '3', '4'].map((key) => [key, 'kept']),
    ['5', 'other'],
  ])
})

test.each([
  ['another program compacts at one of its commits', 'interrupt'],
  ['it is killed at a call', 'kill'],
] as const)('[LAKE-4] maintenance loses no row and leaves no orphan after the next run if %s', async (__, kind) => {
  const maintain = async (story: LakeStory, plan: FaultPlan) => {
    await using target = await openFaulty(lake, plan)
    try {
      await target.begin(story.writer(2))
      for await (const _ of target.maintainTables()) continue
    } catch (error) {
      if (!(error instanceof KilledError)) throw error
    }
    return plan
  }
  const begin = async () => {
    const story = new LakeStory()
    await attempt(lake, story, { kind: 'merge', fence: 1, fault: null })
    // The next run deletes the row.
    const documents = { namespace: ['sales'], name: tableName(story.documents.name) }
    await appendRow(lake.catalog, documents, ['9', 'other', '9.00'])
    return story
  }
  const { calls, commits } = await maintain(await begin(), new FaultPlan(null))
  const faults: Fault[] =
    kind === 'kill'
      ? Array.from({ length: calls }, (__, at) => ({ kind, at: at + 1, when: at % 2 === 0 ? 'before' : 'after' }))
      : Array.from({ length: commits }, (__, at) => ({
          kind,
          at: at + 1,
          work: ({ identifier }) => compact(lake.catalog, identifier),
        }))
  expect(faults.length).toBeGreaterThan(5)
  for (const fault of faults.filter((__, at) => at % 3 === 1)) {
    const story = await begin()
    await maintain(story, new FaultPlan(fault))
    await attempt(lake, story, { kind: 'merge', fence: 3, fault: null })
    await expectFinalRows(lake, story, `${kind} at ${fault.at}`)
  }
})

test('[LAKE-4] maintenance changes nothing any more once a run has taken over', async () => {
  const story = new LakeStory()
  await attempt(lake, story, { kind: 'merge', fence: 1, fault: null })
  await using slow = await lake.open()
  await slow.begin(story.writer(2))
  await attempt(lake, story, { kind: 'merge', fence: 3, fault: null })
  const before = await filesOf(story)
  await expect(slow.maintainTables()[Symbol.asyncIterator]().next()).rejects.toThrow(FencedError)
  expect(await filesOf(story)).toEqual(before)
})
