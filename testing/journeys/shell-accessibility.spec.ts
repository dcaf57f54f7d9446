/** What opens over any page: the command palette, a guide, the list of keys. */
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

// These tests are read-only.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

test('[UX-SHELL-9] the command palette has no accessibility violation', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.getByRole('button', { name: 'Go to…' }).click()
  await page.getByRole('combobox', { name: /^Find/u }).fill('web shop')
  await expect(page.getByRole('option', { name: 'Web shop' }).first()).toBeVisible()
  await expect(page.getByText('Searching…', { exact: true })).toHaveCount(0)
  await expectAccessible(page)
})

test('[UX-SHELL-11] a guide has no accessibility violation', async ({ page, portal }) => {
  await portal.signIn('admin', '/excel/versions?help=users/administrator%23set-up-plans')
  await expect(page.getByRole('dialog').getByRole('img').first()).toBeVisible()
  await expectAccessible(page)
})

test('[UX-SHELL-10] the list of keys has no accessibility violation', async ({ page, portal }) => {
  await portal.signIn('user')
  await expect(page.getByRole('button', { name: 'Go to…' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page)
})
