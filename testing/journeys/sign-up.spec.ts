/** Sign-up from the form to the first sign-in, in every variant. */
import type { Page } from '@playwright/test'
import type { Approval } from '@tributary/contract/approvals'
import { apiAs, codeFor, enterPassword, linkFor, mailTo, password, type Person, roleId, newPerson } from './people.ts'
import { expect, test } from './portal.ts'

// Each test has other people, and waits for mail most of its time.
test.describe.configure({ mode: 'parallel' })

async function fillForm(page: Page, person: Person, companyName: string) {
  await page.goto('/signup')
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill('Tester')
  await page.getByLabel('Email').fill(person.emailAddress)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByLabel('Organisation name').fill(companyName)
}

const signUpButton = (page: Page) => page.getByRole('button', { name: 'Sign up', exact: true })

/** Signs up and verifies the address with the emailed code. */
async function signUp(page: Page, person: Person, companyName: string) {
  await fillForm(page, person, companyName)
  const sending = page.waitForRequest('**/api/registration/account')
  await signUpButton(page).click()
  const timeZone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect((await sending).postDataJSON()).toMatchObject({ organisation: { companyName, timeZone } })
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await page.getByLabel('Verification code').fill(await codeFor(page.request, person, /confirm/i))
  await page.waitForURL('**/signup/finalise?code=**')
}

async function decide(page: Page, emailAddress: string, companyName: string, person: Person) {
  const approver = await apiAs(page.request, emailAddress)
  const approvals = await approver.get<Approval[]>('/approvals')
  const fits = ({ ApprovalStatus, ApprovalContext }: Approval) =>
    ApprovalStatus === 'PENDING' &&
    ApprovalContext.includes(companyName) &&
    ApprovalContext.includes(person.emailAddress)
  const approval = approvals.find(fits)
  expect(approval, 'the request waits for its approval').toBeDefined()
  await approver.post('/approvals', { approvalId: approval?.Id, approvalStatus: 'APPROVED' })
}

test('[REG-1] [FORM-1] all fields are required, the passwords must match, and a link leads back', async ({ page }) => {
  await page.goto('/signup')
  await signUpButton(page).click()
  await expect(page.getByText('required', { exact: true })).toHaveCount(6)
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByLabel('Password', { exact: true }).fill('one-1')
  await page.getByLabel('Confirm password', { exact: true }).fill('other-2')
  await page.getByLabel('Organisation name').focus()
  await expect(page.getByText('Does not match Password')).toBeVisible()
  await page.getByRole('link', { name: 'Already have an account? Sign in.' }).click()
  await page.waitForURL('**/signin')
})

test('[REG-2] the hint describes the rule that the server enforces', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await fillForm(page, newPerson('Poppy'), 'Poppy Ltd')
  await expect(
    page.getByText('At least six characters, one number or special character, not commonly used.'),
  ).toBeVisible()
  const sent: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/registration/account') && sent.push(request.url())))
  await page.getByLabel('Password', { exact: true }).fill('password1')
  await page.getByLabel('Confirm password', { exact: true }).fill('password1')
  await expect(page.getByRole('listitem').filter({ hasText: 'Not commonly used' })).toContainText('not yet')
  await signUpButton(page).click()
  await expect(page.getByText('is among the most common ones; choose another')).toBeVisible()
  expect(sent).toEqual([])
  for (const weak of ['ab1', 'abcdefgh']) {
    await page.getByLabel('Password', { exact: true }).fill(weak)
    await page.getByLabel('Confirm password', { exact: true }).fill(weak)
    await signUpButton(page).click()
    await expect(page.getByRole('alert')).toContainText(/password/i)
    await page.getByRole('alert').getByRole('button').click()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
})

test('[REG-3] an invalid or used address is reported when the field loses focus', async ({ page }) => {
  await page.goto('/signup')
  const email = page.getByLabel('Email')
  await email.fill('no-address')
  await email.blur()
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await email.fill('admin@demo.example')
  await email.blur()
  await expect(page.getByText('This email address is already in use')).toBeVisible()
  await email.fill(newPerson('Free').emailAddress)
  await email.blur()
  await expect(page.getByText('This email address is already in use')).toHaveCount(0)
})

test('[REG-4] a captcha token is sent with the sign-up, without a visible puzzle', async ({ page }) => {
  await fillForm(page, newPerson('Carla'), `Carla ${Date.now()}`)
  const requested = page.waitForRequest('**/api/registration/account')
  await signUpButton(page).click()
  const { recaptchaToken } = (await requested).postDataJSON() as { recaptchaToken: string }
  expect(recaptchaToken.length).toBeGreaterThan(100)
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
})

test('[REG-5] an external identity signs up through the frame', async ({ page }) => {
  await page.route('**/api/registration/external', (route) =>
    route.fulfill({
      json: { provider: 'xero', emailAddress: 'mere@people.example', firstName: 'Mere', lastName: 'Tester' },
    }),
  )
  const sent: unknown[] = []
  await page.route('**/api/registration/account', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill({ status: 201, json: { message: 'Sent', verificationReference: 'reference', code: null } })
  })
  await page.goto('/signup?provider=xero&atid=abc')
  await expect(page.getByRole('heading', { name: 'Sign up with Xero' })).toBeVisible()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByLabel('First name')).toHaveValue('Mere')
  await expect(frame.getByLabel('Password')).toHaveCount(0)
  await expect(frame.getByRole('button', { name: 'Sign up' })).toBeInViewport()
  await frame.getByLabel('Organisation name').fill('Mere Ltd')
  await frame.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  expect(sent).toMatchObject([{ registrationCode: 'abc', organisation: { companyName: 'Mere Ltd' } }])
})

