/** Locale and time zone: those of the browser, and those that a person chooses. */
import type { Page } from '@playwright/test'
import { makeConnector } from './journey-connector.ts'
import { enterPassword, logOut, makePerson, type Person } from './people.ts'
import { expect, test } from './portal.ts'

// A poll during a sign-out gets a 401.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

async function signIn(page: Page, person: Person) {
  await enterPassword(page, person)
  await page.waitForURL('**/home')
}

/** Changes a preference and waits until the server has stored it. */
async function savedAfter(page: Page, name: string, change: () => Promise<unknown>) {
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/profile/preferences') && response.request().postData()?.includes(name) === true,
  )
  await change()
  await saved
}

const region = (page: Page) => page.getByRole('region', { name: 'Language and region' })

const browsers = [
  { locale: 'en-GB', at: '06:00', typed: '3/11/2026', shown: '3 Nov 2026', firstDay: 'Mon' },
  { locale: 'de-DE', at: '06:00', typed: '3.11.2026', shown: '3. Nov. 2026', firstDay: 'Mo' },
  { locale: 'en-US', at: '6:00 AM', typed: '11/3/2026', shown: 'Nov 3, 2026', firstDay: 'Sun' },
] as const

for (const { locale, at, typed, shown, firstDay } of browsers) {
  test.describe(`a browser in ${locale} in Auckland`, () => {
    test.use({ locale, timezoneId: 'Pacific/Auckland' })

    test(`[UX-PREF-3] [UX-PREF-4] [UX-PREF-5] [UX-PREF-8] ${locale}: formats, schedules, days and date fields`, async ({
      page,
      request,
    }) => {
      const person = await makePerson(request, 'Ari', 'admin')
      // Another journey disconnects every connector to PostgreSQL.
      const { name } = await makeConnector(request, 'cin7')
      await signIn(page, person)
      const overview = page.waitForRequest(/\/overview\?timeZone=Pacific%2FAuckland$/u)
      await page.goto('/home')
      await overview
      await expect(page.getByRole('row', { name })).toContainText(`${at} (London time)`)

      await page.goto('/connectors/cin7/refresh')
      const card = page.getByRole('article', { name })
      await expect(card).toContainText(`Every day at ${at} (London time)`)
      await expect(card.getByText(/^Next .*\(London time\)/)).toBeVisible()

      await page.goto('/admin/audit-log')
      const from = page.getByLabel('From', { exact: true })
      await from.fill(typed)
      await expect(page.locator('[data-dates-dropdown] th').first()).toBeVisible()
      await expect(page.locator('[data-dates-dropdown] th').first()).toHaveText(firstDay)
      await page.keyboard.press('Escape')
      await from.blur()
      await expect(from).toHaveValue(shown)
      await expect(page).toHaveURL(/from=2026-11-03/)
    })
  })
}

test('[UX-PREF-6] [UX-PREF-7] a chosen locale and time zone apply at once, after a reload, and after signing in elsewhere', async ({
  page,
  request,
  browser,
}) => {
  const person = await makePerson(request, 'Kiri', 'admin')
  await signIn(page, person)
  await page.goto('/profile')
  await expect(region(page)).toContainText('1,234,567.89')
  await expect(region(page)).toContainText('Monday')
  await region(page).getByLabel('Formats').selectOption('de-DE')
  await expect(region(page)).toContainText('1.234.567,89')
  await region(page).getByLabel('Formats').selectOption('en-US')
  await expect(region(page)).toContainText('Sunday')
  await savedAfter(page, 'timeZone', () => region(page).getByLabel('Time zone').selectOption('Pacific/Auckland'))
  await expect(region(page)).toContainText('Pacific/Auckland')
  await savedAfter(page, 'keyboardShortcuts', () =>
    page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space'),
  )

  await page.reload()
  await expect(region(page).getByLabel('Formats')).toHaveValue('en-US')
  await expect(region(page).getByLabel('Time zone')).toHaveValue('Pacific/Auckland')
  await logOut(page)
  expect(await page.evaluate(() => localStorage.getItem('preferences'))).toBeNull()

  const elsewhere = await browser.newPage()
  await signIn(elsewhere, person)
  await elsewhere.goto('/profile')
  await expect(region(elsewhere)).toContainText('Sunday')
  await expect(elsewhere.getByRole('switch', { name: 'Single-key shortcuts' })).not.toBeChecked()
  await elsewhere.close()
})

test('[UX-PREF-6] the first paint after a reload has the chosen formats, before the server has answered', async ({
  page,
  request,
}) => {
  const person = await makePerson(request, 'Noa', 'admin')
  await signIn(page, person)
  await page.goto('/profile')
  await savedAfter(page, 'locale', () => region(page).getByLabel('Formats').selectOption('de-DE'))
  await expect(region(page)).toContainText('1.234.567,89')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('preferences'))).toContain('de-DE')
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/profile/preferences', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect(region(page)).toContainText('1.234.567,89')
  answer()
})

test('[UX-PREF-7] the profile leads to the documentation of the API', async ({ page, portal }) => {
  await portal.signIn('user', '/profile')
  await page.getByRole('link', { name: 'API documentation' }).click()
  await expect(page).toHaveURL(/\/api\/docs$/)
})
