/**
 * The same API through a source description and through dlt's `rest_api` source into the same PostgreSQL server: rows that differ, seconds
 * and memory. Ends with 1 if Tributary differs from the API in any row, or is less than three times as fast as the fastest way of dlt.
 * Run: `npm run programme -- dlt`, which installs dlt.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchServer, startServer } from '../databases/postgres-server.ts'
import { type Measured, readRoundsOption, readRowsOption, runMeasured, script } from '../measure.ts'
import { compareRows, type RowDifferences } from './compare-rows.ts'
import type { Paging } from './description.ts'
import { type DocumentApi, startDocumentApi } from './document-api.ts'
import type { OurLoad } from './our-load.ts'
import { dltQueries, tributaryQueries } from './target-queries.ts'

const python = process.env['TRIBUTARY_DLT_PYTHON'] ?? ''
const seed = Number(process.env['TRIBUTARY_SOAK_SEED'] ?? 20_261_128)
const goal = 3

type DltWay = 'example' | 'tuned' | 'exact'
type Way = 'tributary' | DltWay

const wayNames: Readonly<Record<Way, string>> = {
  tributary: 'Tributary',
  example: 'dlt, as its guide shows',
  tuned: 'dlt, tuned',
  exact: 'dlt, tuned, numbers parsed as decimals',
}
const ways = Object.keys(wayNames) as readonly Way[]

interface LoadResult extends Measured {
  readonly differences: RowDifferences
}

interface Scenario {
  readonly title: string
  readonly paging: Paging
  readonly documents: number
  /** Calls before which a document is deleted from the pages that were read. */
  readonly movesAtCalls: readonly number[]
  readonly rounds: number
}

/** The first load and the load of what changed after it. */
type Loads = readonly [LoadResult, LoadResult]

async function runScenario(server: BenchServer, scenario: Scenario): Promise<ReadonlyMap<Way, readonly Loads[]>> {
  const results = new Map<Way, Loads[]>(ways.map((way) => [way, []]))
  for (let round = 1; round <= scenario.rounds; round += 1)
    for (const way of ways) {
      const loads = await loadTwice(server, scenario, way)
      results.get(way)?.push(loads)
      const [first, second] = loads.map(({ seconds }) => seconds.toFixed(2))
      process.stderr.write(`  ${round}/${scenario.rounds} ${wayNames[way]}: ${first} s, then ${second} s\n`)
    }
  return results
}

