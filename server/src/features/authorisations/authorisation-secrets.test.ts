import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import type { Route } from '@tributary/contract/route'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { RouteInput } from '@tributary/testing/server/app/client.ts'
import { decryptToken } from '../../connections/oauth/grants.ts'
import { openXeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

const wrongSecret = 'canary-wrong-app-secret'

test('[ACC-7] authorising, refreshing and disconnecting leave no secret in the log, in a reply or in the audit log, and none in plain text in the store', async () => {
  await using world = await openXeroApp()
  const { app, xero } = world
  const { services } = app
  const clientId = app.harbour.id
  const secrets = new Set([xero.clientSecret, xero.otherApp.clientSecret, xero.machine.clientSecret, wrongSecret])
  const replies: string[] = []

  const call = async <R extends Route>(route: R, input: RouteInput) => {
    const { body } = await app.as.admin.call(route, input)
    replies.push(JSON.stringify(body))
    return body
  }
  const keepTokens = () =>
    app.store.across(async (db) => {
      for (const grant of await db.selectFrom('oauthGrant').selectAll().execute())
        for (const which of ['accessToken', 'refreshToken'] as const)
          secrets.add((await decryptToken(db, services, grant, which)) ?? '')
    })
  const travel = async (query = {}) => {
    const browser = await world.browserOf()
    const page = await world.startAuthorisation(browser, query)
    for (const name of ['state', 'nonce']) secrets.add(page.searchParams.get(name) ?? '')
    const callbackUrl = await xero.consent(page.href, { tenantIds: [world.tenant(0)] })
    secrets.add(new URL(callbackUrl).searchParams.get('code') ?? '')
    const at = await world.followCallback(browser, callbackUrl)
    await world.followCallback(browser, callbackUrl)
    replies.push(at.href)
    for (const [name, value] of browser.cookies.get(new URL(world.home).host) ?? [])
      if (name.includes('authorise')) secrets.add(value)
    await keepTokens()
    return at.searchParams.get('connected') ?? ''
  }

  const connectorId = await travel()
  const app1 = { type: 'xero', kind: 'app', clientId: xero.otherApp.clientId, clientSecret: wrongSecret } as const
  await call(authorisations.addApp, { params: { clientId }, body: app1 })
  await travel({ app: 'own', connector: connectorId })
  await call(authorisations.addApp, {
    params: { clientId },
    body: { ...app1, clientSecret: xero.otherApp.clientSecret },
  })
  await travel({ app: 'own', connector: connectorId })
  await call(authorisations.addApp, {
    params: { clientId },
    body: { type: 'xero', kind: 'machine', ...xero.machine, tenantId: undefined },
  })
  await call(authorisations.addApp, {
    params: { clientId },
    body: { ...app1, kind: 'machine', clientId: 'other', clientSecret: wrongSecret },
  })
  await keepTokens()
  const [grant] = await app.store.across((db) =>
    db.selectFrom('connectorCompany').selectAll().where('connectorId', '=', connectorId).execute(),
  )
  app.clock.advance(25 * 60_000)
  xero.faults.inject({ kind: 'lostAnswer', path: 'connect/token' })
  for (const refused of [undefined, 'canary-refused-token'])
    await services.oauth.tokens
      .provide(grant?.grantId ?? '')
      .token(refused)
      .catch(() => undefined)
  await keepTokens()
  await call(authorisations.apps, { params: { clientId } })
  await call(authorisations.ofConnector, { params: { clientId, connectorId } })
  await call(connectors.list, { params: { clientId } })

  expect(secrets.size).toBeGreaterThan(15)
  const log = app.logLines.join('')
  const audit = JSON.stringify(await app.store.across((db) => db.selectFrom('auditEvent').selectAll().execute()))
  const client = new pg.Client(app.connection)
  await client.connect()
  await client.query(`SET tributary.organisation = '*'`)
  const tables = [
    'oauth_app',
    'oauth_grant',
    'oauth_tenant',
    'connector_company',
    'authorisation',
    'connector_property',
    'run',
  ]
  const stored: string[] = []
  for (const table of tables) stored.push(JSON.stringify((await client.query(`SELECT * FROM ${table}`)).rows))
  await client.end()
  const nonces = await app.store.across((db) => db.selectFrom('authorisation').select('nonce').execute())
  const leaked = (text: string) => [...secrets].filter((secret) => secret !== '' && text.includes(secret))
  expect(leaked(log)).toEqual([])
  expect(leaked(replies.join('\n'))).toEqual([])
  expect(leaked(audit)).toEqual([])
  // A nonce is no secret: it is useless without its response and visible in the URL.
  expect(leaked(stored.join('\n')).filter((secret) => !nonces.some(({ nonce }) => nonce === secret))).toEqual([])
})
