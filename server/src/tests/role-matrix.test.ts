/**
 * Calls every route as every kind of caller: the five roles, an administrator of another organisation, a visitor, and
 * tokens of an ended session, a locked person and a person without the required second factor.
 */
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

/**
 * Routes without record ids and bodies, which have their effect whenever an allowed caller calls them, with their
 * statuses.
 */
const effects: Readonly<Record<string, number>> = {
  'DELETE /me/sessions': 204,
  'DELETE /me/access-tokens': 204,
  'DELETE /tributary/clients/:clientId/connectors': 200,
  'POST /tributary/clients/:clientId/warehouse/password': 200,
  'DELETE /tributary/clients/:clientId/queries/history': 204,
  'POST /tributary/clients/:clientId/reports/test': 200,
  'POST /tributary/clients/:clientId/logins/me/password': 200,
  'DELETE /tributary/clients/:clientId/logins/me': 204,
  'POST /tributary/clients/:clientId/alert-channels/mail/test': 200,
  'POST /tributary/clients/:clientId/profile/alert-channels/mail/test': 200,
}
/** Calls a source, which refuses the request here. */
const refusedBySource = 'GET /token/:tokenId'
/** Reads an uploaded file, which is missing here. */
const needsFile = 'POST /loads/files'
/** Describes the request of an assistant, which is not registered here. */
const needsClient = 'GET /oauth/authorisation'
/** Returns 404 to every user except the sender of the file. */
const senderOnly = 'GET /loads/files/:fileId/columns'
/** Needs a version or a helper table, which is missing here. */
const needsTable = 'GET /loads/template.xlsx'
/** Read a table of the warehouse, or the auditor room of the caller. Both are missing here. */
const missingHere = /\/data\/tables\/:schema\/:table|\/auditor-room(?:\/events)?$/u
/** Needs a table with rows that the caller may read, which is missing here. */
const needsRows = 'GET /tributary/clients/:clientId/reports/power-bi.zip'
const endsSession = ['DELETE /me/sessions', 'POST /auth/signout']
/** Returns 404 to every user except the one who authorised. */
const authoriserOnly = 'GET /tributary/clients/:clientId/authorisations/:authorisationId'
/** Shows the mail of all organisations in a trial. */
const crossOrganisation = 'GET /mailbox'

const roles = Object.keys(roleLevels) as RoleName[]
const unauthenticated = ['visitor', 'signed out', 'locked', 'second factor pending'] as const
const callers = [...unauthenticated, ...roles, 'foreign admin'] as const
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
    'signed out': await createSignedOut(),
    locked: await createLocked(),
    'second factor pending': await createPending(),
  }
})
afterAll(() => app[Symbol.asyncDispose]())

/** A client whose token has not expired, but whose session has ended. */
async function createSignedOut(): Promise<TestClient> {
  const { client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(signInRoutes.signOut)).status).toBe(204)
  return client
}

/** A client with an active session of a locked person. */
async function createLocked(): Promise<TestClient> {
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

/**
 * A client whose session began with the password alone, of a person who has been required to use a second factor since.
 */
async function createPending(): Promise<TestClient> {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(organisations.list)).status).toBe(200)
  // Across: a person belongs to no organisation.
  await app.store.across((db) => db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', id).execute())
  app.clock.advance(5_001)
  return client
}

test('[ROLE-1] every route of the contract has its row', () => {
  expect(everyRoute.map(({ name }) => name).toSorted()).toEqual(Object.keys(rights).toSorted())
})

test.each(everyRoute)(
  '[ROLE-1] [API-1 $name] gives every caller the expected reply, without data of another organisation',
  async (named) => {
    for (const caller of callers) {
      const { status, body, headers } = await clients[caller].send<FaultReply | null>(
        named.route.method,
        ...harmless(named, caller),
      )
      expect([caller, ...verdictOf(named, status, body?.code ?? null)]).toEqual([caller, ...expected(named, caller)])
      expect([caller, leaks(caller, named, JSON.stringify([body, headers]))]).toEqual([caller, []])
      if (endsSession.includes(named.name) && !isUnauthenticated(caller)) await clients[caller].signIn()
    }
  },
)

