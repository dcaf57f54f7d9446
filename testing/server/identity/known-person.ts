/** A user of two organisations about whom the product stores every kind of personal data, all created by API calls. */
import { randomBytes } from 'node:crypto'
import { alerts } from '@tributary/contract/alerts'
import { ownAlertChannels } from '@tributary/contract/alert-channels'
import { auditLog } from '@tributary/contract/audit-log'
import { signUpRoutes } from '@tributary/contract/sign-up'
import { approvals } from '@tributary/contract/approvals'
import { resetPassword } from '@tributary/contract/reset-password'
import { preferences } from '@tributary/contract/preferences'
import { runs } from '@tributary/contract/runs'
import { profile } from '@tributary/contract/profile'
import { signInRoutes } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import { startXero } from '@tributary/sims/xero/server'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { Authenticator } from './authenticator.ts'
import { Browser } from '../app/browser.ts'
import { solveCaptcha } from './captcha.ts'
import { TestClient } from '../app/client.ts'
import { roleIdOf } from '../app/fixed-ids.ts'
import { LoadClient, planForLoads } from '../excel/load-sheets.ts'
import { finalise, codeOf } from './sign-up-client.ts'
import { signInAt, startIssuer } from './oidc-issuer.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { xeroEnv, XeroApp } from '../connectors/xero-app.ts'

export const knownPersonData = {
  firstName: 'Canarina',
  lastName: 'Kanarek',
  emailAddress: 'canary@kanarek.example',
  password: trialPassword,
}
const networkAddress = '203.0.113.77'
const microsoftId = 'canary-microsoft-id'
const claims = {
  email: knownPersonData.emailAddress,
  email_verified: true,
  given_name: knownPersonData.firstName,
  family_name: knownPersonData.lastName,
  oid: 'canary-oid',
}
const size = { months: 2, invoices: 6, invoicesMax: 12, contacts: 4, items: 3 } as const

export interface KnownPerson extends AsyncDisposable {
  readonly app: TestApp
  readonly userId: string
  readonly client: TestClient
  /** The connector that the user authorised. */
  readonly connectorId: string
  /** Personal data that identifies the user wherever it is stored. */
  readonly canaries: readonly string[]
}

