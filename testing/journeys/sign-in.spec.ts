import { linkFor, makePerson } from './people.ts'
import { clickTwice, countCalls, expect, fillSignIn, password, test } from './portal.ts'

test('[SIGN-1] Sign in is enabled only when both fields are filled', async ({ page }) => {
  await page.goto('/signin')
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await expect(button).toBeDisabled()
  await page.getByRole('textbox', { name: 'Username' }).fill('admin@demo.example')
  await expect(button).toBeDisabled()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await expect(button).toBeEnabled()
})

test('[SIGN-1] Enter submits, and a spinner shows until the response', async ({ page }) => {
  await page.route('**/api/auth/signin', async (route) => {
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveAttribute('data-loading', 'true')
    await route.continue()
  })
  await page.goto('/signin')
  await fillSignIn(page, 'admin@demo.example', password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.waitForURL('**/home')
})

test('[SIGN-1] a double click signs in once', async ({ page }) => {
  await page.goto('/signin')
  await fillSignIn(page, 'admin@demo.example', password)
  const calls = countCalls(page, 'POST', '/auth/signin')
  await clickTwice(page.getByRole('button', { name: 'Sign in', exact: true }))
  await page.waitForURL('**/home')
  expect(calls()).toBe(1)
})

test('while many sign-ins fail everywhere, the browser solves an invisible captcha', async ({ page, portal }) => {
  portal.expectFailedCalls()
  const bodies: { recaptchaToken?: string }[] = []
  await page.route('**/api/auth/signin', async (route) => {
    bodies.push(route.request().postDataJSON() as { recaptchaToken?: string })
    if (bodies.length > 1) return route.continue()
    const message = 'Many sign-ins are failing just now.'
    await route.fulfill({
      status: 422,
      json: { statusCode: 422, error: 'Unprocessable Entity', message, code: 'captchaNeeded', reference: 'r' },
    })
  })
  await page.goto('/signin')
  await fillSignIn(page, 'admin@demo.example', password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.waitForURL('**/home')
  expect(bodies.map(({ recaptchaToken }) => typeof recaptchaToken)).toEqual(['undefined', 'string'])
})

test('[SIGN-2] an error banner can be dismissed and disappears with an animation of a second', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await page.clock.install()
  await page.goto('/signin')
  await fillSignIn(page, 'unknown@demo.example', 'wrong-password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const banner = page.getByRole('alert')
  await expect(banner).toContainText('Please check your email address and password.')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await banner.getByRole('button').click()
  await page.clock.runFor(900)
  await expect(banner).toBeVisible()
  await page.clock.runFor(100)
  await expect(banner).toHaveCount(0)
})

test('[SIGN-3] the links lead to the password reset and to the sign-up', async ({ page }) => {
  await page.goto('/signin')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/reset-password')
  await expect(page.getByRole('link', { name: 'No account? Sign up now.' })).toHaveAttribute('href', '/signup')
})

test('[SIGN-5] the banner greets a known user', async ({ page, context }) => {
  await page.goto('/signin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to Tributary')
  await page.goto('/signin?name=Mere')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Mere')
  await page.goto('/signin?registration=success&name=Mere')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Mere')
  await expect(
    page.getByText('Please watch out for a welcome email which will provide you with the next steps.'),
  ).toBeVisible()
  await context.addCookies([{ name: 'logged_in_name', value: encodeURIComponent('Ana <b>'), url: page.url() }])
  await page.goto('/signin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, Ana <b>')
})

test('[SIGN-7] [SHELL-12] success stores token and user and sets the cookies', async ({ page, portal, context }) => {
  await portal.signIn('admin')
  const stored = await page.evaluate(() => ({ jwt: localStorage.getItem('jwt'), user: localStorage.getItem('user') }))
  expect(stored.jwt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(stored.user).toContain('admin@demo.example')
  const cookies = Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]))
  expect(cookies['logged_in']).toBe('true')
  expect(cookies['logged_in_name']).toBeTruthy()
})

