import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { Browser } from '@tributary/testing/server/app/browser.ts'
import { forgetSignIns } from '@tributary/testing/server/connectors/sign-in-rig.ts'
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
  await forgetSignIns(world.app)
  admin = await world.browserOf()
})

/** After every refused attempt, no company is connected and no grant is stored. */
afterEach(async ({ task }) => {
  if (task.suite?.name !== 'refused') return
  const kept = await world.app.store.across(async (db) => [
    await db.selectFrom('connectorCompany').selectAll().execute(),
    await db.selectFrom('oauthGrant').select(['id', 'emailAddress']).execute(),
  ])
  if (kept.flat().length > 0) throw new Error(`A refused attempt left rows: ${JSON.stringify(kept)}`)
})

const one = () => ({ tenantIds: [world.tenant(0)] })
const errorOf = (at: URL) => [at.pathname, at.searchParams.get('error')]
const manage = '/connectors/xero/manage'

/** The callback URL to which the source redirects the browser. */
async function obtainCallbackUrl(browser: Browser, query = {}): Promise<string> {
  return world.xero.consent((await world.startAuthorisation(browser, query)).href, one())
}

function withParameters(address: string, change: Readonly<Record<string, string | null>>): string {
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

async function request(path: string, headers: Readonly<Record<string, string>>, browser = admin): Promise<Response> {
  const cookie = [...cookiesOf(browser)].map(([name, value]) => `${name}=${value}`).join('; ')
  return fetch(`${world.home}${path}`, { redirect: 'manual', headers: { cookie, ...headers } })
}

describe('refused', () => {
  test('[API-1 GET /authorise/:type] [API-2] a flow for an organisation of other users', async () => {
    expect(errorOf(await world.authorise(admin, one(), { state: world.app.summit.id }))).toEqual([
      manage,
      'unauthorised',
    ])
  })

  test('[API-1 GET /authorise/:type] a flow for an unknown organisation', async () => {
    const nowhere = '00000000-0000-4000-8000-00000000dead'
    expect(errorOf(await world.authorise(admin, one(), { state: nowhere }))).toEqual([manage, 'unauthorised'])
  })

  test.each(['user@demo.example', 'guest@demo.example'])(
    '[API-1 GET /authorise/:type] a flow begun by %s',
    async (emailAddress) => {
      const browser = await world.browserOf(emailAddress)
      expect(errorOf(await world.authorise(browser, one()))).toEqual([manage, 'unauthorised'])
    },
  )

  test('a flow for an archived organisation, by its users and by the provider’s', async () => {
    const archive = (archivedAt: Date | null) =>
      world.app.store.across((db) =>
        db.updateTable('organisation').set({ archivedAt }).where('id', '=', harbour).execute(),
      )
    const provider = await world.browserOf('provideradmin@demo.example')
    await archive(new Date())
    world.app.clock.advance(5_001)
    for (const browser of [admin, provider])
      expect(errorOf(await world.authorise(browser, one()))).toEqual([manage, 'unauthorised'])
    await archive(null)
    world.app.clock.advance(5_001)
  })

  test('[API-1 GET /authorise/:type] a flow without a session: the sign-in comes first, and returns to the portal’s own page only', async () => {
    const at = await world.startAuthorisation(new Browser())
    expect(landing(at)).toEqual(['/signin', { returnUrl: `${manage}?organisation=${harbour}&new=true` }])
  })

  test('[API-1 GET /authorise/:type] an open redirect through state, connector, type or a return address', async () => {
    for (const query of [
      'state=https://evil.example',
      `state=${harbour}&connector=//evil.example`,
      'state=&returnUrl=https://evil.example',
    ])
      expect((await request(`/api/authorise/xero?${query}`, {})).headers.get('location')).toBe(
        `${manage}?error=unknown`,
      )
    for (const type of ['..%2f..%2fevil.example', '%2f%2fevil.example', 'postgres'])
      expect((await request(`/api/authorise/${type}?state=${harbour}`, {})).headers.get('location')).toBe('/home')
    const out = await request(
      `/api/authorise/xero?state=${harbour}&redirect_uri=https://evil.example&returnUrl=https://evil.example`,
      {},
    )
    const authoriseUrl = new URL(out.headers.get('location') ?? '')
    expect([authoriseUrl.origin, authoriseUrl.searchParams.get('redirect_uri')]).toEqual([
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
  ])('a flow begun by %s: it stops at a page that needs a click', async (_, headers) => {
    const reply = await request(`/api/authorise/xero?state=${harbour}`, headers)
    expect(reply.headers.get('location')).toBe(`${manage}?organisation=${harbour}&new=true`)
    expect(reply.headers.getSetCookie()).toEqual([])
  })

  test('a callback as another user, in the same browser', async () => {
    const callbackUrl = await obtainCallbackUrl(admin)
    const { emailAddress } = await addPerson(world.app, { [harbour]: 'admin' })
    const other = await world.browserOf(emailAddress)
    for (const [name, value] of cookiesOf(admin)) if (name.includes('trip')) cookiesOf(other).set(name, value)
    expect(errorOf(await world.followCallback(other, callbackUrl))).toEqual([manage, 'unknown'])
  })

  test('a callback in another session of the same user', async () => {
    const callbackUrl = await obtainCallbackUrl(admin)
    const other = await world.browserOf()
    for (const [name, value] of cookiesOf(admin)) if (name.includes('trip')) cookiesOf(other).set(name, value)
    expect(errorOf(await world.followCallback(other, callbackUrl))).toEqual([manage, 'unknown'])
  })

  test('a callback after signing out', async () => {
    const callbackUrl = await obtainCallbackUrl(admin)
    cookiesOf(admin).delete('tributary_authorise')
    expect(errorOf(await world.followCallback(admin, callbackUrl))).toEqual([manage, 'unknown'])
  })

  test('a callback in a browser that did not begin the flow, though its user is signed in: an attacker’s callback URL sent to a victim', async () => {
    const attacker = await world.browserOf('admin@other.example')
    const callbackUrl = await obtainCallbackUrl(attacker, { state: world.app.summit.id })
    expect(errorOf(await world.followCallback(admin, callbackUrl))).toEqual([manage, 'unknown'])
    await world.startAuthorisation(admin)
    expect(errorOf(await world.followCallback(admin, callbackUrl))).toEqual([manage, 'unknown'])
  })

  test('a callback with an unknown state, with none, and with the organisation’s id', async () => {
    const callbackUrl = await obtainCallbackUrl(admin)
    for (const state of ['A'.repeat(43), null, harbour])
      expect(errorOf(await world.followCallback(admin, withParameters(callbackUrl, { state })))).toEqual([
        manage,
        'unknown',
      ])
  })

  test('a callback of another type than the flow’s', async () => {
    const callbackUrl = new URL(await obtainCallbackUrl(admin))
    callbackUrl.pathname = '/api/authorise/cin7/callback'
    expect((await world.followCallback(admin, callbackUrl.href)).pathname).toBe('/home')
  })

  test('a callback after the flow has expired', async () => {
    const callbackUrl = await obtainCallbackUrl(admin)
    world.app.clock.advance(10 * 60_000 + 1)
    expect(errorOf(await world.followCallback(admin, callbackUrl))).toEqual([manage, 'unknown'])
    const event = {
      actorId: world.app.idOf('admin'),
      organisationId: null,
      outcome: 'failure',
      detail: { reason: 'no such trip' },
    }
    expect((await findAuditEvents(world.app.store, 'connector.authorise_failed')).at(-1)).toMatchObject(event)
  })

  test('a callback after the user has lost the right', async () => {
    const { id, emailAddress } = await addPerson(world.app, { [harbour]: 'admin' })
    const browser = await world.browserOf(emailAddress)
    const callbackUrl = await obtainCallbackUrl(browser)
    await world.app.store.across((db) => db.deleteFrom('membership').where('userId', '=', id).execute())
    world.app.clock.advance(5_001)
    expect(errorOf(await world.followCallback(browser, callbackUrl))).toEqual([manage, 'unauthorised'])
  })

  test('a code issued to another user, an unknown one, and none', async () => {
    const foreign = await obtainCallbackUrl(await world.browserOf('admin@other.example'), {
      state: world.app.summit.id,
    })
    for (const code of [new URL(foreign).searchParams.get('code'), 'nonsense', null]) {
      const callbackUrl = await obtainCallbackUrl(admin)
      expect(errorOf(await world.followCallback(admin, withParameters(callbackUrl, { code })))).toEqual([
        manage,
        'unknown',
      ])
    }
  })

  test('a code issued to another app', async () => {
    const page = await world.startAuthorisation(admin)
    const swapped = withParameters(page.href, { client_id: world.xero.otherApp.clientId })
    const callbackUrl = await world.xero.consent(swapped, one())
    expect(errorOf(await world.followCallback(admin, callbackUrl))).toEqual([manage, 'unknown'])
  })

  test('a response that names another issuer', async () => {
    const callbackUrl = await obtainCallbackUrl(admin)
    expect(
      errorOf(await world.followCallback(admin, withParameters(callbackUrl, { iss: 'https://evil.example' }))),
    ).toEqual([manage, 'unknown'])
    const event = {
      actorId: world.app.idOf('admin'),
      organisationId: harbour,
      outcome: 'failure',
      detail: { type: 'xero' },
    }
    expect((await findAuditEvents(world.app.store, 'connector.authorise_failed')).at(-1)).toMatchObject(event)
  })

  test.each([
    ['whose challenge was removed from the URL', { code_challenge: null, code_challenge_method: null }],
    ['whose challenge was replaced', { code_challenge: 'A'.repeat(43) }],
    ['whose nonce was replaced', { nonce: 'B'.repeat(43) }],
    ['whose nonce was removed from the URL', { nonce: null }],
  ])('a consent %s', async (_, change) => {
    const page = await world.startAuthorisation(admin)
    const callbackUrl = await world.xero.consent(withParameters(page.href, change), one())
    expect(errorOf(await world.followCallback(admin, callbackUrl))).toEqual([manage, 'unknown'])
  })

  test('an app of another organisation', async () => {
    const { clientId, clientSecret } = world.xero.otherApp
    const params = { clientId: world.app.summit.id }
    await world.app.as.otherAdmin.call(authorisations.addApp, {
      params,
      body: { type: 'xero', kind: 'app', clientId, clientSecret },
    })
    expect(errorOf(await world.authorise(admin, one(), { app: 'own' }))).toEqual([manage, 'unknown'])
  })

  test('reconnecting a connector of another organisation, of another type, or an unknown one', async () => {
    const settings = { host: 'db.example', port: 5432, database: 'shop', user: 'reader', password: 'secret' }
    const body = { type: 'postgres', name: 'Shop', properties: [{ name: 'source.connectionString', value: settings }] }
    const { body: foreign } = await world.app.as.otherAdmin.call(connectors.create, {
      params: { clientId: world.app.summit.id },
      body,
    })
    const { body: own } = await world.app.as.admin.call(connectors.create, { params: { clientId: harbour }, body })
    for (const connector of [foreign.Id, own.Id, '00000000-0000-4000-8000-00000000dead'])
      expect(errorOf(await world.authorise(admin, one(), { connector }))).toEqual([manage, 'unknown'])
  })
})
