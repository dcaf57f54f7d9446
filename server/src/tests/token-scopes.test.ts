/** Calls every route with access tokens: of each scope, of each role, and for another organisation. */
import { randomUUID } from 'node:crypto'
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { faults } from '@tributary/contract/faults'
import { type TokenScope, tokenScopeNames } from '@tributary/contract/token-scopes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  namesIn,
  type NamedRoute,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { expectedTokenScopes } from '@tributary/testing/server/app/expected-token-scopes.ts'
import { rights } from '@tributary/testing/server/app/expected-rights.ts'
import { type MadeToken, makeToken, type Reply } from '@tributary/testing/server/identity/make-token.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const roles = Object.keys(roleLevels) as RoleName[]
const forMembers = everyRoute.filter(({ route }) => route.allow !== 'visitor')
const opened = forMembers.filter(({ route }) => route.tokenScopes !== undefined)

let app: TestApp
let ours: RouteFixtures
let theirs: RouteFixtures
/** Tokens of a superadmin, each with one scope. */
const byScope = new Map<TokenScope, MadeToken>()
/** Tokens with all scopes. */
const byRole = new Map<RoleName, MadeToken>()
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('guest'))
  theirs = await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
  const superadmin = { client: app.as.superadmin, emailAddress: 'superadmin@demo.example' }
  for (const scope of tokenScopeNames) byScope.set(scope, await makeToken(app, superadmin, { scopes: [scope] }))
  for (const role of roles) {
    // A member of both organisations: the token is for Harbour.
    const person = await addPerson(app, { [app.harbour.id]: role, [app.summit.id]: role })
    byRole.set(role, await makeToken(app, person))
  }
})
afterAll(() => app[Symbol.asyncDispose]())

test('[SEE-12] every route is listed with the scopes that open it to tokens or the reason why none does; re-authentication and tokens exclude each other', () => {
  const declared = forMembers
    .filter(({ route }) => route.needsFreshProof !== true)
    .map(({ name, route }) => [name, route.tokenScopes ?? expect.any(String)])
  // A new route: add it to expected-token-scopes.ts, with the scopes that it declares or the reason why it declares none.
  expect(expectedTokenScopes).toEqual(Object.fromEntries(declared))
  const contradictory = everyRoute.filter(
    ({ route }) => route.tokenScopes !== undefined && (route.needsFreshProof === true || route.allow === 'visitor'),
  )
  expect(contradictory.map(({ name }) => name)).toEqual([])
})

test.each(tokenScopeNames)(
  '[SEE-12] a token with the scope %s alone opens the routes that declare it, and every other call names the missing scope',
  async (scope) => {
    for (const named of forMembers) {
      const { status, body } = await send(byScope.get(scope), named, ours)
      expect([named.name, refusalOf(status, body)]).toEqual([named.name, expectedRefusal(named, scope)])
    }
  },
)

/** The message with which a token is refused; null if the route accepts it, whatever it replies then. */
function refusalOf(status: number, body: Reply | null): string | null {
  const isRefusal = status === 403 && (body?.code === 'tokenRefused' || body?.code === 'tokenScope')
  return isRefusal ? (body.message ?? '') : null
}

function expectedRefusal({ route: { tokenScopes } }: NamedRoute, scope: TokenScope): string | null {
  if (tokenScopes === undefined) return faults.tokenRefused[1]
  return tokenScopes.includes(scope) ? null : faults.tokenScope[1].replace('{scope}', tokenScopes.join(' or '))
}

test.each(roles)(
  '[SEE-12] a token of the role %s with all scopes may do what the role may, and no more',
  async (role) => {
    for (const named of opened) {
      const least = roles.find((one) => one === rights[named.name]) ?? 'guest'
      const isAllowed = roleLevels[role] <= roleLevels[least]
      // A refused call must name existing records, because they decide which organisation’s role applies.
      const { status, body } = await send(byRole.get(role), named, ours, isAllowed ? 'unknown' : 'existing')
      expect([named.name, body?.code === 'notAllowed']).toEqual([named.name, !isAllowed])
      if (!isAllowed) expect([named.name, status]).toEqual([named.name, 403])
    }
  },
)

test.each(roles)(
  '[SEE-12] a token of the role %s finds nothing of an organisation that it was not made for',
  async (role) => {
    for (const named of opened) {
      const { status, body } = await send(byRole.get(role), named, theirs, 'existing')
      if (named.route.scope !== 'none') expect([named.name, status, body?.code]).toEqual([named.name, 404, 'notFound'])
      const text = JSON.stringify(body)
      const leaked = Object.values(theirs).filter(
        (value) => !Object.values(ours).includes(value) && text.includes(value),
      )
      expect([named.name, leaked, text.includes('Summit')]).toEqual([named.name, [], false])
    }
  },
)

/** Changes nothing: bodies have an unknown field, and records in the path are unknown unless they must exist. */
function send(token: MadeToken | undefined, named: NamedRoute, about: RouteFixtures, records = 'unknown') {
  if (token === undefined) throw new Error('There is no such token.')
  const { method } = named.route
  const sample = bodyOf(named, about).body
  if (method === 'GET') return token.send(method, addressOf(named, about))
  if (sample !== undefined)
    return token.send(
      method,
      addressOf(named, about),
      Array.isArray(sample) ? {} : { ...(sample as object), nonsense: 1 },
    )
  const isKept = (name: string) => ['clientId', 'clientKey', 'name', 'provider', 'number'].includes(name)
  const unknown = Object.fromEntries(namesIn(named).flatMap((name) => (isKept(name) ? [] : [[name, randomUUID()]])))
  return token.send(method, addressOf(named, records === 'existing' ? about : { ...about, ...unknown }))
}
