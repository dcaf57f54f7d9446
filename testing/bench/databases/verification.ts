/**
 * What a verification costs, compared with the plainest checksum that each database could compute over the same rows: `count(*)` and the sum
 * of 64 bits of the MD5 of all columns concatenated as text. Both sides are on this machine, so the baseline runs on both at the same time, too, as
 * a verification does; the slower side counts. `alone`: the slower side with the whole machine for itself.
 */
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { median, type Measured, readRowsOption, readRoundsOption, script } from '../measure.ts'
import { openCountingProxy } from '../../databases/counting-proxy.ts'
import { startBenchMariadb } from './mariadb-server.ts'
import { startServer } from './postgres-server.ts'
import { baselineSql, fillMariadb, firstFence, move, postgresOrders, type VerifiedPair } from './verified-orders.ts'
import type { VerificationJob } from './verification-run.ts'

const rows = readRowsOption(1_000_000)
const rounds = readRoundsOption()
await using postgres = await startServer()
await using mariadb = await startBenchMariadb()
using postgresProxy = await openCountingProxy(postgres.reach.port)
using mariadbProxy = await openCountingProxy(mariadb.reach.port)

for (const statement of postgresOrders(rows)) await postgres.source.query(statement)
await fillMariadb(mariadb.connection, rows)
await mariadb.connection.run('CREATE DATABASE copy CHARACTER SET utf8mb4')

const postgresAt = (database: string) => ({ ...postgres.reach, port: postgresProxy.port, database, sslmode: 'disable' })
const mariadbAt = (database: string) => ({ ...mariadb.reach, port: mariadbProxy.port, database })
const pairs: readonly (VerifiedPair & { readonly title: string; readonly copy: string })[] = [
  {
    title: 'PostgreSQL to PostgreSQL',
    from: 'postgres',
    to: 'postgres',
    copy: 'plain.orders',
    properties: {
      'source.connectionString': { ...postgresAt('source'), tables: ['orders'] },
      'target.connectionString': postgresAt('target'),
      'target.schema': 'plain',
    },
  },
  {
    title: 'PostgreSQL to MariaDB',
    from: 'postgres',
    to: 'mysql',
    copy: 'copy.orders',
    properties: {
      'source.connectionString': { ...postgresAt('source'), tables: ['orders'] },
      'target.connectionString': mariadbAt('copy'),
      'target.schema': '',
    },
  },
  {
    title: 'MariaDB to PostgreSQL',
    from: 'mysql',
    to: 'postgres',
    copy: 'fetched.orders',
    properties: {
      'source.connectionString': { ...mariadbAt('bench'), tables: ['orders'] },
      'target.connectionString': postgresAt('target'),
      'target.schema': 'fetched',
    },
  },
]

const file = fileURLToPath(new URL('verification-run.ts', import.meta.url))
const lines: string[] = []
for (const pair of pairs) lines.push(await measurePair(pair))
console.log(
  `\n## Verification of ${rows.toLocaleString('en')} rows (medians of ${rounds})\n\n| | s | baseline s | ratio | alone s | peak MB | bytes |\n|---|---|---|---|---|---|---|\n${lines.join('\n')}`,
)

async function measurePair(pair: (typeof pairs)[number]): Promise<string> {
  await move(pair)
  if (pair.to === 'postgres') await postgres.target.query(`VACUUM ANALYZE ${pair.copy}`)
  else await mariadb.connection.rows(`ANALYZE TABLE ${pair.copy}`)
  const source = (): Promise<number> => baseline(pair.from, 'orders', postgres.source)
  const target = (): Promise<number> => baseline(pair.to, pair.copy, postgres.target)
  const measured: { verification: Measured; both: number; alone: number; bytes: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = Math.max(await source(), await target())
    const both = Math.max(...(await Promise.all([source(), target()])))
    postgresProxy.takeBytes()
    mariadbProxy.takeBytes()
    const { from, to, properties } = pair
    const job: VerificationJob = { from, to, properties, rows, fence: firstFence + 1 + round }
    const verification = await script(file, job)
    const bytes = postgresProxy.takeBytes() + mariadbProxy.takeBytes()
    measured.push({ verification, both, alone, bytes })
    process.stderr.write(
      `  ${round + 1}/${rounds} ${pair.title}: ${verification.seconds.toFixed(2)} s, baseline ${both.toFixed(2)} s\n`,
    )
  }
  const seconds = median(measured.map(({ verification }) => verification.seconds))
  const both = median(measured.map((one) => one.both))
  const alone = median(measured.map((one) => one.alone))
  const peak = Math.max(...measured.map(({ verification }) => verification.peakMb ?? 0))
  const bytes = Math.max(...measured.map((one) => one.bytes))
  return `| ${pair.title} | ${[seconds, both, seconds / both, alone].map((one) => one.toFixed(2)).join(' | ')} | ${peak.toFixed(0)} | ${bytes.toLocaleString('en')} |`
}

/** Seconds of the plain checksum on one side. */
async function baseline(product: VerifiedPair['from'], table: string, client: pg.Client): Promise<number> {
  const since = performance.now()
  const sql = baselineSql(product, table)
  if (product === 'postgres') await client.query(sql)
  else await mariadb.connection.rows(sql)
  return (performance.now() - since) / 1000
}
