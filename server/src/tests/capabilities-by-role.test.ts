/** Every capability of the table, for each role, at the API: by the calls that it guards, or by what it guards within one. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { capabilities, may, roleLevels, type Capability, type RoleName } from '@tributary/contract/capabilities'
import type { Method } from '@tributary/contract/route'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  type RouteFixtures,
  scopeOf,
} from '@tributary/testing/server/app/every-route.ts'
import { insertStructure } from '@tributary/testing/server/excel/structure-fixtures.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const roles = Object.keys(roleLevels) as RoleName[]
const names = Object.keys(capabilities) as Capability[]

let app: TestApp
let ours: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('guest'))
  const { connectorId, clientId: organisationId } = ours
  await app.store.within(organisationId, (db) =>
    db
      .insertInto('connectorUser')
      .values({ organisationId, connectorId, userId: app.idOf('user') })
      .execute(),
  )
  const { status } = await ask('superadmin', 'POST', `/users/${ours.userId}?orgId=${organisationId}`, { msId })
  if (status !== 200) throw new Error(`The Microsoft id could not be set: ${status}.`)
})
afterAll(() => app[Symbol.asyncDispose]())

const msId = 'member@harbour.example'
const connector = () => `/tributary/clients/${ours.clientId}/connectors/${ours.connectorId}`

type Fault = Readonly<Record<string, unknown>>

function ask(role: RoleName, method: Method, path: string, body?: object) {
  return app.as[role].send<Fault>(method, `/api${path}`, body === undefined ? {} : { body })
}

/** Whether the role is let in: one of these answers, or the refusal. Anything else proves neither. */
async function isLetIn(role: RoleName, asked: ReturnType<typeof ask>, answers: readonly number[]): Promise<boolean> {
  const { status, body } = await asked
  if (status === 403) expect([role, body['code']]).toEqual([role, 'notAllowed'])
  else expect([role, answers]).toEqual([role, expect.arrayContaining([status])])
  return status !== 403
}

/** Whether the role gets what a capability guards that by itself guards no call. */
const within: Partial<Record<Capability, (role: RoleName) => Promise<boolean>>> = {
  // What the page shows; the way there is the portal's.
  seeAdminDashboard: (role) => isLetIn(role, ask(role, 'GET', '/tributary/connectors/insights'), [200]),
  seeAdminMenu: async (role) => {
    const pages = ['approvals', 'audit-events', 'invitations'].map((path) =>
      isLetIn(role, ask(role, 'GET', `/${path}?orgId=${ours.clientId}`), [200]),
    )
    return (await Promise.all(pages)).every(Boolean)
  },
  seeConnectorUsers: async (role) => {
    const { body } = await ask(role, 'GET', connector())
    return (body['Properties'] as { Name: string }[]).some(({ Name }) => Name === 'portal.user')
  },
  // 409: somebody was let in before.
  chooseRunMode: (role) =>
    isLetIn(role, ask(role, 'POST', `${connector()}/process`, { fullTransactionSync: true }), [202, 409]),
  reloadTables: async (role) => {
    const ways = [{ streams: ['orders'] }, { from: '2026-01-01T00:00:00Z' }].map((body) =>
      isLetIn(role, ask(role, 'POST', `${connector()}/process`, body), [202, 409]),
    )
    return (await Promise.all(ways)).every(Boolean)
  },
  editSchedule: async (role) => {
    const schedule = `${roles.indexOf(role)} 6 * * 1-5`
    const isIn = await isLetIn(role, ask(role, 'PATCH', connector(), { schedule }), [200])
    const { body } = await ask('superadmin', 'GET', connector())
    expect([role, body['Schedule'] === schedule]).toEqual([role, isIn])
    return isIn
  },
  editMicrosoftId: async (role) => {
    const address = `/users/${ours.userId}?orgId=${ours.clientId}`
    const isIn = await isLetIn(role, ask(role, 'POST', address, { msId }), [200])
    const { body } = await ask(role, 'GET', `/users?orgId=${ours.clientId}`)
    const listed = (body as unknown as { Id: string; MS_Oid: string | null }[]).find(({ Id }) => Id === ours.userId)
    expect([role, listed?.MS_Oid]).toEqual([role, isIn ? msId : role === 'guest' ? undefined : null])
    return isIn
  },
}
/** The portal’s alone: section 7 names connectors by their keys, so whoever may refresh one is told its key. */
const ofPortal: readonly Capability[] = ['seeConnectorKey']

