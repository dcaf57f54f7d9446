import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaultReply } from '@tributary/contract/faults'
import { everyRoute } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { pathTemplate, type OpenApiDocument } from './openapi.ts'

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly pattern?: string }>>
}

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test('/api/openapi.json describes every route, with its faults and the roles that may call it', async () => {
  const { status, body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  expect([status, body.openapi]).toEqual([200, '3.1.0'])
  const described = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    everyRoute.map(({ route }) => `${route.method} ${pathTemplate(route)}`).toSorted(),
  )
  const shapes = Object.keys(body.paths).map((path) => path.replaceAll(/\{\w+\}/gu, '{}'))
  expect(new Set(shapes).size).toBe(shapes.length)
  for (const [path, methods] of Object.entries(body.paths))
    for (const { parameters } of Object.values(methods))
      expect(parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)).toEqual(
        path.match(/\{\w+\}/gu) ?? [],
      )

  const create = body.paths['/tributary/clients/{clientId}/connectors']?.['post']
  expect(create).toMatchObject({
    operationId: 'connectors.create',
    description: expect.stringMatching(
      /^For the roles superadmin, provideradmin, admin\. Requires re-authentication .* proofNeeded/u,
    ),
    security: [{ session: [] }],
  })
  expect(Object.keys(create?.responses ?? {})).toEqual([
    '201',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '422',
    '429',
    '503',
  ])
  expect(body.paths['/auth/signin']?.['post']?.security).toEqual([])
  expect(body.paths['/audit-events/export']?.['get']?.responses['200']?.content).toEqual({
    'text/csv': { schema: { type: 'string' } },
  })
})

test('[SEE-12] every operation names the scopes with which it takes an access token, or says that it takes none', async () => {
  const { body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  expect(Object.keys(body.components.securitySchemes as object)).toEqual(['session', 'accessToken'])
  for (const { name, route } of everyRoute) {
    const { security, description } = body.paths[pathTemplate(route)]?.[route.method.toLowerCase()] ?? {}
    const tokens = (route.tokenScopes ?? []).map((scope) => ({ accessToken: [scope] }))
    expect([name, security]).toEqual([name, route.allow === 'visitor' ? [] : [{ session: [] }, ...tokens]])
    const sentence =
      route.tokenScopes === undefined
        ? 'Takes no access token.'
        : `Takes an access token with the scope ${route.tokenScopes.join(' or ')}.`
    expect([name, description?.includes(sentence)]).toEqual([name, route.allow !== 'visitor'])
  }
})

test('routes that return events or a file declare their content type', async () => {
  const { body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  const ofRun = '/tributary/clients/{clientId}/connectors/{connectorId}/runs/{runId}'
  const contentOf = (path: string) => body.paths[`${ofRun}/${path}`]?.['get']?.responses['200']?.content
  expect(contentOf('events')).toEqual({ 'text/event-stream': { schema: {} } })
  expect(contentOf('rejected.csv')).toEqual({ 'text/csv': { schema: { type: 'string' } } })
})

test('uploads declare their content type, and every route with an id declares 404', async () => {
  const { body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  expect(body.paths['/loads/files']?.['post']?.requestBody?.content).toEqual({
    'application/octet-stream': { schema: {} },
  })
  const silent = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.values(methods).filter(({ responses }) => path.includes('{') && !('404' in responses)),
  )
  expect(silent).toEqual([])
})

test('[API-1] flags are booleans, optional bodies are not required, and text fields have a pattern of allowed characters', async () => {
  const { body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  const operationOf = (path: string, method: string) => body.paths[path]?.[method]
  const flags = Object.values(body.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters }) =>
      parameters.filter(({ schema }) => schema.type === 'boolean').map(({ name }) => name),
    ),
  )
  expect(new Set(flags)).toEqual(
    new Set([
      'archived',
      'descending',
      'excludeProperties',
      'links',
      'neverSignedIn',
      'ofProvider',
      'secondFactor',
      'withProvider',
    ]),
  )
  const odd = await app.as.admin.send<FaultReply>('GET', '/api/areas?archived=yes')
  expect([odd.status, odd.body.code]).toEqual([400, 'badInput'])
  expect((await app.as.admin.send('GET', '/api/areas?archived=true')).status).toBe(200)

  expect(operationOf('/versions/{versionId}', 'delete')?.requestBody?.required).toBe(false)
  expect(operationOf('/areas', 'post')?.requestBody?.required).toBe(true)
  const content = operationOf('/areas', 'post')?.requestBody?.content as
    | { 'application/json': { schema: ObjectSchema } }
    | undefined
  const { properties } = content?.['application/json'].schema ?? { properties: {} }
  const name = new RegExp(properties['name']?.pattern ?? '', 'u')
  expect(['A name', ' \u00a0\u2003', 'a\0b'].map((text) => name.test(text))).toEqual([true, false, false])
})

test('[API-1] every route declares the faults for its body, rate limits and maintenance', async () => {
  const { body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  for (const [path, methods] of Object.entries(body.paths))
    for (const [method, { responses }] of Object.entries(methods)) {
      const always = method === 'get' ? ['429', '503'] : ['400', '413', '429', '503']
      expect([method, path, always.filter((status) => !(status in responses))]).toEqual([method, path, []])
    }
})

test('every $ref in the description resolves', async () => {
  const { body } = await app.as.visitor.send<OpenApiDocument>('GET', '/api/openapi.json')
  const references = [...JSON.stringify(body).matchAll(/"\$ref":"([^"]+)"/gu)].map(([, target]) => target)
  expect(new Set(references)).toEqual(new Set(['#/components/schemas/Fault']))
  expect(body.components.schemas).toHaveProperty('Fault')
})

test('/api/docs shows every route on one page without scripts and external resources', async () => {
  const { body: page, headers } = await app.as.visitor.send<string>('GET', '/api/docs')
  for (const { route } of everyRoute) expect(page).toContain(`/api${pathTemplate(route)}</code>`)
  expect(page).not.toMatch(/<script|<img|src=|style="/u)
  // Without an icon, browsers request one, which the page's policy forbids.
  expect(page.match(/<link [^>]*>/gu)).toEqual(['<link rel="icon" href="data:," />'])
  expect(page.match(/<article /gu)).toHaveLength(page.match(/<\/article>/gu)?.length ?? 0)
  expect(page).toMatch(/<html lang="en">.*<main /su)
  const [, style = ''] = /<style>(.*)<\/style>/su.exec(page) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'; img-src data:;`)
})
