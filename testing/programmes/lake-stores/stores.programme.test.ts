/** Iceberg tables through servers of object storage by other authors: loaded, changed, refreshed, cleaned up, and read back by PyIceberg. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { IcebergCatalog, LoadedTable } from '@tributary/engine/databases/iceberg/catalog/catalog'
import { stringifyIcebergJson } from '@tributary/engine/databases/iceberg/catalog/metadata-json'
import { openCatalog } from '@tributary/engine/databases/iceberg/settings/open-catalog'
import { checkLake } from '@tributary/engine/databases/iceberg/settings/check-lake'
import { parseSettings } from '@tributary/engine/databases/iceberg/settings/settings'
import { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectionContext, ConnectorProperties } from '@tributary/engine/ports/source'
import type { SyncMode } from '@tributary/engine/sync/plan'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePostgresPair, type PostgresPair } from '../../engine/databases/postgres-pair.ts'
import { faultyCatalog, FaultPlan, KilledError } from '../../engine/iceberg/faulty-catalog.ts'
import { listOrphans } from '../../engine/iceberg/lake-under-test.ts'
import { orders as defaultTable, SimulatedLake } from '../../engine/iceberg/simulated-lake.ts'
import { readTargetFigures, type TableFigures } from '../../engine/iceberg/table-figures.ts'
import { connectionContext, openNetwork } from '../../engine/sync/source-context.ts'
import { type ObjectServer, startAzurite, startVersityGateway } from './object-servers.ts'

const { namespace } = defaultTable
const python = process.env['TRIBUTARY_ICEBERG_PYTHON'] ?? ''
const tables = ['orders', 'documents']

const servers = [
  ['Azurite by the account key', () => startAzurite('key')],
  ['Azurite by a shared access signature', () => startAzurite('sas')],
  ['the Versity S3 Gateway with the bucket in the path', () => startVersityGateway('path')],
  ['the Versity S3 Gateway with the bucket in the host name', () => startVersityGateway('host')],
] as const

describe.each(servers)('through %s', (_, start) => {
  let server: ObjectServer
  let lake: SimulatedLake
  let pair: PostgresPair
  let properties: ConnectorProperties

  beforeAll(async () => {
    server = await start()
    lake = await SimulatedLake.start({ vends: false, storageRoot: server.root })
    pair = await makePostgresPair()
    properties = lake.properties(server.settings)
  })
  afterAll(async () => {
    await pair[Symbol.asyncDispose]()
    await lake[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  test('[LAKE-1] the test of the connection passes every step, and with a wrong key fails where files are written', async () => {
    const outcomes = async (settings: ConnectorProperties) =>
      (await checkLake(parseSettings(lake.properties(settings)), contextOf())).map(({ outcome }) => outcome)
    expect(await outcomes(server.settings)).toEqual(Array.from({ length: 8 }, () => 'passed'))
    expect((await outcomes(server.wrongSettings)).indexOf('failed')).toBe(4)
  })

  test('[LAKE-1] [LAKE-2] after a load, an update and a refresh PyIceberg reads what the PostgreSQL target has', async () => {
    await pair.source.query(firstRows)
    await run()
    await expectEqualTables()
    await pair.source.query(changedRows)
    await run()
    await expectEqualTables()
    await pair.source.query(`UPDATE orders SET amount = amount + 1 WHERE id % 13 = 0`)
    await run('full')
    const [orders] = await expectEqualTables()
    expect(orders?.rows).toBe(19_182)
  })

  test('[LAKE-1] [LAKE-2] data files of a killed run are removed by the next run, and what is left by maintenance', async () => {
    for (let call = 5; (await listUnusedFiles('/data/')).length === 0 && call < 60; call += 2) {
      await pair.source.query(`UPDATE orders SET amount = amount + 1`)
      await runKilledAt(call)
    }
    expect((await listUnusedFiles('/data/')).length).toBeGreaterThan(0)
    await run()
    expect(await listUnusedFiles('/data/')).toEqual([])
    await using target = await openTarget(contextOf())
    await target.begin({ connectorId, runId: randomUUID(), fence: ++fence })
    const maintained = []
    for await (const { table } of target.maintainTables()) maintained.push(table)
    expect(maintained.toSorted()).toEqual(tables.toSorted())
    expect(await listUnusedFiles('/')).toEqual([])
    await expectEqualTables()
  })

  const connectorId = randomUUID()
  let fence = 0

  async function run(syncMode: SyncMode = 'incremental'): Promise<void> {
    expect(await pair.run({ syncMode })).toMatchObject({ status: 'completed' })
    expect(await runIntoLake(syncMode)).toMatchObject({ status: 'completed' })
  }

  async function runKilledAt(call: number): Promise<void> {
    const plan = new FaultPlan({ kind: 'kill', at: call, when: 'after' })
    await runIntoLake('incremental', (catalog) => faultyCatalog(catalog, plan)).catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error
    })
  }

  async function runIntoLake(syncMode: SyncMode, wrap = (catalog: IcebergCatalog) => catalog) {
    await using target = await openTarget(contextOf(), wrap)
    const writer = { connectorId, runId: randomUUID(), fence: ++fence }
    return await pair.run({ target, writer, syncMode })
  }

  function openTarget(around: ConnectionContext, wrap = (catalog: IcebergCatalog) => catalog): Promise<OpenLakeTarget> {
    const settings = parseSettings(properties)
    return OpenLakeTarget.open(
      {
        namespace: settings.namespace,
        unknownValues: 'reject',
        openCatalog: async (context) => wrap(await openCatalog(settings, context)),
        check: () => Promise.resolve([]),
      },
      around,
    )
  }

  async function withTables<T>(work: (loaded: readonly LoadedTable[]) => Promise<T>): Promise<T> {
    await using catalog = await openCatalog(parseSettings(properties), contextOf())
    const loaded = await Promise.all(tables.map((name) => catalog.loadTable({ namespace, name })))
    return await work(loaded.flatMap((table) => table ?? []))
  }

  /** Those that Tributary has written and no snapshot refers to. */
  function listUnusedFiles(folder: string): Promise<readonly string[]> {
    return withTables(async (loaded) => {
      const orphans = (await Promise.all(loaded.map(listOrphans))).flat()
      return orphans.filter((file) => file.includes(folder))
    })
  }

  async function expectEqualTables(): Promise<readonly TableFigures[]> {
    const locations = await withTables((loaded) => Promise.all(loaded.map(writeMetadata)))
    const read = await readByPyIceberg(locations, server.readerProperties)
    const expected = []
    for (const table of tables) expected.push(await readTargetFigures(pair.target, table))
    expect(read).toEqual(expected)
    return read
  }
})

