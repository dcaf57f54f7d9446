import { randomUUID } from 'node:crypto'
import { auditLog } from '@tributary/contract/audit-log'
import { proofChecks, workbench } from '@tributary/contract/workbench'
import { descriptionOfGuide, sampleOfGuide } from '@tributary/testing/engine/described/guide.ts'
import { type OrchardApi, startOrchard } from '@tributary/testing/engine/described/orchard-api.ts'
import { containsSecret, readStore } from '@tributary/testing/server/app/find-secrets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const guide = descriptionOfGuide()
const now = (): number => Date.parse('2026-11-02T09:00:00Z')

let app: TestApp
let api: OrchardApi
beforeAll(async () => {
  api = await startOrchard({ now })
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off', TRIBUTARY_ALLOW_HOSTS: api.host } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const values = () => ({ key: api.key, address: api.address })

async function events(action: string) {
  const query = { ofProvider: true, action }
  return (await app.as.superadmin.call(auditLog.list, { query })).body
}

describe('descriptions of the workbench', () => {
  const create = (name: string, text = guide) => app.as.superadmin.call(workbench.create, { body: { name, text } })

  test('[SRC-10] are stored, listed with the latest change first, saved and deleted, each with an event of the audit log', async () => {
    const { body: orchard } = await create('Orchard')
    expect(orchard).toMatchObject({ Name: 'Orchard', Text: guide, Revision: 1, ChangedBy: 'Sofia Marsh' })
    app.clock.advance(60_000)
    const { body: other } = await create('Other', 'not finished: {')
    const params = { descriptionId: orchard.Id }
    expect((await app.as.superadmin.call(workbench.list)).body.map(({ Name }) => Name)).toEqual(['Other', 'Orchard'])
    app.clock.advance(60_000)
    const body = { name: 'Orchard API', text: `${guide}\n`, revision: 1 }
    const { body: saved } = await app.as.superadmin.call(workbench.save, { params, body })
    expect(saved).toMatchObject({ Name: 'Orchard API', Text: `${guide}\n`, Revision: 2 })
    expect((await app.as.superadmin.call(workbench.read, { params })).body).toEqual(saved)
    const listed = (await app.as.superadmin.call(workbench.list)).body
    expect(listed.map(({ Name }) => Name)).toEqual(['Orchard API', 'Other'])
    expect(JSON.stringify(listed)).not.toContain('Text')
    for (const descriptionId of [orchard.Id, other.Id])
      expect((await app.as.superadmin.call(workbench.remove, { params: { descriptionId } })).status).toBe(204)
    expect((await app.as.superadmin.call(workbench.read, { params })).status).toBe(404)
    expect(await events('workbench.description_saved')).toMatchObject([
      { ObjectId: orchard.Id, Detail: { before: { name: 'Orchard' }, after: { name: 'Orchard API' } } },
      { ObjectId: other.Id, Detail: { after: { name: 'Other' } } },
      { ObjectId: orchard.Id, Detail: { after: { name: 'Orchard', characters: guide.length } } },
    ])
    expect(await events('workbench.description_deleted')).toMatchObject([
      { ObjectName: 'Other', Detail: { before: { name: 'Other' } } },
      { ObjectName: 'Orchard API', Detail: { before: { name: 'Orchard API' } } },
    ])
  })

  test('[SRC-10] a save over another person’s save is refused and keeps theirs; the same text again changes nothing', async () => {
    const { body: stored } = await create('Shared')
    const params = { descriptionId: stored.Id }
    const save = (text: string) =>
      app.as.superadmin.call(workbench.save, { params, body: { name: 'Shared', text, revision: 1 } })
    expect((await save(guide)).body.Revision).toBe(1)
    expect((await save('first')).body.Revision).toBe(2)
    expect(await save('second')).toMatchObject({ status: 409, body: { code: 'changedMeanwhile' } })
    expect((await app.as.superadmin.call(workbench.read, { params })).body.Text).toBe('first')
  })

  test('[SRC-10] a name that is taken, an empty name, a long text and an unknown id are refused with the reason', async () => {
    const { body: first } = await create('Taken')
    const { body: second } = await create('Free')
    expect(await create('taken')).toMatchObject({ status: 409, body: { code: 'nameTaken' } })
    const params = { descriptionId: second.Id }
    expect(
      await app.as.superadmin.call(workbench.save, { params, body: { name: 'TAKEN', text: '', revision: 1 } }),
    ).toMatchObject({ status: 409, body: { code: 'nameTaken' } })
    expect(await create(' ')).toMatchObject({ status: 400, body: { fields: { name: expect.any(String) } } })
    expect(await create('Long', 'x'.repeat(500_001))).toMatchObject({
      status: 400,
      body: { fields: { text: /500000/u } },
    })
    expect((await create('Longest', 'x'.repeat(500_000))).status).toBe(201)
    expect((await app.as.superadmin.call(workbench.remove, { params: { descriptionId: randomUUID() } })).status).toBe(
      404,
    )
    expect(first.Revision).toBe(1)
  })

  test('[SRC-10] transactions of an organisation see none of them', async () => {
    await create('Hidden')
    const count = async (organisationId: string) =>
      app.store.within(organisationId, (db) => db.selectFrom('workbenchDescription').select('id').execute())
    expect(await count(app.harbour.id)).toEqual([])
    await expect(
      app.store.within(app.harbour.id, (db) =>
        db.insertInto('workbenchDescription').values({ name: 'Planted', text: '', changedBy: null }).execute(),
      ),
    ).rejects.toThrow(/row-level security/u)
  })
})

describe('drafts and checks', () => {
  const draft = (kind: 'openapi' | 'metadata' | 'sample', text: string, address?: string) =>
    app.as.superadmin.call(workbench.draft, { body: { kind, text, ...(address !== undefined && { address }) } })

  test('[SRC-10] a sample reply, an OpenAPI document and $metadata become descriptions without problems', async () => {
    const address = 'https://api.orchard.example/v1/orders?limit=2'
    const { body: sample } = await draft('sample', sampleOfGuide(), address)
    expect(sample).toMatchObject({ Problems: [], Text: expect.stringContaining('# check:') })
    const { body: document } = await draft('openapi', openApi)
    expect(document).toMatchObject({ Problems: [], Text: expect.stringContaining('pets') })
    const { body: metadata } = await draft('metadata', edmx, 'https://odata.example.com/v4/')
    expect(metadata).toMatchObject({ Problems: [], Text: expect.stringContaining('Products') })
    for (const { Text } of [sample, document, metadata])
      expect((await app.as.superadmin.call(workbench.check, { body: { text: Text } })).body.Problems).toEqual([])
  })

  test('[SRC-10] a document of another kind, an empty one and one that is cut off are refused with what to do', async () => {
    expect(await draft('sample', openApi)).toMatchObject({
      status: 422,
      body: { code: 'settingsWrong', message: /This is an OpenAPI document, not a sample reply\. Choose/u },
    })
    expect(await draft('openapi', ' ')).toMatchObject({ status: 422, body: { fields: { text: /empty/u } } })
    expect((await draft('sample', '{"a":')).status).toBe(422)
    expect((await draft('metadata', '<edmx:Edmx')).status).toBe(422)
  })

  test('[SRC-10] documents up to a million characters are read, also with many quotes', async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, a: 'b"\n', c: 'some more text' }))
    const text = JSON.stringify(rows).slice(0, 999_000)
    const whole = `${text.slice(0, text.lastIndexOf('},{'))}}]`
    expect(whole.length).toBeGreaterThan(900_000)
    expect(await draft('sample', whole, 'https://api.example.com/rows')).toMatchObject({ status: 200 })
    expect((await draft('sample', 'x'.repeat(1_000_001))).status).toBe(400)
  })

  test('[SRC-10] a check returns the form, the streams and the hosts, or problems with line and column', async () => {
    const { body } = await app.as.superadmin.call(workbench.check, { body: { text: guide } })
    expect(body).toMatchObject({ Problems: [], Streams: ['order'], Hosts: ['api.orchard.example'] })
    expect(body.Settings?.Fields.map(({ Key, Kind, Required }) => [Key, Kind, Required])).toEqual([
      ['key', 'secret', true],
      ['address', 'text', false],
    ])
    const broken = guide.replace('records: /orders', 'records: orders')
    const { body: wrong } = await app.as.superadmin.call(workbench.check, { body: { text: broken } })
    const line = broken.split('\n').findIndex((text) => text.includes('records: orders')) + 1
    expect(wrong).toMatchObject({ Settings: null, Streams: [], Problems: [{ Line: line }] })
  })
})

