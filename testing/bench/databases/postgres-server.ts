/** A PostgreSQL for benchmarks with production settings and a table of invoices. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'

const password = 'bench'
/** Durable, with the write-ahead log of a server that has a replica or an archive. */
const settings = ['wal_level=replica', 'shared_buffers=512MB', 'max_wal_size=8GB', 'checkpoint_timeout=30min']

export interface BenchServer extends AsyncDisposable {
  readonly reach: { readonly host: string; readonly port: number; readonly user: string; readonly password: string }
  readonly source: pg.Client
  readonly target: pg.Client
  /** Environment variables that connect psql to the server. */
  environment(): Readonly<Record<string, string>>
}

export async function startServer(): Promise<BenchServer> {
  const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const server = await startEmbedded(home, { settings })
  const rules = join(home, 'postgres', 'pg_hba.conf')
  const rulesBefore = readFileSync(rules, 'utf8')
  writeFileSync(rules, 'host all postgres 127.0.0.1/32 scram-sha-256\n')
  appendFileSync(rules, rulesBefore)
  const admin = new pg.Client(server.superuser)
  await admin.connect()
  await admin.query(`ALTER ROLE postgres PASSWORD '${password}'`)
  await admin.query('SELECT pg_reload_conf()')
  await admin.query('CREATE DATABASE source')
  await admin.query('CREATE DATABASE target')
  await admin.end()
  const reach = { ...server.warehouse, user: 'postgres', password }
  const [source, target] = await Promise.all(['source', 'target'].map((database) => open({ ...reach, database })))
  if (source === undefined || target === undefined) throw new Error('Both databases are opened above.')
  return {
    reach,
    source,
    target,
    environment: () => ({ PGHOST: reach.host, PGPORT: String(reach.port), PGUSER: reach.user, PGPASSWORD: password }),
    async [Symbol.asyncDispose]() {
      await Promise.all([source.end(), target.end()])
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function open(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  await client.connect()
  return client
}

export const invoiceColumns = `id bigint PRIMARY KEY, reference uuid NOT NULL, number varchar(20) NOT NULL, net numeric(18,4) NOT NULL, tax numeric(18,4) NOT NULL,
  total numeric(18,4) NOT NULL, issued_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, paid boolean NOT NULL, note text NOT NULL, document jsonb NOT NULL`

/** Inserts rows of 430 bytes: decimals, timestamps, a text of 80 characters and 200 bytes of JSON. */
export async function fillInvoices(client: pg.Client, rows: number): Promise<void> {
  await client.query(`CREATE TABLE invoice (${invoiceColumns})`)
  await client.query(
    `INSERT INTO invoice SELECT n, gen_random_uuid(), 'INV-' || lpad(n::text, 9, '0'), n * 1.2345, n * 0.3086, n * 1.5431,
       '2020-01-01'::timestamptz + n * interval '1 minute', '2024-01-01'::timestamptz + n * interval '1.000001 second', n % 3 = 0,
       rpad('Delivery ' || n || ' for the usual customer, to be paid within the usual time ', 80, 'x'),
       jsonb_build_object('contact', md5(n::text), 'terms', jsonb_build_array(n % 30, 'net'), 'tracking', md5((n + 1)::text), 'warehouse', md5((n + 2)::text), 'weight', n % 977 / 10.0)
     FROM generate_series(1, $1::bigint) n`,
    [rows],
  )
  await client.query('VACUUM ANALYZE invoice')
}
