/** A server and a simulated Xero, both on local ports, with browsers that navigate between them. */
import { startXero, type XeroSimulator } from '@tributary/sims/xero/server'
import type { Browser } from '../app/browser.ts'
import { signedInBrowser } from '../app/signed-in-browser.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

/** Small, because these tests are about access, not about data. */
const size = { months: 2, invoices: 6, invoicesMax: 12, contacts: 4, items: 3 } as const

export interface ConsentOptions {
  readonly person?: number
  readonly tenantIds?: readonly string[]
  readonly deny?: boolean
}

export type QueryParams = Readonly<Record<string, string>>

export async function openXeroApp(env: Readonly<Record<string, string>> = {}): Promise<XeroApp> {
  let app: TestApp | undefined
  const xero = await startXero({ clock: { now: () => app?.clock.now() ?? Date.now() }, seed: 7, size })
  const port = await findFreePort()
  const home = `http://127.0.0.1:${port}`
  app = await testApp({ env: { ...xeroEnv(xero, home), ...env } })
  await app.http.listen({ host: '127.0.0.1', port })
  return new XeroApp(app, xero, home)
}

/** Environment variables that connect a server to the simulated Xero. */
export function xeroEnv(
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

  /** Returns a browser with a signed-in user. */
  browserOf(emailAddress?: string): Promise<Browser> {
    return signedInBrowser(this.home, emailAddress)
  }

  /** Starts the OAuth flow. Returns the consent page, or the page of the portal that it redirected to instead. */
  async startAuthorisation(browser: Browser, query: QueryParams = {}): Promise<URL> {
    const wish = new URLSearchParams({ state: this.app.harbour.id, ...query })
    return (await browser.open(`${this.home}/api/authorise/xero?${wish.toString()}`, elsewhere)).url
  }

  /** Follows the callback of the source. Returns the final page of the portal. */
  async followCallback(browser: Browser, address: string): Promise<URL> {
    return (await browser.open(address, elsewhere)).url
  }

  /** Completes the OAuth flow and returns the final page of the portal. */
  async authorise(browser: Browser, consent: ConsentOptions, query: QueryParams = {}): Promise<URL> {
    const page = await this.startAuthorisation(browser, query)
    if (page.origin === this.home) return page
    return this.followCallback(browser, await this.xero.consent(page.href, consent))
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

/** Pages that are not requested: those of the source, which the simulator handles, and those of the portal. */
const elsewhere = /\/identity\/connect\/|\/connectors\/|\/signin|\/home/u

/** Path and query of a page, for assertions. */
export function landing({ pathname, searchParams }: URL): readonly [path: string, query: QueryParams] {
  return [pathname, Object.fromEntries(searchParams)]
}