export async function createKnownPerson(): Promise<KnownPerson> {
  const port = await findFreePort()
  const home = `http://127.0.0.1:${port}`
  const redirectUri = `${home}/api/auth/external/acme/callback`
  const issuer = await startIssuer({ port: await findFreePort(), redirectUri, people: { 'canary-subject': claims } })
  let app: TestApp | undefined
  const xero = await startXero({ clock: { now: () => app?.clock.now() ?? Date.now() }, seed: 7, size })
  const acme = {
    TRIBUTARY_OIDC_ACME_ISSUER: issuer.issuer,
    TRIBUTARY_OIDC_ACME_CLIENT_ID: issuer.clientId,
    TRIBUTARY_OIDC_ACME_CLIENT_SECRET: issuer.clientSecret,
  }
  app = await testApp({ env: { ...xeroEnv(xero, home), ...acme, TRIBUTARY_TRUSTED_PROXIES: '127.0.0.1' } })
  await app.http.listen({ host: '127.0.0.1', port })
  const world = new XeroApp(app, xero, home)

  const userId = await signUpWithProvider(app, home)
  const client = new TestClient(app.http, { emailAddress: knownPersonData.emailAddress, password: trialPassword })
  await joinSummit(app)
  await signIn(app, client)
  const connectorId = await authorise(world)
  await load(app, userId, client)
  await addReferences(app, { userId, client, connectorId })
  await beginUnfinishedFlows(app, client, home)
  const person = xero.people[0]
  const atXero = [person?.email ?? '', person?.id ?? '']
  return {
    app,
    userId,
    client,
    connectorId,
    canaries: [
      knownPersonData.firstName,
      knownPersonData.lastName,
      knownPersonData.emailAddress,
      networkAddress,
      'canary-subject',
      microsoftId,
      ...atXero,
    ],
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

/**
 * Signs up with an account at an identity provider, gets approved, and becomes an administrator of the organisation.
 */
async function signUpWithProvider(app: TestApp, home: string): Promise<string> {
  const registrationCode = await signInAtAcme(home)
  const body = {
    account: knownPersonData,
    organisation: { companyName: app.harbour.companyName },
    registrationCode,
    recaptchaToken: await solveCaptcha(app),
  }
  const begun = await app.as.visitor.call(signUpRoutes.begin, { body })
  const finalised = await app.as.visitor.send<{ ApprovalStatus: string }>('POST', '/api/registration/finalise', {
    body: { code: begun.body.code, joinOrganisation: true },
    headers: { 'x-forwarded-for': networkAddress },
  })
  if (finalised.body.ApprovalStatus !== 'PENDING')
    throw new Error(`signing up answered ${JSON.stringify(finalised.body)}`)
  const [request] = (await app.as.admin.call(approvals.list)).body
  await app.as.admin.call(approvals.decide, { body: { approvalId: request?.Id ?? '', approvalStatus: 'APPROVED' } })
  // An earlier request may have been rejected.
  const rejectionReason = `Who is ${knownPersonData.firstName}?`
  const userId = await app.store.across(async (db) => {
    await db.updateTable('approval').set({ rejectionReason }).execute()
    const { emailAddress } = knownPersonData
    const found = db.selectFrom('portalUser').select('id').where('emailAddress', '=', emailAddress)
    return (await found.executeTakeFirst())?.id ?? ''
  })
  const to = {
    params: { userId },
    query: { orgId: app.harbour.id },
    body: { roleId: roleIdOf('admin'), msId: microsoftId },
  }
  const { status } = await app.as.superadmin.call(users.update, to)
  if (status !== 200) throw new Error(`the role answered ${status}`)
  return userId
}

/** Signs in at the identity provider for a sign-up and returns the registration code. */
async function signInAtAcme(home: string): Promise<string> {
  const browser = new Browser()
  const out = await browser.open(`${home}/api/auth/external/acme?purpose=signup`)
  return (await signInAt(browser, out, { as: 'canary-subject' })).url.searchParams.get('atid') ?? ''
}

async function joinSummit(app: TestApp): Promise<void> {
  const { firstName, lastName, emailAddress } = knownPersonData
  const body = { firstName, lastName, emailAddress, roleId: roleIdOf('user') }
  await app.as.otherAdmin.call(users.invite, { body })
  const code = codeOf((await app.emailsTo(emailAddress)).at(-1)?.action?.url)
  const { body: done } = await finalise(app, code, { account: { password: trialPassword } })
  if (!done.Finalised) throw new Error(`joining answered ${JSON.stringify(done)}`)
}

/** Signs in with a wrong password, then with the correct one, from a network address that identifies the user. */
async function signIn(app: TestApp, client: TestClient): Promise<void> {
  const headers = {
    'x-forwarded-for': networkAddress,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }
  const { emailAddress } = knownPersonData
  for (const password of ['wrong-canary-1', trialPassword])
    await app.as.visitor.send('POST', '/api/auth/signin', { body: { emailAddress, password }, headers })
  await client.refresh(app.harbour.id).catch(() => client.signIn())
  await client.refresh(app.harbour.id)
}

async function authorise(world: XeroApp): Promise<string> {
  const at = await world.authorise(await world.browserOf(knownPersonData.emailAddress), {
    person: 0,
    tenantIds: [world.tenant(0)],
  })
  const connectorId = at.searchParams.get('connected')
  if (connectorId === null) throw new Error(`authorising ended at ${at.href}`)
  return connectorId
}

/** Loads rows, which another user replaces, and uploads a file that stays pending. */
async function load(app: TestApp, userId: string, client: TestClient): Promise<void> {
  const { versionId } = await planForLoads(app, [userId, app.idOf('admin')])
  const sheet = { columns: ['Line', 'Amount'], rows: [['one', { n: '1' }]] } as const
  await new LoadClient(client).load({ versionId }, sheet)
  await new LoadClient(app.as.admin).load({ versionId }, sheet)
  const { accessToken = '' } = (await client.session()) ?? {}
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: '/api/loads/files',
    query: { name: `${knownPersonData.lastName}.csv` },
    headers: {
      host: 'localhost:3000',
      'content-type': 'application/octet-stream',
      authorization: `Bearer ${accessToken}`,
    },
    payload: Buffer.from('Entity,Amount\nNorth,1\n'),
  })
  if (statusCode !== 201) throw new Error(`the file answered ${statusCode}`)
}

