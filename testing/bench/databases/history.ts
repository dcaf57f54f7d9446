/**
 * What history costs: an incremental run of which 1 % have changed, with and without it, into PostgreSQL and into MariaDB; and the two ways of
 * keeping the start of a current version, as plain SQL: an open row in history, or a column of the table. `--only=postgres` or
 * `--only=mariadb` for one of them. Tables of more than a million rows compare their keys only once a day: `--rows=1200000` measures a run
 * that does not.
 */
import { fileURLToPath } from 'node:url'
import { compare, type Measured, readRowsOption, script } from '../measure.ts'
import { startBenchMariadb } from './mariadb-server.ts'
import type { MariadbSyncJob } from './mariadb-sync.ts'
import { type BenchServer, fillInvoices, startServer } from './postgres-server.ts'
import type { PostgresSyncJob } from './postgres-sync.ts'

const rows = readRowsOption(1_000_000)
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
await using server = await startServer()
await fillInvoices(server.source, rows)

await using mariadb = await startBenchMariadb()

const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
let fence = 0
type Mode = 'full' | 'incremental'

const intoPostgres = (mode: Mode, keepsHistory: boolean) => (): Promise<Measured> =>
  script(scriptOf('postgres-sync.ts'), {
    reach: server.reach,
    mode,
    forceText: false,
    fence: ++fence,
    schema: keepsHistory ? 'kept' : 'plain',
    keepsHistory,
  } satisfies PostgresSyncJob)

const intoMariadb = (mode: Mode, keepsHistory: boolean) => (): Promise<Measured> =>
  script(scriptOf('mariadb-sync.ts'), {
    from: 'postgres',
    mariadb: { ...mariadb.reach, database: keepsHistory ? 'kept' : 'plain' },
    postgres: { ...server.reach, sslmode: 'disable' },
    fence: ++fence,
    mode,
    keepsHistory,
  } satisfies MariadbSyncJob)

for (const database of ['plain', 'kept'])
  await mariadb.connection.run(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`)

let round = 0
/** Another 1 % each time. Both cases read the same change. */
async function change(isFirst: boolean): Promise<void> {
  if (isFirst)
    await server.source.query(
      `UPDATE invoice SET total = total + 1, updated_at = now() WHERE id % 100 = ${round++ % 100}`,
    )
  await server.source.query('VACUUM invoice')
  await server.target.query('CHECKPOINT')
}

for (const [target, run] of [
  ['PostgreSQL', intoPostgres],
  ['MariaDB', intoMariadb],
] as const) {
  if (only !== undefined && !target.toLowerCase().startsWith(only)) continue
  for (const keepsHistory of [false, true]) await run('full', keepsHistory)()
  await compare({
    title: `Incremental run of ${rows.toLocaleString('en')} invoices into ${target}, 1 % changed`,
    rows,
    cases: [
      { name: 'Without history', prepare: () => change(true), run: run('incremental', false) },
      { name: 'With history', prepare: () => change(false), run: run('incremental', true) },
    ],
  })
}

const openRowSql = `BEGIN; UPDATE opened t SET total = s.total FROM stage s WHERE s.id = t.id;
  UPDATE opened_history h SET valid_to = now() FROM stage s WHERE s.id = h.id AND h.valid_to IS NULL;
  INSERT INTO opened_history SELECT t.*, now(), NULL FROM opened t JOIN stage s USING (id); COMMIT`
const columnSql = `BEGIN; INSERT INTO marked_history SELECT t.*, now() FROM marked t JOIN stage s USING (id);
  UPDATE marked t SET total = s.total, since = now() FROM stage s WHERE s.id = t.id; COMMIT`

if (only !== 'mariadb') await createAlternatives(server)
if (only !== 'mariadb')
  await compare({
    title: `Where the start of a current version is, for ${rows.toLocaleString('en')} invoices, 1 % changed`,
    rows,
    cases: [
      { name: 'In an open row of history', prepare: stage, run: () => measure(openRowSql) },
      { name: 'In a column of the table', prepare: stage, run: () => measure(columnSql) },
    ],
  })

async function createAlternatives({ target }: BenchServer): Promise<void> {
  await target.query(`
    CREATE TABLE opened AS SELECT * FROM plain.invoice; ALTER TABLE opened ADD PRIMARY KEY (id);
    CREATE TABLE opened_history AS SELECT *, now() AS valid_from, NULL::timestamptz AS valid_to FROM opened;
    CREATE INDEX ON opened_history (id) WHERE valid_to IS NULL;
    CREATE TABLE marked AS SELECT *, now() AS since FROM plain.invoice; ALTER TABLE marked ADD PRIMARY KEY (id);
    CREATE TABLE marked_history AS SELECT *, now() AS valid_to FROM marked WHERE false;
    CREATE TABLE stage AS SELECT * FROM plain.invoice WHERE false`)
}

async function stage(): Promise<void> {
  await server.target.query(`TRUNCATE stage; INSERT INTO stage SELECT * FROM opened WHERE id % 100 = ${round++ % 100};
    UPDATE stage SET total = total + ${round}; ANALYZE stage; CHECKPOINT`)
}

async function measure(sql: string): Promise<Measured> {
  const since = performance.now()
  await server.target.query(sql)
  return { seconds: (performance.now() - since) / 1000 }
}
