import { authorisations } from '@tributary/contract/authorisations'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { Browser } from '@tributary/testing/server/app/browser.ts'
import { forgetSignIns } from '@tributary/testing/server/connectors/sign-in-rig.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

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

const one = () => ({ tenantIds: [world.tenant(0)] })
const errorOf = (at: URL) => [at.pathname, at.searchParams.get('error')]
const manage = '/connectors/xero/manage'

/** The callback URL to which the source redirects the browser. */
async function obtainCallbackUrl(browser: Browser, query = {}): Promise<string> {
  return world.xero.consent((await world.startAuthorisation(browser, query)).href, one())
}

describe('the choice', () => {
  let authorisationId: string
  beforeEach(async () => {
    const at = await world.authorise(admin, { tenantIds: [world.tenant(0), world.tenant(1)] })
    authorisationId = at.searchParams.get('authorisation') ?? ''
  })
  const choose = (tenantIds: readonly string[], as = world.app.as.admin, clientId = harbour) =>
    as.call(authorisations.choose, { params: { clientId, authorisationId }, body: { tenantIds } })

  test('contains the companies of this flow only, not those the same user opened earlier', async () => {
    expect((await choose([world.tenant(2)])).status).toBe(400)
    const other = await world.browserOf('admin@other.example')
    await world.authorise(other, { tenantIds: [world.tenant(2), world.tenant(3)] }, { state: world.app.summit.id })
    expect((await choose([world.tenant(2)])).status).toBe(400)
  })

  test('belongs to the user who began the flow, in the organisation of the flow', async () => {
    const { client } = await addPerson(world.app, { [harbour]: 'admin' })
    const params = { clientId: harbour, authorisationId }
    for (const as of [client, world.app.as.superadmin]) {
      expect((await as.call(authorisations.read, { params })).status).toBe(404)
      expect((await choose([world.tenant(0)], as)).status).toBe(404)
    }
    const both = await addPerson(world.app, { [harbour]: 'admin', [world.app.summit.id]: 'admin' })
    expect((await choose([world.tenant(0)], both.client, world.app.summit.id)).status).toBe(404)
  })

  test('can be made once, also concurrently', async () => {
    const replies = await Promise.all([choose([world.tenant(0)]), choose([world.tenant(1)]), choose([world.tenant(0)])])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  })

  test('gives a company to one of two organisations that choose it concurrently', async () => {
    const other = await world.browserOf('admin@other.example')
    const tenantIds = [world.tenant(0), world.tenant(1)]
    const at = await world.authorise(other, { person: 1, tenantIds }, { state: world.app.summit.id })
    const theirs = { clientId: world.app.summit.id, authorisationId: at.searchParams.get('authorisation') ?? '' }
    const replies = await Promise.all([
      choose(tenantIds),
      world.app.as.otherAdmin.call(authorisations.choose, { params: theirs, body: { tenantIds } }),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('expires after an hour', async () => {
    world.app.clock.advance(3_600_001)
    await world.app.as.admin.signIn()
    expect((await choose([world.tenant(0)])).status).toBe(404)
  })

  test('a callback URL works once', async () => {
    const browser = await world.browserOf()
    const callbackUrl = await obtainCallbackUrl(browser)
    expect((await world.followCallback(browser, callbackUrl)).searchParams.get('connected')).toEqual(expect.any(String))
    expect(errorOf(await world.followCallback(browser, callbackUrl))).toEqual([manage, 'unknown'])
  })
})
