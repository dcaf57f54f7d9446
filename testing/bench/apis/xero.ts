/**
 * The first run of a Xero company with a year of data (20,000 invoices, 60,000 lines, 30,000 payments) into PostgreSQL,
 * compared with only fetching and parsing the same pages. Run: node testing/bench/apis/xero.ts
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compare, script } from '../measure.ts'
import { startServer } from '../databases/postgres-server.ts'
import type { BenchServer } from '../databases/postgres-server.ts'
import type { FetchJob } from './xero-fetch.ts'
import type { BenchCompany } from './xero-server.ts'
import type { XeroSyncJob } from './xero-sync.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

async function emptySchema({ target }: BenchServer): Promise<void> {
  await target.query('SET client_min_messages = warning; DROP SCHEMA IF EXISTS books CASCADE')
  await target.query('CHECKPOINT')
}

/** Counts the rows of all tables with Xero's data. */
async function countRows({ target }: BenchServer): Promise<number> {
  const tables = await target.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'books' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'tributary%'`,
  )
  let rows = 0
  for (const { name } of tables.rows) {
    const counted = await target.query<{ rows: string }>(`SELECT count(*) AS rows FROM books."${name}"`)
    rows += Number(counted.rows[0]?.rows)
  }
  return rows
}

async function main(): Promise<void> {
  const xero = fork(here('xero-server.ts'))
  const [company] = (await once(xero, 'message')) as [BenchCompany]
  await using server = await startServer()
  const job: XeroSyncJob = { reach: server.reach, company }
  await script(here('xero-sync.ts'), job)
  xero.send('pages')
  const [pages] = (await once(xero, 'message')) as [readonly string[]]
  await compare({
    title: `A year of a company at Xero to PostgreSQL: ${pages.length} calls`,
    rows: await countRows(server),
    cases: [
      {
        name: 'the same pages fetched and parsed, five at a time',
        run: () => script(here('xero-fetch.ts'), { company, pages } satisfies FetchJob),
      },
      { name: 'Tributary', prepare: () => emptySchema(server), run: () => script(here('xero-sync.ts'), job) },
    ],
  })
  xero.disconnect()
}

await main()
