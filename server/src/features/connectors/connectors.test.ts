import { connectorProperties } from '@tributary/contract/connector-properties'
import { connectors } from '@tributary/contract/connectors'
import { runs } from '@tributary/contract/runs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SourceDatabase, sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let source: SourceDatabase

beforeAll(async () => {
  app = await testApp()
  source = await sourceDatabase(
    'CREATE TABLE invoice (id int PRIMARY KEY, total numeric(12,2)); INSERT INTO invoice VALUES (1, 10.50)',
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const unlikely = 'canary-key-7f3a91'
const params = () => ({ clientId: app.harbour.id })

async function add(name: string, more: { name: string; value: unknown }[] = []) {
  const properties = [{ name: 'source.connectionString', value: { ...source.settings, password: unlikely } }, ...more]
  const { status, body } = await app.as.admin.call(connectors.create, {
    params: params(),
    body: { type: 'postgres', name, properties },
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

function propertyOf(connector: { Properties: readonly { Name: string; Value?: unknown }[] }, name: string): unknown {
  return connector.Properties.find((property) => property.Name === name)?.Value
}

describe('the catalogue', () => {
  test('[ENG-2] every connector type is in it with its form, its targets and a stable id', async () => {
    const { body } = await app.as.guest.call(connectors.allTypes)
    expect(body.map(({ Type }) => Type)).toEqual(expect.arrayContaining(['sqlserver', 'cin7', 'postgres', 'mysql']))
    for (const type of body.filter(({ Kind }) => Kind !== 'spreadsheet')) {
      // A source that people sign in to may need no settings.
      expect(type.RequiresAuthorisation || type.Sections.some(({ Fields }) => Fields.length > 0)).toBe(true)
      expect(type.Targets.map(({ Kind }) => Kind)).toContain('postgres')
      expect(type.Demo).toBeNull()
    }
    const again = await app.as.admin.call(connectors.allTypes)
    expect(again.body).toEqual(body)
  })

  test('an organisation has the types of its own connectors, each member those that they see', async () => {
    const before = await app.as.otherAdmin.call(connectors.types, { params: { clientId: app.summit.id } })
    expect(before.body.map(({ Type }) => Type)).toEqual(['excel'])
    await add('Typed')
    const own = await app.as.admin.call(connectors.types, { params: params() })
    expect(own.body.map(({ Type }) => Type)).toEqual(['postgres', 'excel'])
    const guest = await app.as.guest.call(connectors.types, { params: params() })
    expect(guest.body).toEqual([])
  })
})

describe('settings', () => {
  test('[API-7] properties have the names of the contract, users as ids separated by spaces', async () => {
    const users = `${app.idOf('user')} ${app.idOf('guest')}`
    const connector = await add('Named', [
      { name: 'portal.user', value: users },
      { name: 'target.schema', value: 'sales' },
      { name: 'target.connectionString', value: { connector: 'postgres', ...source.settings } },
    ])
    const names = connector.Properties.map(({ Name }) => Name)
    expect(names).toEqual(['portal.user', 'source.connectionString', 'target.connectionString', 'target.schema'])
    expect(String(propertyOf(connector, 'portal.user')).split(' ').toSorted()).toEqual(users.split(' ').toSorted())
    expect(connector.Properties.every(({ ClientConnectorId }) => ClientConnectorId === connector.Id)).toBe(true)
  })

  test.each([
    ['a required field that is empty', 'source.connectionString', { host: '' }, 'source.connectionString.host'],
    ['a port that is no number', 'source.connectionString', { port: 'abc' }, 'source.connectionString.port'],
    ['a field that there is not', 'source.connectionString', { passwrd: 'x' }, 'source.connectionString.passwrd'],
  ])('%s is refused by its name', async (_, name, change, field) => {
    const properties = [{ name, value: { ...source.settings, ...change } }]
    const { status, body } = await app.as.admin.call(connectors.create, {
      params: params(),
      body: { type: 'postgres', name: 'Wrong', properties },
    })
    expect(status).toBe(422)
    expect(Object.keys((body as unknown as { fields: object }).fields)).toEqual([field])
  })

  test('unknown settings and types are refused by name', async () => {
    const properties = [{ name: 'source.connectionString', value: source.settings }]
    const unknown = await app.as.admin.call(connectors.create, {
      params: params(),
      body: { type: 'postgres', name: 'Wrong', properties: [...properties, { name: 'cin7.accountId', value: 'x' }] },
    })
    expect(unknown).toMatchObject({ status: 422, body: { fields: { 'cin7.accountId': expect.any(String) } } })
    const type = await app.as.admin.call(connectors.create, {
      params: params(),
      body: { type: 'oracle', name: 'Wrong', properties },
    })
    expect(type).toMatchObject({ status: 400, body: { fields: { type: expect.any(String) } } })
  })

  test.each(['public', 'pg_temp', 'Sales', 'my schema', '1st'])(
    'the warehouse refuses the schema name %j',
    async (schema) => {
      const properties = [
        { name: 'source.connectionString', value: source.settings },
        { name: 'target.schema', value: schema },
      ]
      const { status, body } = await app.as.admin.call(connectors.create, {
        params: params(),
        body: { type: 'postgres', name: 'Odd schema', properties },
      })
      expect({ status, body }).toMatchObject({ status: 422, body: { fields: { 'target.schema': expect.any(String) } } })
    },
  )

  test('an unknown kind of target is refused with the list of known kinds', async () => {
    const properties = [
      { name: 'source.connectionString', value: source.settings },
      { name: 'target.connectionString', value: { connector: 'oracle', host: 'db.example.com' } },
    ]
    const { body } = await app.as.admin.call(connectors.create, {
      params: params(),
      body: { type: 'postgres', name: 'Odd target', properties },
    })
    expect(body).toMatchObject({ statusCode: 422, message: expect.stringContaining('postgres') })
  })

  test('a target with nothing but its kind means the warehouse', async () => {
    const target = 'target.connectionString'
    const { Id } = await add('Back home', [
      { name: target, value: { connector: 'postgres', ...source.settings } },
      { name: 'target.schema', value: 'sales' },
    ])
    const at = { params: { ...params(), connectorId: Id } }
    const value = { connector: 'postgres', host: '', password: '' }
    const { status, body } = await app.as.admin.call(connectorProperties.set, {
      ...at,
      body: [{ name: target, value }],
    })
    expect({ status, body }).toMatchObject({ status: 200 })
    expect(body.map(({ Name }) => Name)).not.toContain(target)
  })

  test('removing a required property is refused, and an optional one is removed', async () => {
    const { Id } = await add('Pruned', [{ name: 'target.schema', value: 'sales' }])
    const at = { ...params(), connectorId: Id }
    expect(
      (await app.as.admin.call(connectorProperties.removeOne, { params: { ...at, name: 'source.connectionString' } }))
        .status,
    ).toBe(422)
    expect(
      (await app.as.admin.call(connectorProperties.removeOne, { params: { ...at, name: 'target.schema' } })).status,
    ).toBe(204)
    expect(
      (await app.as.admin.call(connectorProperties.removeOne, { params: { ...at, name: 'target.schema' } })).status,
    ).toBe(404)
  })
})

describe('who sees what', () => {
  test('users who may not edit see their assigned connectors, without the settings', async () => {
    const mine = await add('Mine', [{ name: 'portal.user', value: app.idOf('user') }])
    const others = await add('Others')
    const { body } = await app.as.user.call(connectors.list, { params: params() })
    const seen = body.find(({ Id }) => Id === mine.Id)
    expect(seen?.Properties.map(({ Name }) => Name)).toEqual(['portal.user'])
    expect(body.map(({ Id }) => Id)).not.toContain(others.Id)
    const hidden = await app.as.user.call(connectors.find, { params: { connectorId: others.Id } })
    expect(hidden.status).toBe(404)
  })

  test('[API-5] excludeProperties omits every property, also for users who may see them', async () => {
    const { Id } = await add('Bare')
    const find = (query: { excludeProperties?: boolean }) =>
      app.as.admin.call(connectors.find, { params: { connectorId: Id }, query })
    const named = async (query: Parameters<typeof find>[0]) =>
      (await find(query)).body.Properties.map(({ Name }) => Name)
    expect([await named({ excludeProperties: true }), (await named({})).length > 1]).toEqual([[], true])
  })

  test('only members of the organisation can be assigned, and an assignment replaces the former list', async () => {
    const { Id } = await add('Assigned')
    const assign = (users: string[]) =>
      app.as.admin.call(connectors.assignUsers, { params: { connectorId: Id }, body: { users } })
    expect(propertyOf((await assign([app.idOf('user'), app.idOf('guest')])).body, 'portal.user')).toContain(
      app.idOf('guest'),
    )
    expect(propertyOf((await assign([app.idOf('user')])).body, 'portal.user')).toBe(app.idOf('user'))
    const noId = { name: 'portal.user', value: '-'.repeat(36) }
    const malformed = await app.as.admin.call(connectorProperties.set, {
      params: { ...params(), connectorId: Id },
      body: [noId],
    })
    expect(malformed).toMatchObject({ status: 400, body: { fields: { 'portal.user': expect.any(String) } } })
    const foreign = await assign([app.idOf('otherAdmin')])
    expect(foreign).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('portal.user must be members of the organisation.') },
    })
  })

  test('another organisation can neither see nor change a connector, at any address', async () => {
    const { Id, Key } = await add('Ours')
    const their = { clientId: app.summit.id, connectorId: Id }
    const refusals = [
      await app.as.otherAdmin.call(connectors.read, { params: their }),
      await app.as.otherAdmin.call(connectors.read, { params: { ...their, clientId: app.harbour.id } }),
      await app.as.otherAdmin.call(connectors.find, { params: { connectorId: Id } }),
      await app.as.otherAdmin.call(connectors.change, { params: their, body: { name: 'Theirs' } }),
      await app.as.otherAdmin.call(connectors.remove, { params: their }),
      await app.as.otherAdmin.call(runs.process, { params: their, body: {} }),
      await app.as.otherAdmin.call(connectors.disconnect, {
        params: { clientKey: app.harbour.key, connectorKey: Key },
      }),
      await app.as.otherAdmin.call(connectors.disconnect, { params: { clientKey: app.summit.key, connectorKey: Key } }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404))
    const { body } = await app.as.otherAdmin.call(connectors.list, { params: { clientId: app.summit.id } })
    expect(body).toEqual([])
  })
})

describe('testing a connection', () => {
  const check = (properties: { name: string; value: unknown }[]) =>
    app.as.admin.call(connectors.check, { params: params(), body: { type: 'postgres', properties } })

  test('a working connection passes every named check of both sides', async () => {
    const { body } = await check([{ name: 'source.connectionString', value: source.settings }])
    expect(new Set(body.map(({ Side }) => Side))).toEqual(new Set(['source', 'target']))
    expect(body.map(({ Outcome }) => Outcome)).not.toContain('failed')
  })

  test('a wrong password fails the named check, with advice', async () => {
    const { body } = await check([
      { name: 'source.connectionString', value: { ...source.settings, password: 'wrong-password' } },
    ])
    const failed = body.find(({ Outcome }) => Outcome === 'failed')
    expect(failed).toMatchObject({ Side: 'source', Notice: expect.stringMatching(/password/i) })
    expect(JSON.stringify(body)).not.toContain('wrong-password')
  })

  test.each(['169.254.169.254', '10.0.0.1', 'localhost'])('the internal address %s is not dialled', async (host) => {
    const { body } = await check([{ name: 'source.connectionString', value: { ...source.settings, host, port: 80 } }])
    expect(body.find(({ Outcome }) => Outcome === 'failed')).toMatchObject({
      Side: 'source',
      Notice: expect.stringContaining('TRIBUTARY_ALLOW_HOSTS'),
    })
  })
})
