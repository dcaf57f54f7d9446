/** Every call of the product, made by everybody: five roles, another organisation, a visitor, a token whose session has ended. */
import { randomUUID } from 'node:crypto'
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import type { FaultReply } from '@tributary/contract/faults'
import { organisations } from '@tributary/contract/organisations'
import { session } from '@tributary/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from './platform/testing/add-person.ts'
import type { TestClient } from './platform/testing/client.ts'
import { addressOf, bodyOf, everyRoute, insertThings, namesIn, type NamedRoute, type Things } from './platform/testing/every-route.ts'
import { statusIds } from './platform/testing/fixed-ids.ts'
import { testApp, type TestApp } from './platform/testing/test-app.ts'

/**
 * Who may, in the words of the specification and not in those of the code: the role with the least rights. A call that is
 * missing here, and one whose right changes without being changed here, too, fails.
 */
const rights: Readonly<Record<string, RoleName | 'everybody signed in' | 'everybody'>> = {
  'GET /auth/options': 'everybody',
  'POST /auth/signin': 'everybody',
  'POST /auth/signin-b2s': 'everybody',
  'POST /verify': 'everybody',
  'POST /verify/resend': 'everybody',
  'POST /auth/passkey': 'everybody',
  'POST /auth/link': 'everybody',
  'POST /auth/refresh': 'everybody',
  'POST /auth/first-superadmin': 'everybody',
  'POST /auth/signout': 'everybody',
  'GET /me/security': 'everybody signed in',
  'POST /me/security/mfa': 'everybody signed in',
  'DELETE /me/security/mfa/devices/:deviceId': 'everybody signed in',
  'POST /me/security/totp': 'everybody signed in',
  'POST /me/security/totp/confirm': 'everybody signed in',
  'DELETE /me/security/totp': 'everybody signed in',
  'POST /me/security/passkeys/options': 'everybody signed in',
  'POST /me/security/passkeys': 'everybody signed in',
  'DELETE /me/security/passkeys/:passkeyId': 'everybody signed in',
  'POST /me/security/recovery-codes': 'everybody signed in',
  'POST /me/password': 'everybody signed in',
  'GET /me/sessions': 'everybody signed in',
  'DELETE /me/sessions/:sessionId': 'everybody signed in',
  'DELETE /me/sessions': 'everybody signed in',
  'DELETE /me/external/:provider': 'everybody signed in',
  'GET /registration/captcha': 'everybody',
  'GET /registration/verify': 'everybody',
  'POST /registration/account': 'everybody',
  'GET /registration/finalise': 'everybody',
  'POST /registration/finalise': 'everybody',
  'POST /registration/external': 'everybody',
  'POST /reset-password/request': 'everybody',
  'GET /reset-password/validate': 'everybody',
  'POST /reset-password': 'everybody',
  'GET /approvals': 'admin',
  'POST /approvals': 'admin',
  'GET /organisations': 'everybody signed in',
  'GET /users': 'guest',
  'GET /roles': 'everybody signed in',
  'GET /statuses': 'everybody signed in',
  'POST /users': 'admin',
  'POST /users/:userId': 'admin',
  'DELETE /users/:userId': 'admin',
  'DELETE /users/:userId/sessions': 'admin',
  'POST /invitations': 'admin',
  'GET /invitations': 'admin',
  'POST /invitations/:invitationId/send': 'admin',
  'DELETE /invitations/:invitationId': 'admin',
  'POST /organisations': 'provideradmin',
  'POST /organisations/:clientId': 'admin',
  'POST /organisations/:clientId/archive': 'provideradmin',
  'GET /admin/globalconfiguration': 'provideradmin',
  'POST /admin/globalconfiguration': 'provideradmin',
  'GET /audit-events': 'admin',
  'GET /audit-events/export': 'admin',
  'GET /mailbox': 'everybody',
  'GET /areas': 'user',
  'POST /areas': 'admin',
  'POST /areas/:areaId': 'admin',
  'DELETE /areas/:areaId': 'superadmin',
  'GET /subareas': 'user',
  'POST /subareas': 'admin',
  'POST /subareas/:subareaId': 'admin',
  'DELETE /subareas/:subareaId': 'superadmin',
  'GET /versions': 'user',
  'POST /versions': 'admin',
  'POST /versions/:versionId': 'admin',
  'DELETE /versions/:versionId': 'superadmin',
  'GET /milestones/:versionId': 'user',
  'POST /milestones': 'admin',
  'POST /milestones/:milestoneId': 'admin',
  'DELETE /milestones/:milestoneId': 'superadmin',
  'GET /helperTables': 'user',
  'POST /helperTables': 'admin',
  'POST /helperTables/:helperTableId': 'admin',
  'DELETE /helperTables/:helperTableId': 'superadmin',
  'GET /entities': 'user',
  'POST /entities': 'admin',
  'POST /entities/:entityId': 'admin',
  'DELETE /entities/:entityId': 'admin',
  'POST /subareas/link-to-area': 'admin',
  'POST /subareas/unlink-from-area': 'admin',
  'POST /subareas/unlink-from-area-all': 'admin',
  'PUT /areas/:areaId/subareas': 'admin',
  'PUT /subareas/:subareaId/areas': 'admin',
  'GET /assignments': 'admin',
  'POST /users/:userId/link-to-group': 'admin',
  'DELETE /users/:userId/link-to-group': 'admin',
  'POST /users/:userId/link-to-entity': 'admin',
  'DELETE /users/:userId/link-to-entity': 'admin',
  'POST /users/:userId/link-helperTable': 'admin',
  'DELETE /users/:userId/link-helperTable': 'admin',
  'PUT /users/:userId/groups': 'admin',
  'PUT /users/:userId/helperTables': 'admin',
  'PUT /users/:userId/entities': 'admin',
  'PUT /entities/:entityId/users': 'admin',
  'PUT /helperTables/:helperTableId/users': 'admin',
  'GET /users/:userId/use': 'admin',
  'GET /me/use': 'user',
  'GET /permission-groups': 'user',
  'POST /permission-groups': 'admin',
  'POST /permission-groups/status': 'admin',
  'DELETE /permission-groups/groups': 'superadmin',
  'POST /permission-groups/area-subarea': 'admin',
  'DELETE /permission-groups/area-subarea': 'admin',
  'POST /permission-groups/version-milestone': 'admin',
  'DELETE /permission-groups/version-milestone': 'admin',
  'GET /permission-groups/:groupId': 'user',
  'PUT /permission-groups/:groupId': 'admin',
  'POST /permission-groups/:groupId/preview': 'admin',
  'GET /tributary/clients/connector-types': 'everybody signed in',
  'GET /tributary/clients/:clientId/connector-types': 'guest',
  'GET /tributary/clients/:clientId/connectors': 'guest',
  'POST /tributary/clients/:clientId/connectors': 'admin',
  'POST /tributary/clients/:clientId/connectors/check': 'admin',
  'GET /tributary/clients/:clientId/connectors/:connectorId': 'guest',
  'GET /tributary/clients/connectors/:connectorId': 'guest',
  'PATCH /tributary/clients/:clientId/connectors/:connectorId': 'admin',
  'DELETE /tributary/clients/:clientId/connectors/:connectorId': 'admin',
  'DELETE /clients/:clientKey/:connectorKey': 'admin',
  'GET /tributary/clients/:clientId/connectors/:connectorId/properties': 'admin',
  'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties': 'admin',
  'POST /tributary/clients/:clientId/connectors/:connectorId/properties': 'admin',
  'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties/:name': 'admin',
  'DELETE /tributary/clients/:clientId/connectors/:connectorId/properties/:name': 'admin',
  'POST /tributary/clients/:clientId/connectors/:connectorId/process': 'guest',
  'POST /clients/:clientKey/:connectorKey/process': 'guest',
  'POST /tributary/clients/connectors/:connectorId/assign-users': 'admin',
  'GET /tributary/connectors/insights': 'provideradmin',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs': 'guest',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId': 'guest',
  'POST /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/cancel': 'guest',
  'GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected': 'guest',
  'GET /tributary/clients/:clientId/warehouse': 'admin',
  'POST /tributary/clients/:clientId/warehouse/password': 'admin',
  'GET /tributary/clients/:clientId/warehouse/tributary.pbids': 'admin',
}

