/** Messages to administrators about refusals and unsaved changes. */
import type { Page } from '@playwright/test'
import { expect, test, type Portal } from './portal.ts'

async function openUsers(page: Page, portal: Portal) {
  await portal.signIn('admin')
  await page.goto('/admin/security/users')
  await expect(page.getByRole('article', { name: 'Ulla Berg' })).toBeVisible()
}

test('[ADMIN-6] the message of a failed save is rendered as plain inline markup, and nothing in it runs', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await openUsers(page, portal)
  const message =
    'This is <b>not</b> right. <img src=x><script>document.title=1</script><a href="https://evil.example">away</a>'
  await page.route('**/api/users/*', (route) =>
    route.fulfill({
      status: 409,
      json: { statusCode: 409, error: 'Conflict', message, code: 'lastAdmin', reference: 'r' },
    }),
  )
  await page.getByRole('article', { name: 'Ulla Berg' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Ursula')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const banner = dialog.getByRole('alert')
  await expect(banner.locator('b')).toHaveText('not')
  await expect(banner.locator('img, script, a[href]')).toHaveCount(0)
})

test('[ADMIN-6] handlers, styles and addresses of scripts in such a message do nothing, even in a browser without Content Security Policy', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await page.route('**/admin/security/users', async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await openUsers(page, portal)
  const ran = 'window.ran = (window.ran ?? 0) + 1'
  const message = [
    `<b onclick="${ran}" onmouseover="${ran}" onfocus="${ran}" tabindex="0" style="position:fixed;inset:0">Not</b>`,
    `<a href="javascript:${ran}" onclick="${ran}">saved</a>`,
    `<a href="//evil.example">now</a> <svg onload="${ran}"></svg><img src="x" onerror="${ran}"><details open ontoggle="${ran}">.</details>`,
  ].join(' ')
  await page.route('**/api/users/*', (route) =>
    route.fulfill({
      status: 409,
      json: { statusCode: 409, error: 'Conflict', message, code: 'lastAdmin', reference: 'r' },
    }),
  )
  await page.getByRole('article', { name: 'Ulla Berg' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Ursula')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const banner = dialog.getByRole('alert')
  const bold = banner.locator('b')
  await expect(bold).toHaveText('Not')
  await bold.hover()
  await bold.click()
  await banner.getByText('saved').click()
  await banner.getByText('now').click()
  const left = await banner.locator('p *').evaluateAll((all) => all.flatMap((one) => one.getAttributeNames()))
  expect(left).toEqual([])
  expect(await page.evaluate(() => (window as { ran?: number }).ran)).toBeUndefined()
  expect(new URL(page.url()).pathname).toBe('/admin/security/users')
})

test('Cancel asks before unsaved changes are lost, and the password must have the operator’s minimum length', async ({
  page,
  portal,
}) => {
  await page.route('**/api/auth/options', async (route) => {
    const options = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...options, passwordMin: 12 } })
  })
  await openUsers(page, portal)
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await expect(dialog.getByText('At least twelve characters')).toBeVisible()
  await dialog.getByLabel('First name').fill('Ursula')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('alert')).toContainText('You have changes that are not saved.')
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('First name')).toHaveValue('Ursula')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toHaveCount(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a rate limit shows when to continue, and the list then continues automatically', async ({ page, portal }) => {
  portal.expectFailedCalls()
  let isLimited = true
  await page.route('**/api/users?*', async (route) => {
    if (!isLimited) return route.continue()
    const message = 'Too many attempts. Try again in 2 seconds.'
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '2' },
      json: { statusCode: 429, error: 'Too Many Requests', message, code: 'tooMany', reference: 'r' },
    })
  })
  await portal.signIn('admin', '/admin/security/users')
  await expect(page.getByText('Too many attempts. Try again in 2 seconds.')).toBeVisible()
  isLimited = false
  await expect(page.getByRole('article', { name: 'Ulla Berg' })).toBeVisible()
})
