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
  await world.travel(await world.browserOf(), { tenantIds: [world.tenant(0)] })
  grantId = (await grant()).id
})
afterEach(() => world[Symbol.asyncDispose]())

function grant() {
  return world.app.store.across((db) => db.selectFrom('oauthGrant').selectAll().executeTakeFirstOrThrow())
}

/** As another process has them. */
function openTokens(client?: Pick<OauthClient, 'refresh' | 'machineTokens'>): AccessTokenCache {
  const { config, network, store, secrets, clock, log, mailer, metrics, oauth } = world.app.services
  const services = { publicUrl: config.publicUrl, store, secrets, clock, log, mailer, metrics }
  if (client === undefined) return openOauth({ settings: config.oauth, network, ...services }).tokens
  return new AccessTokenCache({ ...services, types: oauth.types, client: client as OauthClient })
}

/** Ends, as a power cut would, the moment the source has answered. */
function diesWithTheAnswer(): AccessTokenCache {
  const { client } = world.app.services.oauth
  return openTokens({
    refresh: async (...asked) => {
      await client.refresh(...asked)
      return new Promise(() => undefined)
    },
    machineTokens: (...asked) => client.machineTokens(...asked),
  })
}

const asked = () => world.xero.requests.filter(({ path }) => path === 'connect/token').length
const use = (refused?: string) => openTokens().provide(grantId).token(refused)
const kindOf = (error: unknown) => (error instanceof Fault ? error.kind : String(error))

/** Whether the source takes what is stored. */
async function isAlive(): Promise<boolean> {
  const token = await use(await use())
  const reply = await fetch(new URL('/connections', world.xero.addresses.api), {
    headers: { authorization: `Bearer ${token}` },
  })
  return reply.status === 200
}

const letters = async (template: string) => {
  const all = await world.app.lettersTo('admin@demo.example')
  return all.filter((letter) => letter.template === template)
}

test('a token is lent for most of its life without asking, and then asked for once, however many processes want one', async () => {
  const before = asked()
  const first = await use()
  world.app.clock.advance(17 * minute)
  expect([await use(), asked()]).toEqual([first, before])
  world.app.clock.advance(2 * minute)
  const lent = await Promise.all(Array.from({ length: 20 }, () => use()))
  expect(asked()).toBe(before + 1)
  // Who comes while another asks goes on with the old one, which still holds.
  const second = await use()
  expect(second).not.toBe(first)
  expect(lent.every((token) => token === first || token === second)).toBe(true)
})

test('a token that the source refuses is replaced once for all twenty who were refused', async () => {
  const refused = await use()
  const before = asked()
  const lent = await Promise.all(Array.from({ length: 20 }, () => use(refused)))
  expect([new Set(lent).size, lent[0] === refused, asked()]).toEqual([1, false, before + 1])
})

test('an answer that is lost costs nothing: the former token is tried again, and stays good for the grace', async () => {
  const refused = await use()
  world.xero.faults.inject({ kind: 'lostAnswer', path: 'connect/token', times: 3 })
  for (let lost = 0; lost < 3; lost += 1) {
    expect(await use(refused).catch(kindOf)).toBe('passing')
    world.app.clock.advance(5 * minute)
  }
  expect(await use(refused)).not.toBe(refused)
  expect(await isAlive()).toBe(true)
})

test('while a renewal fails, the token there is serves until its end', async () => {
  const first = await use()
  world.app.clock.advance(20 * minute)
  world.xero.faults.inject({ kind: 'drop', path: 'connect/token', times: 100 })
  expect(await use()).toBe(first)
  world.app.clock.advance(9 * minute + 30_000)
  expect(await use().catch(kindOf)).toBe('passing')
  world.xero.faults.clear()
  world.app.clock.advance(refreshLeaseMs)
  expect(await use()).not.toBe(first)
})

test('a process that dies between the answer and its storing loses no grant: the round of any worker asks again within the grace', async () => {
  const refused = await use()
  void diesWithTheAnswer().provide(grantId).token(refused)
  const before = asked()
  while ((await grant()).intentAt === null || asked() === before)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const round = new GrantKeepAlive()
  await round.round(world.app.services)
  expect((await grant()).intentAt).not.toBeNull()
  world.app.clock.advance(refreshLeaseMs + 1)
  await round.round(world.app.services)
  expect(await grant()).toMatchObject({ intentAt: null, deadAt: null })
  expect(await isAlive()).toBe(true)
})

