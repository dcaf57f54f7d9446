/** A server with a real identity provider, both on local ports, and a browser that navigates between them. */
import type { SessionReply } from '@tributary/contract/sign-in'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../server/src/app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { openProviders } from '../../../server/src/identity/providers/open-providers.ts'
import { Browser, type BrowserPage } from '../app/browser.ts'
import { signInAt, startIssuer, type TestIssuer } from './oidc-issuer.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

export type ProviderFlowPurpose = 'signin' | 'signup' | 'link'

export const graceOid = '6e9f0b1c-5d1a-4a52-9d6e-0c8f3f3d2a11'

const people = {
  ada: { email: 'ada@idp.example', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' },
  grace: { oid: graceOid },
  /** Has the email address of a user of the server, but is not linked to it. */
  owner: { email: 'admin@demo.example', email_verified: true },
}

interface ProviderAppOptions {
  /** Treats the providers like Microsoft. */
  readonly hasMicrosoftId?: boolean
  /** Additional settings of the server. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a server with the provider `acme` and the unreachable provider `other`. */
export async function openProviderApp({
  hasMicrosoftId = false,
  env = {},
}: ProviderAppOptions = {}): Promise<ProviderApp> {
  const [port, issuerPort, unusedPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const home = `http://127.0.0.1:${port}`
  const start = () => startIssuer({ port: issuerPort, redirectUri: `${home}/api/auth/external/acme/callback`, people })
  const issuer = await start()
  const app = await testApp({
    env: {
      TRIBUTARY_PUBLIC_URL: home,
      TRIBUTARY_LIMITS: 'on',
      TRIBUTARY_OIDC_ACME_ISSUER: issuer.issuer,
      TRIBUTARY_OIDC_ACME_CLIENT_ID: issuer.clientId,
      TRIBUTARY_OIDC_ACME_CLIENT_SECRET: issuer.clientSecret,
      TRIBUTARY_OIDC_ACME_DISPLAY_NAME: 'Acme ID',
      TRIBUTARY_OIDC_OTHER_ISSUER: `http://127.0.0.1:${unusedPort}`,
      TRIBUTARY_OIDC_OTHER_CLIENT_ID: 'other',
      TRIBUTARY_OIDC_OTHER_CLIENT_SECRET: 'other-secret',
      ...env,
    },
  })
  const { config, clock, log } = app.services
  const settings = config.providers.map((one) => ({ ...one, hasMicrosoftId }))
  const providers = openProviders({
    config: { ...config, providers: settings },
    clock,
    log,
    deny: () => [],
  })
  const http = await buildApp({ ...app.services, providers })
  await http.listen({ host: '127.0.0.1', port })
  return new ProviderApp({ app, http, home, issuer, start })
}

interface ProviderAppParts {
  readonly app: TestApp
  readonly http: FastifyInstance
  readonly home: string
  readonly issuer: TestIssuer
  readonly start: () => Promise<TestIssuer>
}

export class ProviderApp {
  readonly app: TestApp
  readonly home: string
  issuer: TestIssuer
  browser = new Browser()
  #token: string | undefined
  readonly http: FastifyInstance
  readonly #start: () => Promise<TestIssuer>

  constructor({ app, http, home, issuer, start }: ProviderAppParts) {
    this.app = app
    this.http = http
    this.home = home
    this.issuer = issuer
    this.#start = start
  }

  /** Opens a new browser, and resets rate limits and links to provider accounts. */
  async begin(): Promise<void> {
    this.browser = new Browser()
    this.#token = undefined
    this.app.clock.advance(11 * 60_000)
    await this.app.store.across((db) => db.deleteFrom('externalIdentity').execute())
  }

  async openProvider(purpose: ProviderFlowPurpose, returnUrl?: string): Promise<BrowserPage> {
    if (purpose === 'link') return this.browser.open((await this.requestLink(trialPassword)).address)
    const query = new URLSearchParams({ purpose, ...(returnUrl !== undefined && { returnUrl }) })
    return this.browser.open(`${this.home}/api/auth/external/acme?${query.toString()}`)
  }

  /**
   * Requests to link a provider account, like the profile page. The address is the server's if the request is refused.
   */
  async requestLink(password: string): Promise<{ readonly status: number; readonly address: string }> {
    const reply = await this.browser.call(`${this.home}/api/me/external/acme`, { password }, this.#token)
    const { address = '' } = (await reply.json()) as { address?: string }
    return { status: reply.status, address: new URL(address, this.home).href }
  }

  /** Unlinks the provider account, like the profile page. Returns the status. */
  async unlink(password: string): Promise<number> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.#token ?? ''}` }
    const body = JSON.stringify({ password })
    return (await fetch(`${this.home}/api/me/external/acme`, { method: 'DELETE', headers, body })).status
  }

  /** Completes the OAuth flow as a provider user and returns the final page of the portal. */
  async visit(purpose: ProviderFlowPurpose, as: string, returnUrl?: string): Promise<URL> {
    return (await signInAt(this.browser, await this.openProvider(purpose, returnUrl), { as })).url
  }

  /** The same, but stops before the callback and returns its address. */
  async reachCallback(purpose: ProviderFlowPurpose, as: string): Promise<URL> {
    return (await signInAt(this.browser, await this.openProvider(purpose), { as, until: /\/callback/u })).url
  }

  /** Exchanges the code in the address of the sign-in page for a session. */
  async exchange(at: URL): Promise<{ readonly status: number; readonly session: SessionReply }> {
    const reply = await this.browser.call(`${this.home}/api/auth/signin`, { code: at.searchParams.get('code') })
    return { status: reply.status, session: (await reply.json()) as SessionReply }
  }

  async signInWithPassword(emailAddress: string): Promise<void> {
    const reply = await this.browser.call(`${this.home}/api/auth/signin`, { emailAddress, password: trialPassword })
    if (reply.status !== 200) throw new Error(`signing in answered ${reply.status}`)
    this.#token = ((await reply.json()) as SessionReply).accessToken
  }

  /** Links a provider account to a user, as an earlier flow would have. */
  async link(subject: string, userId: string): Promise<void> {
    const identity = { issuer: this.issuer.issuer, subject, provider: 'acme', userId }
    await this.app.store.across((db) => db.insertInto('externalIdentity').values(identity).execute())
  }

  /** The cookie header of the browser for the server. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get cookies(): Map<string, string> {
    return this.browser.cookies.get(new URL(this.home).host) ?? new Map()
  }

  set cookies(cookies: Map<string, string>) {
    this.browser.cookies.set(new URL(this.home).host, cookies)
  }

  async stopIssuer(): Promise<void> {
    await this.issuer[Symbol.asyncDispose]()
  }

  async startIssuer(): Promise<void> {
    this.issuer = await this.#start()
  }

  /** The latest audit event of an OAuth flow. */
  async latestEvent(): Promise<unknown[]> {
    const event = await this.app.store.across((db) =>
      db
        .selectFrom('auditEvent')
        .select(['action', 'outcome', 'actorId', 'detail'])
        .where('action', 'like', 'authn.oidc%')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    )
    return [event.action, event.outcome, event.actorId, event.detail]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http.close()
    await this.app[Symbol.asyncDispose]()
    await this.stopIssuer()
  }
}

/** Path and query of a page, for assertions. */
export function landing({ pathname, searchParams }: URL): unknown[] {
  return [pathname, Object.fromEntries(searchParams)]
}
