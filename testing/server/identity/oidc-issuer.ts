/** A real OpenID Connect provider on a local port, with users who sign in by name alone. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import type { Browser, BrowserPage } from '../app/browser.ts'

export interface TestIssuer extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface TestIssuerOptions {
  readonly port: number
  readonly redirectUri: string
  /** Claims of each user, by sign-in name, which is also the subject. */
  readonly people: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export async function startIssuer({ port, redirectUri, people }: TestIssuerOptions): Promise<TestIssuer> {
  const issuer = `http://127.0.0.1:${port}`
  const client = { clientId: 'tributary-test', clientSecret: 'canary-client-secret-0123456789' }
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'oid'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    cookies: { keys: ['a key for the tests'] },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...people[accountId] }) }),
  })
  const handle = provider.callback()
  const server = createServer((request, response) => void handle(request, response))
  server.listen({ host: '127.0.0.1', port })
  await once(server, 'listening')
  return {
    issuer,
    ...client,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Signs in at the provider and gives consent. Stops before an address that matches `until`. */
export async function signInAt(
  browser: Browser,
  loginPage: BrowserPage,
  { as, until }: { readonly as: string; readonly until?: RegExp },
): Promise<BrowserPage> {
  const consent = await browser.submit(loginPage.url.href, { prompt: 'login', login: as, password: 'anything' }, until)
  return isInteraction(consent) ? browser.submit(consent.url.href, { prompt: 'consent' }, until) : consent
}

/** Denies consent at the provider. */
export function refuseAt(browser: Browser, loginPage: BrowserPage): Promise<BrowserPage> {
  return browser.open(`${loginPage.url.href}/abort`)
}

function isInteraction({ url }: BrowserPage): boolean {
  return url.pathname.startsWith('/interaction/')
}