test('[SIGN-8] a wrong password and an unknown address get the same message', async ({ page, portal }) => {
  portal.expectFailedCalls()
  for (const address of ['admin@demo.example', 'unknown@demo.example']) {
    await page.goto('/signin')
    await fillSignIn(page, address, 'not-the-password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Please check your email address and password.')
  }
})

test('[SIGN-8] an unreachable server shows a message', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await page.goto('/signin')
  await page.route('**/api/auth/signin', (route) => route.abort())
  await fillSignIn(page, 'admin@demo.example', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Something seems to have gone wrong, please try again.')
})

test('[SIGN-4] buttons of configured external providers appear in the configured order', async ({ page }) => {
  let providers: { name: string; displayName: string }[] = []
  await page.route('**/api/auth/options', async (route) => {
    const options = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...options, providers } })
  })
  await page.goto('/signin')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Sign in with/ })).toHaveCount(0)
  providers = [
    { name: 'microsoft', displayName: 'Microsoft' },
    { name: 'xero', displayName: 'Xero' },
  ]
  await page.goto('/signin?returnUrl=%2Fprofile')
  await expect(page.getByRole('link', { name: /^Sign in with/ })).toHaveText([
    'Sign in with Microsoft',
    'Sign in with Xero',
  ])
  await expect(page.getByRole('link', { name: 'Sign in with Xero' })).toHaveAttribute(
    'href',
    '/api/auth/external/xero?purpose=signin&returnUrl=%2Fprofile',
  )
  await page.goto('/signup')
  await expect(page.getByRole('link', { name: /^Sign up with/ })).toHaveText([
    'Sign up with Microsoft',
    'Sign up with Xero',
  ])
})

test('[SIGN-6] a sign-in link signs in automatically in the browser that requested it', async ({ page, request }) => {
  const person = await makePerson(request, 'Moana')
  await page.goto('/signin')
  await page.getByRole('textbox', { name: 'Username' }).fill(person.emailAddress)
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByLabel('E-mail address')).toHaveValue(person.emailAddress)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('Open it in this browser within 15 minutes')).toBeVisible()
  await page.goto(await linkFor(request, person, /sign in/i))
  await page.waitForURL('**/home')
})

test('[SIGN-6] in another browser a sign-in link shows the account, and needs one click', async ({
  page,
  portal,
  request,
  browser,
}) => {
  portal.expectFailedCalls()
  const person = await makePerson(request, 'Aroha')
  await page.goto('/signin')
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await page.getByLabel('E-mail address').fill(person.emailAddress)
  await page.getByRole('button', { name: 'Send the link' }).click()
  const link = await linkFor(request, person, /sign in/i)

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(new URL(link, page.url()).href)
  await expect(other.getByRole('button', { name: `Continue as ${person.emailAddress}` })).toBeVisible()
  expect(await other.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
  expect(other.url()).not.toContain('code=')
  await other.getByRole('button', { name: `Continue as ${person.emailAddress}` }).click()
  await other.waitForURL('**/home')
  await elsewhere.close()

  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('This link was used before')
  await page.getByRole('button', { name: 'Sign in another way' }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('[SIGN-9] each failure of an external sign-in is shown with what to do', async ({ page }) => {
  await page.goto('/signin?error=unauthorised&provider=xero')
  await expect(page.getByRole('alert')).toContainText(
    'Your Xero account is not linked to a user here. Please sign up with Xero first.',
  )
  await page.goto('/signin?error=unknown&provider=xero')
  await expect(page.getByRole('alert')).toContainText('Signing in with Xero did not work. Please try again.')
  await page.goto(`/signin?error=unknown&provider=${encodeURIComponent('<b>Evil</b> call 0800')}`)
  await expect(page.getByRole('alert')).toContainText('Signing in with the provider did not work.')
})
