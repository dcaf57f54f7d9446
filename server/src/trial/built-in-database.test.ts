/** Access to the built-in PostgreSQL of a trial, which holds the store, the warehouses and the demonstration shop. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import type { FastifyInstance } from 'fastify'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../kernel/config/config.ts'
import { openLog } from '../kernel/log/log.ts'
import { TestClient } from '@tributary/testing/server/app/client.ts'
import { formsOf, type ConnectorForm } from '@tributary/testing/server/egress/egress-forms.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { startServer, type RunningServer } from '../start.ts'
import { trialOrganisations, trialPassword } from './people.ts'
import { ensureShop } from './shop.ts'

const home = mkdtempSync(join(tmpdir(), 'tributary-built-in-'))
const client = { clientId: trialOrganisations[0].id }
let running: RunningServer
let http: FastifyInstance
let admin: TestClient
let port: number
/** The settings that the trial suggests for a PostgreSQL connector. */
let shop: {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
}

beforeAll(async () => {
  const { config } = readConfig({ PORT: String(await findFreePort()), TRIBUTARY_DATA_DIR: home })
  running = await startServer(config, openLog('silent'))
  port = running.services.warehouse.port
  shop = running.services.demo['postgres']?.['source.connectionString'] as typeof shop
  http = await buildApp(running.services)
  admin = new TestClient(http, { emailAddress: 'admin@demo.example', password: trialPassword })
})
afterAll(async () => {
  await http.close()
  await running.stop()
  rmSync(home, { recursive: true, force: true })
})

/** Returns the notice of the first failed step of a connection test, or '' if all steps succeed. */
async function firstFailureOf({ type, properties }: ConnectorForm): Promise<string> {
  const { body } = await admin.call(connectors.check, { params: client, body: { type, properties: [...properties] } })
  return body.find(({ Outcome }) => Outcome === 'failed')?.Notice ?? ''
}

/** Returns the rows of a statement, or the SQLSTATE of its error. */
async function outcomeOf(as: ClientConfig, statement: string): Promise<unknown> {
  const session = new Client(as)
  session.on('error', () => undefined)
  try {
    await session.connect()
    return (await session.query<Record<string, unknown>>(statement)).rows
  } catch (error) {
    return (error as { readonly code?: string }).code
  } finally {
    await session.end().catch(() => undefined)
  }
}

test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
  '[ISSUE 20 D20] no webhook reaches the built-in database at %s',
  async (host) => {
    const { body: all } = await admin.call(connectors.list, { params: client })
    const params = { ...client, connectorId: all.find(({ Name }) => Name === 'Web shop')?.Id ?? '' }
    const webhook = { url: `http://${host}:${port}/` }
    const { status, body } = await admin.call(alerts.save, { params, body: { users: null, webhook } })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { fields: { 'webhook.url': expect.stringContaining('it is an internal address') } },
    })
  },
)

test.each(['mysql', 'sqlserver', 'cin7', 'uniconta'])(
  '[ISSUE 20 D20] no %s connector reaches the built-in database',
  async (type) => {
    const form = formsOf('127.0.0.1', { port, origin: 'http://127.0.0.1:1' }).find((one) => one.type === type)
    if (form === undefined) throw new Error(`There is no form of ${type}.`)
    expect(await firstFailureOf(form)).toContain('it is an internal address')
  },
)

test('[ISSUE 20 D20] a PostgreSQL connector reaches the built-in database; the login of the shop can connect to the shop only', async () => {
  const others = await outcomeOf(
    running.services.warehouse.admin,
    `SELECT datname FROM pg_database WHERE datname <> 'shop'`,
  )
  const names = (others as readonly { readonly datname: string }[]).map(({ datname }) => datname)
  expect(names).toEqual(expect.arrayContaining(['postgres', 'template1', 'tributary']))
  expect(await outcomeOf(shop, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  for (const database of names)
    expect([database, await outcomeOf({ ...shop, database }, 'SELECT 1')]).not.toEqual([database, expect.any(Array)])

  const failureAt = (database: string) => {
    const value = { ...shop, sslmode: 'disable', database }
    return firstFailureOf({ type: 'postgres', properties: [{ name: 'source.connectionString', value }] })
  }
  expect(await failureAt('shop')).toBe('')
  expect(await failureAt('tributary')).not.toBe('')
})

test('[ISSUE 20 D20] the login of the shop can only read: it cannot write, fill the disk or lock others out with a new password', async () => {
  const refused = '42501'
  const attempts = [
    'SELECT rolpassword FROM pg_authid',
    'SET ROLE tributary_store',
    'DELETE FROM shop.orders',
    'CREATE TEMPORARY TABLE mine (n int)',
    'CREATE TABLE public.mine (n int)',
    'SELECT lo_create(0)',
    `SELECT lo_from_bytea(0, 'x')`,
    `SET temp_file_limit = -1`,
    `COPY (SELECT 1) TO PROGRAM 'true'`,
    `SELECT pg_read_file('PG_VERSION')`,
    'CREATE EXTENSION dblink',
  ]
  for (const attempt of attempts) expect([attempt, await outcomeOf(shop, attempt)]).toEqual([attempt, refused])
  expect(await outcomeOf(shop, 'SHOW temp_file_limit')).toEqual([{ temp_file_limit: '1GB' }])
  // PostgreSQL lets each role change its own password; the next start resets it.
  await outcomeOf(shop, `ALTER ROLE ${shop.user} PASSWORD 'changed-1'`)
  await ensureShop(running.services.warehouse.admin, { host: shop.host, port }, 1)
  expect(await outcomeOf(shop, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})