test('[REG-5] a code in the address continues the sign-up', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await page.goto('/signup?code=abc')
  await page.waitForURL('**/signup/finalise?code=abc')
  await expect(page.getByRole('alert')).toContainText('This link was used before')
})

test('[REG-6] a failed external sign-up shows the message of the specification', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await page.goto('/signup?error=unauthorised&provider=Xero')
  await expect(page.getByRole('alert')).toContainText('The process was either cancelled or not allowed.')
  await expect(page.getByRole('alert')).toContainText('Signing up using Xero was either cancelled or is not allowed.')
  await page.goto('/signup?error=other&provider=Xero')
  await expect(page.getByRole('alert')).toContainText(
    'Something seems to have gone wrong while trying to sign up using Xero. Please try again.',
  )
  await fillForm(page, newPerson('Kaia'), 'Kaia Ltd')
  await page.route('**/api/registration/account', (route) => route.abort())
  await signUpButton(page).click()
  await expect(page.getByRole('alert').getByText('Something seems to have gone wrong.', { exact: true })).toBeVisible()
})

test('[REG-7] the server’s message about a failed sign-up is shown', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await page.route('**/api/registration/account', (route) =>
    route.fulfill({
      status: 403,
      json: { statusCode: 403, error: 'Forbidden', message: 'Not today.', code: 'signUpClosed', reference: 'r' },
    }),
  )
  await fillForm(page, newPerson('Lena'), 'Lena Ltd')
  await signUpButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Not today.')
})

test('[REG-8] [REG-9] a new organisation: sign-up, verified address, approval, welcome email, sign-in', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const person = newPerson('Mahina')
  const companyName = `Mahina Trading ${Date.now()}`
  await signUp(page, person, companyName)
  await expect(page.getByRole('heading', { name: 'Your request was submitted for approval' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your request is awaiting approval' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('within 24 hours')

  await decide(page, 'provideradmin@demo.example', companyName, person)
  // The page polls automatically.
  await page.waitForURL((url) => url.pathname === '/signin' && url.searchParams.get('registration') === 'success')
  expect(new URL(page.url()).searchParams.has('provider')).toBe(true)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Mahina')
  await expect(
    page.getByText('Please watch out for a welcome email which will provide you with the next steps.'),
  ).toBeVisible()
  await mailTo(request, person, /welcome/i)
  await enterPassword(page, person)
  await page.waitForURL('**/home')
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('mahina-')
  await expect(page).toHaveTitle(new RegExp(companyName))
})

test('[REG-8] [REG-9] an existing organisation: Yes asks its administrator, and shows that the request was submitted', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  const person = newPerson('Noa')
  await signUp(page, person, 'summit foods')
  await expect(page.getByRole('heading', { name: 'Join Summit Foods?' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('other.example')
  await page.getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByRole('heading', { name: 'Your request was submitted for approval' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('other.example')
  await decide(page, 'admin@other.example', 'Summit Foods', person)
  await page.waitForURL('**/signin?registration=success**')
})

test('[REG-8] an existing organisation: No asks for another name', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await signUp(page, newPerson('Ora'), 'Summit Foods')
  await page.getByRole('button', { name: 'No' }).click()
  await expect(page.getByRole('heading', { name: 'Name your organisation' })).toBeVisible()
  await page.getByLabel('Organisation name').fill(`Ora Foods ${Date.now()}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Your request was submitted for approval' })).toBeVisible()
})

test('[REG-8] the emailed link has the same effect as the code', async ({ page, request }) => {
  const person = newPerson('Pania')
  await fillForm(page, person, `Pania ${Date.now()}`)
  await signUpButton(page).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await page.goto(await linkFor(request, person, /confirm/i))
  await expect(page.getByRole('heading', { name: 'Your request was submitted for approval' })).toBeVisible()
})

test('[REG-8] an invited user chooses a password and is signed in', async ({ page, portal, request }) => {
  portal.expectFailedCalls()
  const person = newPerson('Rua')
  const admin = await apiAs(request, 'admin@other.example')
  await admin.post('/invitations', { ...person, lastName: 'Tester', roleId: await roleId(admin) })
  await page.goto(await linkFor(request, person, /invite/i))
  await expect(page.getByRole('heading', { name: 'Accept the invitation' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(person.emailAddress)
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await page.waitForURL('**/signin?registration=success**')
  await enterPassword(page, person)
  await page.waitForURL('**/home')
})

test('[REG-8] an existing account is linked by signing in', async ({ page, portal, request }) => {
  portal.expectFailedCalls()
  const admin = await apiAs(request, 'admin@other.example')
  const invited = { firstName: 'Guest', emailAddress: 'guest@demo.example' }
  await admin.post('/invitations', { ...invited, lastName: 'Demo', roleId: await roleId(admin) })
  await page.goto(await linkFor(request, invited, /invite/i))
  await expect(page.getByRole('heading', { name: 'Sign in to link your account' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(invited.emailAddress)
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/reset-password')
  await page.getByLabel('Password', { exact: true }).fill('wrong-password-1')
  await page.getByRole('button', { name: 'Sign in and link' }).click()
  await expect(page.getByRole('alert')).toContainText('Please check your email address and password.')
})

test('signing up works by keyboard alone', async ({ page }) => {
  const person = newPerson('Tui')
  await page.goto('/signup')
  await page.getByLabel('First name').focus()
  const typed = [person.firstName, 'Tester', person.emailAddress, password, null, password, null, `Tui ${Date.now()}`]
  for (const text of typed) {
    if (text !== null) await page.keyboard.type(text)
    await page.keyboard.press(text === typed.at(-1) ? 'Enter' : 'Tab')
  }
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await expect(page.getByLabel('Verification code')).toBeFocused()
})
