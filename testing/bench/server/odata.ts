/**
 * One million invoices through the OData feed, page by page with gzip, compared with psql's COPY of the same rows as JSON through gzip at the
 * same level. Takes `--rows=N`.
 */
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import { fillInvoices } from '../databases/postgres-server.ts'
import { compare, type Measured, readRowsOption, shell } from '../measure.ts'
import { startMeasuredServer } from './measured-server.ts'

const rows = readRowsOption(1_000_000)
const organisationId = trialOrganisations[0].id
const server = await startMeasuredServer()
const token = await server.signIn('admin@demo.example')
const service = `http://127.0.0.1:${server.port}/odata/${organisationId}`
const databaseName = await fillWarehouse()
const { host, port, user } = server.superuser
await readFeed(`${service}/shop_invoice?$top=1000`)

await compare({
  title: `${rows.toLocaleString('en')} invoices as JSON through gzip`,
  rows,
  cases: [
    {
      name: 'psql COPY (SELECT row_to_json …) through gzip -1',
      run: () =>
        shell('psql -qXc "COPY (SELECT row_to_json(i) FROM shop.invoice i) TO STDOUT" | gzip -1 > /dev/null', {
          PGHOST: String(host),
          PGPORT: String(port),
          PGUSER: String(user),
          PGDATABASE: databaseName,
        }),
    },
    { name: 'The feed, pages of 50,000 rows', run: () => measureFeed(`${service}/shop_invoice`) },
    { name: 'The feed, the first 50,000 rows', run: () => measureFeed(`${service}/shop_invoice?$top=50000`) },
  ],
})
await server.stop()

/** The first call creates the database. The login of the caller gets its rights at the first call of the feed. */
async function fillWarehouse(): Promise<string> {
  await server.time(`/api/tributary/clients/${organisationId}/warehouse`, token, 1)
  const { rows: found } = await server.database.query<{ database: string; writer: string }>(
    'SELECT database_name AS database, writer_name AS writer FROM warehouse WHERE organisation_id = $1',
    [organisationId],
  )
  const [{ database, writer } = { database: '', writer: '' }] = found
  const client = new pg.Client({ ...server.superuser, database })
  await client.connect()
  await client.query(`SET ROLE ${writer}; CREATE SCHEMA shop; SET search_path = shop`)
  await fillInvoices(client, rows)
  await client.end()
  return database
}

async function measureFeed(address: string): Promise<Measured> {
  const since = performance.now()
  const cpuBefore = cpuSeconds()
  await readFeed(address)
  return {
    seconds: (performance.now() - since) / 1_000,
    peakMb: peakMb(),
    cpuSeconds: cpuSeconds() - cpuBefore,
  }
}

async function readFeed(first: string): Promise<void> {
  for (let address: string | undefined = first; address !== undefined;) address = await readPage(address)
}

/** Decompresses the page, because the link to the next one is at its end. */
async function readPage(address: string): Promise<string | undefined> {
  const reply = await request(address)
  let tail = ''
  for await (const chunk of reply.pipe(createGunzip()))
    tail = `${tail}${(chunk as Buffer).subarray(-2_000).toString('latin1')}`.slice(-2_000)
  if (!tail.endsWith('}')) throw new Error(`The page of ${address} is not complete.`)
  return /"@odata\.nextLink":"([^"]+)"\}$/.exec(tail)?.[1]
}

function request(address: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  return new Promise((resolve, reject) => {
    get(address, { headers }, (reply) =>
      reply.statusCode === 200 ? resolve(reply) : reject(new Error(`${address} answered ${reply.statusCode}`)),
    ).once('error', reject)
  })
}

/** Linux only. */
function peakMb(): number {
  const status = readFileSync(`/proc/${server.processId}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024
}

function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${server.processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
