import { randomUUID } from 'node:crypto'
import { Connector, connectors } from '@tributary/contract/connectors'
import type { Route } from '@tributary/contract/route'
import { RunDetail } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { createApp } from '../../app.ts'
import { guestRedactor } from '../../kernel/http/guest-redactor.ts'
import { createHttp } from '../../kernel/http/http-server.ts'
import { everyRoute, insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let theirs: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  theirs = await insertFixtures(app, app.harbour, app.idOf('user'))
  const shared = await app.as.superadmin.call(connectors.assignOrganisations, {
    params: { connectorId: theirs.connectorId },
    body: { organisations: [app.summit.id] },
  })
  if (shared.status !== 200) throw new Error(`The connector was not shared: ${shared.status}`)
})
afterAll(() => app[Symbol.asyncDispose]())

test('a new field of a reply is sent to the owner and redacted for guests, at any depth', async () => {
  const { RecentRuns, Client } = Connector.shape
  const canary = { Planted: z.string() }
  const planted = {
    ...connectors.read,
    reply: Connector.extend({
      ...canary,
      Client: Client.extend(canary),
      RecentRuns: z.array(RecentRuns.element.extend(canary)),
      Added: z.object(canary),
    }),
  }
  const answer = {
    ...(await readAsOwner()),
    planted: 'canary',
    client: { key: 'harbour-trading', planted: 'canary' },
    recentRuns: [{ id: randomUUID(), status: 'FAILED', queuedAtUtc: '2026-11-20T12:00:00.000Z', planted: 'canary' }],
    added: { planted: 'canary' },
  } as const
  const http = await createHttp(app.services)
  createApp(http, { ...app.services, inspect: () => undefined }).bind(planted, async () => answer)
  const read = async (who: 'admin' | 'otherAdmin', clientId: string) => {
    const { accessToken } = (await app.as[who].session()) ?? {}
    const url = `/api/tributary/clients/${clientId}/connectors/${theirs.connectorId}`
    return http.inject({ url, headers: { authorization: `Bearer ${accessToken}` } })
  }
  expect((await read('admin', app.harbour.id)).body.match(/canary/gu)).toHaveLength(4)
  const guests = await read('otherAdmin', app.summit.id)
  expect([guests.statusCode, guests.body.includes('anary')]).toEqual([200, false])
  expect(guests.json()).toMatchObject({ Client: { Key: 'harbour-trading' }, RecentRuns: [{ Status: 'FAILED' }] })
  await http.close()
})

async function readAsOwner(): Promise<Camel<Connector>> {
  const params = { clientId: app.harbour.id, connectorId: theirs.connectorId }
  const { body } = await app.as.admin.call(connectors.read, { params })
  return lowered(body) as Camel<Connector>
}

function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name.charAt(0).toLowerCase() + name.slice(1), lowered(part)]),
  )
}

const open = everyRoute.filter(({ route }) => route.guestReply !== undefined)

test('the routes that are open to guests', () => {
  expect(
    open.map(({ name }) => name.replace(/(?:\/tributary)?\/clients\/:clientId\/connectors\/:connectorId/u, ' …')),
  ).toEqual([
    'GET  …',
    'GET /tributary/clients/connectors/:connectorId',
    'GET  …/streams',
    'GET  …/schema-changes',
    'GET  …/incidents',
    'GET  …/verification',
    'POST  …/verification',
    'POST  …/process',
    'GET  …/runs',
    'GET  …/runs/:runId',
    'POST  …/runs/:runId/cancel',
    'GET  …/runs/:runId/events',
    'GET  …/history',
  ])
})

test.each(open)('$name declares for guests each object of its reply', ({ route }) => {
  expect(undeclared(route)).toEqual([])
  expect(() => guestRedactor(route.guestReply as z.ZodType)).not.toThrow()
})

test('an object that a guest reply takes over from the full reply is reported', () => {
  expect(undeclared({ ...connectors.read, guestReply: Connector })).toContain('Id Key Name')
  const nested = Connector.pick({ Id: true, Log: true })
  expect(undeclared({ ...connectors.read, guestReply: nested })).toHaveLength(1)
})

test.each([
  ['unknown', z.unknown()],
  ['record', z.record(z.string(), z.string())],
  ['union', z.union([z.string(), z.object({ Id: z.string() })])],
])('a guest reply must not contain a schema that allows undeclared fields: %s', (_, schema) => {
  expect(() => guestRedactor(z.object({ Value: schema }))).toThrow('must not contain')
})

/** The objects that the guest reply shares with the full reply, each described by its first fields. */
function undeclared(route: Pick<Route, 'reply' | 'guestReply'>): readonly string[] {
  const full = new Set(objectsIn(route.reply ?? RunDetail))
  return objectsIn(route.guestReply as z.ZodType)
    .filter((one) => full.has(one))
    .map((one) => Object.keys(one.shape).slice(0, 3).join(' '))
}

function objectsIn(schema: z.ZodType): readonly z.ZodObject[] {
  const { innerType, element } = schema.def as { innerType?: z.ZodType; element?: z.ZodType }
  const inner = innerType ?? element
  if (inner !== undefined) return objectsIn(inner)
  return schema instanceof z.ZodObject ? [schema, ...Object.values(schema.shape).flatMap(objectsIn)] : []
}
