import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttp } from '../http/http-server.ts'
import { servePortal } from './portal.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const route = { isForVisitors: false, skeleton: 'layout', assets: [], requests: [], withAnyQuery: false }
const manifest = {
  entryAssets: ['/first-paint.js', '/assets/main.css'],
  layout: { assets: ['/assets/shell.js'], requests: [[4, '/api/organisations']] },
  routes: [
    { ...route, path: '/', isForVisitors: true, skeleton: 'signIn' },
    {
      ...route,
      path: '/connectors/:type/manage',
      assets: ['/assets/manage.js'],
      requests: [[4, '/api/list?a={org}&b={type}']],
      withAnyQuery: true,
    },
    { ...route, path: '/home', requests: [[3, '/api/home']] },
    { ...route, path: '/signup', isForVisitors: true, skeleton: 'none', assets: ['/assets/sign-up.js'] },
  ],
}
const html = '<!doctype html><title>Tributary</title><script src="/first-paint.js" data-route="{}"></script>'
const plainRoute = { path: '', skeleton: 'layout', requests: [[4, '/api/organisations']] }

let app: TestApp
let http: FastifyInstance
let webDir: string
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'tributary-web-'))
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'index.html'), html)
  writeFileSync(join(webDir, 'routes.json'), JSON.stringify(manifest))
  writeFileSync(join(webDir, '.tributary-sources'), 'stamp of the build')
  writeFileSync(join(webDir, 'assets', 'main-abc123.js'), 'plain')
  writeFileSync(join(webDir, 'assets', 'main-abc123.js.br'), 'compressed')
  app = await testApp()
  const services = { ...app.services, config: { ...app.services.config, webDir } }
  http = await createHttp(services)
  await servePortal(http, services)
})
afterAll(async () => {
  await http.close()
  await app[Symbol.asyncDispose]()
  rmSync(webDir, { recursive: true })
})

function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  return http.inject({ url, headers: { host: 'localhost:3000', ...headers } })
}

test('every address of the portal returns its page, which is never cached and allows nothing from other origins', async () => {
  for (const url of ['/', '/home', '/connectors/postgres/manage?new=true', '/signin/confirm?reference=a.b']) {
    const { statusCode, body, headers } = await get(url, { accept: 'text/html,*/*' })
    expect([url, statusCode, body.replace(/data-route="[^"]*"/u, 'data-route="{}"')]).toEqual([url, 200, html])
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/u,
    )
  }
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('the page itself is compressed, too: %s', async (encoding, decompress) => {
  const { headers, rawPayload } = await get('/home', { accept: 'text/html', 'accept-encoding': `zstd, ${encoding}` })
  expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'accept-encoding'])
  expect(decompress(rawPayload).toString()).toBe((await get('/home', { accept: 'text/html' })).body)
})

test.each([
  ['/connectors/mysql/manage?new=true', true, ['/assets/shell.js', '/assets/manage.js']],
  ['/connectors/mysql/manage', false, []],
  ['/connectors/mysql/manage/more', true, ['/assets/shell.js']],
  ['/signup', false, ['/assets/sign-up.js']],
  ['/signin', false, []],
] as const)('the page at %s, signed in: %s, preloads the files of its route', async (url, isSignedIn, own) => {
  const { headers } = await get(url, { accept: 'text/html', ...(isSignedIn && { cookie: 'logged_in=true' }) })
  expect(headers['link']).toBe(
    [
      '</first-paint.js>; rel=preload; as=script',
      '</assets/main.css>; rel=preload; as=style; crossorigin',
      ...own.map((file) => `<${file}>; rel=modulepreload; crossorigin`),
    ].join(', '),
  )
})

test.each([
  ['/', { path: '/', skeleton: 'signIn', requests: plainRoute.requests }],
  ['/nowhere?a=b', plainRoute],
  ['/home', { path: '/home', skeleton: 'layout', requests: [...plainRoute.requests, [3, '/api/home']] }],
  ['/home?search=a', { path: '/home', skeleton: 'layout', requests: plainRoute.requests }],
  [
    '/connectors/my"sql/manage?a=b',
    {
      path: '/connectors/:type/manage',
      skeleton: 'layout',
      requests: [...plainRoute.requests, [4, '/api/list?a={org}&b={type}']],
    },
  ],
  ['/signup', { path: '/signup', skeleton: 'none', requests: [] }],
])('the page at %s says which requests its route makes first', async (url, expected) => {
  const { body } = await get(url, { accept: 'text/html' })
  const value = /data-route="([^"]*)"/u.exec(body)?.[1] ?? ''
  expect(JSON.parse(value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual(expected)
})

test('a file with a hash in its name is cached for good, and sent compressed to a client that accepts it', async () => {
  const compressed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' })
  expect([compressed.body, compressed.headers['content-encoding'], compressed.headers['cache-control']]).toEqual([
    'compressed',
    'br',
    'public, max-age=31536000, immutable',
  ])
  expect(compressed.headers['content-type']).toContain('javascript')
  expect((await get('/assets/main-abc123.js')).body).toBe('plain')
})

test('a missing file, a missing API route and a path out of the folder do not return the page', async () => {
  for (const url of [
    '/assets/missing.js',
    '/routes.json',
    '/.tributary-sources',
    '/%2etributary-sources',
    '/api/missing',
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
  ]) {
    const { statusCode } = await get(url, { accept: url.startsWith('/api') ? 'text/html' : '*/*' })
    expect([url, statusCode]).toEqual([url, 404])
  }
})
