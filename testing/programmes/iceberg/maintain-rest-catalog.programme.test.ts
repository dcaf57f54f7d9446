/** The Spark job for large tables, deploy/spark/maintain-tables.py, through a REST catalog on object storage. */
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedTable } from '@tributary/engine/databases/iceberg/catalog/catalog'
import { openCatalog } from '@tributary/engine/databases/iceberg/settings/open-catalog'
import { parseSettings } from '@tributary/engine/databases/iceberg/settings/settings'
import { ObjectNotFoundError } from '@tributary/engine/databases/iceberg/storage/storage'
import { liveFiles, ManifestCache, snapshotOf } from '@tributary/engine/databases/iceberg/table/table-files'
import { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePostgresPair, type PostgresPair } from '../../engine/databases/postgres-pair.ts'
import { readTexts } from '../../engine/iceberg/lake-under-test.ts'
import { scatter } from '../../engine/iceberg/other-program.ts'
import { orders, SimulatedLake } from '../../engine/iceberg/simulated-lake.ts'
import { connectionContext, realClock } from '../../engine/sync/source-context.ts'
import { type ObjectServer, startVersityGateway } from '../lake-stores/object-servers.ts'
import { maintainInSpark } from './spark-job.ts'

const dayMs = 24 * 60 * 60_000

let server: ObjectServer
let lake: SimulatedLake
let pair: PostgresPair
beforeAll(async () => {
  server = await startVersityGateway('path')
  lake = await SimulatedLake.start({ vends: false, storageRoot: server.root })
  pair = await makePostgresPair()
  await pair.source.query('CREATE TABLE orders (id int PRIMARY KEY, amount numeric(18,2))')
})
afterAll(async () => {
  await pair[Symbol.asyncDispose]()
  await lake[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const settings = () => parseSettings(lake.properties(server.settings))
/** @param now of the target and the run, but not of requests to the storage, which are signed with the time */
async function runIntoLake(now = Date.now()): Promise<void> {
  const around = connectionContext()
  const clock = { ...realClock, now: () => now }
  await using target = await OpenLakeTarget.open(
    {
      namespace: orders.namespace,
      unknownValues: 'reject',
      openCatalog: () => openCatalog(settings(), around),
      check: () => Promise.resolve([]),
    },
    { ...around, clock },
  )
  expect(await pair.run({ target, clock })).toMatchObject({ status: 'completed' })
}

async function withOrders<T>(work: (table: LoadedTable) => Promise<T>): Promise<T> {
  await using catalog = await openCatalog(settings(), connectionContext())
  const table = await catalog.loadTable(orders)
  if (table === null) throw new Error('The lake has no orders.')
  return await work(table)
}

const countFiles = () =>
  withOrders(async (table) => liveFiles(await new ManifestCache().readAll(table.storage, snapshotOf(table))).length)

async function expectExactRows(): Promise<void> {
  const read = await withOrders((table) => readTexts(table, ['id', 'amount']))
  const { rows } = await pair.source.query<{ id: string; amount: string }>('SELECT id::text, amount::text FROM orders')
  const expected = rows.map(({ id, amount }) => `${id}: ${amount}`)
  expect(read.map(([id, amount]) => `${id}: ${amount}`).toSorted()).toEqual(expected.toSorted())
}

/** A file that a worker could have left, last written so many days ago. */
function leaveFile(name: string, days: number): Promise<string> {
  return withOrders(async ({ metadata, storage }) => {
    const location = `${metadata.location}/data/${name}`
    await storage.write(location, Buffer.from('left'))
    const at = new Date(Date.now() - days * dayMs)
    await utimes(join(server.folder, location.slice(server.root.length)), at, at)
    return location
  })
}

test('[LAKE-1] [LAKE-4] the Spark job compacts and cleans a table of a REST catalog on S3 storage, after which runs are exact', async () => {
  for (let round = 0; round < 4; round++) {
    await pair.source.query('INSERT INTO orders SELECT n * 10 + $1::int, n * 0.01 FROM generate_series(1, 200) AS n', [
      round,
    ])
    await runIntoLake(Date.now() - (3 - round) * 2 * dayMs)
  }
  await using catalog = await openCatalog(settings(), connectionContext())
  await scatter(catalog, orders, 4)
  const dead = await leaveFile('tributary-1-dead.parquet', 4)
  const young = await leaveFile('tributary-99-young.parquet', 1)
  expect(await countFiles()).toBeGreaterThan(1)

  const { url, clientId, clientSecret } = lake.simulator
  const output = await maintainInSpark({
    namespace: orders.namespace.join('.'),
    jars: [process.env['TRIBUTARY_ICEBERG_AWS'] ?? ''],
    catalog: {
      type: 'rest',
      uri: url,
      warehouse: 'main',
      credential: `${clientId}:${clientSecret}`,
      'client.region': 'eu-central-1',
      's3.path-style-access': 'true',
      ...server.readerProperties,
    },
  })
  expect(output).toMatch(/^orders: \d+ data files became 1 \(failed: 0\).* 1 files without a snapshot removed/mu)
  expect(await countFiles()).toBe(1)
  await withOrders(async ({ metadata, storage }) => {
    expect(metadata.snapshots?.every((each) => each['timestamp-ms'] > Date.now() - dayMs)).toBe(true)
    await expect(storage.size(dead)).rejects.toBeInstanceOf(ObjectNotFoundError)
    expect(await storage.size(young)).toBe(4)
  })
  await expectExactRows()

  await pair.source.query('UPDATE orders SET amount = -amount WHERE id % 7 = 0; DELETE FROM orders WHERE id % 11 = 0')
  await runIntoLake()
  await expectExactRows()
}, 900_000)
