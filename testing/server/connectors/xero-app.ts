/** A server beside a simulated Xero, both on ports of this machine, and browsers that go to and fro between them. */
import { startXero, type XeroSimulator } from '@tributary/sims/xero/server'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { Browser } from '../app/browser.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

/** Small, for what matters here is who may open it. */
const size = { months: 2, invoices: 6, invoicesMax: 12, contacts: 4, items: 3 } as const

export interface Consent {
  readonly person?: number
  readonly tenantIds?: readonly string[]
  readonly deny?: boolean
}

export type Query = Readonly<Record<string, string>>

export async function openXeroApp(env: Readonly<Record<string, string>> = {}): Promise<XeroApp> {
  let app: TestApp | undefined
  const xero = await startXero({ clock: { now: () => app?.clock.now() ?? Date.now() }, seed: 7, size })
  const port = await findFreePort()
  const home = `http://127.0.0.1:${port}`
  app = await testApp({ env: { ...envOf(xero, home), ...env } })
  await app.http.listen({ host: '127.0.0.1', port })
  return new XeroApp(app, xero, home)
}

/** What leads a server to it. */
export function envOf(
  { addresses, clientId, clientSecret }: XeroSimulator,
  home: string,
): Readonly<Record<string, string>> {
  return {
    TRIBUTARY_PUBLIC_URL: home,
    TRIBUTARY_XERO_CLIENT_ID: clientId,
    TRIBUTARY_XERO_CLIENT_SECRET: clientSecret,
    TRIBUTARY_XERO_AUTHORISE_URL: addresses.authorise,
    TRIBUTARY_XERO_TOKEN_URL: addresses.token,
    TRIBUTARY_XERO_API_URL: addresses.api,
    TRIBUTARY_ALLOW_HOSTS: new URL(addresses.api).host,
  }
}

export class XeroApp {
  readonly app: TestApp
  readonly xero: XeroSimulator
  readonly home: string

  constructor(app: TestApp, xero: XeroSimulator, home: string) {
    this.app = app
    this.xero = xero
    this.home = home
  }

  /** A browser in which somebody is signed in. */
  async browserOf(emailAddress = 'admin@demo.example'): Promise<Browser> {
    const browser = new Browser()
    const reply = await browser.call(`${this.home}/api/auth/signin`, { emailAddress, password: trialPassword })
    if (reply.status !== 200) throw new Error(`signing in answered ${reply.status}`)
    await reply.body?.cancel()
    return browser
  }

  /** Sets out for the source; answers the page of consent, or the page of the portal where it ended instead. */
  async leave(browser: Browser, query: Query = {}): Promise<URL> {
    const wish = new URLSearchParams({ state: this.app.harbour.id, ...query })
    return (await browser.open(`${this.home}/api/authorise/xero?${wish.toString()}`, elsewhere)).url
  }

  /** Comes back with what the source said; answers the page of the portal where it ends. */
  async comeBack(browser: Browser, address: string): Promise<URL> {
    return (await browser.open(address, elsewhere)).url
  }

  /** There and back. */
  async travel(browser: Browser, consent: Consent, query: Query = {}): Promise<URL> {
    const page = await this.leave(browser, query)
    if (page.origin === this.home) return page
    return this.comeBack(browser, await this.xero.consent(page.href, consent))
  }

  /** The id of one of the simulated companies. */
  tenant(index: number): string {
    return this.xero.companies[index]?.tenantId ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await this.xero.close()
  }
}

/** Pages that are not asked for: the source's, which the simulator goes through, and the portal's. */
const elsewhere = /\/identity\/connect\/|\/connectors\/|\/signin|\/home/u

/** Path and query of a page, for comparing. */
export function landing({ pathname, searchParams }: URL): readonly [path: string, query: Query] {
  return [pathname, Object.fromEntries(searchParams)]
}
