import { Fault } from '@tributary/engine/ports/faults'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { type OauthClient, TokenRefused } from './oauth-client.ts'
import { GrantKeepAlive } from './keep-grants-alive.ts'
import { openOauth } from './oauth.ts'
import { AccessTokenCache, refreshLeaseMs } from './access-tokens.ts'

const minute = 60_000
const day = 86_400_000

let world: XeroApp
let grantId: string
beforeEach(async () => {
  world = await openXeroApp()
  await world.authorise(await world.browserOf(), { tenantIds: [world.tenant(0)] })
  grantId = (await grant()).id
})
afterEach(() => world[Symbol.asyncDispose]())

function grant() {
  return world.app.store.across((db) => db.selectFrom('oauthGrant').selectAll().executeTakeFirstOrThrow())
}

/** The cache of another process. */
function openTokens(client?: Pick<OauthClient, 'refresh' | 'requestMachineTokens'>): AccessTokenCache {
  const { config, network, store, secrets, clock, log, mailer, metrics, oauth } = world.app.services
  const services = { publicUrl: config.publicUrl, store, secrets, clock, log, mailer, metrics }
  if (client === undefined) return openOauth({ settings: config.oauth, network, ...services }).tokens
  return new AccessTokenCache({ ...services, types: oauth.types, client: client as OauthClient })
}

/** A process that dies, as in a power cut, as soon as the source has replied. */
function openDyingTokens(): AccessTokenCache {
  const { client } = world.app.services.oauth
  return openTokens({
    refresh: async (...request) => {
      await client.refresh(...request)
      return new Promise(() => undefined)
    },
    requestMachineTokens: (...request) => client.requestMachineTokens(...request),
  })
}

const countTokenRequests = () => world.xero.requests.filter(({ path }) => path === 'connect/token').length
const obtainToken = (refused?: string) => openTokens().provide(grantId).token(refused)
const kindOf = (error: unknown) => (error instanceof Fault ? error.kind : String(error))

/** Whether the source accepts the stored tokens. */
async function isAlive(): Promise<boolean> {
  const token = await obtainToken(await obtainToken())
  const reply = await fetch(new URL('/connections', world.xero.addresses.api), {
    headers: { authorization: `Bearer ${token}` },
  })
  return reply.status === 200
}

/** Without it, steps on a busy machine could let the source's grace period of half an hour pass with lost replies only. */
async function renewAfterLostReplies(): Promise<void> {
  world.xero.faults.clear()
  while ((await grant()).intentAt !== null) {
    world.app.clock.advance(refreshLeaseMs + 1)
    await new GrantKeepAlive().poll(world.app.services)
  }
}

const listEmails = async (template: string) => {
  const all = await world.app.emailsTo('admin@demo.example')
  return all.filter((email) => email.template === template)
}

test('a token is reused for most of its lifetime, and then refreshed once for all processes', async () => {
  const before = countTokenRequests()
  const first = await obtainToken()
  world.app.clock.advance(17 * minute)
  expect([await obtainToken(), countTokenRequests()]).toEqual([first, before])
  world.app.clock.advance(2 * minute)
  const obtained = await Promise.all(Array.from({ length: 20 }, () => obtainToken()))
  expect(countTokenRequests()).toBe(before + 1)
  // A process that comes during the refresh uses the old token, which is still valid.
  const second = await obtainToken()
  expect(second).not.toBe(first)
  expect(obtained.every((token) => token === first || token === second)).toBe(true)
})

test('a token that the source refuses is replaced once for all twenty callers', async () => {
  const refused = await obtainToken()
  const before = countTokenRequests()
  const obtained = await Promise.all(Array.from({ length: 20 }, () => obtainToken(refused)))
  expect([new Set(obtained).size, obtained[0] === refused, countTokenRequests()]).toEqual([1, false, before + 1])
})

test('after a lost reply the former refresh token is sent again and works during the grace period', async () => {
  const refused = await obtainToken()
  world.xero.faults.inject({ kind: 'lostAnswer', path: 'connect/token', times: 3 })
  for (let lost = 0; lost < 3; lost += 1) {
    expect(await obtainToken(refused).catch(kindOf)).toBe('passing')
    world.app.clock.advance(5 * minute)
  }
  expect(await obtainToken(refused)).not.toBe(refused)
  expect(await isAlive()).toBe(true)
})

test('while a refresh fails, the present token is used until it expires', async () => {
  const first = await obtainToken()
  world.app.clock.advance(20 * minute)
  world.xero.faults.inject({ kind: 'drop', path: 'connect/token', times: 100 })
  expect(await obtainToken()).toBe(first)
  world.app.clock.advance(9 * minute + 30_000)
  expect(await obtainToken().catch(kindOf)).toBe('passing')
  world.xero.faults.clear()
  world.app.clock.advance(refreshLeaseMs)
  expect(await obtainToken()).not.toBe(first)
})

