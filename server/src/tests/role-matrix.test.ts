/** Every call of the product, made by everybody: five roles, another organisation, a visitor, a token whose session has ended or whose person owes a second factor. */
import { randomUUID } from 'node:crypto'
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import type { FaultReply } from '@tributary/contract/faults'
import { organisations } from '@tributary/contract/organisations'
import { signInRoutes } from '@tributary/contract/sign-in'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  namesIn,
  type NamedRoute,
  type RouteFixtures,
  scopeOf,
} from '@tributary/testing/server/app/every-route.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { rights } from '@tributary/testing/server/app/expected-rights.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

/** Calls that name no thing and take nothing, so that whoever may make them has made them. */
const effects: Readonly<Record<string, number>> = {
  'DELETE /me/sessions': 204,
  'DELETE /tributary/clients/:clientId/connectors': 200,
  'POST /tributary/clients/:clientId/warehouse/password': 200,
  'POST /me/proof/question': 200,
}
/** Asks a source, which here lets nobody in any more. */
const refusedOutside = 'GET /token/:tokenId'
/** Reads a file, which here does not come. */
const needsFile = 'POST /loads/files'
/** Answers only the user who sent the file. */
const forItsSender = 'GET /loads/files/:fileId/columns'
/** Is for a version or a helper table, and here names neither. */
const needsTable = 'GET /loads/template.xlsx'
const endsSession = ['DELETE /me/sessions', 'POST /auth/signout']
/** Answers only whoever made the trip. */
const forOnePerson = 'GET /tributary/clients/:clientId/authorisations/:authorisationId'
/** Shows every organisation's mail to whoever runs a trial; elsewhere there is none. */
const forEveryEye = 'GET /mailbox'

const roles = Object.keys(roleLevels) as RoleName[]
const nobody = ['visitor', 'signed out', 'locked', 'second factor pending'] as const
const callers = [...nobody, ...roles, 'foreign admin'] as const
type MatrixCaller = (typeof callers)[number]

let app: TestApp
let ours: RouteFixtures
let theirs: RouteFixtures
let clients: Readonly<Record<MatrixCaller, TestClient>>
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('guest'))
  theirs = await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
  const { connectorId, clientId: organisationId } = ours
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('connectorUser')
      .values({ organisationId, connectorId, userId: app.idOf('user') })
      .execute(),
  )
  clients = {
    ...app.as,
    'foreign admin': app.as.otherAdmin,
    'signed out': await signedOut(),
    locked: await locked(),
    'second factor pending': await pending(),
  }
})
afterAll(() => app[Symbol.asyncDispose]())

/** Speaks with a token that is younger than fifteen minutes, of a session that has ended. */
async function signedOut(): Promise<TestClient> {
  const { client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(signInRoutes.signOut)).status).toBe(204)
  return client
}

/** Speaks with a token of a session that nobody has ended, of a person who is locked. */
async function locked(): Promise<TestClient> {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(organisations.list)).status).toBe(200)
  // Across: a person belongs to no organisation.
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ statusId: statusIds.locked }).where('id', '=', id).execute(),
  )
  app.clock.advance(5_001)
  return client
}

/** Speaks with a token of a session that began with the password alone, of a person who has been asked for a second factor since. */
async function pending(): Promise<TestClient> {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(organisations.list)).status).toBe(200)
  // Across: a person belongs to no organisation.
  await app.store.across((db) => db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', id).execute())
  app.clock.advance(5_001)
  return client
}

test('[ROLE-1] every call of the contract has its row', () => {
  expect(everyRoute.map(({ name }) => name).toSorted()).toEqual(Object.keys(rights).toSorted())
})

test.each(everyRoute)(
  '[ROLE-1] [API-1 $name] answers each role, a visitor, a foreign organisation and an ended session as it must, and tells nothing of another',
  async (named) => {
    for (const caller of callers) {
      const { status, body, headers } = await clients[caller].send<FaultReply | null>(
        named.route.method,
        ...harmless(named, caller),
      )
      expect([caller, ...verdictOf(named, status, body?.code ?? null)]).toEqual([caller, ...expected(named, caller)])
      expect([caller, leaks(caller, named, JSON.stringify([body, headers]))]).toEqual([caller, []])
      if (endsSession.includes(named.name) && !isNobody(caller)) await clients[caller].signIn()
    }
  },
)

const inQuery = everyRoute.filter(({ route }) => scopeOf(route) === 'query')
const byAddress = everyRoute.filter(({ route }) => ['query', 'client', 'clientKey'].includes(scopeOf(route)))