test('twenty workers, lost answers, deaths with the answer in hand, and no grant is lost', async () => {
  const random = seeded(11)
  const round = new GrantKeepAlive()
  const inTime = (token: Promise<string>) => Promise.race([token.catch(() => null), after(300)])
  let lent = 0
  for (let step = 0; step < 40; step += 1) {
    world.xero.faults.clear()
    const kind = (['lostAnswer', 'drop', null] as const)[Math.floor(random() * 3)] ?? null
    if (kind !== null) world.xero.faults.inject({ kind, path: 'connect/token', times: 1 + Math.floor(random() * 3) })
    const held = (await inTime(use())) ?? undefined
    if (random() < 0.5) void inTime(diesWithTheAnswer().provide(grantId).token(held))
    const workers = Array.from({ length: 20 }, () => inTime(use(random() < 0.7 ? held : undefined)))
    lent += (await Promise.all(workers)).filter((token) => token !== null).length
    world.app.clock.advance(refreshLeaseMs + Math.floor(random() * 9 * minute))
    await round.round(world.app.services)
  }
  world.xero.faults.clear()
  world.app.clock.advance(refreshLeaseMs + 1)
  await round.round(world.app.services)
  expect(await grant()).toMatchObject({ deadAt: null })
  expect(lent).toBeGreaterThan(200)
  // Some of those who waited die only now, and hold their turn until it ends: time goes on.
  const passing = setInterval(() => world.app.clock.advance(refreshLeaseMs + 1), 500)
  try {
    expect(await isAlive()).toBe(true)
  } finally {
    clearInterval(passing)
  }
}, 120_000)

test('an authorisation that was taken back is told once, to the administrators, and nobody asks the source again', async () => {
  const refused = await use()
  world.xero.revoke(0)
  const kinds = await Promise.all(Array.from({ length: 20 }, () => use(refused).catch(kindOf)))
  expect(new Set(kinds)).toEqual(new Set(['signIn']))
  const before = asked()
  expect(await use().catch(kindOf)).toBe('signIn')
  world.app.clock.advance(8 * day)
  await new GrantKeepAlive().round(world.app.services)
  expect(asked()).toBe(before)
  expect(await letters('authorisation-ended')).toMatchObject([
    { paragraphs: [expect.stringContaining('Harbour Trading'), expect.anything()] },
  ])
  expect(await world.app.lettersTo('user@demo.example')).toEqual([])
  expect(await grant()).toMatchObject({ refreshToken: null, accessToken: null, deadAt: expect.any(String) })
})

test('a grant that nobody uses is renewed every week, and lives on for a year', async () => {
  const round = new GrantKeepAlive()
  for (let week = 0; week < 52; week += 1) {
    world.app.clock.advance(7 * day + minute)
    await round.round(world.app.services)
  }
  expect(await isAlive()).toBe(true)
  expect(await letters('authorisation-ending')).toEqual([])
})

test('where it cannot be renewed, people are warned two weeks and three days before it ends, and told at the end', async () => {
  world.xero.faults.inject({ kind: 'drop', path: 'connect/token', times: 100_000 })
  const round = new GrantKeepAlive()
  const warnedAfter: number[] = []
  for (let days = 1; days <= 60; days += 1) {
    world.app.clock.advance(day)
    await round.round(world.app.services)
    if ((await letters('authorisation-ending')).length > warnedAfter.length) warnedAfter.push(days)
  }
  expect(warnedAfter).toEqual([47, 58])
  expect((await letters('authorisation-ending')).map(({ subject }) => subject)).toEqual([
    'Tributary’s authorisation at Xero ends in 13 days',
    'Tributary’s authorisation at Xero ends in 2 days',
  ])
  world.xero.faults.clear()
  world.app.clock.advance(day)
  await round.round(world.app.services)
  expect(await letters('authorisation-ended')).toHaveLength(1)
})

test('an app whose secret is refused ends no grant', async () => {
  const { client } = world.app.services.oauth
  const refused = await use()
  const tokens = openTokens({
    refresh: () => Promise.reject(new TokenRefused('invalid_client', undefined)),
    machineTokens: (...of) => client.machineTokens(...of),
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
