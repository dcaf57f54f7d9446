import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { SignInOptions, VerificationNeeded } from '@tributary/contract/sign-in'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, verified } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const options: SignInOptions = {
  allowSignUp: true,
  providers: [],
  captcha: { provider: 'altcha', siteKey: null },
  passwordMin: 6,
  isMaintained: false,
}
const needed: VerificationNeeded = {
  verificationRequired: true,
  verificationReference: 'ref/1',
  verificationMethods: ['totp', 'email', 'recovery'],
  verificationSentTo: 'a•••@demo.example',
}

async function signIn(handler: NonNullable<PortalHandlers['POST /auth/signin']>, path = '/signin') {
  fakeServer({ 'GET /auth/options': () => options, 'POST /auth/signin': handler })
  const app = renderApp(path)
  await userEvent.type(await screen.findByLabelText('Username'), 'admin@demo.example')
  await userEvent.type(screen.getByLabelText('Password'), 'tributary-demo-1{Enter}')
  return app
}

const alert = async () => (await screen.findByRole('alert')).textContent

test('[SIGN-8] a reply without a token means a wrong address or password', async () => {
  await signIn(() => verified({ accessToken: '' }))
  expect(await alert()).toContain('Please check your email address and password.')
})

test('[SIGN-8] a 404 is a failure, too', async () => {
  await signIn(() => fault(404, 'notFound', 'There is nothing here.'))
  expect(await alert()).toContain('Please check your email address and password.')
})

test('[SIGN-8] an unexpected error has the message of the specification', async () => {
  await signIn(() => fault(500, 'broken', 'other words'))
  expect(await alert()).toContain('Something seems to have gone wrong, please try again.')
})

test('too many attempts show when to retry', async () => {
  await signIn(() => fault(429, 'tooMany', 'Too many attempts. Try again in 30 seconds.'))
  expect(await alert()).toContain('Too many attempts. Try again in 30 seconds.')
})

test.each(['storeFull', 'unavailable'])(
  '[ISSUE 20 D20] a server that cannot work says why, and what to do (%s)',
  async (code) => {
    await signIn(() => fault(503, code, 'Tributary has no disk space left. Free some, then try again.'))
    expect(await alert()).toContain('Tributary has no disk space left. Free some, then try again.')
  },
)

test('[SIGN-10] a sign-in that needs a code leads to the verification page, with the reference and the return path', async () => {
  const { address } = await signIn(() => needed, '/signin?returnUrl=%2Fprofile')
  expect(await screen.findByText(/a•••@demo\.example/)).toBeTruthy()
  expect(address()).toBe('/signin/confirm?reference=ref%2F1&returnUrl=%2Fprofile')
})

test('[ISSUE 20 D20] the first superadmin is led from the setup to the verification by email', async () => {
  fakeServer({
    'GET /auth/options': () => options,
    'POST /auth/first-superadmin': () => ({ emailAddress: 'admin@demo.example' }),
    'POST /auth/signin': () => needed,
  })
  const { address } = renderApp('/setup')
  await userEvent.type(await screen.findByLabelText('Code'), 'of the console')
  for (const name of ['First name', 'Last name']) await userEvent.type(screen.getByLabelText(name), 'Ada')
  await userEvent.type(screen.getByLabelText('E-mail address'), 'admin@demo.example')
  await userEvent.type(screen.getByLabelText('Password'), 'correct-horse-7')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'correct-horse-7{Enter}')
  expect(await screen.findByText(/a•••@demo\.example/)).toBeTruthy()
  expect(address()).toBe('/signin/confirm?reference=ref%2F1')
})

test('[SIGN-12] a confirmation that brings no token has failed', async () => {
  fakeServer({ 'GET /auth/options': () => options, 'POST /auth/signin': () => verified({ accessToken: '' }) })
  renderApp('/signin/confirm?reference=r')
  await userEvent.type(await screen.findByLabelText('Verification code'), '123456{Enter}')
  expect(await alert()).toContain('Verification failed.')
})

test('[SIGN-12] a refusal has the message of the specification, and shows when to retry', async () => {
  let status = 401
  fakeServer({
    'GET /auth/options': () => options,
    'POST /auth/signin': () => fault(status, 'any', `Answer ${status}.`),
  })
  renderApp('/signin/confirm?reference=r')
  const field = await screen.findByLabelText('Verification code')
  await userEvent.type(field, '123456{Enter}')
  expect(await alert()).toContain('Verification failed.')
  status = 429
  await userEvent.type(field, '{Backspace}7{Enter}')
  await waitFor(async () => expect(await alert()).toBe('An unkown error has occured.Answer 429.'))
})

test('[SIGN-11] the code is not submitted until “Trust this device” can be ticked, and is sent with the reference and that choice', async () => {
  const bodies: unknown[] = []
  fakeServer({
    'GET /auth/options': () => options,
    'POST /auth/signin': ({ body }) => {
      bodies.push(body)
      return fault(401, 'verificationFailed', 'Verification failed.')
    },
  })
  renderApp('/signin/confirm?reference=r')
  await userEvent.click(await screen.findByLabelText('Verification code'))
  await userEvent.paste('123 456')
  // The code is complete, but the form is not submitted: the device can still be trusted.
  await userEvent.click(screen.getByRole('checkbox', { name: 'Trust this device' }))
  expect(bodies).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(bodies).toEqual([{ verificationReference: 'r', verificationCode: '123456', verificationTrustDevice: true }]),
  )
})

test('the verification page opened by its URL offers all methods', async () => {
  fakeServer({ 'GET /auth/options': () => options })
  renderApp('/signin/confirm?reference=r')
  await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
  expect(screen.getByLabelText('Recovery code')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Use the authenticator app' })).toBeTruthy()
})
