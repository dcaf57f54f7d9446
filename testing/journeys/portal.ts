/** What every journey starts from: a page whose console must stay clean, and the accounts of trial mode. */
import { test as base, expect, type Locator, type Page } from '@playwright/test'

export { expect }
export type Account = 'superadmin' | 'provideradmin' | 'admin' | 'user' | 'guest' | 'otherAdmin'

const addresses: Record<Account, string> = {
  superadmin: 'superadmin@demo.example',
  provideradmin: 'provideradmin@demo.example',
  admin: 'admin@demo.example',
  user: 'user@demo.example',
  guest: 'guest@demo.example',
  otherAdmin: 'admin@other.example',
}
export const password = 'tributary-demo-1'

export interface Portal {
  /** Signs in through the screen and waits for the page that follows. */
  signIn(account: Account, path?: string): Promise<void>
  /** The browser logs a failed call by itself; a journey that provokes one says so. */
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

async function signIn(page: Page, account: Account, path = '/home'): Promise<void> {
  await page.goto(path)
  await fillSignIn(page, addresses[account], password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(themeButton(page)).toBeVisible()
}

/** Every signed-in page has it, but not the one that waits for the organisations. */
export function themeButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Theme: / })
}

/** Of a run that is open. The simulated sources answer as fast as the real ones let one ask, and other journeys ask them, too. */
export async function expectEnd(run: Locator, word: 'Completed' | 'Cancelled' = 'Completed'): Promise<void> {
  await expect(run.getByRole('region', { name: 'Timeline' })).toContainText(word, { timeout: 90_000 })
}

/** Two clicks before the page can be drawn anew. */
export async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
}

/** The calls of that name that the page has made since; they are answered as usual. */
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
