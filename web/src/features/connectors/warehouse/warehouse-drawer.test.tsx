import { screen, waitFor, within } from '@testing-library/react'
import type { ReportConnection } from '@tributary/contract/reports'
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
  Region: 'Dublin',
  Schemas: [],
}

const address: Omit<ReportConnection, 'User'> = {
  Host: 'localhost',
  Port: 5432,
  Database: 'w_1',
  SslMode: 'prefer',
  FeedUrl: 'https://portal.example/odata/1/',
  Ranges: [],
}
const checks = ['Tables', 'Access token', 'Database login', 'Address'].map((Name) => ({
  Name,
  Outcome: Name === 'Database login' ? ('failed' as const) : ('passed' as const),
  Notice: `About ${Name}`,
  Remedy: null,
}))
const tables = [{ Schema: 'shop', Name: 'invoices', Purpose: 'table' as const, Description: null }]

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
    'GET /tributary/clients/:clientId/reports/connection': () => ({ ...address, User: null }),
    'POST /tributary/clients/:clientId/reports/test': () => checks,
    'GET /tributary/clients/:clientId/reports/tables': () => tables,
  })
  renderApp('/connectors/postgres/refresh')
  await press('Connect your reports')
  const dialog = await screen.findByRole('dialog', { name: 'Connect your reports' })
  await within(dialog).findAllByText('w_1_reader')
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

test('[SEE-10] every tool has its file, line or steps with the shared login, and a test of the connection', async () => {
  const { dialog } = await openDrawer()
  expect(
    await within(dialog).findByText('psql "host=localhost port=5432 dbname=w_1 user=w_1_reader sslmode=prefer"'),
  ).toBeDefined()
  const names = within(dialog)
    .getAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent)
  for (const tool of [
    'Excel workbook',
    'Power BI project',
    'Power BI file',
    'psql',
    'ODBC',
    'JDBC',
    'Python (SQLAlchemy)',
    'DBeaver',
    'Metabase',
    'Tableau',
  ])
    expect(names).toContain(tool)
  await press('Test psql', dialog)
  expect(await within(dialog).findByText('The connection works.')).toBeDefined()
  expect(within(dialog).getByText('About Address')).toBeDefined()
  expect(within(dialog).queryByText('About Database login')).toBeNull()
  expect(within(dialog).queryByText('About Access token')).toBeNull()
})

test('[SEE-10] the address of the feed is there to copy, and its test is about the access token', async () => {
  const { dialog } = await openDrawer()
  expect(await within(dialog).findByText('https://portal.example/odata/1/')).toBeDefined()
  await press('Test OData feed', dialog)
  expect(await within(dialog).findByText('About Access token')).toBeDefined()
  expect(within(dialog).queryByText('About Address')).toBeNull()
})

test('[SEE-10] a workbook is made of the tables that are ticked', async () => {
  const { dialog } = await openDrawer()
  await within(dialog).findByRole('button', { name: 'Choose tables' })
  await press('Choose tables', dialog)
  const chooser = await screen.findByRole('dialog', { name: 'Excel workbook' })
  expect(await within(chooser).findByText('invoices')).toBeDefined()
  expect(within(chooser).getByRole<HTMLButtonElement>('button', { name: 'Download workbook' }).disabled).toBe(true)
  expect(within(chooser).getByRole<HTMLInputElement>('radio', { name: /the OData feed/u }).checked).toBe(true)
})