/** Calls that name no thing and take nothing, so that whoever may make them has made them. */
const effects: Readonly<Record<string, number>> = {
  'DELETE /me/sessions': 204,
  'POST /tributary/clients/:clientId/warehouse/password': 200,
}
const endsSession = ['DELETE /me/sessions', 'POST /auth/signout']
/** Shows every organisation's mail to whoever runs a trial; elsewhere there is none. */
const forEveryEye = 'GET /mailbox'

const roles = Object.keys(roleLevels) as RoleName[]
const nobody = ['visitor', 'signed out', 'locked'] as const
const callers = [...nobody, ...roles, 'foreign admin'] as const
type Caller = (typeof callers)[number]

let app: TestApp
let ours: Things
let theirs: Things
let clients: Readonly<Record<Caller, TestClient>>
beforeAll(async () => {
  app = await testApp()
  ours = await insertThings(app, app.harbour, app.idOf('guest'))
  theirs = await insertThings(app, app.summit, app.idOf('otherAdmin'))
  const { connectorId, clientId: organisationId } = ours
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('connectorUser')
      .values({ organisationId, connectorId, userId: app.idOf('user') })
      .execute(),
  )
  clients = { ...app.as, 'foreign admin': app.as.otherAdmin, 'signed out': await signedOut(), locked: await locked() }
})
afterAll(() => app[Symbol.asyncDispose]())

