/**
 * Full refreshes between MariaDB and PostgreSQL, compared with the databases' clients, ogr2ogr and pgloader.
 * `--rows=100000` for fewer rows, `--only=mariadb` or `--only=postgres` for one direction.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillInvoices as fillMariadb, startBenchMariadb } from './mariadb-server.ts'
import type { MariadbSyncJob } from './mariadb-sync.ts'
import { compare, type Measured, readRowsOption, script, shell } from '../measure.ts'
import { fillInvoices, invoiceColumns, startServer } from './postgres-server.ts'

const rows = readRowsOption(1_000_000)
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
await using postgres = await startServer()
await using mariadb = await startBenchMariadb()
const syncing = fileURLToPath(new URL('mariadb-sync.ts', import.meta.url))
let fence = 0

const ours = (from: MariadbSyncJob['from']) => (): Promise<Measured> =>
  script(syncing, {
    from,
    mariadb: mariadb.reach,
    postgres: { ...postgres.reach, sslmode: 'disable' },
    fence: ++fence,
  } satisfies MariadbSyncJob)

if (only !== 'postgres') await fromMariadb()
if (only !== 'mariadb') await fromPostgres()

async function fromMariadb(): Promise<void> {
  await fillMariadb(mariadb, rows)
  await postgres.target.query(`CREATE TABLE invoice (${invoiceColumns})`)
  for (const schema of ['ogr', 'loaded'])
    await postgres.target.query(`CREATE SCHEMA ${schema} CREATE TABLE invoice (${invoiceColumns})`)
  const select = `SELECT id, reference, number, net, tax, total, issued_at, updated_at, IF(paid, 't', 'f'), note, document FROM invoice`
  const { host, port, user, password } = postgres.reach
  const loader = join(tmpdir(), `tributary-bench-${process.pid}.load`)
  writeFileSync(
    loader,
    `LOAD DATABASE FROM mysql://${mariadb.reach.user}:${mariadb.reach.password}@127.0.0.1:${mariadb.reach.port}/bench INTO postgresql://${user}:${password}@${host}:${port}/target
     WITH data only INCLUDING ONLY TABLE NAMES MATCHING 'invoice' ALTER SCHEMA 'bench' RENAME TO 'loaded';`,
  )
  const calm = async (): Promise<void> => {
    for (const table of ['invoice', 'ogr.invoice', 'loaded.invoice']) await postgres.target.query(`TRUNCATE ${table}`)
    await postgres.target.query('CHECKPOINT')
  }
  await compare({
    title: `MariaDB to PostgreSQL, full refresh of ${rows.toLocaleString('en')} invoices`,
    rows,
    cases: [
      {
        name: 'mariadb client piped to psql COPY into the table with its key',
        prepare: calm,
        run: counted('invoice', () =>
          shell(
            `${mariadb.client} --quick --batch --skip-column-names -e "SET time_zone = '+00:00'; ${select}" | PGOPTIONS='-c timezone=UTC' psql -qXd target -c "COPY invoice FROM STDIN"`,
            postgres.environment(),
          ),
        ),
      },
      {
        name: 'Tributary: shadow table, key, checkpoint, swap',
        prepare: calm,
        run: counted('shop.invoice', ours('mariadb')),
      },
      {
        name: 'ogr2ogr with COPY into the table with its key',
        prepare: calm,
        run: counted('ogr.invoice', () =>
          shell(
            `ogr2ogr -f PostgreSQL "PG:dbname=target" "MYSQL:bench,host=127.0.0.1,port=${mariadb.reach.port},user=${mariadb.reach.user},password=${mariadb.reach.password},tables=invoice" invoice -append -preserve_fid -nln ogr.invoice --config PG_USE_COPY YES -gt unlimited`,
            postgres.environment(),
          ),
        ),
      },
      {
        name: 'pgloader into the table with its key',
        prepare: calm,
        run: counted('loaded.invoice', () => shell(`pgloader --dynamic-space-size 4000 --quiet ${loader}`)),
      },
    ],
  })
}

/** Checks the number of rows, because some tools report success although they copied nothing. */
function counted(table: string, run: () => Promise<Measured>): () => Promise<Measured> {
  return async () => {
    const measured = await run()
    const { rows: found } = await postgres.target.query<{ n: string }>(`SELECT count(*)::text AS n FROM ${table}`)
    if (Number(found[0]?.n) !== rows) throw new Error(`${table} holds ${found[0]?.n} rows and not ${rows}.`)
    return measured
  }
}

async function fromPostgres(): Promise<void> {
  await fillInvoices(postgres.source, rows)
  const columns = `id BIGINT PRIMARY KEY, reference CHAR(36) CHARACTER SET ascii NOT NULL, number VARCHAR(20) NOT NULL, net DECIMAL(18,4) NOT NULL, tax DECIMAL(18,4) NOT NULL, total DECIMAL(18,4) NOT NULL,
    issued_at DATETIME(6) NOT NULL, updated_at DATETIME(6) NOT NULL, paid TINYINT(1) NOT NULL, note LONGTEXT NOT NULL, document JSON NOT NULL`
  const select = `SELECT id, reference, number, net, tax, total, issued_at AT TIME ZONE 'UTC', updated_at AT TIME ZONE 'UTC', paid::int, note, document FROM invoice`
  const calm = async (): Promise<void> => {
    await mariadb.connection.run('DROP TABLE IF EXISTS loaded')
    await mariadb.connection.run(`CREATE TABLE loaded (${columns})`)
  }
  await compare({
    title: `PostgreSQL to MariaDB, full refresh of ${rows.toLocaleString('en')} invoices`,
    rows,
    cases: [
      {
        name: 'psql COPY piped to LOAD DATA into the table with its key, checks off',
        prepare: calm,
        run: () =>
          shell(
            `psql -qXd source -c "COPY (${select}) TO STDOUT" | ${mariadb.client} --local-infile=1 -e "SET unique_checks = 0, foreign_key_checks = 0; LOAD DATA LOCAL INFILE '/dev/stdin' INTO TABLE loaded CHARACTER SET utf8mb4"`,
            postgres.environment(),
          ),
      },
      { name: 'Tributary: shadow table, checks, checkpoint, swap', prepare: calm, run: ours('postgres') },
    ],
  })
}
