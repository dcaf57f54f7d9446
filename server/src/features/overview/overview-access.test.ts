import { organisations as organisationRoutes } from '@tributary/contract/organisations'
import { overview } from '@tributary/contract/overview'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  completedRun,
  insertConnectorWithRuns,
  type NewRun,
} from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
/** The organisation of the test, and its people. */
let organisationId: string
let admin: TestClient
let user: AddedPerson
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
})
afterAll(() => app[Symbol.asyncDispose]())

let organisations = 0
beforeEach(async () => {
  const { body } = await app.as.provideradmin.call(users.createOrganisation, {
    body: { companyName: `Access ${++organisations}` },
  })
  organisationId = body.Id
  admin = (await addPerson(app, { [organisationId]: 'admin' })).client
  user = await addPerson(app, { [organisationId]: 'user' })
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const addConnector = (name: string, runs: readonly NewRun[] = []) =>
  insertConnectorWithRuns(app, organisationId, { name, runs })

async function read(client: TestClient = admin, clientId = organisationId) {
  const { status, body } = await client.call(overview.read, { params: { clientId } })
  expect(status).toBe(200)
  return body
}

test('[UX-HOME-13] administrators see all connectors, others those assigned to them, each with its own incidents', async () => {
  const mine = await addConnector('Assigned', [completedRun(app, hourMs)])
  const theirs = await addConnector('Not assigned')
  await app.store.within(organisationId, async (db) => {
    await db.insertInto('connectorUser').values({ organisationId, connectorId: mine, userId: user.id }).execute()
    for (const connectorId of [mine, theirs])
      await db.insertInto('incident').values({ organisationId, connectorId, kind: 'data', notice: 'n' }).execute()
  })
  const seenBy = async (client: TestClient) => {
    const { Connectors, Incidents } = await read(client)
    return [Connectors.map(({ Name }) => Name), Incidents.map(({ ConnectorId }) => ConnectorId).toSorted()]
  }
  const all = [['Assigned', 'Not assigned'].toSorted(), [mine, theirs].toSorted()]
  for (const client of [admin, app.as.superadmin, app.as.provideradmin])
    expect((await seenBy(client)).map((one) => one.toSorted())).toEqual(all)
  expect(await seenBy(user.client)).toEqual([['Assigned'], [mine]])
  const guest = await addPerson(app, { [organisationId]: 'guest' })
  expect(await seenBy(guest.client)).toEqual([[], []])
})

test('[UX-HOME-13] a foreign organisation is refused, in reading and in dismissing', async () => {
  const params = { clientId: organisationId }
  for (const client of [app.as.otherAdmin, app.as.admin, app.as.user]) {
    expect((await client.call(overview.read, { params })).status).toBe(404)
    const body = { name: 'connect', isDismissed: true } as const
    expect((await client.call(overview.dismissChecklist, { params, body })).status).toBe(404)
  }
})

test('[UX-HOME-13] of a connector that another organisation shares, administrators see no notice and no tie-out', async () => {
  const guestOrganisation = organisationId
  const { body: owner } = await app.as.provideradmin.call(users.createOrganisation, {
    body: { companyName: `Owner ${organisations}` },
  })
  organisationId = owner.Id
  const shared = await addConnector('Shared', [
    completedRun(app, hourMs),
    completedRun(app, minuteMs, { status: 'FAILED', faultKind: 'passing' }),
  ])
  await addConnector('Not shared')
  await app.store.within(owner.Id, async (db) => {
    const incident = { connectorId: shared, kind: 'data', notice: 'sql.internal refused the table.' }
    await db
      .insertInto('incident')
      .values({ organisationId: owner.Id, ...incident })
      .execute()
    await db
      .insertInto('connectorShare')
      .values({ organisationId: owner.Id, connectorId: shared, guestId: guestOrganisation })
      .execute()
  })
  const seen = await read(admin, guestOrganisation)
  expect(seen.Connectors).toMatchObject([
    { Name: 'Shared', State: 'failed', SharedBy: owner.CompanyName, TieOut: null },
  ])
  expect(seen.Incidents).toMatchObject([{ ConnectorId: shared, Who: 'owner' }])
  expect(JSON.stringify(seen)).not.toContain('sql.internal')
  expect((await read(user.client, guestOrganisation)).Connectors).toEqual([])
})

test('[UX-HOME-14] who sees no connector and may not add one sees whom to ask; guests without addresses', async () => {
  const { body: people } = await admin.call(organisationRoutes.users, { query: { orgId: organisationId } })
  const [administrator] = people.filter(({ Role }) => Role?.Name === 'admin')
  const { FirstName, LastName, EmailAddress } = administrator ?? {}
  expect(EmailAddress).toBeDefined()
  const guest = await addPerson(app, { [organisationId]: 'guest' })
  expect((await read(user.client)).Administrators).toEqual([{ FirstName, LastName, EmailAddress }])
  expect((await read(guest.client)).Administrators).toEqual([{ FirstName, LastName, EmailAddress: null }])
  for (const client of [admin, app.as.superadmin, app.as.provideradmin])
    expect((await read(client)).Administrators).toEqual([])
  const connectorId = await addConnector('Shop')
  await app.store.within(organisationId, (db) =>
    db.insertInto('connectorUser').values({ organisationId, connectorId, userId: user.id }).execute(),
  )
  expect((await read(user.client)).Administrators).toEqual([])
})
