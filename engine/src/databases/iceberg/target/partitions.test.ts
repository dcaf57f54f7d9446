import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { load, newName } from '@tributary/testing/conformance/target/target-bench.ts'
import { readWithIcebird } from '@tributary/testing/engine/iceberg/icebird-rows.ts'
import { LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { batch, column, type RowFields, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import type { LogicalType, Table } from '../../../ports/model.ts'
import type { LoadMode } from '../../../ports/target.ts'
import { liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'

let lake: LakeUnderTest
beforeAll(async () => {
  lake = await LakeUnderTest.make()
})
afterEach(() => {
  lake.partitionBy = []
})
afterAll(() => lake[Symbol.asyncDispose]())

const connectorId = randomUUID()
let fence = 0

const makeTable = (word: string, type: LogicalType = { kind: 'date' }): Table =>
  table(newName(word), [column('id', { kind: 'integer', bytes: 4 }, false), column('Doc Date', type)])

const replace: LoadMode = { kind: 'replace', resume: false }

async function run(main: Table, rows: readonly RowFields[], mode?: LoadMode): Promise<void> {
  await using target = await lake.open()
  await target.begin({ connectorId, runId: randomUUID(), fence: ++fence })
  await target.prepare(stream(main))
  await load(target, stream(main), { ...(mode !== undefined && { mode }), batches: [batch(main, rows)] })
}

/** The files of each month, and of no month under `none`. */
async function filesByMonth(main: Table): Promise<{ readonly [month: string]: readonly string[] }> {
  const found = await lake.find(main)
  if (found === null) return {}
  const files = liveFiles(await new ManifestCache().readAll(found.storage, snapshotOf(found)))
  const byMonth = Map.groupBy(files, ({ record }) => {
    const values = Object.values(record['partition'] as { readonly [name: string]: number | null })
    return values.length === 0 ? 'none' : String(values[0])
  })
  return Object.fromEntries([...byMonth].map(([month, each]) => [month, each.map(({ path }) => path)]))
}

async function rowsOfIcebird(main: Table): Promise<readonly RowFields[]> {
  const found = await lake.find(main)
  const rows = found === null ? [] : await readWithIcebird(found.metadata)
  return rows
    .map((row) => [String(row['id']), row['Doc Date'] instanceof Date ? row['Doc Date'].toISOString() : null])
    .sort((left, right) => Number(left[0]) - Number(right[0]))
}

const months = { december1969: '-1', january: String(56 * 12), february: String(56 * 12 + 1) }

test('[LAKE-4] a table has files by the month of a column, a row whose date changes moves, and other months stay as they are', async () => {
  lake.partitionBy = ['missing', 'doc date']
  const main = makeTable('months')
  await run(main, [
    ['1', '2026-01-31'],
    ['2', '2026-02-01'],
    ['3', '1969-12-31'],
    ['4', null],
    ['5', '2026-01-01'],
  ])
  const before = await filesByMonth(main)
  expect(Object.keys(before).sort()).toEqual([months.december1969, months.january, months.february, 'null'].sort())
  await run(main, [['1', '2026-02-28']])
  const after = await filesByMonth(main)
  expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort())
  for (const month of [months.december1969, 'null']) expect(after[month]).toEqual(before[month])
  expect(after[months.january]).not.toEqual(before[months.january])
  const expected = [
    ['1', '2026-02-28'],
    ['2', '2026-02-01'],
    ['3', '1969-12-31'],
    ['4', null],
    ['5', '2026-01-01'],
  ]
  expect(await lake.rows(main)).toEqual(expected)
  expect(await rowsOfIcebird(main)).toEqual(
    expected.map(([id, day]) => [id, day === null ? null : `${day}T00:00:00.000Z`]),
  )
  expect(await lake.findOrphans(main)).toEqual([])
})

test('[LAKE-4] a table takes the partitions of the settings with a full refresh, not before, and gives them up in the same way', async () => {
  const main = makeTable('adopted', { kind: 'localTimestamp', digits: 6 })
  const rows = [
    ['1', '2026-01-31 23:59:59.999999'],
    ['2', '2026-02-01 00:00:00.000000'],
    ['3', '1969-12-31 23:59:59.999999'],
  ]
  await run(main, rows)
  lake.partitionBy = ['Doc Date']
  await run(main, [['2', '2026-02-01 00:00:00.000001']])
  expect(Object.keys(await filesByMonth(main))).toEqual(['none'])
  await run(main, rows, replace)
  expect(Object.keys(await filesByMonth(main)).sort()).toEqual(
    [months.december1969, months.january, months.february].sort(),
  )
  lake.partitionBy = []
  await run(main, [['2', '2026-01-01 00:00:00.000000']])
  expect(Object.keys(await filesByMonth(main)).sort()).toEqual([months.december1969, months.january].sort())
  await run(main, rows, replace)
  expect(Object.keys(await filesByMonth(main))).toEqual(['none'])
  expect(await lake.rows(main)).toEqual(rows.map(([id, at]) => [id, at?.replace('.000000', '')]))
})

test('[LAKE-4] a column that becomes one of another type keeps the months, or ends them where it has none', async () => {
  lake.partitionBy = ['Doc Date']
  const main = makeTable('changed')
  await run(main, [
    ['1', '2026-01-31'],
    ['2', '2026-02-01'],
  ])
  const moments = { ...main, columns: makeTable('', { kind: 'localTimestamp', digits: 0 }).columns }
  await run(moments, [['3', '2026-02-01 10:00:00']])
  expect(Object.keys(await filesByMonth(main)).sort()).toEqual([months.january, months.february].sort())
  const texts = { ...main, columns: makeTable('', { kind: 'text' }).columns }
  await run(texts, [['4', 'soon']])
  expect(Object.keys(await filesByMonth(main))).toEqual(['none'])
  expect((await lake.rows(main)).map(([id]) => id)).toEqual(['1', '2', '3', '4'])
})

test('[LAKE-4] rows of many months in mixed order leave few files of each month', async () => {
  lake.partitionBy = ['Doc Date']
  const main = makeTable('mixed')
  const rows = (round: number): RowFields[] =>
    Array.from({ length: 400 }, (_, at) => [
      String(at * 12 + round),
      `20${String(20 + (at % 4))}-${String(1 + (at % 12)).padStart(2, '0')}-15`,
    ])
  for (let round = 0; round < 3; round++) await run(main, rows(round))
  const files = Object.values(await filesByMonth(main))
  expect(files).toHaveLength(12)
  for (const paths of files) expect(paths.length).toBeLessThan(3)
  expect(await lake.rows(main)).toHaveLength(1_200)
})
