import { schemaChanges } from '@tributary/contract/schema-changes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audited } from '@tributary/testing/server/app/audit-log.ts'
import { insertThings, type Things } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function addConnector(of: 'harbour' | 'summit' = 'harbour'): Promise<Things> {
  return insertThings(app, app[of], app.idOf(of === 'harbour' ? 'user' : 'otherAdmin'))
}

/** Another change of that connector; answers its id. */
async function addChange(
  { clientId: organisationId, connectorId }: Things,
  columnName: string,
  status: 'PENDING' | 'APPLIED' = 'PENDING',
) {
  const change = { stream: 'orders', tableName: 'orders', columnName, before: null, after: 'text', status }
  const { id } = await app.store.within(organisationId, (db) =>
    db
      .insertInto('schemaChange')
      .values({ organisationId, connectorId, ...change })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

const paramsOf = ({ clientId, connectorId }: Things) => ({ clientId, connectorId })

function decide(of: Things, changes: readonly string[], decision: 'ACCEPTED' | 'REJECTED') {
  return app.as.admin.call(schemaChanges.decide, { params: paramsOf(of), body: { changes, decision } })
}

test('an administrator decides on what waits, and it is told who decided what and when', async () => {
  const things = await addConnector()
  const [wanted, unwanted] = [await addChange(things, 'colour'), await addChange(things, 'secret')]
  expect((await decide(things, [wanted], 'ACCEPTED')).body).toMatchObject([
    {
      Id: wanted,
      Table: 'orders',
      Column: 'colour',
      Before: null,
      After: 'text',
      Status: 'ACCEPTED',
      DecidedBy: 'Amara Okafor',
    },
  ])
  expect((await decide(things, [unwanted, unwanted], 'REJECTED')).status).toBe(200)
  const { body } = await app.as.user.call(schemaChanges.list, { params: paramsOf(things) })
  expect(body.map(({ Column, Status, DecidedAtUtc }) => [Column, Status, DecidedAtUtc !== null]).toSorted()).toEqual([
    ['colour', 'ACCEPTED', true],
    ['note', 'PENDING', false],
    ['secret', 'REJECTED', true],
  ])
  const event = {
    actorId: app.idOf('admin'),
    organisationId: app.harbour.id,
    outcome: 'success',
    objectId: things.connectorId,
  }
  expect(await audited(app.store, 'connector.schema_decided')).toMatchObject([
    { ...event, detail: { decision: 'ACCEPTED', changes: 1 } },
    { ...event, detail: { decision: 'REJECTED', changes: 1 } },
  ])
})

test('until a change is made one may think better of it; what is made stays', async () => {
  const things = await addConnector()
  const [waiting, made] = [await addChange(things, 'colour'), await addChange(things, 'size', 'APPLIED')]
  await decide(things, [waiting], 'REJECTED')
  expect((await decide(things, [waiting], 'ACCEPTED')).body).toMatchObject([{ Status: 'ACCEPTED' }])
  const both = await decide(things, [waiting, made], 'REJECTED')
  expect(both).toMatchObject({
    status: 409,
    body: { code: 'alreadyDecided', message: expect.stringContaining('APPLIED') },
  })
  const { body } = await app.as.admin.call(schemaChanges.list, { params: paramsOf(things) })
  expect(body.find(({ Id }) => Id === waiting)?.Status).toBe('ACCEPTED')
})

test('nobody decides on another connector’s change, another organisation’s least of all', async () => {
  const [ours, sibling, theirs] = [await addConnector(), await addConnector(), await addConnector('summit')]
  const [own, ofSibling, foreign] = [
    await addChange(ours, 'colour'),
    await addChange(sibling, 'colour'),
    await addChange(theirs, 'colour'),
  ]
  for (const changes of [
    [own, foreign],
    [own, ofSibling],
  ])
    expect((await decide(ours, changes, 'ACCEPTED')).status).toBe(404)
  expect((await decide(theirs, [foreign], 'ACCEPTED')).status).toBe(404)
  const { body } = await app.as.admin.call(schemaChanges.list, { params: paramsOf(ours) })
  expect(body.find(({ Id }) => Id === own)?.Status).toBe('PENDING')
})
