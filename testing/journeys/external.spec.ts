/** Sign-in and sign-up at an identity provider, a real one on a local port. */
import type { Page } from '@playwright/test'
import { apiAs, enterPassword, logOut, makePerson, password } from './people.ts'
import { expect, test } from './portal.ts'

/** Signs in at the provider and gives consent. */
async function signInAtProvider(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

// Console errors of the provider's pages, and of polls during a sign-out, are ignored.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

test('[SIGN-4] an account that was linked in the profile signs in at the provider, and continues to the requested page', async ({
  page,
  request,
}) => {
  const person = await makePerson(request, 'Grace')
  await enterPassword(page, person)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Link Acme ID' }).click()
  const dialog = page.getByRole('dialog', { name: 'Link Acme ID' })
  await dialog.getByLabel('Your password').fill('not-the-right-1')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Enter your password to make this change.')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await signInAtProvider(page, 'grace')
  await expect(page.getByText('You can now sign in with Acme ID, too.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Linked accounts' })).toContainText('grace@idp.example')
  await logOut(page)

  await page.goto('/signin?returnUrl=%2Fprofile')
  await page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
  await page.waitForURL('**/profile')
  await expect(page.getByRole('region', { name: 'You', exact: true })).toContainText(person.emailAddress)
})

test('[SIGN-9] an unlinked provider account is asked to sign up first', async ({ page }) => {
  await page.goto('/signin')
  await page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
  await signInAtProvider(page, 'nora')
  await expect(page.getByRole('alert')).toContainText(
    'Your Acme ID account is not linked to a user here. Please sign up with Acme ID first.',
  )
})

test('[REG-6] a sign-up that was cancelled at the provider shows the message of the specification', async ({
  page,
}) => {
  await page.goto('/signup')
  await page.getByRole('link', { name: 'Sign up with Acme ID' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText('The process was either cancelled or not allowed.')
  await expect(page.getByRole('alert')).toContainText(
    'Signing up using Acme ID was either cancelled or is not allowed.',
  )
})

test('[REG-5] a provider user signs up in the frame, is approved, and signs in without a password', async ({
  page,
  request,
}) => {
  const companyName = 'Zuse Engines'
  await page.goto('/signup')
  await page.getByRole('link', { name: 'Sign up with Acme ID' }).click()
  await signInAtProvider(page, 'ada')
  await page.waitForURL((url) => url.pathname === '/signup' && url.searchParams.get('atid') !== null)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByLabel('First name')).toHaveValue('Ada')
  await expect(frame.getByLabel('Email')).toHaveValue('ada@idp.example')
  await frame.getByLabel('Organisation name').fill(companyName)
  await frame.getByRole('button', { name: 'Sign up' }).click()
  // The provider has verified the address, so no email is needed.
  await page.waitForURL('**/signup/finalise?**')
  await expect(page.getByRole('heading', { name: 'Your request was submitted for approval' })).toBeVisible()

  const provider = await apiAs(request, 'provideradmin@demo.example')
  const approvals = await provider.get<{ Id: string; ApprovalContext: string }[]>('/approvals')
  const approvalId = approvals.find(({ ApprovalContext }) => ApprovalContext.includes(companyName))?.Id
  await provider.post('/approvals', { approvalId, approvalStatus: 'APPROVED' })
  await page.waitForURL((url) => url.searchParams.get('registration') === 'success')
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()

  await page.getByRole('link', { name: 'Sign in with Acme ID' }).click()
  await page.waitForURL('**/home')
  await expect(page.getByRole('combobox', { name: 'Organisation' })).toHaveValue(companyName)
})