describe('tries and proofs', () => {
  test('[SRC-10] a try returns requests, replies, rows and types, with every secret masked', async () => {
    const body = { text: guide, values: values(), pages: 2 }
    const { status, body: tried } = await app.as.superadmin.call(workbench.try, { body })
    expect([status, tried.Problem, tried.Stream, tried.HasMore]).toEqual([200, null, 'order', true])
    expect(tried.Exchanges[0]).toMatchObject({ Method: 'GET', Status: 200, Headers: { authorization: '•••' } })
    expect(tried.Tables[0]).toMatchObject({ Name: 'order', RowsRead: 200 })
    expect(tried.Tables[0]?.Columns).toContainEqual({
      Name: 'amount',
      Type: 'decimal(19,4)',
      Pointer: '/amount',
      IsSeen: true,
    })
    expect(JSON.stringify(tried)).not.toContain(api.key)
    expect((await events('workbench.tried'))[0]).toMatchObject({
      ActorRole: 'superadmin',
      Detail: { title: 'Orchard', pages: 2, hosts: [api.host, 'api.orchard.example'] },
    })
  })

  test('[SRC-10] a stream is proven live and simulated, one call each, and only live proofs call the API', async () => {
    const prove = (kind: 'live' | 'simulated') =>
      app.as.superadmin.call(workbench.prove, {
        body: { text: guide, stream: 'order', kind, ...(kind === 'live' && { values: values() }) },
      })
    const { body: live } = await prove('live')
    const calls = api.calls.length
    const { body: simulated } = await prove('simulated')
    expect(api.calls).toHaveLength(calls)
    expect([...live, ...simulated].map(({ Check }) => Check)).toEqual(proofChecks)
    expect(live.slice(0, 3).map(({ Verdict }) => Verdict)).toEqual(['provenLive', 'provenLive', 'provenLive'])
    expect(simulated.map(({ Verdict }) => Verdict)).toContain('provenSimulated')
    expect(JSON.stringify(live)).not.toContain(api.key)
    expect(await events('workbench.proved')).toMatchObject([
      { Detail: { kind: 'simulated', stream: 'order', hosts: [] } },
      { Detail: { kind: 'live', stream: 'order', hosts: [api.host, 'api.orchard.example'] } },
    ])
  })

  test('[SRC-10] without values, nothing is called and nothing is proven live', async () => {
    const calls = api.calls.length
    const { body } = await app.as.superadmin.call(workbench.prove, {
      body: { text: guide, stream: 'order', kind: 'live' },
    })
    expect(new Set(body.map(({ Verdict }) => Verdict))).toEqual(new Set(['notProven']))
    expect(api.calls).toHaveLength(calls)
  })

  test('[SRC-10] a missing value, a foreign host, a description with problems and an unknown stream say what is wrong', async () => {
    const attempt = (text: string, entered: Readonly<Record<string, string>>, stream?: string) =>
      app.as.superadmin.call(workbench.try, {
        body: { text, values: entered, pages: 1, ...(stream !== undefined && { stream }) },
      })
    expect(await attempt(guide, {})).toMatchObject({ status: 422, body: { fields: { 'values.key': /Enter/u } } })
    expect(await attempt(guide, { ...values(), address: 'https://elsewhere.example/' })).toMatchObject({
      status: 422,
      body: { fields: { 'values.address': /is not a host of Orchard, and nothing is sent there/u } },
    })
    expect(await attempt('engine: rest', values())).toMatchObject({
      status: 422,
      body: { fields: { text: /problem in line 1, column 1/u } },
    })
    expect((await attempt(guide, values(), 'nothing')).body.Problem).toMatch(/There is no stream nothing/u)
    expect((await attempt(guide, { ...values(), key: 'wrong-key-0001' })).body.Problem).toMatch(/.{20}/u)
  })

  test('[SRC-10] [SRC-7] an address inside the operator’s network is not called', async () => {
    await using inside = await startOrchard({ now })
    const body = { text: guide, values: { key: inside.key, address: inside.address }, pages: 1 }
    const { body: tried } = await app.as.superadmin.call(workbench.try, { body })
    expect([tried.Exchanges.filter(({ Status }) => Status !== null), tried.Tables[0]?.RowsRead ?? 0]).toEqual([[], 0])
    expect(tried.Problem).not.toBeNull()
    expect(inside.calls).toEqual([])
  })

  test('[SRC-10] neither the store, with the audit log in it, nor the server’s log has an entered secret', async () => {
    const stored = await readStore(app.connection)
    expect(stored.get('audit_event')).toContain('workbench.tried')
    expect([...stored].filter(([, rows]) => containsSecret(rows, api.key)).map(([table]) => table)).toEqual([])
    expect(containsSecret(app.logLines.join('\n'), api.key)).toBe(false)
  })
})