const inQuery = everyRoute.filter(({ route }) => scopeOf(route) === 'query')
const byAddress = everyRoute.filter(({ route }) => ['query', 'client', 'clientKey'].includes(scopeOf(route)))

test.each(byAddress)(
  '[ROLE-1] [API-2] [$name] an unknown organisation is refused to every role like a foreign one',
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
  '[ROLE-1] [$name] without an organisation uses that of the session for each role, without data of another',
  async (named) => {
    for (const role of roles) {
      const [path, options] = harmless(named, role)
      const { status, body } = await app.as[role].send<FaultReply | null>(
        named.route.method,
        withoutOrganisation(path),
        options,
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

/** Returns a request that reaches the handler but changes nothing: a body with an unknown field, or unknown ids. */
function harmless(
  named: NamedRoute,
  caller: MatrixCaller,
  about = ours,
): [path: string, options: { readonly body?: unknown }] {
  if (named.route.method === 'GET') return [addressOf(named, about), {}]
  if (named.route.body !== undefined) {
    const sample = bodyOf(named, about).body
    return [addressOf(named, about), { body: Array.isArray(sample) ? {} : { ...(sample as object), nonsense: 1 } }]
  }
  const unknown = Object.fromEntries(recordParamsOf(named).map((name) => [name, randomUUID()]))
  // A refused caller must name existing records, because they decide which organisation's rights apply.
  const isRefused = caller === 'foreign admin' || expected(named, caller)[0] === 403
  return [addressOf(named, isRefused ? about : { ...about, ...unknown }), {}]
}

function recordParamsOf(named: NamedRoute): readonly string[] {
  return namesIn(named).filter((name) => !['clientId', 'clientKey', 'name', 'provider', 'number'].includes(name))
}

type MatrixVerdict = readonly [status: number, code: string | null] | readonly [verdict: 'allowed']

function expected(named: NamedRoute, caller: MatrixCaller): MatrixVerdict {
  const right = rights[named.name]
  if (right === 'everybody') return ['allowed']
  if (isUnauthenticated(caller)) return [401, 'notSignedIn']
  if (caller === 'foreign admin' && named.route.scope !== 'none') return [404, 'notFound']
  const role = roles.find((one) => one === caller) ?? 'admin'
  const least = roles.find((one) => one === right) ?? 'guest'
  if (roleLevels[role] > roleLevels[least]) return [403, 'notAllowed']
  return named.name === senderOnly && role !== 'user' ? [404, 'notFound'] : reached(named)
}

function reached({ name, route }: NamedRoute): MatrixVerdict {
  if (name === refusedBySource) return [422, 'sourceRefused']
  if (name === needsRows) return [422, 'settingsWrong']
  if (missingHere.test(name) || name === authoriserOnly) return [404, 'notFound']
  if (name === needsClient) return [400, 'oauthRequestWrong']
  if (name === needsFile) return [422, 'fileUnreadable']
  if (name === needsTable) return [400, 'badInput']
  if (route.method === 'GET') return [200, null]
  if (route.body !== undefined) return [400, 'badInput']
  return name in effects ? [effects[name] ?? 0, null] : [404, 'notFound']
}

/** For a public route, the only check is that no caller is refused for lack of rights. */
function verdictOf({ name }: NamedRoute, status: number, code: string | null): MatrixVerdict {
  const isRefused = code === 'notAllowed' || (code === 'notSignedIn' && name !== 'POST /auth/refresh')
  return rights[name] === 'everybody' && !isRefused ? ['allowed'] : [status, code]
}

function isUnauthenticated(caller: MatrixCaller): boolean {
  return unauthenticated.some((one) => one === caller)
}

/** Returns the values of the other organisation that the reply contains. */
function leaks(caller: MatrixCaller, { name, route }: NamedRoute, text: string): readonly string[] {
  const isProviderCall = (caller === 'superadmin' || caller === 'provideradmin') && route.scope === 'none'
  if (isProviderCall || name === crossOrganisation) return []
  const [other, own, words] =
    caller === 'foreign admin'
      ? [ours, theirs, ['Harbour', 'demo.example']]
      : [theirs, ours, ['Summit', 'other.example']]
  const ids = Object.values(other).filter((value) => !Object.values(own).includes(value))
  return [...ids, ...words].filter((secret) => text.includes(secret))
}
