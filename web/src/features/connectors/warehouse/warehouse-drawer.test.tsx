import { screen, waitFor, within } from '@testing-library/react'
import type { Warehouse } from '@tributary/contract/warehouse'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { postgres, press, webShop } from '@tributary/testing/web/manage-page.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const connection: Warehouse = {
  Host: 'localhost',
  Port: 5432,
  Database: 'w_1',
  User: 'w_1_reader',
  Password: null,
  PasswordSetAtUtc: ago(60 * 24 * 3),
  LastSeen: { AtUtc: ago(7), Address: '192.0.2.7', Program: 'Mashup Engine (PowerBIDesktop)' },
  Schemas: [],
}

async function openDrawer(changes: Partial<Warehouse> = {}) {
  signedInAs()
  const made = { ...connection, ...changes, Password: 'shown-only-once', PasswordSetAtUtc: ago(0) }
  const received = fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connectors': () => [webShop],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/warehouse': () => ({ ...connection, ...changes }),
    'POST /tributary/clients/:clientId/warehouse/password': () => made,
  })
  renderApp('/connectors/postgres/refresh')
  await press('Connect your reports')
  const dialog = await screen.findByRole('dialog', { name: 'Connect your reports' })
  await within(dialog).findByText('w_1_reader')
  return { dialog, wasRenewed: () => received.includes('POST /tributary/clients/:clientId/warehouse/password') }
}

const stops = /^Every report and program that uses the current password stops/

test('a new password requires confirmation, which shows when, from where and by which program the login was last used', async () => {
  const { dialog, wasRenewed } = await openDrawer()
  expect(dialog.textContent).toContain('Last seen 7 minutes ago, from 192.0.2.7, by Mashup Engine (PowerBIDesktop).')
  await press('New password', dialog)
  expect(within(dialog).getByText(stops)).toBeDefined()
  expect(wasRenewed()).toBe(false)
  await press('Keep the current one', dialog)
  expect(within(dialog).queryByText(stops)).toBeNull()
  await press('New password', dialog)
  await press('Create a new password', dialog)
  expect(await within(dialog).findByText('shown-only-once')).toBeDefined()
  expect(within(dialog).queryByText(stops)).toBeNull()
})

test('the first password revokes none and is created without confirmation', async () => {
  const { dialog, wasRenewed } = await openDrawer({ PasswordSetAtUtc: null, LastSeen: null })
  await press('New password', dialog)
  await waitFor(() => expect(wasRenewed()).toBe(true))
  expect(await within(dialog).findByText('shown-only-once')).toBeDefined()
})

test('an unused login says so, and unknown details of a program are left out', async () => {
  const { dialog } = await openDrawer({ LastSeen: null })
  expect(dialog.textContent).toContain('This login has not been used yet.')
  leave()
  const other = await openDrawer({ LastSeen: { AtUtc: ago(7), Address: null, Program: null } })
  expect(other.dialog.textContent).toContain('Last seen 7 minutes ago.')
})
