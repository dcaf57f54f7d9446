import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { SignInOptions } from '@tributary/contract/sign-in'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const options: SignInOptions = {
  allowSignUp: true,
  providers: [],
  captcha: { provider: 'altcha', siteKey: null },
  passwordMin: 6,
  isMaintained: false,
}
const what = 'is among the most common ones; choose another'

async function fillIn(password: string) {
  const received = fakeServer({
    'GET /auth/options': () => options,
    'GET /registration/verify': () => ({ data: true }),
    // The first call of the submission.
    'GET /registration/captcha': () =>
      fault(400, 'badInput', `Some of what was sent is not right: account.password: ${what}`, {
        'account.password': what,
      }),
  })
  renderApp('/signup')
  await userEvent.type(await screen.findByLabelText('First name'), 'Mere')
  await userEvent.type(screen.getByLabelText('Last name'), 'Kingi')
  await userEvent.type(screen.getByLabelText('Email'), 'mere@people.example')
  await userEvent.type(screen.getByLabelText('Organisation name'), 'Mere Ltd')
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.type(screen.getByLabelText('Confirm password'), password)
  await screen.findByText('Not commonly used')
  return { wasSent: () => received.includes('GET /registration/captcha') }
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Sign up' }))

test.each(['Summer2026!', 'qwerty123', 'P@ssw0rd'])(
  '[REG-2] the common password %s is refused before anything is sent',
  async (password) => {
    const { wasSent } = await fillIn(password)
    await send()
    expect(await screen.findByText(what)).toBeDefined()
    expect(wasSent()).toBe(false)
    expect(screen.getByText('Weak')).toBeDefined()
  },
)

test('a refusal is shown in the banner without field paths, and at its field', async () => {
  const { wasSent } = await fillIn('quiet-river-77-stones')
  await waitFor(() => expect(screen.getByText('Not commonly used').textContent).toContain('yes'))
  await send()
  const banner = await screen.findByRole('alert')
  expect(banner.textContent).toContain('Password is among the most common ones; choose another.')
  expect(banner.textContent).not.toContain('account.')
  expect(screen.getByText(what)).toBeDefined()
  expect(wasSent()).toBe(true)
})