// Those first that guard something within a call: at last the superadmin disconnects and deletes what is there.
const rows = names
  .toSorted((a, b) => Number(b in within) - Number(a in within))
  .flatMap((capability) =>
    roles.map((role) => ({ capability, role, verdict: may(roleLevels[role], capability) ? 'may' : 'may not' })),
  )

test.each(rows.filter(({ capability }) => !ofPortal.includes(capability)))(
  '[ROLE-1] $capability: $role $verdict',
  async (row) => {
    const { capability, role, verdict } = row
    const probe = within[capability]
    const seen = probe === undefined ? await byCalls(capability, role) : [await probe(role)]
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual(seen.map(() => verdict === 'may'))
  },
)

/** What a call answers once the role is let in: that it did it, or what it finds wrong. */
const beyondTheRight = [200, 201, 202, 204, 400, 404, 409, 422]

/** Of every call that the capability guards, whether the role is let in. What is sent changes nothing where it is. */
async function byCalls(capability: Capability, role: RoleName): Promise<boolean[]> {
  const seen: boolean[] = []
  for (const named of everyRoute.filter(({ route }) => route.allow === capability)) {
    const { route } = named
    // A form that is wrong, or an id that there is not, comes after the right. What a deletion names must be there for that.
    const isSpent = route.method === 'DELETE' && scopeOf(route) === 'record'
    const records = isSpent ? await app.store.within(ours.clientId, (db) => insertStructure(db, ours.clientId)) : {}
    const unknown = { runId: randomUUID(), connectorKey: 'none', userId: randomUUID(), invitationId: randomUUID() }
    const things = { ...ours, ...records, ...unknown }
    const body = { ...(bodyOf(named, ours).body as object | undefined), nonsense: 1 }
    const asked = app.as[role].send<Fault>(
      route.method,
      addressOf(named, things),
      route.takes === undefined ? { body } : {},
    )
    seen.push(await isLetIn(role, asked, beyondTheRight))
  }
  return seen
}

test.each(roles)(
  '[ROLE-1] seeConnectorKey: with the key %s reaches what their role may, and nothing more',
  async (role) => {
    const { body } = await ask(role, 'GET', connector())
    expect(body['Key']).toBe(ours.connectorKey)
    const address = `/clients/${ours.clientKey}/${ours.connectorKey}`
    expect((await ask(role, 'POST', `${address}/process`, { nonsense: 1 })).status).toBe(400)
    const ended = await ask(role, 'DELETE', `/clients/${ours.clientKey}/${mayEnd(role) ? 'none' : ours.connectorKey}`)
    expect(ended.status).toBe(mayEnd(role) ? 404 : 403)
  },
)

function mayEnd(role: RoleName): boolean {
  return may(roleLevels[role], 'disconnectConnector')
}

test('[ROLE-1] every capability guards a call, or something within one, or is the portal’s alone; none of them twice', () => {
  const byCall = names.filter((capability) => everyRoute.some(({ route }) => route.allow === capability))
  expect([...byCall, ...Object.keys(within), ...ofPortal].toSorted()).toEqual(names.toSorted())
})

test('[ROLE-1] what guards no call by itself is in the journey through the portal, role by role', () => {
  const journey = readFileSync(join(import.meta.dirname, '../../../testing/journeys/roles.spec.ts'), 'utf8')
  const listed = /const shown = \[([^\]]*)\]/u.exec(journey)?.[1] ?? ''
  const missing = (capability: string) => !listed.includes(`'${capability}'`)
  expect([...Object.keys(within), ...ofPortal].filter(missing)).toEqual([])
  expect(['seeConnectorKey', 'planted'].filter(missing)).toEqual(['planted'])
})

test('[ROLE-1] the table is the specification’s', () => {
  expect(capabilities).toMatchObject({
    seeAdminDashboard: 1,
    seeGlobalConfiguration: 1,
    seeAdminMenu: 2,
    configureTables: 2,
    seeExcel: 3,
    addConnector: 2,
    editConnector: 2,
    deleteConnector: 2,
    disconnectConnector: 2,
    seeConnectorUsers: 4,
    deleteStructure: 0,
    editMicrosoftId: 0,
    seeTokens: 0,
    chooseRunMode: 0,
    seeConnectorKey: 0,
    seeAllLicences: 0,
    saveLicences: 0,
    editSchedule: 0,
  })
})