/** Speaks with a token that is younger than fifteen minutes, of a session that has ended. */
async function signedOut(): Promise<TestClient> {
  const { client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(session.signOut)).status).toBe(204)
  return client
}

/** Speaks with a token of a session that nobody has ended, of a person who is locked. */
async function locked(): Promise<TestClient> {
  const { id, client } = await addPerson(app, { [app.harbour.id]: 'admin' })
  await client.signIn()
  expect((await client.call(organisations.list)).status).toBe(200)
  // Across: a person belongs to no organisation.
  await app.store.across((db) => db.updateTable('portalUser').set({ statusId: statusIds.locked }).where('id', '=', id).execute())
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
      const { status, body, headers } = await clients[caller].send<FaultReply | null>(named.route.method, ...harmless(named, caller))
      expect([caller, ...verdictOf(named, status, body?.code ?? null)]).toEqual([caller, ...expected(named, caller)])
      expect([caller, leaks(caller, named, JSON.stringify([body, headers]))]).toEqual([caller, []])
      if (endsSession.includes(named.name) && !isNobody(caller)) await clients[caller].signIn()
    }
  },
)

/** What reaches the handler and changes nothing: a form with a name too many, or things that there are not. */
function harmless(named: NamedRoute, caller: Caller): [path: string, sending: { readonly body?: unknown }] {
  if (named.route.method === 'GET') return [addressOf(named, ours), {}]
  if (named.route.body !== undefined) {
    const sample = bodyOf(named, ours).body
    return [addressOf(named, ours), { body: Array.isArray(sample) ? {} : { ...(sample as object), nonsense: 1 } }]
  }
  const unknown = Object.fromEntries(thingsIn(named).map((name) => [name, randomUUID()]))
  // Whoever is refused may name what there is; the thing named tells the organisation in which they are judged.
  const isRefused = caller === 'foreign admin' || expected(named, caller)[0] === 403
  return [addressOf(named, isRefused ? ours : { ...ours, ...unknown }), {}]
}

function thingsIn(named: NamedRoute): readonly string[] {
  return namesIn(named).filter((name) => !['clientId', 'clientKey', 'name', 'provider'].includes(name))
}

type Verdict = readonly [status: number, code: string | null] | readonly [verdict: 'let in']

function expected(named: NamedRoute, caller: Caller): Verdict {
  const right = rights[named.name]
  if (right === 'everybody') return ['let in']
  if (isNobody(caller)) return [401, 'notSignedIn']
  if (caller === 'foreign admin' && named.route.scope !== 'none') return [404, 'notFound']
  const role = roles.find((one) => one === caller) ?? 'admin'
  const least = roles.find((one) => one === right) ?? 'guest'
  if (roleLevels[role] > roleLevels[least]) return [403, 'notAllowed']
  return reached(named)
}

function reached({ name, route }: NamedRoute): Verdict {
  if (route.method === 'GET') return [200, null]
  if (route.body !== undefined) return [400, 'badInput']
  return name in effects ? [effects[name] ?? 0, null] : [404, 'notFound']
}

/** With a call that is for everybody nothing counts but that nobody is turned away for who they are. */
function verdictOf({ name }: NamedRoute, status: number, code: string | null): Verdict {
  const isTurnedAway = code === 'notAllowed' || (code === 'notSignedIn' && name !== 'POST /auth/refresh')
  return rights[name] === 'everybody' && !isTurnedAway ? ['let in'] : [status, code]
}

function isNobody(caller: Caller): boolean {
  return nobody.some((one) => one === caller)
}

/** What of the other organisation is in the answer. */
function leaks(caller: Caller, { name, route }: NamedRoute, text: string): readonly string[] {
  const isProviders = (caller === 'superadmin' || caller === 'provideradmin') && route.scope === 'none'
  if (isProviders || name === forEveryEye) return []
  const [other, own, words] =
    caller === 'foreign admin' ? [ours, theirs, ['Harbour', 'demo.example']] : [theirs, ours, ['Summit', 'other.example']]
  const ids = Object.values(other).filter((value) => !Object.values(own).includes(value))
  return [...ids, ...words].filter((secret) => text.includes(secret))
}