/** Every host is this machine, also one with the bucket in its name. */
function contextOf(): ConnectionContext {
  const network: Network = { dial: (_, port, ...rest) => openNetwork.dial('127.0.0.1', port, ...rest) }
  return { ...connectionContext(), network }
}

/** As a catalog does with each commit; the simulated one keeps it in memory. */
async function writeMetadata({ metadata, storage }: LoadedTable): Promise<string> {
  const location = `${metadata.location}/metadata/${randomUUID()}.metadata.json`
  await storage.write(location, Buffer.from(stringifyIcebergJson(metadata)))
  return location
}

async function readByPyIceberg(
  locations: readonly string[],
  properties: ObjectServer['readerProperties'],
): Promise<readonly TableFigures[]> {
  const program = join(import.meta.dirname, '..', 'iceberg', 'read-tables.py')
  const { stdout } = await promisify(execFile)(python, [program, 'pyiceberg', ...locations], {
    env: { ...process.env, TRIBUTARY_ICEBERG_PROPERTIES: JSON.stringify(properties) },
    maxBuffer: 100_000_000,
  })
  const read = JSON.parse(stdout.slice(stdout.indexOf('[{'))) as readonly TableFigures[]
  return read.map(({ rows, columns }) => ({ rows, columns }))
}

/** Files of documents have more than 8 MB, so that they are uploaded in parts. */
const firstRows = `
  CREATE TABLE orders (id int PRIMARY KEY, day date NOT NULL, customer text, amount numeric(18,2), changed timestamptz);
  INSERT INTO orders SELECT n, date '2024-01-01' + n % 700, 'Customer ' || n % 977, n * 1.01, timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'
    FROM generate_series(1, 20000) AS n;
  CREATE TABLE documents (id bigint PRIMARY KEY, content text, seal bytea);
  INSERT INTO documents SELECT n, (SELECT string_agg(md5(n || ' ' || part), '') FROM generate_series(1, 32) AS part), sha256(n::text::bytea)
    FROM generate_series(1, 30000) AS n`

const changedRows = `
  UPDATE orders SET amount = -amount WHERE id % 7 = 0;
  DELETE FROM orders WHERE id % 11 = 0;
  INSERT INTO orders SELECT n, '2026-02-01', NULL, 0.01, NULL FROM generate_series(20001, 21000) AS n;
  ALTER TABLE orders ADD COLUMN channel text DEFAULT 'shop';
  UPDATE documents SET content = 'é "quoted" \\ 🦀' WHERE id % 1000 = 0`
