/**
 * Upserts 100,000 invoices with three lines each from an HTTP API into two tables: with the product, and the same rows
 * with psql as the limit. Results are compared to the last digit. Run: node testing/bench/apis/json-api.ts
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeDocuments } from '@tributary/engine/apis/http/documents'
import { parseExactJson } from '@tributary/engine/apis/http/exact-json'
import { readMembers } from '@tributary/engine/apis/http/fields'
import type { Table } from '@tributary/engine/ports/model'
import { connectionContext } from '../../engine/sync/source-context.ts'
import { documents, invoice, pageBody, pages } from './json-documents.ts'
import type { InvoiceSums } from './json-documents.ts'
import { fetchPage, openClient } from './json-source.ts'
import type { JsonJob } from './json-sync.ts'
import { compare, script, shell } from '../measure.ts'
import type { Measured } from '../measure.ts'
import { startServer } from '../databases/postgres-server.ts'
import type { BenchServer } from '../databases/postgres-server.ts'

const tables: readonly Table[] = [invoice.table, ...invoice.children.map(({ table }) => table)]
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Writes the rows in the product's encoding, one file per table, and returns the sums of their amounts. */
async function writeFiles(folder: string): Promise<InvoiceSums> {
  const sums: InvoiceSums = { invoices: 0n, lines: 0n }
  for (const { name } of tables) writeFileSync(join(folder, name), '')
  for (let number = 1; number <= pages; number += 1) {
    const rows = readMembers(parseExactJson(pageBody(number, sums)), 'Invoices')
    for (const { table, bytes } of await encodeDocuments(invoice, rows)) appendFileSync(join(folder, table), bytes)
  }
  return sums
}

function upsert({ name, key, columns }: Table): string {
  const rest = columns.map((column) => column.name).filter((column) => !key.includes(column))
  return `INSERT INTO ${name} SELECT * FROM stage_${name} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${rest.map((column) => `${column} = excluded.${column}`).join(', ')};`
}

function psqlScript(folder: string): string {
  const copies = tables.map(
    ({ name }) => `CREATE TEMP TABLE stage_${name} (LIKE ${name});\n\\copy stage_${name} FROM '${join(folder, name)}'`,
  )
  return ['BEGIN;', 'SET LOCAL search_path = pg_temp, psql;', ...copies, ...tables.map(upsert), 'COMMIT;'].join('\n')
}

async function emptySchemas({ target }: BenchServer): Promise<void> {
  await target.query(
    'SET client_min_messages = warning; DROP SCHEMA IF EXISTS ours CASCADE; DROP SCHEMA IF EXISTS psql CASCADE',
  )
}

/** Creates empty tables with the same columns as the product's. */
async function emptyTables(server: BenchServer, job: JsonJob): Promise<void> {
  await emptySchemas(server)
  await script(here('json-sync.ts'), { ...job, empty: true } satisfies JsonJob)
  await server.target.query('CREATE SCHEMA psql')
  for (const { name } of tables)
    await server.target.query(`CREATE TABLE psql.${name} (LIKE ours.${name} INCLUDING ALL)`)
  await server.target.query('CHECKPOINT')
}

async function checkMoney({ target }: BenchServer, schema: string, sums: InvoiceSums): Promise<void> {
  for (const [name, rows, sum] of [
    ['invoice', documents, sums.invoices],
    ['invoice_line', documents * 3, sums.lines],
  ] as const) {
    const found = await target.query<{ rows: string; sum: string }>(
      `SELECT count(*)::text AS rows, (sum(total) * 1000000)::numeric(40)::text AS sum FROM ${schema}.${name}`,
    )
    const { rows: counted, sum: added } = found.rows[0] ?? {}
    if (counted !== String(rows) || added !== String(sum))
      throw new Error(`${schema}.${name} holds ${counted} rows of ${added} in all, not ${rows} of ${sum}.`)
  }
}

/** Measures each stage of the source separately, to find the bottleneck. */
async function stagesAlone(base: URL): Promise<void> {
  const bodies = Array.from({ length: 10 }, (_, index) => Buffer.from(pageBody(index + 1, { invoices: 0n, lines: 0n })))
  const texts = bodies.map((body) => body.toString('utf8'))
  const parsed = texts.map((text) => readMembers(parseExactJson(text), 'Invoices'))
  using client = openClient(base, connectionContext())
  const stages: Readonly<Record<string, (number: number) => unknown>> = {
    'bytes to text': (number) => bodies[number % 10]?.toString('utf8'),
    'JSON.parse, which is not exact': (number) => JSON.parse(texts[number % 10] ?? ''),
    'exact parse': (number) => parseExactJson(texts[number % 10] ?? ''),
    encode: (number) => encodeDocuments(invoice, parsed[number % 10] ?? []),
    'HTTP, parse and encode': (number) => fetchPage(client, 'invoices', number + 1),
  }
  console.log('\n| Stage alone | documents/s |\n|---|---|')
  for (const [name, work] of Object.entries(stages)) {
    const since = performance.now()
    for (let number = 0; number < pages; number += 1) await work(number)
    console.log(`| ${name} | ${Math.round((documents / (performance.now() - since)) * 1_000).toLocaleString('en')} |`)
  }
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-json-'))
  const sums = await writeFiles(folder)
  writeFileSync(join(folder, 'upsert.sql'), psqlScript(folder))
  const api = fork(here('json-server.ts'))
  const [port] = (await once(api, 'message')) as [number]
  const base = `http://127.0.0.1:${port}/`
  await using server = await startServer()
  const job = (): JsonJob => ({ reach: server.reach, base, schema: 'ours', connectorId: randomUUID(), empty: false })
  const checked = async (schema: string, work: Promise<Measured>): Promise<Measured> => {
    const measured = await work
    await checkMoney(server, schema, sums)
    return measured
  }
  await compare({
    title: 'JSON API to PostgreSQL: 100,000 invoices with three lines each, upsert into parent and child',
    rows: documents,
    unit: 'documents',
    cases: [
      {
        name: 'psql COPY and INSERT … ON CONFLICT of the same rows',
        prepare: () => emptyTables(server, job()),
        run: () =>
          checked(
            'psql',
            shell(`psql -qX -v ON_ERROR_STOP=1 -f ${join(folder, 'upsert.sql')} target`, server.environment()),
          ),
      },
      {
        name: 'Tributary',
        prepare: () => emptySchemas(server),
        run: () => checked('ours', script(here('json-sync.ts'), job())),
      },
    ],
  })
  await stagesAlone(new URL(base))
  api.disconnect()
  rmSync(folder, { recursive: true, force: true })
}

await main()
