import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttp } from '../http/http-server.ts'
import { servePortal } from './portal.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const firstFiles = {
  '': ['/first-paint.js', '/assets/main.css'],
  '*': ['/assets/shell.js'],
  '/connectors/:type/manage': ['/assets/manage.js'],
  '/signup': ['/assets/sign-up.js'],
}

let app: TestApp
let http: FastifyInstance
let webDir: string
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'tributary-web-'))
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Tributary</title>')
  writeFileSync(join(webDir, 'first-files.json'), JSON.stringify(firstFiles))
  writeFileSync(join(webDir, '.tributary-sources'), 'stamp of the build')
  writeFileSync(join(webDir, 'assets', 'main-abc123.js'), 'plain')
  writeFileSync(join(webDir, 'assets', 'main-abc123.js.br'), 'packed')
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

test('every address of the portal gives its page, which is asked for anew each time and lets nothing foreign in', async () => {
  for (const url of ['/', '/home', '/connectors/postgres/manage?new=true', '/signin/confirm?reference=a.b']) {
    const { statusCode, body, headers } = await get(url, { accept: 'text/html,*/*' })
    expect([url, statusCode, body]).toEqual([url, 200, '<!doctype html><title>Tributary</title>'])
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'/u,
    )
  }
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('the page itself travels packed, too: %s', async (encoding, unpack) => {
  const { headers, rawPayload } = await get('/home', { accept: 'text/html', 'accept-encoding': `zstd, ${encoding}` })
  expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'accept-encoding'])
  expect(unpack(rawPayload).toString()).toBe('<!doctype html><title>Tributary</title>')
})

test.each([
  ['/connectors/mysql/manage?new=true', true, ['/assets/shell.js', '/assets/manage.js']],
  ['/connectors/mysql/manage', false, []],
  ['/connectors/mysql/manage/more', true, ['/assets/shell.js']],
  ['/signup', false, ['/assets/sign-up.js']],
  ['/signin', false, []],
] as const)('the page at %s, signed in: %s, comes with what to ask for at once', async (url, isSignedIn, own) => {
  const { headers } = await get(url, { accept: 'text/html', ...(isSignedIn && { cookie: 'logged_in=true' }) })
  expect(headers['link']).toBe(
    [
      '</first-paint.js>; rel=preload; as=script',
      '</assets/main.css>; rel=preload; as=style; crossorigin',
      ...own.map((file) => `<${file}>; rel=modulepreload; crossorigin`),
    ].join(', '),
  )
})

test('a file with a hash in its name is kept for good, and sent packed to whoever can unpack it', async () => {
  const packed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' })
  expect([packed.body, packed.headers['content-encoding'], packed.headers['cache-control']]).toEqual([
    'packed',
    'br',
    'public, max-age=31536000, immutable',
  ])
  expect(packed.headers['content-type']).toContain('javascript')
  expect((await get('/assets/main-abc123.js')).body).toBe('plain')
})

test('a missing file, a missing call and a way out of the folder are not the page', async () => {
  for (const url of [
    '/assets/missing.js',
    '/first-files.json',
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
