/** A server and a simulated QuickBooks Online, both on local ports, with browsers that navigate between them. */
import { type QuickBooksSimulator, startQuickBooks } from '@tributary/sims/quickbooks/server'
import { findFreePort } from '../../databases/free-port.ts'
import type { Browser } from '../app/browser.ts'
import { signedInBrowser } from '../app/signed-in-browser.ts'
import { testApp, type TestApp } from '../app/test-app.ts'

export class QuickBooksApp {
  readonly app: TestApp
  readonly quickbooks: QuickBooksSimulator
  readonly home: string

  constructor(app: TestApp, quickbooks: QuickBooksSimulator, home: string) {
    this.app = app
    this.quickbooks = quickbooks
    this.home = home
  }

  /** Where Intuit sends the browser after a company was connected. @param realmId null: the person has declined */
  async callback(browser: Browser, realmId: string | null, query: Readonly<Record<string, string>> = {}): Promise<URL> {
    const wish = new URLSearchParams({ state: this.app.harbour.id, ...query })
    const page = await browser.open(`${this.home}/api/authorise/quickbooks?${wish.toString()}`, elsewhere)
    return new URL(this.quickbooks.identity.consent(page.url, realmId))
  }

  /** Completes the sign-in and returns the final page of the portal. @param changed the callback, as another program has changed it */
  async authorise(
    realmId: string | null,
    query: Readonly<Record<string, string>> = {},
    changed: (callback: URL) => void = () => {},
  ): Promise<URL> {
    const browser = await signedInBrowser(this.home)
    const callback = await this.callback(browser, realmId, query)
    changed(callback)
    return (await browser.open(callback.href, elsewhere)).url
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]()
    await this.quickbooks.close()
  }
}

/** Pages that are not requested. */
const elsewhere = /\/connect\/oauth2|\/connectors\/|\/signin|\/home/u

export async function openQuickBooksApp(): Promise<QuickBooksApp> {
  let app: TestApp | undefined
  const quickbooks = await startQuickBooks({
    clock: { now: () => app?.clock.now() ?? Date.now() },
    seed: 11,
    size: 40,
  })
  const home = `http://127.0.0.1:${await findFreePort()}`
  const { addresses, clientId, clientSecret } = quickbooks
  app = await testApp({
    env: {
      TRIBUTARY_PUBLIC_URL: home,
      TRIBUTARY_QUICKBOOKS_CLIENT_ID: clientId,
      TRIBUTARY_QUICKBOOKS_CLIENT_SECRET: clientSecret,
      TRIBUTARY_QUICKBOOKS_AUTHORISE_URL: addresses.authorise,
      TRIBUTARY_QUICKBOOKS_TOKEN_URL: addresses.token,
      TRIBUTARY_QUICKBOOKS_API_URL: addresses.api,
      TRIBUTARY_ALLOW_HOSTS: new URL(addresses.api).host,
    },
  })
  await app.http.listen({ host: '127.0.0.1', port: Number(new URL(home).port) })
  return new QuickBooksApp(app, quickbooks, home)
}
