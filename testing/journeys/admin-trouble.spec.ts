/** The admin screens where something is in the way: no answer, no network, no room. */
import { expect, test } from './portal.ts'

test('a form whose lists do not arrive says so, and can be tried again', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await page.goto('/admin/security/users')
  let isDown = true
  const down = { statusCode: 500, error: 'Error', message: 'The store is away.', code: 'unexpected', reference: 'r' }
  await page.route('**/api/statuses', (route) =>
    isDown ? route.fulfill({ status: 500, json: down }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await expect(dialog.getByRole('alert')).toContainText('The store is away.')
  isDown = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByLabel('First name')).toBeVisible()
})

test('without a network a switch that is pressed says so, and is not turned behind one’s back afterwards', async ({
  page,
  portal,
  context,
}) => {
  portal.expectFailedCalls()
  await portal.signIn('provideradmin')
  await page.goto('/admin/configuration')
  const toggle = page.getByRole('switch', { name: /^External Providers/ })
  await expect(toggle).toBeChecked()
  await context.setOffline(true)
  await toggle.click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(toggle).toBeChecked()
  await context.setOffline(false)
})

test('on a narrow screen the section that is open is in sight', async ({ page, portal }) => {
  await portal.signIn('provideradmin')
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/admin/audit-log')
  await expect(
    page.getByRole('navigation', { name: /sections$/ }).getByRole('link', { name: 'Audit log' }),
  ).toBeInViewport({ ratio: 1 })
})