async function loadTwice(server: BenchServer, { paging, documents, movesAtCalls }: Scenario, way: Way): Promise<Loads> {
  const deletions = paging === 'links' ? 'marked' : 'gone'
  await using api = await startDocumentApi({ seed, documents, deletions, movesAtCalls })
  const folder = mkdtempSync(join(tmpdir(), 'tributary-dlt-'))
  const load = way === 'tributary' ? tributaryLoad(server, api, paging) : dltLoad(server, api, { way, paging, folder })
  try {
    await dropSchemas(server)
    const first = await load(1)
    api.change()
    return [first, await load(2)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Load = (run: number) => Promise<LoadResult>

function tributaryLoad(server: BenchServer, api: DocumentApi, paging: Paging): Load {
  const connectorId = randomUUID()
  return async (run) => {
    const job: OurLoad = { reach: server.reach, url: api.url, schema: 'ours', connectorId, paging, run }
    const measured = await script(fileURLToPath(new URL('our-load.ts', import.meta.url)), job)
    return { ...measured, differences: await compare(server, api, tributaryQueries('ours')) }
  }
}

function dltLoad(
  server: BenchServer,
  api: DocumentApi,
  { way, paging, folder }: { readonly way: DltWay; readonly paging: Paging; readonly folder: string },
): Load {
  const { user, password, host, port } = server.reach
  const database = `postgresql://${user}:${password}@${host}:${port}/target`
  return async (run) => {
    const job = { url: api.url, database, dataset: 'dlt', folder, paging, way, first: run === 1 }
    const measured = await runMeasured(python, [
      fileURLToPath(new URL('load.py', import.meta.url)),
      JSON.stringify(job),
    ])
    return { ...measured, differences: await compare(server, api, dltQueries('dlt')) }
  }
}

function compare(
  { target }: BenchServer,
  api: DocumentApi,
  queries: ReturnType<typeof dltQueries>,
): Promise<RowDifferences> {
  return compareRows(
    async (sql) => (await target.query<Record<string, string | null>>(sql)).rows,
    queries,
    api.documents(),
  )
}

async function dropSchemas({ target }: BenchServer): Promise<void> {
  const schemas = ['ours', 'dlt', 'dlt_staging'].map((name) => `DROP SCHEMA IF EXISTS ${name} CASCADE`)
  await target.query(`SET client_min_messages = warning; ${schemas.join('; ')}`)
  await target.query('CHECKPOINT')
}

function printScenario({ title, rounds }: Scenario, results: ReadonlyMap<Way, readonly Loads[]>): void {
  console.log(
    `\n## ${title} (fastest of ${rounds}, seed ${seed})\n\n| | First load s | CPU s | Changes s | Peak MB | Rows lost | Rows too many | Rows doubled | Values that differ |\n|---|---|---|---|---|---|---|---|---|`,
  )
  for (const way of ways) {
    const runs = results.get(way) ?? []
    const secondsAt = (index: 0 | 1): string => Math.min(...runs.map((loads) => loads[index].seconds)).toFixed(2)
    const cpu = Math.min(...runs.map(([{ cpuSeconds = 0 }]) => cpuSeconds)).toFixed(1)
    const peak = Math.max(...runs.flat().map(({ peakMb = 0 }) => peakMb)).toFixed(0)
    const { lost = 0, surplus = 0, doubled = 0, values = 0 } = runs.at(-1)?.[1].differences ?? {}
    console.log(
      `| ${[wayNames[way], secondsAt(0), cpu, secondsAt(1), peak, lost, surplus, doubled, values].join(' | ')} |`,
    )
  }
}

/** A document that is deleted after it was read is in the target until the next load, so only the last one must be equal then. */
function inexactLoads({ movesAtCalls }: Scenario, results: ReadonlyMap<Way, readonly Loads[]>): readonly string[] {
  const ours = (results.get('tributary') ?? []).flatMap(([first, second]) =>
    movesAtCalls.length === 0 ? [first, second] : [second],
  )
  const inexact = ours.filter(
    ({ differences: { lost, surplus, doubled, values } }) => lost + surplus + doubled + values > 0,
  )
  return inexact.map(({ differences }) => `Tributary differs from the API: ${JSON.stringify(differences)}.`)
}

function speedFailures(results: ReadonlyMap<Way, readonly Loads[]>): readonly string[] {
  // Other work on the machine only makes a load slower, so the fastest of several says most.
  const fastestOf = (way: Way, index: 0 | 1): number =>
    Math.min(...(results.get(way) ?? []).map((loads) => loads[index].seconds))
  const ratios = ([0, 1] as const).map(
    (index) =>
      Math.min(...ways.filter((way) => way !== 'tributary').map((way) => fastestOf(way, index))) /
      fastestOf('tributary', index),
  )
  const [first = 0, changes = 0] = ratios
  console.log(
    `\nAs long as Tributary's, the fastest loads of dlt take: the first ${first.toFixed(2)} times, that of changes ${changes.toFixed(2)} times.`,
  )
  return first < goal ? [`The first load is ${first.toFixed(2)} times as fast as dlt's, not ${goal} times.`] : []
}

async function main(): Promise<void> {
  await using server = await startServer()
  const documents = readRowsOption(100_000)
  const rounds = readRoundsOption()
  const fast: Scenario = {
    title: `${documents.toLocaleString('en')} documents with three lines each, by links`,
    paging: 'links',
    documents,
    movesAtCalls: [],
    rounds,
  }
  const moving: Scenario = {
    title: '10,000 documents by page numbers; rows move and documents vanish while pages are read',
    paging: 'pages',
    documents: 10_000,
    movesAtCalls: [4, 7],
    rounds: 1,
  }
  const fastResults = await runScenario(server, fast)
  printScenario(fast, fastResults)
  const failures = [...inexactLoads(fast, fastResults), ...speedFailures(fastResults)]
  const movingResults = await runScenario(server, moving)
  printScenario(moving, movingResults)
  failures.push(...inexactLoads(moving, movingResults))
  for (const failure of failures) console.error(failure)
  process.exitCode = failures.length === 0 ? 0 : 1
}

await main()
