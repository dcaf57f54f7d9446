/** Publications in an organisation's own databases, which are not the warehouse. */
import { randomUUID } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { publications } from '@tributary/contract/publications'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { anyRule, publicationRig, type PublicationRig } from '@tributary/testing/server/connectors/publication-rig.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let rig: PublicationRig
beforeAll(async () => {
  rig = await publicationRig()
})
afterAll(() => rig[Symbol.asyncDispose]())

const params = () => ({ clientId: rig.app.harbour.id })

async function findSet(name: string) {
  const { body } = await rig.app.as.admin.call(publications.list, { params: params() })
  return body.find(({ Target }) => Target.startsWith(`${name} on `))
}

/** Publishes a connector that loads the database, and returns its id. */
async function publish(database: string, target: object, schema: string): Promise<string> {
  const id = await rig.driver.add(`Into ${database}`, {}, [
    { name: 'target.connectionString', value: target },
    { name: 'target.schema', value: schema },
  ])
  const set = await findSet(database)
  expect(set).toMatchObject({ State: 'off', Connectors: [{ ConnectorId: id }] })
  const reply = await rig.app.as.admin.call(publications.save, {
    params: { ...params(), setId: set?.Id ?? '' },
    body: { connectors: [id], ...anyRule },
  })
  expect(reply.status).toBe(200)
  await rig.runOnce(id)
  await until(
    () => findSet(database),
    (seen) => seen?.State === 'current',
  )
  return id
}

test('[TRUST-12] a PostgreSQL database has its own set, and the list says if views are left that Tributary cannot remove', async () => {
  const target = await sourceDatabase('SELECT 1')
  const database = String(target.settings['database'])
  const id = await publish(database, { ...target.settings, connector: 'postgres' }, 'sales')
  expect(await target.query('SELECT city FROM published.customer ORDER BY id')).toEqual([
    { city: 'Leeds' },
    { city: 'York' },
  ])
  expect((await rig.read()).State).toBe('off')
  await rig.app.as.admin.call(connectors.remove, { params: { ...params(), connectorId: id } })
  await rig.decide()
  await rig.decide()
  expect(await findSet(database)).toMatchObject({
    State: 'off',
    Connectors: [],
    Notice: expect.stringContaining('Drop them yourself'),
  })
  expect(await target.query('SELECT 1 FROM published.customer')).toHaveLength(2)
})

test('[TRUST-12] in MariaDB the names of published views have a prefix, and switching off removes them', async () => {
  const database = `target_${randomUUID().replaceAll('-', '')}`
  const reach = { ...inject('mariadb'), tls: 'off' } as const
  await using maria = await connectMysql({ ...reach, database: 'mysql' }, connectionContext(), 'SELECT 1')
  await maria.run(`CREATE DATABASE ${database}`)
  await publish(database, { ...reach, connector: 'mysql', database }, '')
  const set = await findSet(database)
  expect(set).toMatchObject({ Schema: null })
  const views = async () => {
    const rows = await maria.rows(
      'SELECT table_name AS name FROM information_schema.views WHERE table_schema = ? ORDER BY 1',
      [database],
    )
    return rows.map(({ name }) => name)
  }
  expect(await views()).toEqual(['published_customer', 'published_note'])
  await rig.app.as.admin.call(publications.switchOff, { params: { ...params(), setId: set?.Id ?? '' } })
  await until(
    () => findSet(database),
    (seen) => seen?.State === 'off',
  )
  expect(await views()).toEqual([])
})
