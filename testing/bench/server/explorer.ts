/**
 * The explorer on a table of ten million rows: first rows in the order of the key and of an indexed column, rows after a position far
 * inside, and a filter by an indexed column. Fails if the 95th percentile of a page exceeds its limit. Run: node testing/bench/server/explorer.ts [rows] [calls]
 */
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import { median } from '../measure.ts'
import { quantile } from './client.ts'
import { fillInvoiceLines } from './invoice-lines.ts'
import { startMeasuredServer } from './measured-server.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const calls = Number(process.argv[3] ?? 100)
const limitMs = 300
const client = `/api/tributary/clients/${trialOrganisations[0].id}`
const table = `${client}/data/tables/bench/invoice_line`

const server = await startMeasuredServer()
const token = await server.signIn('admin@demo.example')
await server.time(`${client}/warehouse`, token, 1)
await fillInvoiceLines(server, rows)

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

await server.stop()
