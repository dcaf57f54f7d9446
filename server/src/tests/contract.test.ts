import { randomUUID } from 'node:crypto'
import { may, roleLevels, type RoleName } from '@tributary/contract/capabilities'
import type { FaultReply } from '@tributary/contract/faults'
import { CompanyId } from '@tributary/contract/id'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  namesIn,
  paramsOf,
  requiredOf,
  type NamedRoute,
  type RouteFixtures,
  scopeOf,
} from '@tributary/testing/server/app/every-route.ts'
import { bodies } from '@tributary/testing/server/app/sample-bodies.ts'
import { confirmSecondFactor } from '@tributary/testing/server/identity/make-token.ts'
import { structureNames } from '@tributary/testing/server/excel/structure-fixtures.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let ours: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

const roles = Object.keys(roleLevels) as RoleName[]
const guarded = everyRoute.filter(({ route }) => route.allow !== 'visitor')
/** Routes that at least one role may not call. */
const restricted = guarded.flatMap(({ name, route }) => {
  const { allow } = route
  if (allow === 'visitor' || allow === 'signedIn') return []
  const refused = roles.filter((role) => !may(roleLevels[role], allow))
  return refused.length === 0 ? [] : [{ name, route, refused }]
})
const scoped = everyRoute.filter(({ route }) => route.scope !== 'none')

function send(named: NamedRoute, things: RouteFixtures, body = bodyOf(named, things)) {
  return app.as.superadmin.send<FaultReply>(named.route.method, addressOf(named, things), body)
}
async function expectBadField(reply: Promise<{ status: number; body: FaultReply }>, field: string): Promise<void> {
  const { status, body } = await reply
  expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([
    400,
    'badInput',
    expect.arrayContaining([field]),
  ])
  expect(body.message).toContain(field)
}

test('every route with a body has a valid sample body', () => {
  const withBody = everyRoute.filter(({ route }) => route.body !== undefined)
  expect(withBody.map(({ name }) => name).toSorted()).toEqual(Object.keys(bodies).toSorted())
  for (const { name, route } of withBody) expect(route.body?.safeParse(bodies[name]).error).toBeUndefined()
})

test.each(everyRoute)('[API-1 $name] exists', async (named) => {
  const reply = await app.as.visitor.send<FaultReply>(named.route.method, addressOf(named, ours), { body: 'not json' })
  expect(reply.body?.code ?? 'success').not.toBe('notFound')
})

test.each(guarded)('[API-1 $name] refuses callers who are not signed in', async (named) => {
  const { status, body } = await app.as.visitor.send<FaultReply>(
    named.route.method,
    addressOf(named, ours),
    bodyOf(named, ours),
  )
  expect([status, body.message, body.code]).toEqual([401, 'Unauthorized', 'notSignedIn'])
})

test.each(restricted)('[API-1 $name] refuses the roles that may not', async (named) => {
  for (const role of named.refused) {
    const { status, body } = await app.as[role].send<FaultReply>(
      named.route.method,
      addressOf(named, ours),
      bodyOf(named, ours),
    )
    expect([role, status, body.code]).toEqual([role, 403, 'notAllowed'])
    expect(body.message).not.toBe('Unauthorized')
  }
})

test.each(scoped)(
  '[API-1 $name] [API-2] refuses a foreign organisation just as one that does not exist',
  async (named) => {
    const records = Object.fromEntries([...structureNames, 'loadId'].map((name) => [name, randomUUID()]))
    const nowhere = {
      ...ours,
      ...records,
      clientId: randomUUID(),
      clientKey: 'nowhere',
      connectorId: randomUUID(),
      approvalId: randomUUID(),
    }
    const [foreign, unknown] = await Promise.all(
      [ours, nowhere].map((things) =>
        app.as.otherAdmin.send<FaultReply>(named.route.method, addressOf(named, things), bodyOf(named, things)),
      ),
    )
    expect([foreign?.status, foreign?.body.code]).toEqual([404, 'notFound'])
    expect({ ...foreign?.body, reference: '' }).toEqual({ ...unknown?.body, reference: '' })
    expect((await send(named, nowhere)).status).toBe(404)
  },
)

