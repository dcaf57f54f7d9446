/** `?orgId=` on every route that writes: it is respected or refused, never ignored. */
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
const scoped = writing.filter(({ route }) => route.scope !== 'none')

function send(named: NamedRoute, orgId: string, role: 'superadmin' | 'admin', body = bodyOf(named, ours)) {
  const path = addressOf(named, ours)
  return app.as[role].send<FaultReply>(
    named.route.method,
    `${path}${path.includes('?') ? '&' : '?'}orgId=${orgId}`,
    body,
  )
}

test.each(scoped)(
  '[API-2] [$name] refuses an orgId of another organisation than the request’s, even if the caller may see both',
  async (named) => {
    const { status, body } = await send(named, app.summit.id, 'superadmin')
    expect([status, body.code]).toEqual([404, 'notFound'])
  },
)

test.each(writing.filter(({ route }) => scopeOf(route) === 'body'))(
  '[API-2] [$name] uses orgId if the body names no organisation, and refuses an organisation of others',
  async (named) => {
    const { organisationId: _, comOrganisationId: __, ...rest } = bodyOf(named, ours).body as Record<string, unknown>
    const { status, body } = await send(named, app.summit.id, 'admin', { body: rest })
    // `notAllowed` for routes of provider roles, which check the role first.
    expect(['notFound', 'notAllowed']).toContain(body.code)
    expect(status).toBeLessThan(500)
  },
)

test.each(writing.filter(({ route }) => route.scope === 'none'))(
  '[API-2] [$name] belongs to no organisation, and refuses orgId with a message',
  async (named) => {
    const { status, body } = await send(named, app.harbour.id, 'superadmin')
    expect([status, body.code, body.fields?.['orgId']]).toEqual([400, 'badInput', 'is not known here; leave it out'])
  },
)

test.each(everyRoute.filter(({ route }) => route.method === 'GET' && !['none', 'query'].includes(scopeOf(route))))(
  '[API-2] [$name] returns nothing for the orgId of another organisation',
  async (named) => {
    const { status, body } = await send(named, app.summit.id, 'superadmin')
    expect([status, body.code]).toEqual([404, 'notFound'])
  },
)

test('[API-2] a record is added to the organisation of orgId, and reads return the records of their orgId', async () => {
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

test('[API-2] the body of a group link or a user update may name the organisation', async () => {
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
