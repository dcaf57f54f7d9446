import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer, signedOut } from '@tributary/testing/addin/fake-server.ts'
import { openPane, plan, press, usual } from '@tributary/testing/addin/open-pane.tsx'
import { leave, renderPart } from '@tributary/testing/addin/render.tsx'
import { id, session, tables, use } from '@tributary/testing/addin/samples.ts'
import { openWorkbook } from '@tributary/testing/addin/workbook.ts'
import { Pane } from './pane.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  leave()
})

test('before signing in the pane shows what it would load, and a window of the same origin signs the user in', async () => {
  const workbook = openWorkbook(plan)
  fakeServer(usual)
  const user = renderPart(<Pane host="excel" />)
  await screen.findByText('‘Plan’ has 4 rows and 3 columns.')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  const [dialog] = workbook.dialogs
  expect(dialog?.address).toBe(`${location.origin}/addin/dialog.html`)

  dialog?.sendMessage(JSON.stringify(session({ email: 'thief@other.example' })), 'https://other.example')
  expect(screen.queryByText('Amara Okafor')).toBeNull()
  dialog?.sendMessage(JSON.stringify(session()))
  await screen.findByText('Amara Okafor')
  await screen.findByRole('heading', { name: 'What goes where' })
})

test('a sign-in window that is closed changes nothing', async () => {
  const workbook = openWorkbook(plan)
  fakeServer(usual)
  const user = renderPart(<Pane host="excel" />)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  workbook.dialogs[0]?.close()
  await expect.poll(() => screen.getByRole<HTMLButtonElement>('button', { name: 'Sign in' }).disabled).toBe(false)
})

test('after a session has ended, signing in again retries the same call', async () => {
  const pane = openPane({ 'GET /loads/tables': ({ token }) => (token === 'token-2' ? tables : signedOut()) })
  await press(pane, 'Sign in again')
  pane.workbook.dialogs[0]?.sendMessage(JSON.stringify(session({ accessToken: 'token-2' })))
  expect(await screen.findByRole('option', { name: 'Budget 2026' })).toBeTruthy()
})

test('if the browser sends the refresh cookie, an expired token is renewed once without a prompt', async () => {
  const pane = openPane({
    'POST /auth/refresh': () => session({ accessToken: 'token-2' }),
    'GET /loads/tables': ({ token }) => (token === 'token-2' ? tables : signedOut()),
    'GET /me/use': ({ token }) => (token === 'token-2' ? use : signedOut()),
  })
  expect(await screen.findByRole('option', { name: 'Budget 2026' })).toBeTruthy()
  expect(pane.named('POST /auth/refresh')).toHaveLength(1)
})

test('in a frame of another site, which gets no cookies, no renewal is attempted', async () => {
  vi.spyOn(window, 'top', 'get').mockReturnValue(null)
  const pane = openPane({ 'GET /loads/tables': signedOut })
  expect(await screen.findByRole('button', { name: 'Sign in again' })).toBeTruthy()
  expect(pane.named('POST /auth/refresh')).toHaveLength(0)
})

test('the refresh cookie of another user does not replace the session', async () => {
  openPane({
    'POST /auth/refresh': () => session({ accessToken: 'token-2', email: 'admin@demo.example' }),
    'GET /loads/tables': signedOut,
  })
  expect(await screen.findByRole('button', { name: 'Sign in again' })).toBeTruthy()
})

test('an empty sheet and a page outside of Excel are explained in a sentence', async () => {
  openPane({}, { rows: [] })
  expect(await screen.findByText(/The sheet ‘Plan’ is empty\./)).toBeTruthy()
  leave()
  renderPart(<Pane host="blocked" />)
  expect(screen.getByText(/appsforoffice\.microsoft\.com/)).toBeTruthy()
})

test('signing out ends the session on the server', async () => {
  const own = {
    Id: id(50),
    DeviceName: 'Excel',
    Address: null,
    StartedAtUtc: '',
    LastActiveAtUtc: '',
    IsThisSession: true,
  }
  const pane = openPane({ 'GET /me/sessions': () => [own], 'DELETE /me/sessions/:sessionId': () => undefined })
  await press(pane, 'Sign out')
  await screen.findByRole('button', { name: 'Sign in' })
  expect(pane.named('DELETE /me/sessions/:sessionId')[0]?.path).toBe(`/me/sessions/${id(50)}`)
})
