/** The user's own account: profile, protection and sessions. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNoViolation } from './accessible.ts'
import { codeFor, enterPassword, logOut, makePerson, password } from './people.ts'
import { clickTwice, countCalls, expect, test } from './portal.ts'

// A poll during a sign-out gets a 401.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

const mfa = (page: Page) => page.getByRole('region', { name: 'Multi-factor authentication' })

async function openProfile(page: Page, person: { emailAddress: string }, secret = password) {
  await enterPassword(page, person as Parameters<typeof enterPassword>[1], secret)
  await page.waitForURL('**/home')
  await page.goto('/profile')
}

test('[PROF-1] the profile shows the user and whether MFA is on', async ({ page, request }) => {
  const person = await makePerson(request, 'Isla')
  await openProfile(page, person)
  const main = page.getByRole('main')
  await expect(main).toContainText(person.emailAddress)
  await expect(main).toContainText('Isla')
  await expect(main).toContainText('Tester')
  await expect(mfa(page)).toContainText('Disabled')
  await expect(mfa(page).getByRole('button', { name: 'Enable', exact: true })).toBeVisible()
})

test('[PROF-2] a wrong code is reported in the modal; the correct one enables and disables MFA, and shows recovery codes', async ({
  page,
  request,
}) => {
  const person = await makePerson(request, 'Niko')
  await openProfile(page, person)
  for (const [action, state] of [
    ['Enable', 'Enabled'],
    ['Disable', 'Disabled'],
  ] as const) {
    await mfa(page).getByRole('button', { name: action, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `${action} multi-factor authentication` })
    await expect(dialog).toContainText('n•••@people.example')
    const code = await codeFor(request, person)
    await dialog.getByLabel('Verification code').fill(code === '111111' ? '222222' : '111111')
    await expect(dialog.getByRole('alert')).not.toBeEmpty()
    await dialog.getByLabel('Verification code').fill(code)
    await expect(dialog).toHaveCount(0)
    if (action === 'Enable') {
      const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
      await expect(codes.getByRole('listitem')).toHaveCount(10)
      await codes.getByRole('button', { name: 'I have kept them' }).click()
      await expect(page.getByText('10 are left. Each works once.')).toBeVisible()
    }
    await expect(mfa(page)).toContainText(state)
  }
})

test('[PROF-2] a double click requests one code', async ({ page, request }) => {
  const person = await makePerson(request, 'Dora')
  await openProfile(page, person)
  const calls = countCalls(page, 'POST', '/me/security/mfa')
  await clickTwice(mfa(page).getByRole('button', { name: 'Enable', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Enable multi-factor authentication' })
  await dialog.getByLabel('Verification code').fill(await codeFor(request, person))
  await expect(mfa(page)).toContainText('Enabled')
  expect(calls()).toBe(2)
})

test('recovery codes are downloaded and printed without the rest of the page', async ({ page, request }) => {
  const person = await makePerson(request, 'Rosa')
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.route('**/api/me/security', async (route) => {
    const known = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...known, RecoveryCodesLeft: 3 } })
  })
  await page.route('**/api/me/security/recovery-codes', (route) =>
    route.fulfill({ json: { recoveryCodes: Array.from({ length: 10 }, (_, number) => `abcd-efgh-${number}`) } }),
  )
  await openProfile(page, person)
  await page.getByRole('button', { name: /recovery codes/i }).click()
  const asking = page.getByRole('dialog')
  await asking.getByLabel('Your password').fill(password)
  await asking.getByRole('button', { name: 'Create new codes' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.getByRole('button', { name: 'Print' }).click()
  expect(await page.locator('body[data-printed]').count()).toBe(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('abcd-efgh-0')).toBeVisible()
  await expect(page.getByText('I have kept them')).toBeHidden()
  await expect(page.locator('#main').getByText(person.emailAddress, { exact: true })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('tributary-recovery-codes.txt')
})

test('[PROF-2] [PROF-3] enabling shows the devices that the server returns', async ({ page, request }) => {
  const person = await makePerson(request, 'Lior')
  await openProfile(page, person)
  const device = {
    Reference: '0',
    Description: 'Firefox on Linux',
    Trusted: true,
    LastSeenAtUtc: new Date().toISOString(),
    IsThisDevice: false,
  }
  let isOn = false
  await page.route('**/api/me/security', async (route) => {
    const known = (await (await route.fetch()).json()) as object
    await route.fulfill({
      json: { ...known, RequireMultiFactorAuthentication: isOn, VerificationDevices: isOn ? [device] : [] },
    })
  })
  await page.route('**/api/me/security/mfa', async (route) => {
    isOn = true
    await route.fulfill({ json: { verificationDevices: [device] } })
  })
  const deleted: string[] = []
  await page.route('**/api/me/security/mfa/devices/*', (route) => {
    deleted.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`)
    return route.fulfill({ status: 204 })
  })
  await page.reload()
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices).not.toContainText('Firefox on Linux')
  await mfa(page).getByRole('button', { name: 'Enable', exact: true }).click()
  await expect(devices.getByRole('listitem')).toContainText('Firefox on Linux')
  await expect(devices.getByRole('listitem')).toContainText('Trusted')
  await devices.getByRole('button', { name: 'Delete Firefox on Linux' }).click()
  await expect.poll(() => deleted).toEqual(['DELETE /api/me/security/mfa/devices/0'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('changing the password asks for the current one, and signs out everywhere else', async ({
  page,
  request,
  browser,
}) => {
  const person = await makePerson(request, 'Suri')
  await openProfile(page, person)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(new URL('/signin', page.url()).href)
  await other.getByRole('textbox', { name: 'Username' }).fill(person.emailAddress)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.keyboard.press('Enter')
  await other.waitForURL('**/home')

  await page.reload()
  await expect(page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password', { exact: true }).fill('wrong-password-1')
  await dialog.getByLabel('Password', { exact: true }).fill('quiet-river-77-stones')
  await dialog.getByLabel('Confirm password', { exact: true }).fill('quiet-river-77-stones')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('not right', { exact: true })).toBeVisible()
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem')).toHaveCount(1)
  await other.goto(new URL('/profile', page.url()).href)
  await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await elsewhere.close()

  await logOut(page)
  await enterPassword(page, person, 'quiet-river-77-stones')
  await page.waitForURL('**/home')
})

test('signing out everywhere leads to the sign-in', async ({ page, request }) => {
  const person = await makePerson(request, 'Timo')
  await openProfile(page, person)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
})

test('users download their personal data as a file', async ({ page, request }) => {
  const person = await makePerson(request, 'Vera')
  await openProfile(page, person)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^tributary-my-data-\d{4}-\d\d-\d\d\.json$/)
  const held = await readFile(await download.path(), 'utf8')
  expect(held).toContain(person.emailAddress)
  expect(held).not.toContain(password)
})

test('the dialogs of the profile have no accessibility violation', async ({ page, request }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openProfile(page, await makePerson(request, 'Yuna'))
  for (const name of ['Enable', 'Set up the app', 'Add a passkey', 'Change password']) {
    await page.getByRole('button', { name, exact: true }).click()
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectNoViolation(page)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
