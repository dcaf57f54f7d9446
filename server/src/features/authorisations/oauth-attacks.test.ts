import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { audited } from '@tributary/testing/server/app/audit-log.ts'
import { Browser } from '@tributary/testing/server/app/browser.ts'
import { landing, openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let world: XeroApp
let harbour: string
let admin: Browser
beforeAll(async () => {
  world = await openXeroApp()
  harbour = world.app.harbour.id
})
afterAll(() => world[Symbol.asyncDispose]())

beforeEach(async () => {
  await world.app.store.across(async (db) => {
    await db.deleteFrom('connectorTenant').execute()
    await db.deleteFrom('authorisation').execute()
    await db.deleteFrom('oauthGrant').execute()
    await db.updateTable('connector').set({ status: 'DELETED' }).execute()
  })
  admin = await world.browserOf()
})

/** Whatever was tried: no company is anybody's, and no grant is kept. */
afterEach(async ({ task }) => {
  if (task.suite?.name !== 'refused') return
  const kept = await world.app.store.across(async (db) => [
    await db.selectFrom('connectorTenant').selectAll().execute(),
    await db.selectFrom('oauthGrant').select(['id', 'emailAddress']).execute(),
  ])
  if (kept.flat().length > 0) throw new Error(`Something was kept: ${JSON.stringify(kept)}`)
})

const one = () => ({ tenantIds: [world.tenant(0)] })
const errorOf = (at: URL) => [at.pathname, at.searchParams.get('error')]
const manage = '/connectors/xero/manage'

/** The address that the source sends the browser back to. */
async function toTheDoor(browser: Browser, query = {}): Promise<string> {
  return world.xero.consent((await world.leave(browser, query)).href, one())
}

function changed(address: string, change: Readonly<Record<string, string | null>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}

function cookiesOf(browser: Browser): Map<string, string> {
  return browser.cookies.get(new URL(world.home).host) ?? new Map()
}

async function ask(path: string, headers: Readonly<Record<string, string>>, browser = admin): Promise<Response> {
  const cookie = [...cookiesOf(browser)].map(([name, value]) => `${name}=${value}`).join('; ')
  return fetch(`${world.home}${path}`, { redirect: 'manual', headers: { cookie, ...headers } })
}

describe('refused', () => {
  test('[API-1 GET /authorise/:type] [API-2] setting out for an organisation that is somebody else’s', async () => {
    expect(errorOf(await world.travel(admin, one(), { state: world.app.summit.id }))).toEqual([manage, 'unauthorised'])
  })

  test('[API-1 GET /authorise/:type] setting out for an organisation that there is not', async () => {
    const nowhere = '00000000-0000-4000-8000-00000000dead'
    expect(errorOf(await world.travel(admin, one(), { state: nowhere }))).toEqual([manage, 'unauthorised'])
  })

  test.each(['user@demo.example', 'guest@demo.example'])(
    '[API-1 GET /authorise/:type] setting out as %s',
    async (emailAddress) => {
      const browser = await world.browserOf(emailAddress)
      expect(errorOf(await world.travel(browser, one()))).toEqual([manage, 'unauthorised'])
    },
  )

  test('setting out for an archived organisation, by its people and by the provider’s', async () => {
    const archive = (archivedAt: Date | null) =>
      world.app.store.across((db) =>
        db.updateTable('organisation').set({ archivedAt }).where('id', '=', harbour).execute(),
      )
    const provider = await world.browserOf('provideradmin@demo.example')
    await archive(new Date())
    world.app.clock.advance(5_001)
    for (const browser of [admin, provider])
      expect(errorOf(await world.travel(browser, one()))).toEqual([manage, 'unauthorised'])
    await archive(null)
    world.app.clock.advance(5_001)
  })

  test('[API-1 GET /authorise/:type] setting out without a session: the sign-in comes first, and leads back to our own page only', async () => {
    const at = await world.leave(new Browser())
    expect(landing(at)).toEqual(['/signin', { returnUrl: `${manage}?organisation=${harbour}&new=true` }])
  })

  test('[API-1 GET /authorise/:type] a redirect to anywhere by state, connector, type or a return address', async () => {
    for (const query of [
      'state=https://evil.example',
      `state=${harbour}&connector=//evil.example`,
      'state=&returnUrl=https://evil.example',
    ])
      expect((await ask(`/api/authorise/xero?${query}`, {})).headers.get('location')).toBe(`${manage}?error=unknown`)
    for (const type of ['..%2f..%2fevil.example', '%2f%2fevil.example', 'postgres'])
      expect((await ask(`/api/authorise/${type}?state=${harbour}`, {})).headers.get('location')).toBe('/home')
    const out = await ask(
      `/api/authorise/xero?state=${harbour}&redirect_uri=https://evil.example&returnUrl=https://evil.example`,
      {},
    )
    const asked = new URL(out.headers.get('location') ?? '')
    expect([asked.origin, asked.searchParams.get('redirect_uri')]).toEqual([
      new URL(world.xero.addresses.authorise).origin,
      `${world.home}/api/authorise/xero/callback`,
    ])
    expect(out.headers.get('referrer-policy')).toBe('no-referrer')
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['a frame', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }],
    ['an image', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
  ])('being sent out by %s: it ends at a page that asks for a click', async (_, headers) => {
    const reply = await ask(`/api/authorise/xero?state=${harbour}`, headers)
    expect(reply.headers.get('location')).toBe(`${manage}?organisation=${harbour}&new=true`)
    expect(reply.headers.getSetCookie()).toEqual([])
  })

  test('coming back as another person, in the same browser', async () => {
    const door = await toTheDoor(admin)
    const { emailAddress } = await addPerson(world.app, { [harbour]: 'admin' })
    const other = await world.browserOf(emailAddress)
    for (const [name, value] of cookiesOf(admin)) if (name.includes('trip')) cookiesOf(other).set(name, value)
    expect(errorOf(await world.comeBack(other, door))).toEqual([manage, 'unknown'])
  })

  test('coming back in another session of the same person', async () => {
    const door = await toTheDoor(admin)
    const other = await world.browserOf()
    for (const [name, value] of cookiesOf(admin)) if (name.includes('trip')) cookiesOf(other).set(name, value)
    expect(errorOf(await world.comeBack(other, door))).toEqual([manage, 'unknown'])
  })

  test('coming back signed out', async () => {
    const door = await toTheDoor(admin)
    cookiesOf(admin).delete('tributary_authorise')
    expect(errorOf(await world.comeBack(admin, door))).toEqual([manage, 'unknown'])
  })

  test('coming back in a browser that never left, though its person is signed in: an attacker’s own address given to a victim', async () => {
    const attacker = await world.browserOf('admin@other.example')
    const door = await toTheDoor(attacker, { state: world.app.summit.id })
    expect(errorOf(await world.comeBack(admin, door))).toEqual([manage, 'unknown'])
    await world.leave(admin)
    expect(errorOf(await world.comeBack(admin, door))).toEqual([manage, 'unknown'])
  })

  test('coming back with a state of nobody’s, with none, and with the organisation’s id', async () => {
    const door = await toTheDoor(admin)
    for (const state of ['A'.repeat(43), null, harbour])
      expect(errorOf(await world.comeBack(admin, changed(door, { state })))).toEqual([manage, 'unknown'])
  })

  test('coming back to another type than was left for', async () => {
    const door = new URL(await toTheDoor(admin))
    door.pathname = '/api/authorise/cin7/callback'
    expect((await world.comeBack(admin, door.href)).pathname).toBe('/home')
  })

  test('coming back too late', async () => {
    const door = await toTheDoor(admin)
    world.app.clock.advance(10 * 60_000 + 1)
    expect(errorOf(await world.comeBack(admin, door))).toEqual([manage, 'unknown'])
    const event = {
      actorId: world.app.idOf('admin'),
      organisationId: null,
      outcome: 'failure',
      detail: { reason: 'no such trip' },
    }
    expect((await audited(world.app.store, 'connector.authorise_failed')).at(-1)).toMatchObject(event)
  })

  test('coming back after the right was taken away', async () => {
    const { id, emailAddress } = await addPerson(world.app, { [harbour]: 'admin' })
    const browser = await world.browserOf(emailAddress)
    const door = await toTheDoor(browser)
    await world.app.store.across((db) => db.deleteFrom('membership').where('userId', '=', id).execute())
    world.app.clock.advance(5_001)
    expect(errorOf(await world.comeBack(browser, door))).toEqual([manage, 'unauthorised'])
  })

  test('a code that somebody else was given, and one that is nobody’s', async () => {
    const foreign = await toTheDoor(await world.browserOf('admin@other.example'), { state: world.app.summit.id })
    for (const code of [new URL(foreign).searchParams.get('code'), 'nonsense', null]) {
      const door = await toTheDoor(admin)
      expect(errorOf(await world.comeBack(admin, changed(door, { code })))).toEqual([manage, 'unknown'])
    }
  })

  test('a code that was given to another app', async () => {
    const page = await world.leave(admin)
    const swapped = changed(page.href, { client_id: world.xero.otherApp.clientId })
    const door = await world.xero.consent(swapped, one())
    expect(errorOf(await world.comeBack(admin, door))).toEqual([manage, 'unknown'])
  })

  test('an answer that names another issuer', async () => {
    const door = await toTheDoor(admin)
    expect(errorOf(await world.comeBack(admin, changed(door, { iss: 'https://evil.example' })))).toEqual([
      manage,
      'unknown',
    ])
    const event = {
      actorId: world.app.idOf('admin'),
      organisationId: harbour,
      outcome: 'failure',
      detail: { type: 'xero' },
    }
    expect((await audited(world.app.store, 'connector.authorise_failed')).at(-1)).toMatchObject(event)
  })

  test.each([
    ['whose challenge was taken out of the address', { code_challenge: null, code_challenge_method: null }],
    ['whose challenge was put in the place of ours', { code_challenge: 'A'.repeat(43) }],
    ['whose nonce was put in the place of ours', { nonce: 'B'.repeat(43) }],
    ['whose nonce was taken out of the address', { nonce: null }],
  ])('a consent %s', async (_, change) => {
    const page = await world.leave(admin)
    const door = await world.xero.consent(changed(page.href, change), one())
    expect(errorOf(await world.comeBack(admin, door))).toEqual([manage, 'unknown'])
  })

  test('an app of another organisation’s', async () => {
    const { clientId, clientSecret } = world.xero.otherApp
    const params = { clientId: world.app.summit.id }
    await world.app.as.otherAdmin.call(authorisations.addApp, {
      params,
      body: { type: 'xero', kind: 'app', clientId, clientSecret },
    })
    expect(errorOf(await world.travel(admin, one(), { app: 'own' }))).toEqual([manage, 'unknown'])
  })

  test('connecting again what is another organisation’s, of another type, or deleted', async () => {
    const settings = { host: 'db.example', port: 5432, database: 'shop', user: 'reader', password: 'secret' }
    const body = { type: 'postgres', name: 'Shop', properties: [{ name: 'source.connectionString', value: settings }] }
    const { body: foreign } = await world.app.as.otherAdmin.call(connectors.create, {
      params: { clientId: world.app.summit.id },
      body,
    })
    const { body: own } = await world.app.as.admin.call(connectors.create, { params: { clientId: harbour }, body })
    for (const connector of [foreign.Id, own.Id, '00000000-0000-4000-8000-00000000dead'])
      expect(errorOf(await world.travel(admin, one(), { connector }))).toEqual([manage, 'unknown'])
  })
})
