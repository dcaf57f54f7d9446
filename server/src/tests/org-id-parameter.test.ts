/** `?orgId=` on every call that writes: it is honoured or refused, never left aside. */
import type { FaultReply } from '@tributary/contract/faults'
import { planningStructure } from '@tributary/contract/planning-structure'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignments } from '@tributary/contract/assignments'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  type NamedRoute,
  type RouteFixtures,
  scopeOf,
} from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let ours: RouteFixtures
let theirs: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
  theirs = await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
})
afterAll(() => app[Symbol.asyncDispose]())

const writing = everyRoute.filter(
  ({ route }) => (route.method !== 'GET' || route.changes === true) && scopeOf(route) !== 'query',
)
const addressing = writing.filter(({ route }) => route.scope !== 'none')

function send(named: NamedRoute, orgId: string, who: 'superadmin' | 'admin', body = bodyOf(named, ours)) {
  const path = addressOf(named, ours)
  return app.as[who].send<FaultReply>(
    named.route.method,
    `${path}${path.includes('?') ? '&' : '?'}orgId=${orgId}`,
    body,
  )
}

test.each(addressing)(
  '[API-2] [$name] refuses an orgId that is another organisation’s than the call’s, even where both may be seen',
  async (named) => {
    const { status, body } = await send(named, app.summit.id, 'superadmin')
    expect([status, body.code]).toEqual([404, 'notFound'])
  },
)

test.each(writing.filter(({ route }) => scopeOf(route) === 'body'))(
  '[API-2] [$name] with no organisation in the body takes that of orgId, which must be one of the caller’s',
  async (named) => {
    const { organisationId: _, comOrganisationId: __, ...rest } = bodyOf(named, ours).body as Record<string, unknown>
    const { status, body } = await send(named, app.summit.id, 'admin', { body: rest })
    // The rows of provider roles are refused for the role where they are refused at all.
    expect(['notFound', 'notAllowed']).toContain(body.code)
    expect(status).toBeLessThan(500)
  },
)

test.each(writing.filter(({ route }) => route.scope === 'none'))(
  '[API-2] [$name] is about no organisation, and says so to an orgId',
  async (named) => {
    const { status, body } = await send(named, app.harbour.id, 'superadmin')
    expect([status, body.code, body.fields?.['orgId']]).toEqual([400, 'badInput', 'is not known here; leave it out'])
  },
)

test.each(everyRoute.filter(({ route }) => route.method === 'GET' && !['none', 'query'].includes(scopeOf(route))))(
  '[API-2] [$name] reads nothing with the orgId of another organisation',
  async (named) => {
    const { status, body } = await send(named, app.summit.id, 'superadmin')
    expect([status, body.code]).toEqual([404, 'notFound'])
  },
)

test('[API-2] what orgId names is where a record is added, and the calls that read answer with their own orgId', async () => {
  const added = await app.as.superadmin.send<{ Id: string }>('POST', `/api/areas?orgId=${app.summit.id}`, {
    body: { name: 'By query' },
  })
  expect(added.status).toBe(201)
  const namesIn = async (orgId: string) =>
    (await app.as.superadmin.call(planningStructure.areas, { query: { orgId } })).body.map(({ Name }) => Name)
  expect(await namesIn(app.summit.id)).toContain('By query')
  expect(await namesIn(app.harbour.id)).not.toContain('By query')
  const path = `/api/milestones/${theirs.versionId}?orgId=${app.summit.id}`
  expect((await app.as.superadmin.send('GET', path)).status).toBe(200)
})

test('[API-2] the body of a link and of a change of a user may name the organisation', async () => {
  const { id: userId } = await addPerson(app, { [app.summit.id]: 'user' })
  const params = { userId }
  const linked = await app.as.superadmin.call(assignments.linkGroup, {
    params,
    body: { comOrganisationId: app.summit.id, groupId: theirs.groupId },
  })
  expect(linked.status).toBe(200)
  const changed = await app.as.superadmin.call(users.update, {
    params,
    body: { firstName: 'Renamed', organisationId: app.summit.id },
  })
  expect([changed.status, changed.body.FirstName]).toEqual([200, 'Renamed'])
  const elsewhere = {
    params,
    query: { orgId: app.harbour.id },
    body: { firstName: 'Again', organisationId: app.summit.id },
  }
  expect((await app.as.superadmin.call(users.update, elsewhere)).status).toBe(404)
})