describe('roles', () => {
  test.each(['provideradmin', 'admin', 'user', 'guest'] as const)(
    '[SRC-10] a %s of either organisation has no access to the workbench',
    async (role) => {
      const { body } = await app.as.superadmin.call(workbench.create, { body: { name: `For ${role}`, text: guide } })
      const params = { descriptionId: body.Id }
      const calls = api.calls.length
      const caller = app.as[role]
      const text = guide
      const replies = [
        await caller.call(workbench.list),
        await caller.call(workbench.read, { params }),
        await caller.call(workbench.create, { body: { name: 'X', text } }),
        await caller.call(workbench.save, { params, body: { name: 'X', text, revision: 1 } }),
        await caller.call(workbench.remove, { params }),
        await caller.call(workbench.draft, { body: { kind: 'sample', text: '[]' } }),
        await caller.call(workbench.check, { body: { text } }),
        await caller.call(workbench.try, { body: { text, values: values(), pages: 1 } }),
        await caller.call(workbench.prove, { body: { text, stream: 'order', kind: 'simulated' } }),
      ]
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403))
      expect(api.calls).toHaveLength(calls)
    },
  )
})

const openApi = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.pets.example/v1' }],
  paths: {
    '/pets': {
      get: {
        responses: {
          200: {
            description: 'Pets',
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
  },
})

const edmx = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Product"><Key><PropertyRef Name="ID"/></Key>
<Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
<EntityContainer Name="C"><EntitySet Name="Products" EntityType="S.Product"/></EntityContainer></Schema>
</edmx:DataServices></edmx:Edmx>`
