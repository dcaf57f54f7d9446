import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signUpRoutes } from '@tributary/contract/sign-up'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../kernel/config/config.ts'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const refused = { code: 'captchaFailed', statusCode: 422 }

test('[REG-4] [API-1 GET /registration/captcha] a proof of work is accepted once', async () => {
  const token = await solveCaptcha(app)
  await app.services.captcha.require(token, null)
  await expect(app.services.captcha.require(token, null)).rejects.toMatchObject(refused)
})

test('[REG-4] of concurrent calls with the same proof one is accepted', async () => {
  const token = await solveCaptcha(app)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => app.services.captcha.require(token, null)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('[REG-4] a proof that is expired, unsolicited or wrong is refused', async () => {
  const late = await solveCaptcha(app)
  const solved = JSON.parse(Buffer.from(await solveCaptcha(app), 'base64').toString()) as {
    challenge: { parameters: Record<string, unknown>; signature: string }
    solution: { counter: number; derivedKey: string }
  }
  const { challenge, solution } = solved
  const pack = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  const easier = { ...challenge, parameters: { ...challenge.parameters, cost: 0 } }
  const later = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 9_999_999_999 } }
  const tokens = [
    '',
    'nonsense',
    pack({}),
    pack({ challenge: null, solution: null, test: true }),
    pack({ challenge: easier, solution }),
    pack({ challenge: later, solution }),
    pack({ challenge: { ...challenge, signature: '' }, solution }),
    pack({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
  ]
  for (const token of tokens) await expect(app.services.captcha.require(token, null)).rejects.toMatchObject(refused)
  await app.services.captcha.require(pack(solved), null)

  app.clock.advance(10 * 60_000)
  await expect(app.services.captcha.require(late, null)).rejects.toMatchObject(refused)
})

/** A fake provider that serves siteverify over HTTP. */
interface FakeProvider extends AsyncDisposable {
  readonly url: string
  readonly asked: URLSearchParams[]
}

async function provider(answer: (asked: URLSearchParams) => string): Promise<FakeProvider> {
  const asked: URLSearchParams[] = []
  const server = createServer((request, reply) => {
    const parts: string[] = []
    request.setEncoding('utf8').on('data', (part: string) => parts.push(part))
    request.on('end', () => {
      const form = new URLSearchParams(parts.join(''))
      asked.push(form)
      reply.setHeader('content-type', 'application/json').end(answer(form))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function appWith(name: string, url: string): Promise<TestApp> {
  return testApp({
    env: {
      TRIBUTARY_CAPTCHA: name,
      TRIBUTARY_CAPTCHA_SITE_KEY: 'site-1',
      TRIBUTARY_CAPTCHA_SECRET: 'canary-captcha-secret',
      TRIBUTARY_CAPTCHA_VERIFY_URL: url,
    },
  })
}

test.each(['turnstile', 'hcaptcha', 'recaptcha'])('[REG-4] %s verifies the token', async (name) => {
  await using theirs = await provider((form) => JSON.stringify({ success: form.get('response') === 'a person' }))
  await using other = await appWith(name, theirs.url)
  await other.services.captcha.require('a person', '203.0.113.7')
  expect(Object.fromEntries(theirs.asked[0] ?? [])).toEqual({
    secret: 'canary-captcha-secret',
    response: 'a person',
    remoteip: '203.0.113.7',
  })
  await expect(other.services.captcha.require('a machine', null)).rejects.toMatchObject(refused)
  expect((await other.as.visitor.call(signUpRoutes.captcha)).status).toBe(404)
})

test('[REG-4] a token with a low reCAPTCHA score is refused', async () => {
  await using theirs = await provider((form) => JSON.stringify({ success: true, score: Number(form.get('response')) }))
  await using other = await appWith('recaptcha', theirs.url)
  await other.services.captcha.require('0.5', null)
  await expect(other.services.captcha.require('0.4', null)).rejects.toMatchObject(refused)
})

test('[REG-4] if the provider is unreachable, sends an invalid reply or refuses the secret, no token passes, and the log has the reason', async () => {
  const unusedUrl = `http://127.0.0.1:${await findFreePort()}/siteverify`
  await using away = await appWith('turnstile', unusedUrl)
  await expect(away.services.captcha.require('a person', null)).rejects.toMatchObject(refused)
  expect(away.logLines.join('')).toContain('the captcha provider did not answer')

  await using theirs = await provider((form) =>
    form.get('response') === 'a person'
      ? '<html>busy</html>'
      : '{"success":false,"error-codes":["invalid-input-secret"]}',
  )
  await using other = await appWith('turnstile', theirs.url)
  await expect(other.services.captcha.require('a person', null)).rejects.toMatchObject(refused)
  await expect(other.services.captcha.require('another', null)).rejects.toMatchObject(refused)
  expect(other.logLines.join('')).toContain('does not accept TRIBUTARY_CAPTCHA_SECRET')
  expect(other.logLines.join('')).not.toContain('canary')
})

test('an incomplete captcha configuration is reported at the start', () => {
  const problemsOf = (env: Readonly<Record<string, string>>) =>
    readConfig(env).problems.map((problem) => problem.split(' ')[0])
  expect(readConfig({}).config.captcha).toMatchObject({ provider: 'altcha', siteKey: null })
  expect(problemsOf({ TRIBUTARY_CAPTCHA: 'puzzle' })).toEqual(['TRIBUTARY_CAPTCHA'])
  expect(problemsOf({ TRIBUTARY_CAPTCHA: 'hcaptcha' })).toEqual([
    'TRIBUTARY_CAPTCHA_SITE_KEY',
    'TRIBUTARY_CAPTCHA_SECRET',
  ])
  const whole = {
    TRIBUTARY_CAPTCHA: 'turnstile',
    TRIBUTARY_CAPTCHA_SITE_KEY: 'site-1',
    TRIBUTARY_CAPTCHA_SECRET: 's3cret-1',
  }
  expect(problemsOf(whole)).toEqual([])
  expect(problemsOf({ ...whole, TRIBUTARY_CAPTCHA_VERIFY_URL: 'verify' })).toEqual(['TRIBUTARY_CAPTCHA_VERIFY_URL'])
})