/** Adds records that refer to the user, and records of the user that refer to others. */
async function addReferences(
  app: TestApp,
  { userId, client, connectorId }: Pick<KnownPerson, 'userId' | 'client' | 'connectorId'>,
): Promise<void> {
  const params = { clientId: app.harbour.id, connectorId }
  const others = [userId, app.idOf('admin')]
  const saved = await app.as.admin.call(alerts.save, { params, body: { users: others, webhook: null } })
  if (saved.status !== 200) throw new Error(`alerts answered ${saved.status}`)
  await addAlerts(app, { userId, client, connectorId })
  await addToken(app, userId)
  const [begun] = (await client.call(runs.list, { params, query: {} })).body
  const cancelled = await client.call(runs.cancel, { params: { ...params, runId: begun?.Id ?? '' } })
  if (cancelled.status !== 200) throw new Error(`cancelling answered ${cancelled.status}`)
  await client.call(preferences.save, {
    body: { timeZone: 'Atlantic/Canary', tables: { users: [knownPersonData.lastName] } },
  })
  await client.call(users.invite, {
    body: { firstName: 'Fred', lastName: 'Friend', emailAddress: 'fred@friend.example', roleId: roleIdOf('guest') },
  })
  await app.as.admin.call(auditLog.exportCsv, { query: { search: knownPersonData.lastName.toLowerCase() } })
}

/** Adds an access token that was used from a network address that identifies the user. */
function addToken(app: TestApp, userId: string): Promise<void> {
  const organisationId = app.harbour.id
  const use = {
    lastUsedAt: new Date(app.clock.now()),
    lastUsedAddress: networkAddress,
    lastUsedProgram: 'canary-program',
  }
  const token = { name: `${knownPersonData.lastName}’s feed`, scopes: ['data.read' as const], expiresAt: '2100-01-01' }
  return app.store.within(organisationId, async (db) => {
    await db
      .insertInto('apiToken')
      .values({ organisationId, userId, createdBy: userId, secretHash: randomBytes(32), ...token, ...use })
      .execute()
  })
}

/** Chooses a daily digest, for which an alert waits. */
async function addAlerts(
  app: TestApp,
  { userId, client, connectorId }: Pick<KnownPerson, 'userId' | 'client' | 'connectorId'>,
): Promise<void> {
  const organisationId = app.harbour.id
  const choice = { kinds: null, connectors: null, frequency: 'daily', hour: 8, timeZone: 'Pacific/Auckland' } as const
  const chosen = await client.call(ownAlertChannels.saveMail, {
    params: { clientId: organisationId },
    body: { choice },
  })
  if (chosen.status !== 200) throw new Error(`the choice of mails answered ${chosen.status}`)
  await app.store.within(organisationId, async (db) => {
    const { id: incidentId } = await db
      .insertInto('incident')
      .values({ organisationId, connectorId, kind: 'settings', notice: 'A setting is wrong.', closedAt: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('alert').values({ organisationId, incidentId, event: 'opened', userId }).execute()
  })
}

/**
 * Begins flows without completing them: passkey, authenticator app, second factor, emailed links, provider, sign-up.
 */
async function beginUnfinishedFlows(app: TestApp, client: TestClient, home: string): Promise<void> {
  const { emailAddress } = knownPersonData
  const { reference, options } = (await client.call(profile.passkeyOptions, { body: { password: trialPassword } })).body
  const passkey = new Authenticator(home).create(options)
  const saved = await client.send('POST', '/api/me/security/passkeys', {
    body: { reference, name: `${knownPersonData.lastName}’s key`, passkey },
  })
  if (saved.status >= 300) throw new Error(`the passkey answered ${saved.status}: ${JSON.stringify(saved.body)}`)
  await client.call(profile.beginTotp, { body: { password: trialPassword } })
  await app.as.visitor.send('POST', '/api/auth/signin', { body: { emailAddress, password: trialPassword } })
  await app.as.visitor.call(resetPassword.request, {
    body: { emailAddress, recaptchaToken: await solveCaptcha(app) },
  })
  await app.as.visitor.call(signInRoutes.requestLink, {
    body: { emailAddress, recaptchaToken: await solveCaptcha(app) },
  })
  await signInAtAcme(home)
  const body = {
    account: knownPersonData,
    organisation: { companyName: 'Kanarek Traders' },
    recaptchaToken: await solveCaptcha(app),
  }
  await app.as.visitor.call(signUpRoutes.begin, { body })
}
