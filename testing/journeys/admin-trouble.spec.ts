/** The admin screens without a server, without a network, and on a narrow screen. */
import { expect, test } from './portal.ts'

test('a form whose lists fail to load shows the error, and can be retried', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  let isDown = true
  const down = { statusCode: 500, error: 'Error', message: 'The store is away.', code: 'unexpected', reference: 'r' }
  await page.route('**/api/statuses', (route) =>
    isDown ? route.fulfill({ status: 500, json: down }) : route.continue(),
  )
  await page.goto('/admin/security/users')
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await expect(dialog.getByRole('alert')).toContainText('The store is away.')
  isDown = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByLabel('First name')).toBeVisible()
})

test('without a network a switch shows the error, and does not change later', async ({ page, portal, context }) => {
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

test('on a narrow screen the current section is visible', async ({ page, portal }) => {
  await portal.signIn('provideradmin')
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/admin/audit-log')
  await expect(
    page.getByRole('navigation', { name: /sections$/ }).getByRole('link', { name: 'Audit log' }),
  ).toBeInViewport({ ratio: 1 })
})
