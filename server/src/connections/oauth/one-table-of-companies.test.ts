/** The migration that moves the companies of all connectors into one table, on a store in use. */
import { randomUUID } from 'node:crypto'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, readMigrations } from '../../kernel/migrations/migrate.ts'

const migrations = readMigrations()
const at = migrations.findIndex(({ name }) => name.startsWith('0060'))
const [harbour, summit] = [randomUUID(), randomUUID()]

let store: Client
let connection: Awaited<ReturnType<typeof createEmptyDatabase>>
beforeAll(async () => {
  connection = await createEmptyDatabase()
  await migrate(connection, migrations.slice(0, at))
  store = new Client(connection)
  await store.connect()
  await store.query(`SET tributary.organisation = '*'`)
  await store.query(
    `INSERT INTO organisation (id, company_name, key) VALUES ($1, 'Harbour', 'h'), ($2, 'Summit', 's')`,
    [harbour, summit],
  )
})
afterAll(() => store.end())

async function addConnector(organisation: string, name: string): Promise<string> {
  const { rows } = await store.query<{ id: string }>(
    `INSERT INTO connector (organisation_id, key, type, name, original_name) VALUES ($1, $2, 'xero', $2, $2) RETURNING id`,
    [organisation, name],
  )
  return rows[0]?.id ?? ''
}

async function addGrant(person: string): Promise<string> {
  const { rows } = await store.query<{ id: string }>(
    `INSERT INTO oauth_grant (type, client_id, person) VALUES ('xero', 'app', $1) RETURNING id`,
    [person],
  )
  return rows[0]?.id ?? ''
}

const list = async () =>
  (
    await store.query<Record<string, unknown>>(
      `SELECT connector.name AS connector, tenant_id, company.name, country, currency, grant_id, connected_at, released_at, state, reads_anew
       FROM connector_company AS company JOIN connector ON connector.id = connector_id ORDER BY 1, 2`,
    )
  ).rows

test('[SRC-12] companies of connectors of one and of several are kept with all they had, in every organisation', async () => {
  const [one, former, several] = [
    await addConnector(harbour, 'one'),
    await addConnector(summit, 'former'),
    await addConnector(summit, 'several'),
  ]
  const grant = await addGrant('someone')
  const [since, until] = [new Date('2026-01-02T03:04:05Z'), new Date('2026-05-06T07:08:09Z')]
  await store.query(
    `INSERT INTO connector_tenant (connector_id, organisation_id, type, tenant_id, name, country, currency, grant_id, connected_at, released_at, reads_anew)
     VALUES ($1, $4, 'xero', 'a', 'Alpha', 'NZ', 'NZD', $6, $7, NULL, true), ($2, $5, 'xero', 'b', 'Beta', NULL, NULL, NULL, $7, $8, false),
       ($3, $5, 'xero', 'c', 'Gamma', NULL, 'EUR', $6, $8, NULL, false)`,
    [one, former, several, harbour, summit, grant, since, until],
  )
  await store.query(
    `INSERT INTO connector_company (connector_id, organisation_id, type, tenant_id, name, currency, grant_id, connected_at, released_at, state)
     VALUES ($1, $2, 'xero', 'c', 'Gamma', 'EUR', $3, $4, NULL, 'current'), ($1, $2, 'xero', 'd', 'Delta', NULL, $3, $4, NULL, 'current'),
       ($1, $2, 'xero', 'e', 'Epsilon', NULL, NULL, $4, $5, 'kept')`,
    [several, summit, grant, since, until],
  )
  await migrate(connection, migrations.slice(0, at + 1))
  const blank = {
    country: null,
    currency: null,
    grant_id: null,
    connected_at: since,
    released_at: null,
    reads_anew: false,
  }
  const alpha = { name: 'Alpha', country: 'NZ', currency: 'NZD' }
  expect(await list()).toEqual([
    { ...blank, connector: 'former', tenant_id: 'b', name: 'Beta', released_at: until, state: 'only' },
    { ...blank, ...alpha, connector: 'one', tenant_id: 'a', grant_id: grant, state: 'only', reads_anew: true },
    {
      ...blank,
      connector: 'several',
      tenant_id: 'c',
      name: 'Gamma',
      currency: 'EUR',
      grant_id: grant,
      state: 'current',
    },
    { ...blank, connector: 'several', tenant_id: 'd', name: 'Delta', grant_id: grant, state: 'current' },
    { ...blank, connector: 'several', tenant_id: 'e', name: 'Epsilon', released_at: until, state: 'kept' },
  ])
})

test('[SRC-12] until it is replaced, a former version reads and releases companies by the name that it knows', async () => {
  const seen = async () => (await store.query(`SELECT name, reads_anew FROM connector_tenant ORDER BY name`)).rows
  expect(await seen()).toEqual([
    { name: 'Alpha', reads_anew: true },
    { name: 'Beta', reads_anew: false },
  ])
  await store.query(
    `UPDATE connector_tenant SET reads_anew = false, released_at = now(), grant_id = NULL WHERE name = 'Alpha'`,
  )
  expect(await list()).toContainEqual(
    expect.objectContaining({ name: 'Alpha', grant_id: null, reads_anew: false, released_at: expect.any(Date) }),
  )
  await store.query(`SET tributary.organisation = '${summit}'`)
  expect(await seen()).toEqual([{ name: 'Beta', reads_anew: false }])
  await store.query(`SET tributary.organisation = ''`)
  expect(await seen()).toEqual([])
  await store.query(`SET tributary.organisation = '*'`)
})

test('[SRC-12] a company belongs to one connector, and a connector of one has no second', async () => {
  const other = await addConnector(harbour, 'other')
  const add = (tenantId: string, state: string, releasedAt: Date | null = null) =>
    store.query(
      `INSERT INTO connector_company (connector_id, organisation_id, type, tenant_id, name, state, released_at) VALUES ($1, $2, 'xero', $3, $3, $4, $5)`,
      [other, harbour, tenantId, state, releasedAt],
    )
  await expect(add('d', 'only')).rejects.toThrow('connector_company_one')
  await expect(add('f', 'kept')).rejects.toThrow('connector_company_kept')
  await add('b', 'only')
  await expect(add('g', 'only')).rejects.toThrow('connector_company_only')
})
