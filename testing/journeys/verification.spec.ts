/** The second factor: codes, authenticator apps, passkeys, and trusted browsers. */
import type { Page } from '@playwright/test'
import { appCode, codeFor, enterPassword, logOut, makePerson, password, type Person } from './people.ts'
import { expect, test } from './portal.ts'

const codeField = (page: Page) => page.getByLabel('Verification code')
/** Enters the code on the sign-in page and submits. */
async function confirmWith(page: Page, code: string) {
  await codeField(page).fill(code)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
}
const home = (page: Page) => expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()

async function openProfile(page: Page, person: Person) {
  await enterPassword(page, person)
  await home(page)
  await page.goto('/profile')
}

/** Enables MFA in the profile with an emailed code. */
async function enableMfa(page: Page, person: Person) {
  await page.getByRole('button', { name: 'Enable', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('We sent a code to')
  await codeField(page).fill(await codeFor(page.request, person))
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Disable', exact: true })).toBeVisible()
}

// A poll during a sign-out gets a 401.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

test('[SIGN-10] [SIGN-11] [SIGN-13] [PROF-2] [PROF-3] a code is required until the device is trusted, and again after it is deleted', async ({
  page,
  request,
}) => {
  const person = await makePerson(request, 'Devika')
  await openProfile(page, person)
  await enableMfa(page, person)
  await logOut(page)

  await enterPassword(page, person)
  await page.waitForURL((url) => url.pathname === '/signin/confirm' && url.searchParams.get('reference') !== null)
  await expect(page.getByRole('main')).toContainText('d•••@people.example')
  // The request follows the code.
  await codeField(page).fill(await codeFor(request, person))
  await page.getByRole('checkbox', { name: 'Trust this device' }).check()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.waitForURL('**/home')
  await home(page)
  await logOut(page)

  await enterPassword(page, person)
  await page.waitForURL('**/home')

  await page.goto('/profile')
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices).toContainText('Trusted')
  await expect(devices).toContainText('This device')
  await devices
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click()
  await expect(devices).not.toContainText('Trusted')
  await logOut(page)

  await enterPassword(page, person)
  await page.waitForURL('**/signin/confirm?**')
})

test('[SIGN-11] after the code the portal opens the requested page', async ({ page, request }) => {
  const person = await makePerson(request, 'Rewi')
  await openProfile(page, person)
  await enableMfa(page, person)
  await logOut(page)
  await page.goto('/connectors/cin7/refresh?search=stock')
  await page.getByRole('textbox', { name: 'Username' }).fill(person.emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/signin/confirm?**')
  const code = await codeFor(request, person)
  await codeField(page).pressSequentially(`${code.slice(0, 3)} ${code.slice(3)}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(
    (url) => url.pathname === '/connectors/cin7/refresh' && url.searchParams.get('search') === 'stock',
  )
})

test('[SIGN-12] a wrong code and a failure show the messages of the specification', async ({ page, request }) => {
  const person = await makePerson(request, 'Wiremu')
  await openProfile(page, person)
  await enableMfa(page, person)
  await logOut(page)
  await enterPassword(page, person)
  await page.waitForURL('**/signin/confirm?**')
  const wrong = (await codeFor(request, person)) === '111111' ? '222222' : '111111'
  await confirmWith(page, wrong)
  await expect(page.getByRole('alert')).toContainText('Verification failed.')

  await page.route('**/api/auth/signin', (route) => route.abort())
  await confirmWith(page, '333333')
  await expect(page.getByRole('alert')).toContainText('An unkown error has occured.')
})

test('[SIGN-11] without a reference there is nothing to confirm: the visitor starts again', async ({
  page,
  portal,
}) => {
  await portal.signIn('guest')
  await page.goto('/signin/confirm')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
})

test('an authenticator app is set up with its secret, signs in, and leaves recovery codes that work once', async ({
  page,
  request,
}) => {
  const person = await makePerson(request, 'Tane')
  await openProfile(page, person)
  await page.getByRole('button', { name: 'Set up the app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img')).toBeVisible()
  const secret = await dialog.locator('code').innerText()
  // A code is accepted once, and the code of the next half minute is accepted, too.
  await dialog.getByLabel('Code that the app shows').fill(appCode(secret, Date.now()))
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('button', { name: 'Disable', exact: true })).toBeVisible()
  await logOut(page)

  await enterPassword(page, person)
  await expect(page.getByRole('heading', { name: 'Open your authenticator app' })).toBeVisible()
  await confirmWith(page, appCode(secret, Date.now() + 30_000))
  await page.waitForURL('**/home')
  await logOut(page)

  for (const works of [true, false]) {
    await enterPassword(page, person)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    if (!works) {
      await expect(page.getByRole('alert')).toContainText('Verification failed.')
      continue
    }
    await page.waitForURL('**/home')
    await logOut(page)
  }
})

test('a passkey is created in the profile; the browser then offers it automatically, or after a button is pressed', async ({
  page,
  request,
  context,
}) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const person = await makePerson(request, 'Kiri')
  await openProfile(page, person)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the passkey').fill('Blue key')
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByRole('main')).toContainText('Passkey: Blue key')
  // The virtual authenticator confirms without a user.
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/home')

  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  await page.reload()
  await logOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/home')
  await logOut(page)

  await enterPassword(page, person)
  await page.waitForURL('**/signin/confirm?**')
  await page.getByRole('button', { name: 'Use my passkey' }).click()
  await page.waitForURL('**/home')
})

test('signing in with a code works by keyboard alone', async ({ page, request }) => {
  const person = await makePerson(request, 'Hana')
  await openProfile(page, person)
  await page.getByRole('button', { name: 'Enable', exact: true }).press('Enter')
  await expect(codeField(page)).toBeFocused()
  await page.keyboard.type(await codeFor(request, person))
  await page.getByRole('button', { name: 'I have kept them' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Disable', exact: true })).toBeVisible()
  await logOut(page)
  await page.goto('/signin')
  await page.getByRole('textbox', { name: 'Username' }).focus()
  await page.keyboard.type(person.emailAddress)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/signin/confirm?**')
  await expect(codeField(page)).toBeFocused()
  await expect(async () => {
    const code = await codeFor(request, person)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/home', { timeout: 2_000 })
  }).toPass()
})
