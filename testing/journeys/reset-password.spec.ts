/** Resetting a forgotten password, and setting the first one. */
import { expectAccessible } from './accessible.ts'
import { enterPassword, linkFor, makePerson, password, newPerson } from './people.ts'
import { expect, test } from './portal.ts'

const chosen = 'quiet-river-77-stones'

test('[PASS-1] requesting a link gets the same reply for every address, which names the spam folder', async ({
  page,
  request,
}) => {
  for (const person of [await makePerson(request, 'Vera'), newPerson('Nemo')]) {
    await page.goto('/reset-password')
    await page.getByLabel('Email').fill(person.emailAddress)
    const requested = page.waitForRequest('**/api/reset-password/request')
    await page.getByRole('button', { name: 'Send the link' }).click()
    expect(((await requested).postDataJSON() as { recaptchaToken: string }).recaptchaToken).not.toBe('')
    await expect(page.getByRole('main')).toContainText('A link was sent.')
    await expect(page.getByRole('main')).toContainText(
      'If nothing arrives within 15 minutes, please check your spam folder.',
    )
    await expect(page.getByRole('main')).toContainText(/You can ask again in \d+ s\./)
  }
})

for (const status of [400, 500] as const) {
  test(`[PASS-1] [PASS-2] the server's message is shown with ${status}`, async ({ page, portal }) => {
    portal.expectFailedCalls()
    const refusal = {
      statusCode: status,
      error: 'Error',
      message: `Message ${status}.`,
      code: 'broken',
      reference: 'r',
    }
    await page.route('**/api/reset-password/**', (route) => route.fulfill({ status, json: refusal }))
    await page.goto('/reset-password')
    await page.getByLabel('Email').fill('anyone@people.example')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByRole('alert')).toContainText(`Message ${status}.`)
    await page.goto('/reset-password/redeem/token')
    await expect(page.getByRole('alert')).toContainText(`Message ${status}.`)
  })
}

test('[PASS-2] [PASS-3] the link sets a new password once, and leads to sign-in', async ({ page, portal, request }) => {
  portal.expectFailedCalls()
  const person = await makePerson(request, 'Ngaio')
  await page.goto('/reset-password')
  await page.getByLabel('Email').fill(person.emailAddress)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('main')).toContainText('A link was sent.')
  const link = await linkFor(request, person, /password/i)
  expect(link).toMatch(/^\/reset-password\/redeem\//)

  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a new password')
  await expect(page.getByLabel('Email')).toHaveValue(person.emailAddress)
  expect(page.url(), 'the token has left the address').not.toContain(link.split('/').at(-1))
  await page.getByLabel('Password', { exact: true }).fill(chosen)
  await page.getByLabel('Confirm password', { exact: true }).fill('other')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('Does not match Password')).toBeVisible()
  await page.getByLabel('Confirm password', { exact: true }).fill(chosen)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password is set')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.waitForURL('**/signin')

  await enterPassword(page, person, password)
  await expect(page.getByRole('alert')).toContainText('Please check your email address and password.')
  await enterPassword(page, person, chosen)
  await page.waitForURL('**/home')

  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is invalid or has expired')
})

for (const path of [
  '/reset-password/abc',
  '/reset-password/redeem/abc',
  '/set-password/abc',
  '/set-password/redeem/abc',
]) {
  test(`[PASS-2] [PASS-3] [GATE-1] ${path} says that the link is invalid, and offers a new one`, async ({
    page,
    portal,
  }) => {
    portal.expectFailedCalls()
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is invalid or has expired')
    await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
  })
}

test('[PASS-3] a first password is set in the same way, and the form of /reset-password/{token} has no accessibility violation', async ({
  page,
}) => {
  await page.route('**/api/reset-password/validate?**', (route) =>
    route.fulfill({ json: { emailAddress: 'mere@people.example', isFirst: true } }),
  )
  await page.goto('/set-password/redeem/abc')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose your first password')
  await expect(
    page.getByText('At least six characters, one number or special character, not commonly used.'),
  ).toBeVisible()
  await expectAccessible(page)
})
