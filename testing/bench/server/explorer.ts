/**
 * The explorer on a table of ten million rows: first rows in the order of the key and of an indexed column, rows after a position far
 * inside, a filter by an indexed column, and the memory of exports of a million rows. Fails if the 95th percentile of a page exceeds its
 * limit. Run: node testing/bench/server/explorer.ts [rows] [calls]
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import { median } from '../measure.ts'
import { quantile } from './client.ts'
import { startMeasuredServer } from './measured-server.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const calls = Number(process.argv[3] ?? 100)
const limitMs = 300
const exported = 1_000_000
const client = `/api/tributary/clients/${trialOrganisations[0].id}`
const table = `${client}/data/tables/bench/invoice_line`

const server = await startMeasuredServer()
const token = await server.signIn('admin@demo.example')
await drain(`${client}/warehouse`, token)
await fillWarehouse()

const middle = String(rows / 2)
const day = '2024-03-01'
const pages: readonly (readonly [name: string, query: Record<string, string>])[] = [
  ['First rows by key', {}],
  ['Last rows by key', { descending: 'true' }],
  ['Rows by key, from the middle', { after: JSON.stringify([middle]) }],
  ['Rows by key, before the middle', { before: JSON.stringify([middle]) }],
  ['First rows by an indexed column', { sort: 'amount' }],
  ['Last rows by an indexed column', { sort: 'amount', descending: 'true' }],
  ['Rows by an indexed column, from the middle', { sort: 'amount', after: JSON.stringify(['5000.00', middle]) }],
  ['Rows by an indexed column, before the middle', { sort: 'amount', before: JSON.stringify(['5000.00', middle]) }],
  [
    'A filter by an indexed column',
    { filters: JSON.stringify([{ column: 'day', operator: 'between', values: [day, day] }]) },
  ],
]
console.log(`\n## Pages of 100 of ${rows.toLocaleString('en')} rows\n\n| Page | p50 ms | p95 ms |\n|---|---|---|`)
for (const [name, query] of pages) {
  const { times } = await server.time(`${table}/rows?${new URLSearchParams(query).toString()}`, token, calls)
  const slow = quantile(times, 0.95)
  console.log(`| ${name} | ${median(times).toFixed(0)} | ${slow.toFixed(0)} |`)
  if (slow > limitMs) process.exitCode = 1
}

const before = peakMb()
console.log(
  `\n## Exports of ${exported.toLocaleString('en')} rows\n\n| File | s | MB | Peak MB of the server |\n|---|---|---|---|`,
)
console.log(`| none | | | ${before.toFixed(0)} |`)
const filters = JSON.stringify([{ column: 'id', operator: 'between', values: ['1', String(exported)] }])
for (const format of ['csv', 'parquet', 'xlsx']) {
  const since = performance.now()
  const bytes = await drain(`${table}/rows.${format}?${new URLSearchParams({ filters }).toString()}`, token)
  const seconds = (performance.now() - since) / 1_000
  console.log(`| ${format} | ${seconds.toFixed(1)} | ${(bytes / 1e6).toFixed(0)} | ${peakMb().toFixed(0)} |`)
}
await server.stop()

/** Reads a reply to its end without keeping it. Returns its size in bytes. */
async function drain(path: string, bearer: string): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` }
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
  if (response.status !== 200 || response.body === null) throw new Error(`The server answered ${response.status}.`)
  let bytes = 0
  for await (const part of response.body) bytes += part.length
  return bytes
}

/** The most memory that the server has used. */
function peakMb(): number {
  const status = readFileSync(`/proc/${server.processId}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+)/mu.exec(status)?.[1] ?? 0) / 1_024
}

/** As a connector would: a schema and a table of the writer. */
async function fillWarehouse(): Promise<void> {
  const { rows: found } = await server.database.query<{ name: string; writer: string }>(
    'SELECT database_name AS name, writer_name AS writer FROM warehouse',
  )
  const [{ name, writer } = { name: '', writer: '' }] = found
  const warehouse = new pg.Client({ ...server.superuser, database: name })
  await warehouse.connect()
  await warehouse.query(`SET ROLE ${pg.escapeIdentifier(writer)}`)
  await warehouse.query(
    `CREATE SCHEMA bench;
     CREATE TABLE bench.invoice_line (id bigint PRIMARY KEY, invoice bigint, item text, amount numeric(19,4), day date, changed timestamptz)`,
  )
  await warehouse.query(
    `INSERT INTO bench.invoice_line
     SELECT n, n / 4, 'Item ' || n % 1000, (n * 7919::bigint % 1000000) / 100.0, date '2024-01-01' + (n % 1000)::int, timestamptz '2024-01-01' + n * interval '1 s'
     FROM generate_series(1, $1::bigint) AS n`,
    [rows],
  )
  await warehouse.query('CREATE INDEX ON bench.invoice_line (amount); CREATE INDEX ON bench.invoice_line (day)')
  await warehouse.query('ANALYZE bench.invoice_line')
  await warehouse.end()
}
