/** The Spark job for large tables, deploy/spark/maintain-tables.py, between two runs and during a third. */
import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { LoadedTable } from '@tributary/engine/databases/iceberg/catalog/catalog'
import { type FileToRead, readRowGroups } from '@tributary/engine/databases/iceberg/format/parquet-reader'
import { primitiveFields } from '@tributary/engine/databases/iceberg/format/parquet-schema'
import { ObjectNotFoundError } from '@tributary/engine/databases/iceberg/storage/storage'
import { schemaOf } from '@tributary/engine/databases/iceberg/table/snapshot-writer'
import { liveFiles, ManifestCache, snapshotOf } from '@tributary/engine/databases/iceberg/table/table-files'
import { FencedError } from '@tributary/engine/ports/target'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePostgresPair, type PostgresPair } from '../../engine/databases/postgres-pair.ts'
import { alwaysByPosition, LakeUnderTest } from '../../engine/iceberg/lake-under-test.ts'
import { scatter } from '../../engine/iceberg/other-program.ts'
import { batch, column, type RowFields, stream, table } from '../../engine/sync/fixtures.ts'
import { realClock } from '../../engine/sync/source-context.ts'
import { maintainInSpark } from './spark-job.ts'

const dayMs = 24 * 60 * 60_000

const entries = table('entries', [
  column('id', { kind: 'integer', bytes: 4 }, false),
  column('day', { kind: 'date' }),
  column('note', { kind: 'text' }),
  column('amount', { kind: 'decimal', precision: 18, scale: 2 }),
])

let pair: PostgresPair
let lake: LakeUnderTest
beforeAll(async () => {
  pair = await makePostgresPair()
  lake = await LakeUnderTest.make()
  lake.partitionBy = ['day']
  await pair.source.query('CREATE TABLE entries (id int PRIMARY KEY, day date, note text, amount numeric(18,2))')
})
afterAll(async () => {
  await lake[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
})

const connectorId = randomUUID()
let fence = 0

async function runIntoLake(now = Date.now()): Promise<void> {
  const clock = { ...realClock, now: () => now }
  await using target = await lake.open(undefined, undefined, clock)
  const writer = { connectorId, runId: randomUUID(), fence: ++fence }
  expect(await pair.run({ target, writer, clock })).toMatchObject({ status: 'completed' })
}

/** Two hundred entries in two months, whose ids are among those of all other calls. */
function addEntries(round: number): Promise<unknown> {
  return pair.source.query(
    `INSERT INTO entries SELECT n * 10 + $1::int, date '2026-01-15' + (n % 2) * 31, 'round ' || $1::int, n * 0.01 FROM generate_series(1, 200) AS n`,
    [round],
  )
}

async function sourceRows(): Promise<readonly RowFields[]> {
  const { rows } = await pair.source.query<Record<string, string | null>>(
    'SELECT id::text, day::text, note, amount::text FROM entries ORDER BY entries.id',
  )
  return rows.map(({ id = null, day = null, note = null, amount = null }) => [id, day, note, amount])
}

async function findEntries(): Promise<LoadedTable> {
  const found = await lake.find(entries)
  if (found === null) throw new Error('The lake has no entries.')
  return found
}

async function filesOf(found: LoadedTable) {
  return liveFiles(await new ManifestCache().readAll(found.storage, snapshotOf(found)))
}

/** By the key, in the order of the rows in the file. */
async function isSorted({ metadata, storage }: LoadedTable, file: FileToRead): Promise<boolean> {
  const fields = primitiveFields(schemaOf(metadata).fields).slice(0, 1)
  const keys: number[] = []
  for await (const { columns } of readRowGroups(storage, file, fields)) keys.push(...(columns[0] ?? []).map(Number))
  return keys.length > 1 && keys.every((key, at) => at === 0 || key > (keys[at - 1] ?? 0))
}

/** A file that a worker could have left, last written so many days ago. */
async function leaveFile(name: string, days: number): Promise<string> {
  const { metadata, storage } = await findEntries()
  const location = `${metadata.location}/data/${name}`
  await storage.write(location, Buffer.from('left'))
  const at = new Date(Date.now() - days * dayMs)
  await utimes(fileURLToPath(location), at, at)
  return location
}

const ownProperties = ({ metadata }: LoadedTable) =>
  Object.fromEntries(Object.entries(metadata.properties ?? {}).filter(([name]) => name.startsWith('tributary.')))

test('[LAKE-4] the Spark job compacts and sorts a table, applies its delete files and cleans it, after which runs are exact and a worker from before it commits nothing', async () => {
  for (let round = 0; round < 4; round++) {
    await addEntries(round)
    await runIntoLake(Date.now() - (3 - round) * 2 * dayMs)
  }
  await scatter(lake.catalog, { namespace: ['sales'], name: 'entries' }, 4)
  lake.deletionRule = { ...alwaysByPosition, shareMax: 0.5 }
  await pair.source.query(`UPDATE entries SET note = 'changed before' WHERE id % 100 = 33`)
  await runIntoLake()
  const dead = await leaveFile('tributary-1-dead.parquet', 4)
  const young = await leaveFile('tributary-99-young.parquet', 1)

  // It has taken the table over and has rows that no commit has.
  const slow = await lake.open()
  await slow.begin({ connectorId, runId: 'slow', fence: ++fence })
  const slowStream = stream(entries, { name: 'public.entries' })
  await slow.prepare(slowStream)
  const load = await slow.load(slowStream, { kind: 'merge' })
  await load.write(batch(entries, [['10', '2026-01-15', 'of a dead worker', '0.00']]))

  const before = await findEntries()
  const output = await maintainInSpark({
    namespace: 'sales',
    catalog: { type: 'hadoop', warehouse: `file:${lake.folder}` },
  })
  expect(output).toMatch(/^entries: \d+ data files became 2 \(failed: 0\)/mu)
  const after = await findEntries()
  expect(ownProperties(after)).toEqual(ownProperties(before))
  const scattered = await filesOf(before)
  expect(scattered.length).toBeGreaterThan(7)
  expect(scattered.some(({ deletions }) => deletions !== undefined)).toBe(true)
  const files = await filesOf(after)
  expect(files).toHaveLength(2)
  for (const file of files) expect(await isSorted(after, file)).toBe(true)
  expect(snapshotOf(after)?.summary['total-delete-files']).toBe('0')
  expect(after.metadata.snapshots?.every((each) => each['timestamp-ms'] > Date.now() - dayMs)).toBe(true)
  expect(before.metadata.snapshots?.some((each) => each['timestamp-ms'] < Date.now() - dayMs)).toBe(true)
  await expect(after.storage.size(dead)).rejects.toBeInstanceOf(ObjectNotFoundError)
  expect(await after.storage.size(young)).toBe(4)
  expect(await lake.rows(entries)).toEqual(await sourceRows())

  await pair.source.query(
    `UPDATE entries SET note = 'changed' WHERE id % 100 = 11; DELETE FROM entries WHERE id % 100 = 22`,
  )
  await addEntries(4)
  await runIntoLake()
  expect(await lake.rows(entries)).toEqual(await sourceRows())
  await expect(load.finish({ at: 'slow' })).rejects.toThrow(FencedError)
  await slow[Symbol.asyncDispose]()
  expect(await lake.rows(entries)).toEqual(await sourceRows())
}, 900_000)
