/** A server that a real provider vouches to, both on ports of this machine, and a browser that goes to and fro between them. */
import type { SessionReply } from '@tributary/contract/sign-in'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../../server/src/app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { openProviders } from '../../../server/src/identity/providers/open-providers.ts'
import { Browser, type Page } from '../app/browser.ts'
import { signInAt, startIssuer, type Issuer } from './oidc-issuer.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

export type Purpose = 'signin' | 'signup' | 'link'

export const graceOid = '6e9f0b1c-5d1a-4a52-9d6e-0c8f3f3d2a11'

const people = {
  ada: { email: 'ada@idp.example', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' },
  grace: { oid: graceOid },
  /** Has the address of somebody here, and is nobody here. */
  owner: { email: 'admin@demo.example', email_verified: true },
}

interface ProviderAppOptions {
  /** As if they were Microsoft. */
  readonly hasMicrosoftId?: boolean
  /** Further settings of the server. */
  readonly env?: Readonly<Record<string, string>>
}

/** With the provider `acme`, and `other`, which is down. */
export async function openProviderApp({
  hasMicrosoftId = false,
  env = {},
}: ProviderAppOptions = {}): Promise<ProviderApp> {
  const [port, issuerPort, nobody] = [await findFreePort(), await findFreePort(), await findFreePort()]
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
      TRIBUTARY_OIDC_OTHER_ISSUER: `http://127.0.0.1:${nobody}`,
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

interface Made {
  readonly app: TestApp
  readonly http: FastifyInstance
  readonly home: string
  readonly issuer: Issuer
  readonly start: () => Promise<Issuer>
}

export class ProviderApp {
  readonly app: TestApp
  readonly home: string
  issuer: Issuer
  browser = new Browser()
  #token: string | undefined
  readonly http: FastifyInstance
  readonly #start: () => Promise<Issuer>

  constructor({ app, http, home, issuer, start }: Made) {
    this.app = app
    this.http = http
    this.home = home
    this.issuer = issuer
    this.#start = start
  }

  /** Another browser; earlier attempts from this address are forgotten, and so is who was linked. */
  async begin(): Promise<void> {
    this.browser = new Browser()
    this.#token = undefined
    this.app.clock.advance(11 * 60_000)
    await this.app.store.across((db) => db.deleteFrom('externalIdentity').execute())
  }

  async leave(purpose: Purpose, returnUrl?: string): Promise<Page> {
    if (purpose === 'link') return this.browser.open((await this.askToLink(trialPassword)).address)
    const query = new URLSearchParams({ purpose, ...(returnUrl !== undefined && { returnUrl }) })
    return this.browser.open(`${this.home}/api/auth/external/acme?${query.toString()}`)
  }

  /** What the profile asks for; '' for the address where that was refused. */
  async askToLink(password: string): Promise<{ readonly status: number; readonly address: string }> {
    const reply = await this.browser.call(`${this.home}/api/me/external/acme`, { password }, this.#token)
    const { address = '' } = (await reply.json()) as { address?: string }
    return { status: reply.status, address: new URL(address, this.home).href }
  }

  /** As the profile does; answers the status. */
  async unlink(password: string): Promise<number> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.#token ?? ''}` }
    const body = JSON.stringify({ password })
    return (await fetch(`${this.home}/api/me/external/acme`, { method: 'DELETE', headers, body })).status
  }

  /** Out to the provider as somebody and back; answers the page of the portal where it ends. */
  async travel(purpose: Purpose, as: string, returnUrl?: string): Promise<URL> {
    return (await signInAt(this.browser, await this.leave(purpose, returnUrl), { as })).url
  }

  /** The same, but held at the door: the address that the provider sends the browser back to. */
  async travelToDoor(purpose: Purpose, as: string): Promise<URL> {
    return (await signInAt(this.browser, await this.leave(purpose), { as, until: /\/callback/u })).url
  }

  /** Hands in what the sign-in page was opened with. */
  async enter(at: URL): Promise<{ readonly status: number; readonly session: SessionReply }> {
    const reply = await this.browser.call(`${this.home}/api/auth/signin`, { code: at.searchParams.get('code') })
    return { status: reply.status, session: (await reply.json()) as SessionReply }
  }

  async signInWithPassword(emailAddress: string): Promise<void> {
    const reply = await this.browser.call(`${this.home}/api/auth/signin`, { emailAddress, password: trialPassword })
    if (reply.status !== 200) throw new Error(`signing in answered ${reply.status}`)
    this.#token = ((await reply.json()) as SessionReply).accessToken
  }

  /** Links somebody at the provider to a person here, as an earlier visit would have. */
  async link(subject: string, userId: string): Promise<void> {
    const identity = { issuer: this.issuer.issuer, subject, provider: 'acme', userId }
    await this.app.store.across((db) => db.insertInto('externalIdentity').values(identity).execute())
  }

  /** What the browser sends along to the server. */
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

  /** What the audit log says of the last trip. */
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

/** The page and what its address tells it. */
export function landing({ pathname, searchParams }: URL): unknown[] {
  return [pathname, Object.fromEntries(searchParams)]
}
