/** The fixture of every journey: a page whose console must stay clean, and the accounts of trial mode. */
import type { SessionReply } from '@tributary/contract/sign-in'
import { test as base, expect, type Locator, type Page } from '@playwright/test'

export { expect }
export type TrialAccount = 'superadmin' | 'provideradmin' | 'admin' | 'user' | 'guest' | 'otherAdmin'

const addresses: Record<TrialAccount, string> = {
  superadmin: 'superadmin@demo.example',
  provideradmin: 'provideradmin@demo.example',
  admin: 'admin@demo.example',
  user: 'user@demo.example',
  guest: 'guest@demo.example',
  otherAdmin: 'admin@other.example',
}
export const password = 'tributary-demo-1'

export interface Portal {
  /** Signs in and waits for the page. */
  signIn(account: TrialAccount, path?: string): Promise<void>
  /** Allows failed calls, which the browser logs as console errors. */
  expectFailedCalls(): void
}

export const test = base.extend<{ portal: Portal }>({
  portal: [
    async ({ page }, use) => {
      const complaints: string[] = []
      let failedCallsExpected = false
      page.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return
        if (failedCallsExpected && message.text().startsWith('Failed to load resource')) return
        complaints.push(`${message.type()}: ${message.text()}`)
      })
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
      await use({
        signIn: (account, path) => signIn(page, account, path),
        expectFailedCalls() {
          failedCallsExpected = true
        },
      })
      expect(complaints, 'the console stays clean').toEqual([])
    },
    { auto: true },
  ],
})

/** Signs in by a call and stores the session as the portal does, because loading the sign-in page takes longer. */
async function signIn(page: Page, account: TrialAccount, path = '/home'): Promise<void> {
  // Calls of the page in the session before would be refused.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  const reply = await page.request.post('/api/auth/signin', {
    data: { emailAddress: addresses[account], password },
  })
  expect(reply.status(), 'the status of the sign-in').toBe(200)
  const { accessToken, preferences, ...user } = (await reply.json()) as SessionReply
  const { origin } = new URL(reply.url())
  const cookies = { logged_in: 'true', logged_in_name: encodeURIComponent(user.firstName) }
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: origin })))
  await page.context().setStorageState({
    cookies: await page.context().cookies(),
    origins: [
      {
        origin,
        localStorage: [
          { name: 'jwt', value: accessToken },
          { name: 'preferences', value: JSON.stringify(preferences) },
          { name: 'user', value: JSON.stringify({ ...user, role: user.role.toLowerCase() }) },
        ],
      },
    ],
  })
  await page.goto(path)
  await expect(themeButton(page)).toBeVisible()
}

/** A button of every signed-in page, except the one that waits for the organisations. */
export function themeButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Theme: / })
}

/** Waits for the end of an open run. Simulated sources have real rate limits, and other journeys use them, too. */
export async function expectEnd(run: Locator, word: 'Completed' | 'Cancelled' = 'Completed'): Promise<void> {
  await expect(run.getByRole('region', { name: 'Timeline' })).toContainText(word, { timeout: 90_000 })
}

/** Clicks twice before the page can render. */
export async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
}

/** Counts the calls of a route that the page makes from now on. */
export function countCalls(page: Page, method: string, path: string): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === `/api${path}`) calls += 1
  })
  return () => calls
}

export async function fillSignIn(page: Page, emailAddress: string, secret: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(secret)
}
