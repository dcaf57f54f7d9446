/** The role with which KEDA asks the store, as docs/operations.md creates it. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { cloneDatabase } from '../../server/app/test-database.ts'
import { root } from '../installed.ts'
import { renderChart } from './render-chart.ts'
import { workerScaledBy } from './deployed-values.ts'

const role = `scaler_${randomUUID().slice(0, 8)}`
const password = 'canary-scaler-password'
let superuser: Client
let scaler: Client

beforeAll(async () => {
  const store = await cloneDatabase()
  superuser = await connect({ ...inject('postgres'), database: store.database })
  await superuser.query(readDocumentedSql(store.database ?? ''))
  scaler = await connect({ ...store, user: role, password })
})
afterAll(async () => {
  await scaler.end()
  await superuser.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await superuser.end()
})

async function connect(config: ClientConfig): Promise<Client> {
  const client = new Client(config)
  await client.connect()
  return client
}

function readDocumentedSql(database: string): string {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [statements = ''] = /CREATE ROLE tributary_scaler[^`]+/u.exec(page) ?? []
  return statements
    .replaceAll('tributary_scaler', role)
    .replace('DATABASE tributary', `DATABASE ${database}`)
    .replace("'…'", `'${password}'`)
}

function queryOfChart(): string {
  const { spec } = renderChart(workerScaledBy('keda')).find(({ kind }) => kind === 'ScaledObject') ?? {}
  return spec.triggers[0].metadata.query as string
}

test('[SCALE-5] the query of the chart returns a number to the documented role', async () => {
  const { rows } = await scaler.query<[string]>({ text: queryOfChart(), rowMode: 'array' })
  expect(rows.map(([need]) => Number(need))).toEqual([0])
})

test('[SCALE-5] the role reads and changes nothing else', async () => {
  const { rows: tables } = await scaler.query(
    `SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'p', 'f')
       AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       AND (has_any_column_privilege(oid, 'SELECT, INSERT, UPDATE, REFERENCES') OR has_table_privilege(oid, 'DELETE, TRUNCATE, TRIGGER'))`,
  )
  expect(tables).toEqual([])
  const { rows: functions } = await scaler.query(
    `SELECT proname FROM pg_proc WHERE prosecdef AND has_function_privilege(oid, 'EXECUTE')`,
  )
  expect(functions).toEqual([{ proname: 'tributary_needed_memory_mb' }])
  await expect(scaler.query('SELECT FROM run')).rejects.toThrow('permission denied')
})
