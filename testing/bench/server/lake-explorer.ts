/**
 * The explorer on an Iceberg table of a million rows in a folder: pages by the key and by another column, filters, figures of a column and a
 * file of all rows. The connector's run loads it. Run: node testing/bench/server/lake-explorer.ts [rows] [calls]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base, Chaos } from '../../server/processes/chaos.ts'
import { spawnWorker } from '../../server/processes/spawn-worker.ts'
import { median } from '../measure.ts'
import { quantile } from './client.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const calls = Number(process.argv[3] ?? 20)
const warmUpCalls = 2
const loadMs = 600_000

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const chaos = await Chaos.start(home, rows)
// The server of a trial has this folder by default; the worker has other settings.
const env = { TRIBUTARY_LAKE_FOLDER: join(home, 'lake') }
const options = { leaseMs: 30_000, pollMs: 300 }
const worker = await spawnWorker({ ...(await chaos.stopWorkerForSettings()), env, options })
const connectorId = await chaos.addConnector(
  'Lake',
  { tables: ['chaos.wide'] },
  { connector: 'iceberg', uri: 'folder:' },
)
const { Status: status } = await chaos.waitForRunEnd(await chaos.startRun(true, connectorId), loadMs, connectorId)
if (status !== 'COMPLETED') throw new Error(`The load ended with ${String(status)}.`)

const tables = `${base}/data/tables`
const token = await chaos.signIn('admin@demo.example')
const sources = (await get(tables).then((reply) => reply.json())) as readonly {
  readonly ConnectorId: string | null
  readonly Tables: readonly { readonly Schema: string; readonly Name: string }[]
}[]
const found = sources.find((source) => source.ConnectorId === connectorId)?.Tables.at(0)
const table = `${tables}/${encodeURIComponent(found?.Schema ?? '')}/${found?.Name}`

const middle = String(rows / 2)
const day = '2026-01-05'
const filterBy = (column: string, operator: string, values: readonly string[]) => ({
  filters: JSON.stringify([{ column, operator, values }]),
})
const pages: readonly (readonly [name: string, query: Record<string, string>])[] = [
  ['First rows by key', {}],
  ['Last rows by key', { descending: 'true' }],
  ['Rows by key, from the middle', { after: JSON.stringify([middle]) }],
  ['Rows by key, before the middle', { before: JSON.stringify([middle]) }],
  ['First rows by another column', { sort: 'amount' }],
  [
    'Rows by another column, from the middle',
    { sort: 'at', after: JSON.stringify(['2026-01-06 12:00:00+00', middle]) },
  ],
  ['A day of a column, which the bounds of files know', filterBy('at', 'between', [day, day])],
  ['A text that is searched in every row', filterBy('name', 'contains', [`row ${rows - 1} `])],
]
console.log(`\n## Pages of 100 of ${rows.toLocaleString('en')} rows\n\n| Page | p50 ms | p95 ms |\n|---|---|---|`)
for (const [name, query] of pages) await measure(name, `${table}/rows?${new URLSearchParams(query).toString()}`)
await measure('Figures of a column', `${table}/profile?column=amount`)

for (const format of ['csv', 'parquet'] as const) {
  const since = performance.now()
  const { byteLength } = await get(`${table}/rows.${format}`).then((reply) => reply.arrayBuffer())
  const seconds = (performance.now() - since) / 1_000
  console.log(
    `\nAll rows as ${format}: ${(rows / seconds).toFixed(0)} rows/s, ${seconds.toFixed(1)} s, ${(byteLength / 1_048_576).toFixed(0)} MB.`,
  )
}
await worker.kill('SIGTERM')
await chaos.stop()
rmSync(home, { recursive: true, force: true })

async function measure(name: string, path: string): Promise<void> {
  const times: number[] = []
  for (let n = -warmUpCalls; n < calls; n += 1) {
    const since = performance.now()
    await get(path).then((reply) => reply.text())
    if (n >= 0) times.push(performance.now() - since)
  }
  console.log(`| ${name} | ${median(times).toFixed(0)} | ${quantile(times, 0.95).toFixed(0)} |`)
}

async function get(path: string): Promise<Response> {
  const reply = await chaos.callOnce('GET', path, undefined, token)
  if (reply.status !== 200) throw new Error(`${path} replied ${reply.status}: ${await reply.text()}`)
  return reply
}