test.each(everyRoute)('[API-1 $name] refuses bad input and names the field', async (named) => {
  const { route } = named
  for (const param of paramsOf(named).filter((name) => name.endsWith('Id')))
    await expectBadField(send(named, { ...ours, [param]: badIdFor(route, param) }), param)
  if (route.query !== undefined) {
    const address = addressOf(named, ours)
    const join = address.includes('?') ? '&' : '?'
    await expectBadField(
      app.as.superadmin.send(route.method, `${address}${join}nonsense=1`, bodyOf(named, ours)),
      'nonsense',
    )
    await expectBadField(
      app.as.superadmin.send(route.method, `${address}${join}twice=1&twice=2`, bodyOf(named, ours)),
      'twice',
    )
    // Two organisations are refused rather than one of them chosen.
    if (scopeOf(route) === 'query')
      for (const second of [app.harbour.id, app.summit.id])
        await expectBadField(
          app.as.superadmin.send(route.method, `${address}&orgId=${second}`, bodyOf(named, ours)),
          'orgId',
        )
  }
  if (route.body === undefined) return
  const sample = bodyOf(named, ours).body
  if (Array.isArray(sample)) {
    await expectBadField(send(named, ours, { body: {} }), 'body')
    await expectBadField(send(named, ours, { body: [{ ...(sample[0] as object), nonsense: 1 }] }), '0.nonsense')
    return
  }
  await expectBadField(send(named, ours, { body: { ...(sample as object), nonsense: 1 } }), 'nonsense')
  for (const field of requiredOf(route.body))
    await expectBadField(send(named, ours, { body: { ...(sample as object), [field]: undefined } }), field)
})

/** A source identifies its companies by any short text. */
function badIdFor({ params }: NamedRoute['route'], param: string): string {
  return params?.shape[param] === CompanyId ? 'x'.repeat(300) : 'nonsense'
}

/** Parameters that identify records of an organisation or a person. */
const recordParamsOf = (named: NamedRoute) =>
  namesIn(named).filter((name) => !['clientId', 'clientKey', 'name', 'provider', 'number', 'hash'].includes(name))
const withRecords = everyRoute.filter((named) => recordParamsOf(named).length > 0)

test.each(withRecords)('[API-1 $name] returns 404 for an unknown id', async (named) => {
  if (named.route.needsSecondFactor === true)
    await confirmSecondFactor(app, { client: app.as.superadmin, emailAddress: 'superadmin@demo.example' })
  for (const param of recordParamsOf(named)) {
    const { status, body } = await send(named, { ...ours, [param]: randomUUID() })
    expect([param, status, body.code]).toEqual([param, 404, 'notFound'])
  }
})

test('[API-1] every route of the contract has each of its tests in this file', ({ task }) => {
  const titles = task.file.tasks.map(({ name }) => name)
  const missing = everyRoute.flatMap((named) => guaranteesOf(named).filter((title) => !titles.includes(title)))
  expect(missing).toEqual([])
  const planted = { ...(everyRoute[0] as NamedRoute), name: 'GET /planted' }
  expect(guaranteesOf(planted).filter((title) => !titles.includes(title))).toEqual(guaranteesOf(planted))
})

function guaranteesOf({ name, route }: NamedRoute): readonly string[] {
  const { allow } = route
  const isRestricted = allow !== 'visitor' && allow !== 'signedIn' && !may(roleLevels.guest, allow)
  const hasRecordId = Object.keys(route.params?.shape ?? {}).some((param) => /^(?!client).*Id$/u.test(param))
  return [
    'exists',
    'refuses bad input and names the field',
    ...(allow === 'visitor' ? [] : ['refuses callers who are not signed in']),
    ...(isRestricted ? ['refuses the roles that may not'] : []),
    ...(hasRecordId ? ['returns 404 for an unknown id'] : []),
  ]
    .map((guarantee) => `[API-1 ${name}] ${guarantee}`)
    .concat(
      route.scope === 'none'
        ? []
        : [`[API-1 ${name}] [API-2] refuses a foreign organisation just as one that does not exist`],
    )
}