test('a process that dies before it stores the reply loses no grant: any worker refreshes it within the grace period', async () => {
  const refused = await obtainToken()
  void openDyingTokens().provide(grantId).token(refused)
  const before = countTokenRequests()
  while ((await grant()).intentAt === null || countTokenRequests() === before)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const keepAlive = new GrantKeepAlive()
  await keepAlive.poll(world.app.services)
  expect((await grant()).intentAt).not.toBeNull()
  world.app.clock.advance(refreshLeaseMs + 1)
  await keepAlive.poll(world.app.services)
  expect(await grant()).toMatchObject({ intentAt: null, deadAt: null })
  expect(await isAlive()).toBe(true)
})

test('lost replies and dying processes among twenty workers lose no grant', async () => {
  const random = seeded(11)
  const keepAlive = new GrantKeepAlive()
  const inTime = (token: Promise<string>) => Promise.race([token.catch(() => null), after(300)])
  let obtained = 0
  for (let step = 0; step < 40; step += 1) {
    world.xero.faults.clear()
    const kind = (['lostAnswer', 'drop', null] as const)[Math.floor(random() * 3)] ?? null
    if (kind !== null) world.xero.faults.inject({ kind, path: 'connect/token', times: 1 + Math.floor(random() * 3) })
    const held = (await inTime(obtainToken())) ?? undefined
    if (random() < 0.5) void inTime(openDyingTokens().provide(grantId).token(held))
    const workers = Array.from({ length: 20 }, () => inTime(obtainToken(random() < 0.7 ? held : undefined)))
    obtained += (await Promise.all(workers)).filter((token) => token !== null).length
    world.app.clock.advance(refreshLeaseMs + Math.floor(random() * 9 * minute))
    await keepAlive.poll(world.app.services)
    if (step % 2 === 1) await renewAfterLostReplies()
  }
  expect(await grant()).toMatchObject({ intentAt: null, deadAt: null })
  expect(obtained).toBeGreaterThan(200)
  // Some of the waiting processes die only now and hold their lease until it expires, so the clock must advance.
  const passing = setInterval(() => world.app.clock.advance(refreshLeaseMs + 1), 500)
  try {
    expect(await isAlive()).toBe(true)
  } finally {
    clearInterval(passing)
  }
}, 120_000)

test('a revoked authorisation is reported once to the administrators, and the source receives no further request', async () => {
  const refused = await obtainToken()
  world.xero.revoke(0)
  const kinds = await Promise.all(Array.from({ length: 20 }, () => obtainToken(refused).catch(kindOf)))
  expect(new Set(kinds)).toEqual(new Set(['signIn']))
  const before = countTokenRequests()
  expect(await obtainToken().catch(kindOf)).toBe('signIn')
  world.app.clock.advance(8 * day)
  await new GrantKeepAlive().poll(world.app.services)
  expect(countTokenRequests()).toBe(before)
  expect(await listEmails('authorisation-ended')).toMatchObject([
    { paragraphs: [expect.stringContaining('Harbour Trading'), expect.anything()] },
  ])
  expect(await world.app.emailsTo('user@demo.example')).toEqual([])
  expect(await grant()).toMatchObject({ refreshToken: null, accessToken: null, deadAt: expect.any(String) })
})

test('an unused grant is refreshed every week and stays valid for a year', async () => {
  const keepAlive = new GrantKeepAlive()
  for (let week = 0; week < 52; week += 1) {
    world.app.clock.advance(7 * day + minute)
    await keepAlive.poll(world.app.services)
  }
  expect(await isAlive()).toBe(true)
  expect(await listEmails('authorisation-ending')).toEqual([])
})

test('if a grant cannot be refreshed, administrators are warned two weeks and three days before its end, and notified at the end', async () => {
  world.xero.faults.inject({ kind: 'drop', path: 'connect/token', times: 100_000 })
  const keepAlive = new GrantKeepAlive()
  const warnedAfter: number[] = []
  for (let days = 1; days <= 60; days += 1) {
    world.app.clock.advance(day)
    await keepAlive.poll(world.app.services)
    if ((await listEmails('authorisation-ending')).length > warnedAfter.length) warnedAfter.push(days)
  }
  expect(warnedAfter).toEqual([47, 58])
  expect((await listEmails('authorisation-ending')).map(({ subject }) => subject)).toEqual([
    'Tributary’s authorisation at Xero ends in 13 days',
    'Tributary’s authorisation at Xero ends in 2 days',
  ])
  world.xero.faults.clear()
  world.app.clock.advance(day)
  await keepAlive.poll(world.app.services)
  expect(await listEmails('authorisation-ended')).toHaveLength(1)
})

test('a refused app secret ends no grant', async () => {
  const { client } = world.app.services.oauth
  const refused = await obtainToken()
  const tokens = openTokens({
    refresh: () => Promise.reject(new TokenRefused('invalid_client', undefined)),
    requestMachineTokens: (...of) => client.requestMachineTokens(...of),
  })
  expect(await tokens.provide(grantId).token(refused).catch(kindOf)).toBe('settings')
  expect(await grant()).toMatchObject({ deadAt: null, intentAt: null })
  expect(await isAlive()).toBe(true)
})

function after(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
