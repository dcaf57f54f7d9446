/** Checks every capability at the API for each role: by the routes that require it, or by its effect within a route. */
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

type ReplyFields = Readonly<Record<string, unknown>>

function ask(role: RoleName, method: Method, path: string, body?: object) {
  return app.as[role].send<ReplyFields>(method, `/api${path}`, body === undefined ? {} : { body })
}

/**
 * Returns whether the role is allowed the request. Fails on a status that is neither 403 nor one of `expected`. Some roles
 * may read, but have nothing to read once the connector is deleted.
 */
async function isAllowed(role: RoleName, reply: ReturnType<typeof ask>, expected: readonly number[]): Promise<boolean> {
  const { status, body } = await reply
  if (body?.['code'] === 'dataNotReadable') return true
  if (status === 403) expect([role, body['code']]).toEqual([role, 'notAllowed'])
  else expect([role, expected]).toEqual([role, expect.arrayContaining([status])])
  return status !== 403
}

/** Probes for capabilities that no route requires, but that have an effect within routes. */
const probes: Partial<Record<Capability, (role: RoleName) => Promise<boolean>>> = {
  // The data of the page; the portal itself hides the page.
  seeAdminDashboard: (role) => isAllowed(role, ask(role, 'GET', '/tributary/connectors/insights'), [200]),
  seeAdminMenu: async (role) => {
    const pages = ['approvals', 'audit-events', 'invitations'].map((path) =>
      isAllowed(role, ask(role, 'GET', `/${path}?orgId=${ours.clientId}`), [200]),
    )
    return (await Promise.all(pages)).every(Boolean)
  },
  seeConnectorUsers: async (role) => {
    const { body } = await ask(role, 'GET', connector())
    return (body['Properties'] as { Name: string }[]).some(({ Name }) => Name === 'portal.user')
  },
  // 409: an earlier role has started a run.
  chooseRunMode: (role) =>
    isAllowed(role, ask(role, 'POST', `${connector()}/process`, { fullTransactionSync: true }), [202, 409]),
  reloadTables: async (role) => {
    const requests = [{ streams: ['orders'] }, { from: '2026-01-01T00:00:00Z' }].map((body) =>
      isAllowed(role, ask(role, 'POST', `${connector()}/process`, body), [202, 409]),
    )
    return (await Promise.all(requests)).every(Boolean)
  },
  editSchedule: async (role) => {
    const schedule = `${roles.indexOf(role)} 6 * * 1-5`
    const allowed = await isAllowed(role, ask(role, 'PATCH', connector(), { schedule }), [200])
    const { body } = await ask('superadmin', 'GET', connector())
    expect([role, body['Schedule'] === schedule]).toEqual([role, allowed])
    return allowed
  },
  editMicrosoftId: async (role) => {
    const address = `/users/${ours.userId}?orgId=${ours.clientId}`
    const allowed = await isAllowed(role, ask(role, 'POST', address, { msId }), [200])
    const { body } = await ask(role, 'GET', `/users?orgId=${ours.clientId}`)
    const listed = (body as unknown as { Id: string; MS_Oid: string | null }[]).find(({ Id }) => Id === ours.userId)
    expect([role, listed?.MS_Oid]).toEqual([role, allowed ? msId : role === 'guest' ? undefined : null])
    return allowed
  },
}
/**
 * Enforced by the portal only: in section 7 callers address connectors by their keys, so the API must return the keys.
 */
const portalOnly: readonly Capability[] = ['seeConnectorKey']

// Probes come first, because the superadmin finally disconnects and deletes the records.
const rows = names
  .toSorted((a, b) => Number(b in probes) - Number(a in probes))
  .flatMap((capability) =>
    roles.map((role) => ({ capability, role, verdict: may(roleLevels[role], capability) ? 'may' : 'may not' })),
  )

test.each(rows.filter(({ capability }) => !portalOnly.includes(capability)))(
  '[ROLE-1] $capability: $role $verdict',
  async (row) => {
    const { capability, role, verdict } = row
    const probe = probes[capability]
    const allowed = probe === undefined ? await probeRoutes(capability, role) : [await probe(role)]
    expect(allowed.length).toBeGreaterThan(0)
    expect(allowed).toEqual(allowed.map(() => verdict === 'may'))
  },
)

/** The statuses of an allowed request: it succeeded, or its input is wrong. */
const allowedStatuses = [200, 201, 202, 204, 400, 404, 409, 422]

/** Returns for every route that requires the capability whether the role may call it. The requests change nothing. */
async function probeRoutes(capability: Capability, role: RoleName): Promise<boolean[]> {
  const allowed: boolean[] = []
  for (const named of everyRoute.filter(({ route }) => route.allow === capability)) {
    const { route } = named
    // Rights are checked before the input and unknown ids. The record of a deletion must exist, because it decides the
    // rights.
    const deletesRecord = route.method === 'DELETE' && scopeOf(route) === 'record'
    const records = deletesRecord
      ? await app.store.within(ours.clientId, (db) => insertStructure(db, ours.clientId))
      : {}
    const unknown = { runId: randomUUID(), connectorKey: 'none', userId: randomUUID(), invitationId: randomUUID() }
    const things = { ...ours, ...records, ...unknown }
    const body = { ...(bodyOf(named, ours).body as object | undefined), nonsense: 1 }
    const reply = app.as[role].send<ReplyFields>(
      route.method,
      addressOf(named, things),
      route.takes === undefined ? { body } : {},
    )
    allowed.push(await isAllowed(role, reply, allowedStatuses))
  }
  return allowed
}

test.each(roles)('[ROLE-1] seeConnectorKey: the key gives %s no rights beyond the role', async (role) => {
  const { body } = await ask(role, 'GET', connector())
  expect(body['Key']).toBe(ours.connectorKey)
  const address = `/clients/${ours.clientKey}/${ours.connectorKey}`
  expect((await ask(role, 'POST', `${address}/process`, { nonsense: 1 })).status).toBe(400)
  const ended = await ask(
    role,
    'DELETE',
    `/clients/${ours.clientKey}/${mayDisconnect(role) ? 'none' : ours.connectorKey}`,
  )
  expect(ended.status).toBe(mayDisconnect(role) ? 404 : 403)
})

function mayDisconnect(role: RoleName): boolean {
  return may(roleLevels[role], 'disconnectConnector')
}

test('[ROLE-1] every capability is tested exactly once: by its routes, by a probe, or in the portal only', () => {
  const byRoute = names.filter((capability) => everyRoute.some(({ route }) => route.allow === capability))
  expect([...byRoute, ...Object.keys(probes), ...portalOnly].toSorted()).toEqual(names.toSorted())
})

test('[ROLE-1] capabilities that no route requires are in the browser test of each role', () => {
  const journey = readFileSync(join(import.meta.dirname, '../../../testing/journeys/roles.spec.ts'), 'utf8')
  const listed = /const checkedCapabilities = \[([^\]]*)\]/u.exec(journey)?.[1] ?? ''
  const missing = (capability: string) => !listed.includes(`'${capability}'`)
  expect([...Object.keys(probes), ...portalOnly].filter(missing)).toEqual([])
  expect(['seeConnectorKey', 'planted'].filter(missing)).toEqual(['planted'])
})

test('[ROLE-1] the capabilities equal the table of the specification', () => {
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
    approveHosts: 0,
    editRunShares: 0,
    useWorkbench: 0,
    editSchedule: 0,
  })
})
