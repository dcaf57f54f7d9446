import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PaneHandlers, signedOut } from '@tributary/testing/addin/fake-server.ts'
import { leave, renderPart } from '@tributary/testing/addin/render.tsx'
import { session } from '@tributary/testing/addin/samples.ts'
import { openWorkbook } from '@tributary/testing/addin/workbook.ts'
import { SignIn } from './sign-in.tsx'

afterEach(leave)

function openDialog(handlers: PaneHandlers) {
  openWorkbook({ rows: [] })
  const sent: { message: unknown; options: unknown }[] = []
  const ui = Office.context.ui
  ui.messageParent = (message: string, options?: unknown) => void sent.push({ message: JSON.parse(message), options })
  const calls = fakeServer({ 'POST /auth/refresh': signedOut, ...handlers })
  const user = renderPart(<SignIn host="excel" />)
  return { sent, calls, user }
}

async function typePassword({ user }: ReturnType<typeof openDialog>) {
  await user.type(await screen.findByLabelText(/Email address/), 'user@demo.example')
  await user.type(screen.getByLabelText(/Password/), 'secret-1')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

const verified = { ...session(), statusCode: 200 as const }
const toThisOrigin = { targetOrigin: location.origin }

test('[ENG-5] the session is sent to the pane that opened the window, and to no other origin', async () => {
  const dialog = openDialog({ 'POST /auth/signin-b2s': () => verified })
  await typePassword(dialog)
  await screen.findByRole('heading', { name: 'You are signed in' })
  expect(dialog.sent).toEqual([{ message: verified, options: toThisOrigin }])
  expect(dialog.calls.at(-1)?.body).toEqual({ emailAddress: 'user@demo.example', password: 'secret-1' })
})

test('a required code is entered in the same window, and can be sent again', async () => {
  const verificationNeeded = {
    verificationRequired: true as const,
    verificationReference: 'reference-1',
    verificationMethods: ['email' as const],
    verificationSentTo: 'u•••@demo.example',
  }
  const dialog = openDialog({
    'POST /auth/signin-b2s': ({ body }) => ('password' in (body as object) ? verificationNeeded : verified),
    'POST /verify/resend': () => ({ verificationSentTo: 'u•••@demo.example' }),
  })
  await typePassword(dialog)
  await screen.findByText('We have sent a code to u•••@demo.example.')
  await dialog.user.click(screen.getByRole('button', { name: 'Send the code again' }))
  await dialog.user.type(screen.getByLabelText(/Verification code/), '123 456')
  await dialog.user.click(screen.getByLabelText('Trust this device for 30 days'))
  await dialog.user.click(screen.getByRole('button', { name: 'Verify' }))
  await screen.findByRole('heading', { name: 'You are signed in' })
  expect(dialog.calls.at(-1)?.body).toEqual({
    verificationReference: 'reference-1',
    verificationCode: '123 456',
    verificationTrustDevice: true,
  })
  expect(dialog.sent).toHaveLength(1)
})

test('a wrong password shows the message of the server', async () => {
  const dialog = openDialog({
    'POST /auth/signin-b2s': () => fault(401, 'wrongSecret', 'Please check your email address and password.'),
  })
  await typePassword(dialog)
  expect(await screen.findByText('Please check your email address and password.')).toBeTruthy()
  expect(dialog.sent).toEqual([])
})

test('a user of the portal continues with one click, or uses another account', async () => {
  const dialog = openDialog({ 'POST /auth/refresh': () => session() })
  await screen.findByRole('button', { name: 'Use another account' })
  await dialog.user.click(screen.getByRole('button', { name: 'Continue as Amara Okafor' }))
  expect(dialog.sent).toEqual([{ message: session(), options: toThisOrigin }])
})
