/** An installation on hosts with an address each, under kills, cuts and wrong clocks: `npm run programme -- hosts`. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trialOrganisations, trialPassword } from '../../../server/src/trial/people.ts'
import { printFigure, seed } from '../extent.ts'
import { disturbances } from './disturbances.ts'
import { type Installation, openInstallation, storeDatabase } from './installation.ts'
import { type CallFigures, RetryingClient } from './retrying-client.ts'
import { type ComparedTable, Shop } from './shop.ts'
import { addAreas, type MovedShop, readAllTheTime, runAllTheTime, type RunFigures, runOnce } from './traffic.ts'

const minutes = Number(process.env['TRIBUTARY_HOSTS_MINUTES'] ?? 60)
const folder = mkdtempSync(join(tmpdir(), 'tributary-hosts-'))
/** All rows are compared, and all other promises checked, after so many minutes each. */
const segmentMinutes = 10
const shopsOfEach = 3
const random = createRandom(seed)
const callFigures: CallFigures = { calls: 0, repeated: 0, throttled: 0, attemptsMax: 0, slowestMs: 0, failed: [] }
const runFigures: RunFigures = { accepted: [], ended: {}, lostEvents: 0 }
const counts: Record<string, number> = {}
const areaNames: string[] = []
let clients = 0
let reader: RetryingClient
let writer: RetryingClient
let installation: Installation
let shops: readonly MovedShop[]

beforeAll(async () => {
  process.stdout.write(`programme: data and logs of the hosts are in ${folder}\n`)
  installation = await openInstallation(folder)
  await installation.waitUntilReady()
  shops = await openShops()
  reader = createClient('admin@harbour.example')
  writer = createClient('admin@harbour.example')
}, 300_000)
afterAll(async () => {
  await installation[Symbol.asyncDispose]()
}, 120_000)

test(
  `[SCALE-6] three workers, two web processes, a store and a warehouse server on hosts with an address each: after ${minutes} minutes of kills, cuts and wrong clocks no row is lost or doubled, and no call failed beyond its retries (seed ${seed})`,
  async () => {
    for (const moved of shops) expect(await runOnce(moved, runFigures)).toBe('COMPLETED')
    for (let passed = 0; passed < minutes; passed += segmentMinutes) {
      const last = Math.min(segmentMinutes, minutes - passed)
      await disturbTraffic(last * 60_000)
      await expectNothingLost(passed + last)
    }
  },
  (minutes + 30) * 60_000,
)

async function disturbTraffic(ms: number): Promise<void> {
  const ending = new AbortController()
  const traffic = startTraffic(ending.signal)
  await disturbFor(ms)
  await installation.waitUntilReady()
  ending.abort()
  await traffic
  await waitForOpenRuns()
}

/** @param passed minutes since the first disturbance */
async function expectNothingLost(passed: number): Promise<void> {
  for (const moved of shops) expect(await runOnce(moved, runFigures)).toBe('COMPLETED')
  const compared = await compareShops()
  report(compared, passed)
  expect(compared).toEqual(compared.map((one) => ({ ...one, lost: 0, doubled: 0 })))
  expect(runFigures.lostEvents).toBe(0)
  expect(callFigures.failed).toEqual([])
  expect(await findAcceptedRuns()).toEqual(new Set(runFigures.accepted))
  expect(await listAreas()).toEqual(areaNames.toSorted())
}

async function openShops(): Promise<readonly MovedShop[]> {
  const opened: MovedShop[] = []
  for (const { id, key } of trialOrganisations)
    for (let number = 1; number <= shopsOfEach; number += 1) {
      const schema = `${key.split('-')[0]}_${number}`
      const shop = await Shop.open(installation.source, schema)
      const client = createClient(key.startsWith('harbour') ? 'admin@harbour.example' : 'admin@summit.example')
      const connectors = `/api/tributary/clients/${id}/connectors`
      const value = installation.source.settings(schema)
      const properties = [{ name: 'source.connectionString', value }]
      const { body } = await client.call('POST', connectors, { type: 'postgres', name: schema, properties }, [201])
      opened.push({ shop, client, connectors, connectorId: (body as { Id: string }).Id, schema })
    }
  return opened
}

