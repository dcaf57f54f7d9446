/**
 * A merge of a million rows of which 1 % have changed, compared with psql's COPY to a staging table and one statement
 * that skips equal rows.
 */
import { fileURLToPath } from 'node:url'
import { compare, readRowsOption, script, shell, type Measured } from '../measure.ts'
import { fillInvoices, invoiceColumns, startServer } from './postgres-server.ts'
import type { PostgresSyncJob } from './postgres-sync.ts'

const rows = readRowsOption(1_000_000)
await using server = await startServer()
await fillInvoices(server.source, rows)
await server.target.query(`CREATE TABLE invoice (${invoiceColumns})`)
const environment = server.environment()
await shell('psql -qXd source -c "COPY invoice TO STDOUT" | psql -qXd target -c "COPY invoice FROM STDIN"', environment)

const syncing = fileURLToPath(new URL('postgres-sync.ts', import.meta.url))
let fence = 0
const ours = (mode: PostgresSyncJob['mode'], forceText: boolean) => (): Promise<Measured> =>
  script(syncing, { reach: server.reach, mode, forceText, fence: ++fence } satisfies PostgresSyncJob)
await ours('full', false)()

const { rows: names } = await server.source.query<{ attname: string }>(
  `SELECT attname FROM pg_attribute WHERE attrelid = 'invoice'::regclass AND attnum > 1 ORDER BY attnum`,
)
const each = (prefix: string): string => names.map(({ attname }) => `${prefix}${attname}`).join(', ')
const statement = `INSERT INTO invoice AS kept SELECT * FROM stage ON CONFLICT (id) DO UPDATE SET ${names.map(({ attname }) => `${attname} = excluded.${attname}`).join(', ')}
  WHERE (${each('kept.')}) IS DISTINCT FROM (${each('excluded.')})`
const psql = (): Promise<Measured> =>
  shell(
    `psql -qXd source -c "COPY invoice TO STDOUT" | psql -qXd target -c "CREATE TEMP TABLE stage (LIKE invoice)" -c "COPY stage FROM STDIN" -c "${statement}"`,
    environment,
  )

let round = 0
/** Changes another 1 % each time, so that every case has the same work. */
const change = (first: boolean) => async (): Promise<void> => {
  if (first)
    await server.source.query(
      `UPDATE invoice SET total = total + 1, updated_at = now() WHERE id % 100 = ${round++ % 100}`,
    )
  await server.source.query('VACUUM invoice')
  await server.target.query('CHECKPOINT')
}

await compare({
  title: `PostgreSQL upsert of ${rows.toLocaleString('en')} invoices, 1 % changed`,
  rows,
  cases: [
    { name: 'psql COPY to staging, one statement', prepare: change(true), run: psql },
    { name: 'Tributary, text', prepare: change(false), run: ours('merge everything', true) },
    { name: 'Tributary, as it chooses (binary)', prepare: change(true), run: ours('merge everything', false) },
    {
      name: 'Tributary, incremental: only what has changed is read',
      prepare: change(true),
      run: ours('incremental', false),
    },
  ],
})
