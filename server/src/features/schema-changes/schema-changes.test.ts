import { schemaChanges } from '@tributary/contract/schema-changes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function addConnector(of: 'harbour' | 'summit' = 'harbour'): Promise<RouteFixtures> {
  return insertFixtures(app, app[of], app.idOf(of === 'harbour' ? 'user' : 'otherAdmin'))
}

/** Adds a change to the connector. Returns its id. */
async function addChange(
  { clientId: organisationId, connectorId }: RouteFixtures,
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

const paramsOf = ({ clientId, connectorId }: RouteFixtures) => ({ clientId, connectorId })

function decide(of: RouteFixtures, changes: readonly string[], decision: 'ACCEPTED' | 'REJECTED') {
  return app.as.admin.call(schemaChanges.decide, { params: paramsOf(of), body: { changes, decision } })
}

test('an administrator decides on pending changes, and the list shows who decided and when', async () => {
  const things = await addConnector()
  const [acceptedId, rejectedId] = [await addChange(things, 'colour'), await addChange(things, 'secret')]
  expect((await decide(things, [acceptedId], 'ACCEPTED')).body).toMatchObject([
    {
      Id: acceptedId,
      Table: 'orders',
      Column: 'colour',
      Before: null,
      After: 'text',
      Status: 'ACCEPTED',
      DecidedBy: 'Amara Okafor',
    },
  ])
  expect((await decide(things, [rejectedId, rejectedId], 'REJECTED')).status).toBe(200)
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
  expect(await findAuditEvents(app.store, 'connector.schema_decided')).toMatchObject([
    { ...event, detail: { decision: 'ACCEPTED', changes: 1 } },
    { ...event, detail: { decision: 'REJECTED', changes: 1 } },
  ])
})

test('a decision can be reversed until the change is applied', async () => {
  const things = await addConnector()
  const [waiting, applied] = [await addChange(things, 'colour'), await addChange(things, 'size', 'APPLIED')]
  await decide(things, [waiting], 'REJECTED')
  expect((await decide(things, [waiting], 'ACCEPTED')).body).toMatchObject([{ Status: 'ACCEPTED' }])
  const both = await decide(things, [waiting, applied], 'REJECTED')
  expect(both).toMatchObject({
    status: 409,
    body: { code: 'alreadyDecided', message: expect.stringContaining('APPLIED') },
  })
  const { body } = await app.as.admin.call(schemaChanges.list, { params: paramsOf(things) })
  expect(body.find(({ Id }) => Id === waiting)?.Status).toBe('ACCEPTED')
})

test('changes of another connector or organisation cannot be decided', async () => {
  const [own, sibling, theirs] = [await addConnector(), await addConnector(), await addConnector('summit')]
  const [ownChange, siblingChange, foreignChange] = [
    await addChange(own, 'colour'),
    await addChange(sibling, 'colour'),
    await addChange(theirs, 'colour'),
  ]
  for (const changes of [
    [ownChange, foreignChange],
    [ownChange, siblingChange],
  ])
    expect((await decide(own, changes, 'ACCEPTED')).status).toBe(404)
  expect((await decide(theirs, [foreignChange], 'ACCEPTED')).status).toBe(404)
  const { body } = await app.as.admin.call(schemaChanges.list, { params: paramsOf(own) })
  expect(body.find(({ Id }) => Id === ownChange)?.Status).toBe('PENDING')
})