function createClient(emailAddress: string): RetryingClient {
  clients += 1
  const identity = { emailAddress, password: trialPassword, address: `192.0.2.${clients}` }
  return new RetryingClient(installation.webs, identity, callFigures)
}

async function startTraffic(signal: AbortSignal): Promise<void> {
  const paths = ['/api/areas', shops[0]?.connectors ?? '', '/healthz']
  const findDatabase = { warehouse: installation.warehouse, databaseOf }
  await Promise.all([
    addAreas(writer, areaNames, signal),
    readAllTheTime(reader, paths, signal),
    ...shops.map((moved, at) =>
      runAllTheTime(moved, runFigures, { random: createRandom(seed + at), signal, findDatabase }),
    ),
  ])
}

/** One disturbance after the other; clocks stay wrong meanwhile. */
async function disturbFor(ms: number): Promise<void> {
  const endsAt = performance.now() + ms
  while (performance.now() < endsAt) {
    const { description, happen } = random.pick(disturbances)
    counts[description] = (counts[description] ?? 0) + 1
    await happen(installation, random)
    await sleep(random.between(4_000, 15_000))
  }
  for (const { host } of [...installation.workers, ...installation.webs, installation.store]) host.setClock(0)
}

/** A run may wait for its next try. */
async function waitForOpenRuns(): Promise<void> {
  for (;;) {
    const open = await inStore(`SELECT id FROM run WHERE status IN ('QUEUED', 'RUNNING', 'WAITING')`)
    if (open.length === 0) return
    await sleep(1_000)
  }
}

function inStore<Row extends object>(text: string): Promise<Row[]> {
  return installation.store.query<Row>(storeDatabase, text)
}

async function databaseOf({ connectorId }: MovedShop): Promise<string> {
  const [row] = await inStore<{ database_name: string }>(
    `SELECT database_name FROM warehouse JOIN connector USING (organisation_id) WHERE connector.id = '${connectorId}'`,
  )
  return row?.database_name ?? ''
}

async function compareShops(): Promise<readonly ComparedTable[]> {
  const compared: ComparedTable[] = []
  for (const moved of shops) {
    const tables = await moved.shop.compare(installation.warehouse, await databaseOf(moved), moved.schema)
    compared.push(...tables.map((one) => ({ ...one, table: `${moved.schema}.${one.table}` })))
  }
  return compared
}

/** Runs that were accepted, are in the store and are over. */
async function findAcceptedRuns(): Promise<ReadonlySet<string>> {
  const rows = await inStore<{ id: string }>(`SELECT id FROM run WHERE status IN ('COMPLETED', 'FAILED', 'CANCELLED')`)
  const accepted = new Set(runFigures.accepted)
  return new Set(rows.map(({ id }) => id).filter((id) => accepted.has(id)))
}

async function listAreas(): Promise<readonly string[]> {
  return (await inStore<{ name: string }>(`SELECT name FROM area WHERE name LIKE 'Area %'`))
    .map(({ name }) => name)
    .toSorted()
}

function report(compared: readonly ComparedTable[], passed: number): void {
  const sum = (field: 'sourceRows' | 'lost' | 'doubled') => compared.reduce((total, one) => total + one[field], 0)
  const disturbed = Object.values(counts).reduce((total, count) => total + count, 0)
  printFigure(
    `${disturbed} disturbances in ${passed} minutes (${JSON.stringify(counts)}); runs accepted ${runFigures.accepted.length}, ended ${JSON.stringify(runFigures.ended)}; ` +
      `${sum('sourceRows')} rows compared, lost ${sum('lost')}, doubled ${sum('doubled')}, events lost after a completed run ${runFigures.lostEvents}; ` +
      `${callFigures.calls} calls, ${callFigures.repeated} repeated, ${callFigures.throttled} throttled, at most ${callFigures.attemptsMax} attempts and ${Math.round(callFigures.slowestMs)} ms, failed ${callFigures.failed.length}; ${areaNames.length} areas`,
  )
}
