import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../kernel/config/config.ts'
import { addressOf, everyRoute, insertFixtures, type RouteFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const publicUrl = 'https://tributary.example'
const host = 'tributary.example'

let app: TestApp
let http: FastifyInstance
let ours: RouteFixtures
let webDir: string
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'tributary-headers-'))
  mkdirSync(join(webDir, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(webDir, name), text)
  app = await testApp({
    env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_RATE_VISITOR: '100000', TRIBUTARY_RATE_WRITE: '100000' },
  })
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
  http = await serve({})
})
afterAll(async () => {
  await http.close()
  await app[Symbol.asyncDispose]()
  rmSync(webDir, { recursive: true })
})

const files = {
  'index.html': '<!doctype html><title>Tributary</title>',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'first-paint.js': 'plain',
  'first-paint.js.br': 'compressed',
  'assets/main-abc123.js': 'plain',
  'assets/main-abc123.css': 'plain',
  'assets/font-abc123.woff2': 'font',
}

/** The server in production mode, over https, with a built portal. */
async function serve(env: Readonly<Record<string, string>>): Promise<FastifyInstance> {
  const { captcha } = readConfig(env).config
  const served = await buildApp({
    ...app.services,
    config: { ...app.services.config, mode: 'production', publicUrl, webDir, captcha },
  })
  await served.ready()
  return served
}

function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  from = http,
): Promise<LightMyRequestResponse> {
  return from.inject({ url, headers: { host, ...headers } })
}

const asPage = { accept: 'text/html,*/*' }

/** The headers of every response. */
const commonHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}
const apiHeaders = {
  ...commonHeaders,
  'cache-control': 'no-store',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

function expectSafe(reply: LightMyRequestResponse): void {
  expect(reply.headers).toMatchObject(commonHeaders)
  const policy = String(reply.headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; /u)
  expect(policy).toContain('frame-ancestors')
  expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/)|blob:/u)
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'access-control-allow-credentials'])
    expect(reply.headers).not.toHaveProperty(name)
}

describe('every response has the headers that keep it out of frames, caches and other origins', () => {
  test.each(everyRoute)('$name', async (named) => {
    const address = addressOf(named, ours)
    const headers = { host, origin: 'https://evil.example' }
    for (const reply of [
      await http.inject({ method: named.route.method, url: address, headers: { host } }),
      await http.inject({ method: named.route.method, url: address, headers }),
      await http.inject({
        method: 'OPTIONS',
        url: address,
        headers: { ...headers, 'access-control-request-method': named.route.method },
      }),
    ]) {
      expectSafe(reply)
      expect(reply.headers).toMatchObject(apiHeaders)
      expect(JSON.stringify(reply.headers)).not.toContain('evil.example')
    }
  })

  test.each([
    '/healthz',
    '/readyz',
    '/api',
    '/api/',
    '/api/nothing-here',
    '/api/clients/%zz/shop',
    `/api/clients/${'x'.repeat(400)}/shop`,
    '/nothing.txt',
    '/assets/missing.js',
    '/.git/config',
    '/assets/',
    '/api/auth/external/unknown',
    '/api/auth/external/unknown/callback?code=a&state=b',
  ])('%s', async (url) => {
    const reply = await get(url)
    expectSafe(reply)
    expect(reply.headers).toMatchObject({ ...apiHeaders, 'referrer-policy': expect.any(String) })
  })

  test.each([
    '/api/openapi.json',
    '/api/docs',
    ...Object.keys(files).map((name) => `/${name}`),
    '/first-paint.js?compressed',
  ])('%s', async (url) => {
    const reply = await get(url, { ...asPage, ...(url.includes('compressed') && { 'accept-encoding': 'br' }) })
    expect(reply.statusCode).toBe(200)
    expectSafe(reply)
  })
})

