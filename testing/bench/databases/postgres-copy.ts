/** A full refresh from PostgreSQL to PostgreSQL, compared with psql's COPY into the same table. Takes `--rows=N`. */
import { fileURLToPath } from 'node:url'
import { compare, readRowsOption, script, shell, type Measured } from '../measure.ts'
import { fillInvoices, invoiceColumns, startServer } from './postgres-server.ts'
import type { PostgresSyncJob } from './postgres-sync.ts'

const rows = readRowsOption(1_000_000)
await using server = await startServer()
await fillInvoices(server.source, rows)
await server.target.query(`CREATE TABLE invoice (${invoiceColumns})`)

const syncing = fileURLToPath(new URL('postgres-sync.ts', import.meta.url))
let fence = 0
const ours = (forceText: boolean) => (): Promise<Measured> =>
  script(syncing, { reach: server.reach, mode: 'full', forceText, fence: ++fence } satisfies PostgresSyncJob)
const psql = (format: string) => (): Promise<Measured> =>
  shell(
    `psql -qXd source -c "COPY invoice TO STDOUT${format}" | psql -qXd target -c "COPY invoice FROM STDIN${format}"`,
    server.environment(),
  )
const calm = async (): Promise<void> => {
  await server.target.query('TRUNCATE invoice')
  await server.target.query('CHECKPOINT')
}

await compare({
  title: `PostgreSQL to PostgreSQL, full refresh of ${rows.toLocaleString('en')} invoices`,
  rows,
  cases: [
    { name: 'psql COPY text into the table with its key', prepare: calm, run: psql('') },
    { name: 'Tributary, text: shadow table, key, checkpoint, swap', prepare: calm, run: ours(true) },
    { name: 'Tributary, as it chooses (binary)', prepare: calm, run: ours(false) },
    { name: 'psql COPY binary into the table with its key', prepare: calm, run: psql(' (FORMAT binary)') },
  ],
})
