/** A process that owns a data folder and writes to its database, until a test kills it. */
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'

const [, , home = '', job, orphanMs] = process.argv
const embedded = await startEmbedded(home, orphanMs === undefined ? {} : { orphanMs: Number(orphanMs) })
const client = new pg.Client(embedded.superuser)
client.on('error', () => undefined)
await client.connect()
await client.query('CREATE TABLE IF NOT EXISTS written (n bigint PRIMARY KEY)')
process.stdout.write(`ready ${JSON.stringify(embedded.superuser)}\n`)

const end = job === 'write' ? Number.POSITIVE_INFINITY : 0
/** Reports each number only after its commit was acknowledged. */
for (let n = 1; n < end; n += 1) {
  const done = await client.query('INSERT INTO written VALUES ($1) ON CONFLICT DO NOTHING', [n]).catch(() => undefined)
  if (done === undefined) break
  process.stdout.write(`${n}\n`)
}
setInterval(() => undefined, 1_000)