describe('a page of the portal', () => {
  const strict = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'none'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types tributary-html',
    'report-uri /api/csp-reports',
    'report-to csp',
  ]
  const policyOf = async (url: string, from = http) =>
    String((await get(url, asPage, from)).headers['content-security-policy']).split('; ')

  test('loads only its own files, requires Trusted Types, and reports violations', async () => {
    for (const url of ['/', '/home', '/signin', '/index.html', '/no/such/page']) {
      expect([url, await policyOf(url)]).toEqual([url, strict])
      const { headers } = await get(url, asPage)
      expect(headers).toMatchObject({
        ...commonHeaders,
        'cache-control': 'no-store',
        'reporting-endpoints': 'csp="/api/csp-reports"',
      })
    }
  })

  test('[REG-5] can be framed by the portal only for a sign-up by an external provider', async () => {
    const framing = strict.map((rule) => (rule === "frame-src 'none'" ? "frame-src 'self'" : rule))
    const framed = framing.map((rule) => (rule === "frame-ancestors 'none'" ? "frame-ancestors 'self'" : rule))
    expect(await policyOf('/signup?provider=acme&atid=x')).toEqual(framing)
    expect(await policyOf('/signup/frame?atid=x')).toEqual(framed)
    for (const url of ['/signup/frames', '/signup/finalise', '/signupx', '/signin/frame', '/home?/signup/frame'])
      expect(await policyOf(url)).toEqual(strict)
  })

  test('sends no referrer if its address contains a secret', async () => {
    const referrerPolicyOf = async (url: string) => (await get(url, asPage)).headers['referrer-policy']
    for (const url of [
      '/reset-password',
      '/reset-password/redeem/token',
      '/set-password/redeem/token',
      '/signup?provider=acme&atid=x',
      '/signup/frame?atid=x',
      '/signup/finalise?code=x',
      '/signin?code=x',
      '/signin?returnUrl=%2Fhome&code=x',
      '/admin/approvals/1?status=APPROVED&signature=x',
    ])
      expect([url, await referrerPolicyOf(url)]).toEqual([url, 'no-referrer'])
    for (const url of ['/home', '/signin', '/signin?error=unknown', '/admin/dashboard', '/reset-passwords'])
      expect([url, await referrerPolicyOf(url)]).toEqual([url, 'strict-origin-when-cross-origin'])
  })

  test.each([
    ['turnstile', 'https://challenges.cloudflare.com'],
    ['hcaptcha', 'https://hcaptcha.com'],
    ['recaptcha', 'https://www.google.com/recaptcha/'],
  ])('allows the captcha that the operator has chosen, %s, and no other', async (provider, origin) => {
    const other = await serve({
      TRIBUTARY_CAPTCHA: provider,
      TRIBUTARY_CAPTCHA_SITE_KEY: 'site',
      TRIBUTARY_CAPTCHA_SECRET: 'canary-secret',
    })
    const rules = await policyOf('/signup', other)
    const [script = '', frame = ''] = ['script-src ', 'frame-src '].map((name) =>
      rules.find((rule) => rule.startsWith(name)),
    )
    for (const rule of [script, frame]) expect(rule).toMatch(new RegExp(`'self' .*${origin}`, 'u'))
    expect(rules.join(' ')).not.toContain('unsafe')
    const foreign = rules.join(' ').match(/https:\/\/[^ ]+/gu) ?? []
    expect(
      new Set(foreign.map((source) => new URL(source.replace('*.', '')).hostname.split('.').slice(-2).join('.'))).size,
    ).toBeLessThan(3)
    await other.close()
  })
})

describe('a report of a policy violation', () => {
  const send = (type: string, body: unknown, headers = {}) =>
    http.inject({
      method: 'POST',
      url: '/api/csp-reports',
      headers: { host, 'content-type': type, ...headers },
      payload: JSON.stringify(body),
    })
  const secret = 'canary-in-address'
  const legacy = {
    'csp-report': {
      'effective-directive': 'script-src-elem',
      'document-uri': `${publicUrl}/signin?code=${secret}`,
      'script-sample': secret,
    },
  }
  const recent = [
    {
      type: 'csp-violation',
      url: `${publicUrl}/signin?code=${secret}`,
      body: { effectiveDirective: 'img-src', sample: secret },
    },
  ]

  test('is logged with its directive and without content of the page', async () => {
    expect((await send('application/csp-report', legacy)).statusCode).toBe(204)
    expect((await send('application/reports+json', recent)).statusCode).toBe(204)
    const lines = app.logLines.join('')
    for (const rule of ['script-src-elem', 'img-src']) expect(lines).toContain(`"code":"${rule}"`)
    expect(lines).not.toContain(secret)
  })

  test('in an unknown format is accepted and ignored; of another type, from another origin or too often it is refused', async () => {
    for (const nonsense of [null, [], {}, [{ type: 'csp-violation', body: { effectiveDirective: `${secret} "` } }]])
      expect((await send('application/csp-report', nonsense)).statusCode).toBe(204)
    expect((await send('application/json', legacy)).statusCode).toBe(400)
    expect((await send('application/csp-report', legacy, { origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await send('application/csp-report', { much: 'x'.repeat(70_000) })).statusCode).toBe(413)
    const statuses: number[] = []
    for (let report = 0; report < 61; report += 1)
      statuses.push((await send('application/csp-report', legacy)).statusCode)
    expect(statuses.at(-1)).toBe(429)
    expect(app.logLines.join('')).not.toContain(secret)
  })
})
