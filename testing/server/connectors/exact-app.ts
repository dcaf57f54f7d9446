/** A server and a simulated Exact Online, both on local ports, with browsers that navigate between them. */
import { type ExactSimulator, startExact } from '@tributary/sims/exact/server'
import { findFreePort } from '../../databases/free-port.ts'
import type { Browser } from '../app/browser.ts'
import { signedInBrowser } from '../app/signed-in-browser.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

export class ExactApp {
  readonly app: TestApp
  readonly exact: ExactSimulator
  readonly home: string

  constructor(app: TestApp, exact: ExactSimulator, home: string) {
    this.app = app
    this.exact = exact
    this.home = home
  }

  browserOf(emailAddress?: string): Promise<Browser> {
    return signedInBrowser(this.home, emailAddress)
  }

  /** The page of consent of the source. */
  async startAuthorisation(browser: Browser, query: Readonly<Record<string, string>> = {}): Promise<URL> {
    const wish = new URLSearchParams({ state: this.app.harbour.id, ...query })
    return (await browser.open(`${this.home}/api/authorise/exact-online?${wish.toString()}`, elsewhere)).url
  }

  /** Completes the sign-in and returns the final page of the portal. */
  async authorise(
    { person = 0, isAllowed = true }: { readonly person?: number; readonly isAllowed?: boolean } = {},
    query: Readonly<Record<string, string>> = {},
  ): Promise<URL> {
    const browser = await this.browserOf()
    const page = await this.startAuthorisation(browser, query)
    const who = this.exact.people[person]
    if (who === undefined) throw new Error(`There is no person ${person}.`)
    return (await browser.open(this.exact.identity.consent(page.href, isAllowed ? who : null), elsewhere)).url
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await this.exact.close()
  }
}

/** Pages that are not requested. */
const elsewhere = /\/oauth2\/auth|\/connectors\/|\/signin|\/home/u

export async function openExactApp(): Promise<ExactApp> {
  let app: TestApp | undefined
  const exact = await startExact({ clock: { now: () => app?.clock.now() ?? Date.now() }, seed: 11, pageSize: 30 })
  const home = `http://127.0.0.1:${await findFreePort()}`
  const { addresses, clientId, clientSecret } = exact
  app = await testApp({
    env: {
      TRIBUTARY_PUBLIC_URL: home,
      TRIBUTARY_EXACT_ONLINE_CLIENT_ID: clientId,
      TRIBUTARY_EXACT_ONLINE_CLIENT_SECRET: clientSecret,
      TRIBUTARY_EXACT_ONLINE_AUTHORISE_URL: addresses.authorise,
      TRIBUTARY_EXACT_ONLINE_TOKEN_URL: addresses.token,
      TRIBUTARY_EXACT_ONLINE_API_URL: addresses.api,
      TRIBUTARY_ALLOW_HOSTS: new URL(addresses.api).host,
    },
  })
  await app.http.listen({ host: '127.0.0.1', port: Number(new URL(home).port) })
  return new ExactApp(app, exact, home)
}
