import { signInRoutes } from '@tributary/contract/sign-in'
import { resetLinkMs } from '@tributary/contract/limits'
import { resetPassword } from '@tributary/contract/reset-password'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { solveCaptcha } from '@tributary/testing/server/identity/captcha.ts'
import { newEmailAddress, newPassword } from '@tributary/testing/server/identity/sign-up-client.ts'
import { StatementLog } from '@tributary/testing/server/app/statement-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { trialPassword } from '../../trial/people.ts'

let app: TestApp
const statements = new StatementLog()
beforeEach(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'on' }, plugins: [statements] })
})
afterEach(() => app[Symbol.asyncDispose]())

const owner = 'user@demo.example'
const codeOf = (reply: { readonly body: unknown }) => (reply.body as FaultReply).code

async function ask(emailAddress: string, recaptchaToken?: string) {
  const token = recaptchaToken ?? (await solveCaptcha(app))
  return app.as.visitor.call(resetPassword.request, { body: { emailAddress, recaptchaToken: token } })
}

/** The token of the link in the mail. */
async function askForToken(emailAddress = owner): Promise<string> {
  expect((await ask(emailAddress)).status).toBe(200)
  const url =
    (await app.emailsTo(emailAddress)).findLast(({ template }) => template === 'reset-password')?.action?.url ?? ''
  return url.split('/').at(-1) ?? ''
}

function redeem(token: string, password = newPassword) {
  return app.as.visitor.call(resetPassword.reset, { body: { token, password } })
}
function validate(token: string) {
  return app.as.visitor.call(resetPassword.validate, { query: { token } })
}
function signIn(password: string) {
  return app.as.visitor.call(signInRoutes.withPassword, { body: { emailAddress: owner, password } })
}

test('[PASS-1] [API-1 POST /reset-password/request] a link goes to the owner of the account, once the captcha is passed', async () => {
  expect((await ask('USER@demo.example')).status).toBe(200)
  expect(await app.emailsTo(owner)).toMatchObject([
    {
      template: 'reset-password',
      action: { url: expect.stringMatching(/^http:\/\/localhost:3000\/reset-password\/redeem\/[\w-]{43}$/u) },
    },
  ])
  const refused = await ask(owner, 'nonsense')
  expect([refused.status, codeOf(refused)]).toEqual([422, 'captchaFailed'])
})

test('[PASS-1] whether an address is known shows neither in the answer nor in the work', async () => {
  const stranger = newEmailAddress()
  const shape = ({ status, body, headers }: Awaited<ReturnType<typeof ask>>) => ({
    status,
    body,
    headers: { ...headers, date: '' },
  })
  await ask('admin@demo.example')
  const observe = async (call: () => Promise<unknown>) => {
    statements.take()
    const reply = await call()
    return { reply, work: statements.take() }
  }
  const tokens = [await solveCaptcha(app), await solveCaptcha(app)]
  const [known, unknown] = [await observe(() => ask(owner, tokens[0])), await observe(() => ask(stranger, tokens[1]))]
  expect(shape(unknown.reply as Awaited<ReturnType<typeof ask>>)).toEqual(
    shape(known.reply as Awaited<ReturnType<typeof ask>>),
  )
  expect(undone(unknown.work)).toEqual(undone(known.work))
  expect(known.work.length).toBeGreaterThan(10)
  expect(await app.emailsTo(stranger)).toEqual([])
  expect(await app.store.across((db) => db.selectFrom('linkCode').selectAll().execute())).toHaveLength(2)
})

/** What is undone takes the same statements but for the last. */
function undone(work: readonly string[]): readonly string[] {
  return work.map((line) => line.replace(/^(?:release|rollback to) savepoint/u, 'end of savepoint'))
}

test('[PASS-2] [API-1 GET /reset-password/validate] a link in force is told from one that is unknown, replaced, used or too old', async () => {
  const replaced = await askForToken()
  const token = await askForToken()
  expect((await validate(token)).body).toEqual({ emailAddress: owner, isFirst: false })
  expect((await redeem(token)).status).toBe(200)
  const late = await askForToken()
  app.clock.advance(resetLinkMs)
  for (const spent of ['nonsense', replaced, token, late]) {
    for (const reply of [await validate(spent), await redeem(spent)])
      expect([reply.status, codeOf(reply)]).toEqual([403, 'resetExpired'])
  }
})

