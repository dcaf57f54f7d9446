import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { defaultPreferences, harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { routes } from '../routes.ts'

afterEach(leave)

const server: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /roles': () => [],
  'GET /users': () => [],
  'GET /invitations': () => [],
  'GET /areas': () => [],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /tributary/clients/:clientId/connectors': () => [],
}

async function open(path: string, user: Parameters<typeof signedInAs>[0] = admin) {
  fakeServer(server)
  signedInAs(user)
  const app = renderApp(path)
  await screen.findByRole('button', { name: 'Go to…' })
  return app
}
const admin = { role: 'admin', roleLevel: 2 }
const noSingleKeys = { ...defaultPreferences, KeyboardShortcuts: false }

test('[UX-SHELL-10] g and a letter open the page of that letter, unless the role may not open it', async () => {
  const { address } = await open('/home')
  await userEvent.keyboard('ga')
  await waitFor(() => expect(address()).toBe('/excel/areas'))
  leave()
  const guest = await open('/home', { role: 'guest', roleLevel: 4 })
  await userEvent.keyboard('ga')
  await userEvent.keyboard('gp')
  await waitFor(() => expect(guest.address()).toBe('/profile'))
})

test('[UX-SHELL-10] the letter of a page alone does nothing, and neither does another letter after g', async () => {
  const { address } = await open('/home')
  await userEvent.keyboard('a')
  await userEvent.keyboard('gzu')
  expect(address()).toBe('/home')
})

test('[UX-SHELL-10] / goes to the search of the page, on a page without one to the palette', async () => {
  const { goTo } = await open('/excel/areas')
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search areas' }))
  await goTo('/home')
  await screen.findByRole('heading', { level: 1, name: 'Home' })
  await userEvent.keyboard('/')
  expect(await screen.findByRole('combobox', { name: /^Find/ })).toBeTruthy()
})

test('[UX-SHELL-10] no single key works while one types, with Ctrl or Alt, or while a dialog is open', async () => {
  const { address } = await open('/excel/areas')
  const search = screen.getByRole('searchbox', { name: 'Search areas' })
  await userEvent.type(search, '?ga/')
  expect(search).toHaveProperty('value', '?ga/')
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.keyDown(document.body, { key: '?', ctrlKey: true })
  fireEvent.keyDown(document.body, { key: '?', altKey: true })
  expect(screen.queryByRole('dialog')).toBeNull()
  search.blur()
  await userEvent.keyboard('?')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await userEvent.keyboard('gh')
  expect(address()).toContain('/excel/areas')
})

test('[UX-SHELL-10] the preference switches single keys off, and Ctrl K stays', async () => {
  const { address } = await open('/excel/areas', { ...admin, preferences: noSingleKeys })
  await userEvent.keyboard('?/gh')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(document.body)
  expect(address()).toBe('/excel/areas')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.keyboard('keyboard shortcuts')
  await userEvent.click(await screen.findByRole('option', { name: /Keyboard shortcuts/u }))
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(dialog.textContent).toContain('Single keys are switched off in your profile.')
})

test('[UX-SHELL-10] ? lists the keys of the pages that the role may open', async () => {
  await open('/home')
  await userEvent.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(dialog.textContent).toContain('Usersgu')
  expect(dialog.textContent).not.toContain('Global Configuration')
})

test('[UX-SHELL-10] each page has a letter of its own', () => {
  const keys = routes.flatMap(({ key }) => (key === undefined ? [] : [key]))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.every((key) => /^[a-z]$/u.test(key))).toBe(true)
})
