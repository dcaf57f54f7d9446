import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { endSession } from '../api/session/session.ts'
import { overview } from '@tributary/testing/web/overview-samples.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, session, signedInAs, summit, verified } from '@tributary/testing/web/render-app.tsx'
import { pickOrganisation } from './shell/use-chosen-workspace.ts'

afterEach(leave)

const portal: PortalHandlers = {
  'GET /organisations': () => [harbour, summit],
  'GET /roles': () => [],
  'GET /users': () => [],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /tributary/clients/:clientId/overview': () => overview(),
}

test('[GATE-3] a visitor is redirected to the root, with the address to return to', async () => {
  fakeServer({})
  const { address } = renderApp('/connectors/cin7/refresh?search=abc')
  await screen.findByRole('button', { name: 'Sign in' })
  expect(address()).toBe('/?returnUrl=%2Fconnectors%2Fcin7%2Frefresh%3Fsearch%3Dabc')
})

test('[SIGN-7] sign-in leads to the page that the visitor requested', async () => {
  fakeServer({ ...portal, 'POST /auth/signin': () => verified() })
  const { address } = renderApp('/?returnUrl=%2Fprofile')
  await userEvent.type(await screen.findByLabelText('Username'), 'admin@demo.example')
  await userEvent.type(screen.getByLabelText('Password'), 'tributary-demo-1{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  expect(address()).toBe('/profile')
})

test('[SIGN-8] a wrong password shows the message of the specification', async () => {
  fakeServer({ 'POST /auth/signin': () => fault(401, 'wrongSecret', 'other words') })
  renderApp('/signin')
  await userEvent.type(await screen.findByLabelText('Username'), 'admin@demo.example')
  await userEvent.type(screen.getByLabelText('Password'), 'wrong{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('Please check your email address and password.')
})

test('[GATE-8] a page that the role may not open is refused, and the user stays signed in', async () => {
  fakeServer(portal)
  signedInAs({ role: 'user', roleLevel: 3 })
  renderApp('/admin/security/users')
  expect(await screen.findByText('You do not have permission to see this.')).toBeTruthy()
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeTruthy()
})

test('[GATE-6] an unknown path shows an error with a link home', async () => {
  fakeServer(portal)
  signedInAs()
  renderApp('/nowhere')
  expect(await screen.findByRole('heading', { name: 'Unexpected Application Error!' })).toBeTruthy()
  expect(screen.getByText(/^There is no page at this address\./)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/home')
})

test('[SHELL-13] the page disappears as soon as the session ends', async () => {
  fakeServer(portal)
  signedInAs()
  renderApp('/profile')
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  act(endSession)
  await screen.findByRole('button', { name: 'Sign in' })
  expect(screen.queryByText('admin@demo.example')).toBeNull()
})

test('[SHELL-6] a session for another organisation is re-issued before anything is shown', async () => {
  const renewals: unknown[] = []
  const received = fakeServer({
    ...portal,
    'POST /auth/refresh': ({ body }) => {
      renewals.push(body)
      return session({ organisationId: summit.Id, role: 'guest', roleLevel: 4 })
    },
  })
  signedInAs()
  renderApp(`/home?organisation=${summit.Id.toUpperCase()}`)
  await waitFor(() => expect(document.title).toBe('Home - Summit Foods - Tributary'))
  expect(renewals).toEqual([{ organisationId: summit.Id }])
  expect(received.indexOf('POST /auth/refresh')).toBeLessThan(
    received.indexOf('GET /tributary/clients/:clientId/overview'),
  )
  expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull()
})

test('[SHELL-6] a tab keeps its organisation when another tab has the session re-issued for a different one', async () => {
  const received = fakeServer({ ...portal, 'POST /auth/refresh': () => session() })
  signedInAs()
  renderApp('/home')
  await waitFor(() => expect(document.title).toBe('Home - Harbour Trading - Tributary'))
  const heading = screen.getByRole('heading', { level: 1, name: 'Home' })
  localStorage.setItem(
    'user',
    JSON.stringify({ ...session({ organisationId: summit.Id, role: 'guest', roleLevel: 4 }) }),
  )
  await act(async () => void window.dispatchEvent(new StorageEvent('storage', { key: 'user' })))
  // The same element, so its input is kept; and the role is that of the tab's organisation.
  expect(screen.getByRole('heading', { level: 1, name: 'Home' })).toBe(heading)
  expect(screen.getByRole('link', { name: 'Admin' })).toBeTruthy()
  expect(document.title).toBe('Home - Harbour Trading - Tributary')
  expect(received).not.toContain('POST /auth/refresh')
})

test('[SHELL-6] choosing another organisation closes the open load and lists that organisation’s loads', async () => {
  const loadId = '00000000-0000-4000-8000-000000000a01'
  const queries: string[] = []
  fakeServer({
    ...portal,
    'POST /auth/refresh': () => session({ organisationId: summit.Id }),
    'GET /loads/tables': () => [],
    'GET /loads': () => Response.json([], { headers: { 'x-total-count': '0' } }),
    'GET /loads/:loadId': ({ url }) => {
      queries.push(url.search)
      return fault(404, 'notFound', 'There is no such load here.')
    },
  })
  signedInAs()
  const { address } = renderApp(`/excel/loads/${loadId}`)
  await screen.findByText('There is no such load here.')
  expect(queries[0]).toBe(`?orgId=${harbour.Id}`)
  await userEvent.click(screen.getByRole('combobox', { name: 'Organisation' }))
  await userEvent.click(await screen.findByRole('option', { name: summit.CompanyName }))
  await waitFor(() => expect(document.title).toContain(summit.CompanyName))
  expect(address()).toBe('/excel/loads')
})

test('[SHELL-5] the address selects the organisation, ignoring case; else the stored choice, else the first one', () => {
  const both = [harbour, summit]
  expect(pickOrganisation(both, summit.Id.toUpperCase(), harbour.Id)).toBe(summit)
  expect(pickOrganisation(both, 'unknown', summit.Id)).toBe(summit)
  expect(pickOrganisation(both, null, undefined)).toBe(harbour)
  expect(pickOrganisation([], null, summit.Id)).toBeUndefined()
})

test('a user with a password set by an administrator must choose a new one before any other page opens', async () => {
  let isChosen = false
  const received = fakeServer({
    ...portal,
    'POST /auth/signin': () => verified({ mustChangePassword: true }),
    'POST /me/password': ({ body }) => {
      expect(body).toEqual({ currentPassword: 'typed-by-an-admin-7', password: 'chosen-by-myself-8' })
      isChosen = true
      return undefined
    },
    'POST /auth/refresh': () => session({ accessToken: 'token-2', mustChangePassword: !isChosen }),
  })
  const { address } = renderApp('/?returnUrl=%2Fprofile')
  await userEvent.type(await screen.findByLabelText('Username'), 'new@demo.example')
  await userEvent.type(screen.getByLabelText('Password'), 'typed-by-an-admin-7{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Choose your own password' })
  expect(address()).toBe('/signin/password?returnUrl=%2Fprofile')
  expect(received).not.toContain('GET /organisations')
  await userEvent.type(screen.getByLabelText(/The password you were given/), 'typed-by-an-admin-7')
  await userEvent.type(screen.getByLabelText(/^Password/), 'chosen-by-myself-8')
  await userEvent.type(screen.getByLabelText(/Confirm password/), 'chosen-by-myself-8')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
})
