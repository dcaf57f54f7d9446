import type { FaultReply } from '@tributary/contract/faults'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../kernel/config/config.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  type NamedRoute,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const publicUrl = 'https://tributary.example'
const host = 'tributary.example'

let app: TestApp
let http: FastifyInstance
let ours: RouteFixtures
beforeAll(async () => {
  app = await testApp({
    env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_VISITOR: '100000', TRIBUTARY_RATE_WRITE: '100000' },
  })
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
  http = await serveOverHttps()
})
afterAll(async () => {
  await http.close()
  await app[Symbol.asyncDispose]()
})

/** The API in production mode, over https. */
async function serveOverHttps(): Promise<FastifyInstance> {
  const { captcha } = readConfig({}).config
  const served = await buildApp({
    ...app.services,
    config: { ...app.services.config, mode: 'production', publicUrl, captcha },
  })
  await served.ready()
  return served
}

describe('another site cannot make the browser act for the signed-in user', () => {
  const writing = everyRoute.filter(({ route }) => route.method !== 'GET')
  const send = (named: NamedRoute, headers: Readonly<Record<string, string>>, payload: string) =>
    http.inject({ method: named.route.method, url: addressOf(named, ours), headers: { host, ...headers }, payload })

  test.each(writing)('$name', async (named) => {
    const { accessToken } = (await app.as.superadmin.session()) ?? { accessToken: '' }
    const json = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify(bodyOf(named, ours).body ?? {})
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://tributary.example.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const reply = await send(named, { ...json, ...foreign }, body)
      expect([foreign, reply.statusCode, reply.json<FaultReply>().code]).toEqual([foreign, 403, 'otherSite'])
    }
    if (named.route.body === undefined) return
    // The content types that a form can send without a CORS preflight.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', undefined]) {
      const reply = await send(
        named,
        { authorization: json.authorization, ...(type !== undefined && { 'content-type': type }) },
        body,
      )
      expect([type, reply.statusCode]).toEqual([type, 400])
    }
  })

  test('cookies alone authorise only the exchange for a token', async () => {
    const cookie = [...app.as.superadmin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const named of everyRoute.filter(({ route }) => route.allow !== 'visitor')) {
      const { method, takes } = named.route
      const sent = method === 'GET' ? {} : { payload: takes === undefined ? {} : 'raw' }
      const headers = { host, cookie, ...(takes !== undefined && { 'content-type': takes }) }
      const reply = await http.inject({ method, url: addressOf(named, ours), headers, ...sent })
      expect([named.name, reply.statusCode]).toEqual([named.name, 401])
    }
  })
})

test('every cookie over https is bound to this host, and neither scripts nor other sites can read or send it', async () => {
  const signedIn = await http.inject({
    method: 'POST',
    url: '/api/auth/signin',
    headers: { host },
    payload: { emailAddress: 'user@demo.example', password: 'tributary-demo-1' },
  })
  const cookies = signedIn.headers['set-cookie']
  expect(cookies).toHaveLength(signedIn.cookies.length)
  expect(signedIn.cookies.length).toBeGreaterThanOrEqual(2)
  for (const cookie of signedIn.cookies) {
    expect(cookie.name).toMatch(/^__Host-tributary_/u)
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, path: '/' })
    expect(cookie.sameSite).toBe(cookie.name.endsWith('authorise') ? 'Lax' : 'Strict')
    expect(cookie).not.toHaveProperty('domain')
  }
})