test('[PASS-3] [API-1 POST /reset-password] a new password ends every session, forgets every browser and is told to the owner', async () => {
  await app.as.user.session()
  const userId = app.idOf('user')
  const devices = () =>
    app.store.across((db) => db.selectFrom('device').select('id').where('userId', '=', userId).execute())
  expect(await devices()).toHaveLength(1)
  const token = await askForToken()
  const easy = await redeem(token, 'abcdefgh')
  expect([easy.status, Object.keys((easy.body as unknown as FaultReply).fields ?? {})]).toEqual([400, ['password']])
  expect((await redeem(token)).status).toBe(200)

  expect((await app.as.user.send('GET', '/api/users')).status).toBe(401)
  expect(await devices()).toEqual([])
  expect([(await signIn(trialPassword)).status, (await signIn(newPassword)).status]).toEqual([401, 200])
  expect((await app.emailsTo(owner)).map(({ template }) => template)).toContain('account-changed')
  const events = await app.store.across((db) =>
    db
      .selectFrom('auditEvent')
      .select(['action', 'objectId', 'actorId'])
      .where('action', 'like', 'authn.password%')
      .orderBy('id')
      .execute(),
  )
  expect(events).toEqual([
    { action: 'authn.password_reset_requested', objectId: userId, actorId: null },
    { action: 'authn.password_reset_done', objectId: userId, actorId: userId },
  ])
})

test('[PASS-3] whoever was slowed down for wrong passwords is let in with the new one at once', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn('wrong-1')
  expect((await signIn('wrong-1')).status).toBe(429)
  await redeem(await askForToken())
  expect((await signIn(newPassword)).status).toBe(200)
})

test('[PASS-3] a reset does not replace the second factor', async () => {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ requiresMfa: true }).where('id', '=', app.idOf('user')).execute(),
  )
  await redeem(await askForToken())
  expect((await signIn(newPassword)).body).toMatchObject({ verificationRequired: true })
})

test('[PASS-3] somebody without a password sets their first one by the same way', async () => {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ passwordHash: null }).where('id', '=', app.idOf('user')).execute(),
  )
  const token = await askForToken()
  expect((await app.emailsTo(owner)).at(-1)?.action?.url).toBe(`http://localhost:3000/set-password/redeem/${token}`)
  expect((await validate(token)).body).toEqual({ emailAddress: owner, isFirst: true })
  await redeem(token)
  expect((await signIn(newPassword)).status).toBe(200)
})

test('[PASS-1] whoever is locked or archived gets no link, and one they have is worth nothing', async () => {
  const token = await askForToken()
  const locked = '00000000-0000-4000-8000-000000000021'
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ statusId: locked }).where('id', '=', app.idOf('user')).execute(),
  )
  expect([(await ask(owner)).status, (await app.emailsTo(owner)).length]).toEqual([200, 1])
  expect([(await validate(token)).status, (await redeem(token)).status]).toEqual([403, 403])
})

test('[PASS-1] an account gets three letters an hour, and a computer asks ten times', async () => {
  for (let times = 0; times < 10; times += 1) expect((await ask(owner)).status).toBe(200)
  expect(await app.emailsTo(owner)).toHaveLength(3)
  expect((await ask(owner)).status).toBe(429)
})

test('[PASS-2] a link is tried five times, then one waits, and others go on', async () => {
  const token = await askForToken()
  const statuses = []
  for (let times = 0; times < 6; times += 1) statuses.push((await validate(token)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  app.clock.advance(10_000)
  expect((await redeem(token)).status).toBe(200)
})

test('from everywhere together 500 resets an hour are asked for', async () => {
  await using proxied = await testApp({ env: { TRIBUTARY_LIMITS: 'on', TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  const tokens: string[] = []
  for (let made = 0; made < 4; made += 1) tokens.push(await solveCaptcha(proxied))
  const askFrom = async (number: number) => {
    const body = { emailAddress: newEmailAddress(), recaptchaToken: tokens.pop() }
    const headers = { 'x-forwarded-for': `10.0.${number}.1` }
    return (await proxied.as.visitor.send('POST', '/api/reset-password/request', { body, headers })).status
  }
  for (const number of [1, 2]) expect(await askFrom(number)).toBe(200)
  // The only count that both have in common.
  await proxied.store.across((db) =>
    db.updateTable('throttle').set({ attempts: 500 }).where('attempts', '=', 2).execute(),
  )
  expect(await askFrom(3)).toBe(200)
  expect(await askFrom(4)).toBe(429)
})

test('neither the token nor the password nor the address of a reset reaches the log', async () => {
  const token = await askForToken()
  await validate(token)
  await redeem(token)
  for (const text of [token, newPassword, owner]) expect(app.logLines.join('')).not.toContain(text)
})

test('a password that is made of the person’s name, address or organisation is refused, and the link stays in force', async () => {
  const token = await askForToken('admin@demo.example')
  for (const password of ['Okafor-1', 'harbour-trading-1']) {
    const { status, body } = await redeem(token, password)
    expect([status, body]).toMatchObject([400, { fields: { password: expect.stringContaining('too close') } }])
  }
  expect((await redeem(token)).status).toBe(200)
})
