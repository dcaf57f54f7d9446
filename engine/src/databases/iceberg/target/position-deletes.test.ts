import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { load, newName } from '@tributary/testing/conformance/target/target-bench.ts'
import { readWithIcebird } from '@tributary/testing/engine/iceberg/icebird-rows.ts'
import { alwaysByPosition, LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { deleteByKey } from '@tributary/testing/engine/iceberg/other-program.ts'
import { batch, column, type RowFields, stream, table, yielding } from '@tributary/testing/engine/sync/fixtures.ts'
import type { Table } from '../../../ports/model.ts'
import type { LoadMode } from '../../../ports/target.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { DataFile } from '../format/manifest.ts'
import { primitiveFields } from '../format/parquet-schema.ts'
import { readPage } from '../reading/read-page.ts'
import { schemaOf } from '../table/snapshot-writer.ts'
import { liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'
import { tableName } from './facts.ts'

let lake: LakeUnderTest
beforeAll(async () => {
  lake = await LakeUnderTest.make()
})
beforeEach(() => {
  lake.deletionRule = { ...alwaysByPosition, shareMax: 0.5 }
  lake.partitionBy = []
})
afterAll(() => lake[Symbol.asyncDispose]())

const connectorId = randomUUID()
let fence = 0
const writer = () => ({ connectorId, runId: randomUUID(), fence: ++fence })

const makeTable = (word: string): Table =>
  table(newName(word), [
    column('id', { kind: 'integer', bytes: 4 }, false),
    column('day', { kind: 'date' }),
    column('note', { kind: 'text' }),
  ])

async function run(main: Table, rows: readonly RowFields[], mode?: LoadMode): Promise<void> {
  await using target = await lake.open()
  await target.begin(writer())
  await target.prepare(stream(main))
  await load(target, stream(main), { ...(mode !== undefined && { mode }), batches: [batch(main, rows)] })
}

async function compare(main: Table, keys: readonly string[]): Promise<void> {
  await using target = await lake.open()
  await target.begin(writer())
  await target.prepare(stream(main))
  const listed = yielding(
    batch(
      main,
      keys.map((key) => [key]),
    ),
  )
  expect(await target.compareKeys(stream(main), listed, { rows: 100, share: 1 })).toMatchObject({ outcome: 'done' })
}

async function find(main: Table): Promise<LoadedTable> {
  const found = await lake.find(main)
  if (found === null) throw new Error('The table is missing.')
  return found
}

async function filesOf(main: Table): Promise<readonly DataFile[]> {
  const found = await find(main)
  return liveFiles(await new ManifestCache().readAll(found.storage, snapshotOf(found)))
}

/** The keys and notes that our own reader and icebird find. */
async function expectRows(main: Table, expected: readonly RowFields[]): Promise<void> {
  expect(await lake.rows(main)).toEqual(expected)
  const foreign = await readWithIcebird((await find(main)).metadata)
  const notes = (rows: readonly unknown[]) => rows.map(String).sort()
  expect(notes(foreign.map((row) => `${String(row['id'])} ${String(row['note'])}`))).toEqual(
    notes(expected.map(([id, , note]) => `${id} ${note}`)),
  )
  expect(await lake.findOrphans(main)).toEqual([])
}

const first = Array.from({ length: 10 }, (_, at): RowFields => [String(at + 1), '2026-01-15', 'first'])
const without = (...ids: string[]) => first.filter(([id]) => !ids.includes(String(id)))

test('[LAKE-4] changed and deleted rows are deleted by their positions, until the share of a file is too large', async () => {
  const main = makeTable('positions')
  await run(main, first)
  const [original] = await filesOf(main)
  await run(main, [['2', '2026-01-15', 'second']])
  await compare(main, ['1', '2', '3', '4', '5', '6', '7', '8', '10'])
  const [marked, ...others] = (await filesOf(main)).toSorted((left, right) => right.rows - left.rows)
  expect(marked).toMatchObject({ path: original?.path, rows: 10, deletions: { rows: 2, content: 'positions' } })
  expect(others).toMatchObject([{ rows: 1 }])
  expect(snapshotOf(await find(main))?.summary).toMatchObject({
    operation: 'delete',
    'removed-position-deletes': '1',
    'added-position-deletes': '2',
    'total-delete-files': '1',
    'total-position-deletes': '2',
  })
  await expectRows(main, [['1', '2026-01-15', 'first'], ['2', '2026-01-15', 'second'], ...without('1', '2', '9')])
  const rest = ['3', '4', '5', '6'].map((id): RowFields => [id, '2026-01-15', 'third'])
  await run(main, rest)
  const files = await filesOf(main)
  expect(files.map(({ path }) => path)).not.toContain(original?.path)
  expect(files.filter(({ deletions }) => deletions !== undefined)).toEqual([])
  expect(snapshotOf(await find(main))?.summary).toMatchObject({ 'total-delete-files': '0' })
  await expectRows(main, [
    ['1', '2026-01-15', 'first'],
    ['2', '2026-01-15', 'second'],
    ...rest,
    ...without('1', '2', '3', '4', '5', '6', '9'),
  ])
})

test('[LAKE-4] positions are deleted within months, and a row whose date changes moves', async () => {
  lake.partitionBy = ['day']
  const main = makeTable('months')
  await run(main, [...first, ...first.map(([id]): RowFields => [`1${id}`, '2026-02-15', 'february'])])
  await run(main, [['3', '2026-02-01', 'moved']])
  const files = await filesOf(main)
  expect(files.map(({ deletions }) => deletions?.rows ?? 0).sort()).toEqual([0, 0, 1])
  const marked = files.find(({ deletions }) => deletions !== undefined)
  expect(marked?.deletions?.record['partition']).toEqual(marked?.record['partition'])
  const february = first.map(([id]): RowFields => [`1${id}`, '2026-02-15', 'february'])
  const rows = [...without('3'), ['3', '2026-02-01', 'moved'], ...february]
  await expectRows(
    main,
    rows.toSorted((left, right) => Number(left[0]) - Number(right[0])),
  )
})

test('[LAKE-4] pages of the explorer, maintenance and a refresh honour deleted positions', async () => {
  const main = makeTable('honoured')
  await run(main, first)
  await run(main, [['4', '2026-01-15', 'second']])
  const found = await find(main)
  const fields = primitiveFields(schemaOf(found.metadata).fields)
  const { signal } = new AbortController()
  const source = { storage: found.storage, files: await filesOf(main), fields, signal }
  const filter = { fields: [], matches: () => true, mayMatch: () => true }
  const page = await readPage(source, { filter, order: [{ at: 0, descending: false }], after: [2], limit: 3 })
  expect(page.rows.map(([id, , note]) => [id, note])).toEqual([
    [3, 'first'],
    [4, 'second'],
    [5, 'first'],
  ])
  {
    await using target = await lake.open()
    await target.begin(writer())
    const done = []
    for await (const each of target.maintainTables())
      if (each.table === tableName(main.name)) done.push(each.joinedFiles)
    expect(done).toEqual([2])
  }
  const rows = [...first.slice(0, 3), ['4', '2026-01-15', 'second'], ...first.slice(4)]
  expect(await filesOf(main)).toMatchObject([{ rows: 10, path: expect.any(String) }])
  await expectRows(main, rows)
  await run(main, [['5', '2026-01-15', 'third']])
  expect((await filesOf(main)).map(({ deletions }) => deletions?.rows)).toContain(1)
  await run(main, first, { kind: 'replace', resume: false })
  expect(await filesOf(main)).toHaveLength(1)
  expect(snapshotOf(await find(main))?.summary).toMatchObject({ 'total-delete-files': '0', 'total-records': '10' })
  await expectRows(main, first)
})

test('[LAKE-4] rows that another program has deleted by keys stay deleted: the run is refused, and a refresh replaces them', async () => {
  const main = makeTable('foreign')
  await run(main, first)
  await deleteByKey(lake.catalog, { namespace: ['sales'], name: tableName(main.name) }, ['3'])
  await expect(run(main, [['1', null, 'changed']])).rejects.toMatchObject({ code: 'iceberg.delete_files' })
  // The next worker has claimed the table, and its snapshot still lists them.
  expect(snapshotOf(await find(main))?.summary['total-equality-deletes']).toBe('1')
  expect((await readWithIcebird((await find(main)).metadata)).map(({ id }) => id)).not.toContain(3)
  await run(main, first, { kind: 'replace', resume: false })
  await expectRows(main, first)
})
