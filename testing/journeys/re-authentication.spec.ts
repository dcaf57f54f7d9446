/** Re-authentication before sensitive changes if the sign-in was a while ago. */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { runInBuiltIn } from './built-in-database.ts'
import { codeFor, enterPassword, makePerson, password, type Person } from './people.ts'
import { expect, test } from './portal.ts'

/** Backdates all sessions of the user by a quarter of an hour. The server caches sessions for five seconds. */
async function waitQuarterHour(page: Page, { emailAddress }: Person): Promise<void> {
  await runInBuiltIn(`UPDATE session SET created_at = session.created_at - interval '16 minutes'
    FROM portal_user WHERE portal_user.id = user_id AND email_address = '${emailAddress}'`)
  const authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('jwt'))}`
  await expect
    .poll(async () => (await page.request.get('/api/me/export', { headers: { authorization } })).status())
    .toBe(403)
}

test('a while after signing in the portal asks for the password, then continues the change automatically; cancelling changes nothing', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const person = await makePerson(request, 'Frida')
  await enterPassword(page, person)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.goto('/profile')
  await waitQuarterHour(page, person)
  const button = page.getByRole('button', { name: 'Download my data' })
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  await button.click()
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Prove first that it is you')).toBeVisible()

  await button.click()
  await dialog.getByLabel('Your password').fill('not-my-password-1')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('It was missing or not right')).toBeVisible()
  await dialog.getByLabel('Your password').fill(password)
  const file = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  expect((await file).suggestedFilename()).toMatch(/^tributary-my-data-/)
  await expect(dialog).toBeHidden()

  // The re-authentication is valid for a while, so the second change does not ask again.
  const second = page.waitForEvent('download')
  await button.click()
  await second
})

test('a user without a password gets a code, and the dialog underneath stays open', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const person = await makePerson(request, 'Gustav')
  await enterPassword(page, person)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await waitQuarterHour(page, person)
  await runInBuiltIn(`UPDATE portal_user SET password_hash = NULL WHERE email_address = '${person.emailAddress}'`)
  await page.goto('/profile')
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  const beneath = page.getByRole('dialog', { name: 'Set a password' })
  await page.getByRole('button', { name: 'Set a password' }).click()
  await beneath.getByLabel('Password', { exact: true }).fill('a-window-on-9-gardens')
  await beneath.getByLabel('Confirm password').fill('a-window-on-9-gardens')
  await beneath.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Verification code')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByLabel('Verification code').fill(await codeFor(request, person))
  await expect(dialog).toBeHidden()
  await expect(beneath).toBeHidden()
})