test.each(byAddress)(
  '[ROLE-1] [API-2] [$name] an organisation that there is not is refused to every role as if it were another’s',
  async (named) => {
    const nowhere = { ...ours, clientId: randomUUID(), clientKey: 'nowhere' }
    for (const role of [...roles, 'otherAdmin'] as const) {
      const [path] = harmless(named, role === 'otherAdmin' ? 'foreign admin' : role, nowhere)
      const { status, body } = await app.as[role].send<FaultReply>(named.route.method, path, bodyOf(named, nowhere))
      expect([role, status, body.code]).toEqual([role, 404, 'notFound'])
    }
  },
)

test.each(inQuery)(
  '[ROLE-1] [$name] with no organisation named each role is judged in that of its session, and sees nothing of another',
  async (named) => {
    for (const role of roles) {
      const [path, sending] = harmless(named, role)
      const { status, body } = await app.as[role].send<FaultReply | null>(
        named.route.method,
        withoutOrganisation(path),
        sending,
      )
      expect([role, ...verdictOf(named, status, body?.code ?? null)]).toEqual([role, ...expected(named, role)])
    }
    const { status, body } = await app.as.otherAdmin.send(
      named.route.method,
      withoutOrganisation(harmless(named, 'foreign admin')[0]),
      {},
    )
    expect([status < 500, leaks('foreign admin', named, JSON.stringify(body))]).toEqual([true, []])
  },
)

function withoutOrganisation(path: string): string {
  return path.replace(/\?orgId=[^&]+&?/u, '?').replace(/\?$/u, '')
}

/** What reaches the handler and changes nothing: a form with a name too many, or things that there are not. */
function harmless(
  named: NamedRoute,
  caller: MatrixCaller,
  about = ours,
): [path: string, sending: { readonly body?: unknown }] {
  if (named.route.method === 'GET') return [addressOf(named, about), {}]
  if (named.route.body !== undefined) {
    const sample = bodyOf(named, about).body
    return [addressOf(named, about), { body: Array.isArray(sample) ? {} : { ...(sample as object), nonsense: 1 } }]
  }
  const unknown = Object.fromEntries(thingsIn(named).map((name) => [name, randomUUID()]))
  // Whoever is refused may name what there is; the thing named tells the organisation in which they are judged.
  const isRefused = caller === 'foreign admin' || expected(named, caller)[0] === 403
  return [addressOf(named, isRefused ? about : { ...about, ...unknown }), {}]
}

function thingsIn(named: NamedRoute): readonly string[] {
  return namesIn(named).filter((name) => !['clientId', 'clientKey', 'name', 'provider', 'number'].includes(name))
}

type MatrixVerdict = readonly [status: number, code: string | null] | readonly [verdict: 'let in']

function expected(named: NamedRoute, caller: MatrixCaller): MatrixVerdict {
  const right = rights[named.name]
  if (right === 'everybody') return ['let in']
  if (isNobody(caller)) return [401, 'notSignedIn']
  if (caller === 'foreign admin' && named.route.scope !== 'none') return [404, 'notFound']
  const role = roles.find((one) => one === caller) ?? 'admin'
  const least = roles.find((one) => one === right) ?? 'guest'
  if (roleLevels[role] > roleLevels[least]) return [403, 'notAllowed']
  return named.name === forItsSender && role !== 'user' ? [404, 'notFound'] : reached(named)
}

function reached({ name, route }: NamedRoute): MatrixVerdict {
  if (name === refusedOutside) return [422, 'sourceRefused']
  if (name === forOnePerson) return [404, 'notFound']
  if (name === needsFile) return [422, 'fileUnreadable']
  if (name === needsTable) return [400, 'badInput']
  if (route.method === 'GET') return [200, null]
  if (route.body !== undefined) return [400, 'badInput']
  return name in effects ? [effects[name] ?? 0, null] : [404, 'notFound']
}

/** With a call that is for everybody nothing counts but that nobody is turned away for who they are. */
function verdictOf({ name }: NamedRoute, status: number, code: string | null): MatrixVerdict {
  const isTurnedAway = code === 'notAllowed' || (code === 'notSignedIn' && name !== 'POST /auth/refresh')
  return rights[name] === 'everybody' && !isTurnedAway ? ['let in'] : [status, code]
}

function isNobody(caller: MatrixCaller): boolean {
  return nobody.some((one) => one === caller)
}

/** What of the other organisation is in the answer. */
function leaks(caller: MatrixCaller, { name, route }: NamedRoute, text: string): readonly string[] {
  const isProviders = (caller === 'superadmin' || caller === 'provideradmin') && route.scope === 'none'
  if (isProviders || name === forEveryEye) return []
  const [other, own, words] =
    caller === 'foreign admin'
      ? [ours, theirs, ['Harbour', 'demo.example']]
      : [theirs, ours, ['Summit', 'other.example']]
  const ids = Object.values(other).filter((value) => !Object.values(own).includes(value))
  return [...ids, ...words].filter((secret) => text.includes(secret))
}
