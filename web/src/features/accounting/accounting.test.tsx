import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { AccountingProduct } from '@tributary/contract/accounting'
import type { DatabaseCredentials } from '@tributary/contract/table-sync'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { postgres } from '@tributary/testing/web/manage-page.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunks of the pages are loaded before the tests, so that loading does not count as test time.
beforeAll(() => Promise.all([import('./synchronise-page.tsx'), import('./assign-users-page.tsx')]))
afterEach(leave)

const superadmin = { role: 'superadmin', roleLevel: 0 }
const mask = '••••••••'
const xero = {
  ...postgres,
  Id: '00000000-0000-4000-8000-000000000009',
  Type: 'xero',
  Title: 'Xero',
  Kind: 'accounting' as const,
}

function product(changes: Partial<AccountingProduct> = {}): AccountingProduct {
  return {
    Id: '00000000-0000-4000-8000-000000000801',
    CompanyName: 'Harbour Trading Ltd',
    LastIncrementalTriggerDate: null,
    NextTriggerAtUtc: null,
    Type: 'xero',
    Name: 'Harbour Trading Ltd',
    Status: 'CONNECTED',
    Log: null,
    TieOut: null,
    ...changes,
  }
}
const products = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'].map((CompanyName, index) =>
  product({ Id: `00000000-0000-4000-8000-00000000081${index}`, CompanyName, Name: CompanyName }),
)

const creds: DatabaseCredentials = {
  connector: 'postgres',
  host: 'db.example.com',
  database: 'books',
  schema: 'xero',
  user: 'writer',
  password: mask,
  encryption: 'verify',
  savedBy: null,
  savedAtUtc: null,
}
const stored = { tenantId: '00000000-0000-4000-8000-000000000901', tenantName: 'Harbour Trading Ltd', creds }

const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [postgres, xero],
  'GET /tributary/clients/:clientId/connector-types': () => [xero],
  'GET /tributary/clients/:clientId/connectors': () => [],
  'GET /me/xero2sqlproducts': () => [product()],
}
const synchronise = '/connectors/xero/v2/synchronise'
const tokens = '/connectors/xero/v2/tokens'

const row = (name: RegExp) => screen.findByRole('row', { name })

test("[SHELL-11] only superadmins see 'Refresh V2' and 'Configure V2', and only for accounting types", async () => {
  fakeServer(everywhere)
  signedInAs(superadmin)
  renderApp(synchronise)
  const links = await screen.findByRole('navigation', { name: 'Xero Connectors sections' })
  expect(within(links).getByRole('link', { name: 'Refresh V2' }).getAttribute('href')).toBe(synchronise)
  expect(within(links).getByRole('link', { name: 'Configure V2' }).getAttribute('href')).toBe(
    '/connectors/xero/v2/assign-users',
  )
  leave()

  for (const [role, path] of [
    [{}, synchronise],
    [superadmin, '/connectors/postgres/refresh'],
  ] as const) {
    signedInAs(role)
    renderApp(path)
    await screen.findByRole('link', { name: 'Manage' })
    expect(screen.queryByRole('link', { name: /V2/ })).toBeNull()
    leave()
  }
})

test('a type that is not an accounting program shows that it has no products', async () => {
  fakeServer(everywhere)
  signedInAs(superadmin)
  for (const page of ['synchronise', 'assign-users']) {
    renderApp(`/connectors/postgres/v2/${page}`)
    expect(await screen.findByText('PostgreSQL has no accounting products.')).toBeDefined()
    leave()
    signedInAs(superadmin)
  }
})

test('[ACC-3] the list shows that it is loading or empty, and links a superadmin to the tokens', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<AccountingProduct[]>()
  fakeServer({ ...everywhere, 'GET /me/xero2sqlproducts': () => promise })
  signedInAs(superadmin)
  renderApp(synchronise)
  expect(await screen.findByText('Loading products')).toBeDefined()
  answer([])
  expect(
    await screen.findByText(
      'No products registered. Please contact the provider in order to link your Xero2SQL Entities to your portal account.',
    ),
  ).toBeDefined()
  expect(screen.getByRole('link', { name: 'Xero2Sql - Tokens' }).getAttribute('href')).toBe(tokens)
  leave()

  signedInAs()
  renderApp(synchronise)
  await screen.findByRole('heading', { name: 'My Entities - Ready to Sync' })
  expect(screen.queryByRole('link', { name: 'Xero2Sql - Tokens' })).toBeNull()
})

test('[ACC-5] a started synchronisation shows the message of the server and refetches the product', async () => {
  const message = 'Your sync has started successfully.'
  const received = fakeServer({
    ...everywhere,
    'POST /xero2sqlproducts/:connectorId/incremental': () => ({
      statusCode: 200,
      message,
      RunId: '00000000-0000-4000-8000-000000000d01',
    }),
  })
  signedInAs()
  renderApp(synchronise)
  await userEvent.click(within(await row(/Harbour/)).getByRole('button', { name: 'Sync' }))
  expect((await screen.findByRole('alert')).textContent).toBe(message)
  await waitFor(() => expect(received.filter((name) => name === 'GET /me/xero2sqlproducts')).toHaveLength(2))
})

test('[ACC-4] within fifteen minutes the button counts down, and a click explains the wait without calling the server', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const recent = product({ LastIncrementalTriggerDate: ago(4.5), NextTriggerAtUtc: ago(-10.5) })
  const received = fakeServer({ ...everywhere, 'GET /me/xero2sqlproducts': () => [recent] })
  signedInAs()
  renderApp(synchronise)
  const button = within(await row(/Harbour/)).getByRole('button', { name: 'Sync' })
  expect(button.textContent).toMatch(/10:\d\d/)
  await userEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Please wait 15 minutes from last refresh. It has been 4 minutes since Harbour Trading Ltd was last refreshed.',
  )
  expect(received).not.toContain('POST /xero2sqlproducts/:connectorId/incremental')
})

test('[ACC-8] a synchronisation that did not start shows the message, from a reply as well as a failed call', async () => {
  const refusal =
    'Please wait 15 minutes from last refresh. It has been 0 minutes since Harbour Trading Ltd was last refreshed.'
  const answers = [
    () => ({
      statusCode: 409,
      message: 'This connector is already running.',
      RunId: '00000000-0000-4000-8000-000000000d01',
    }),
    () => fault(429, 'syncTooSoon', refusal),
  ]
  fakeServer({
    ...everywhere,
    'POST /xero2sqlproducts/:connectorId/incremental': () =>
      answers.shift()?.() ?? fault(500, 'broken', 'Asked too often.'),
  })
  signedInAs()
  renderApp(synchronise)
  const button = within(await row(/Harbour/)).getByRole('button', { name: 'Sync' })
  await userEvent.click(button)
  expect(within(await screen.findByRole('alert')).getByText('This connector is already running.')).toBeDefined()
  await userEvent.click(button)
  expect(await screen.findByText(refusal)).toBeDefined()
  expect(screen.queryByText('This connector is already running.')).toBeNull()
})

test('[ACC-2] Apply does nothing unless the passwords match; unchanged fields keep their values', async () => {
  const sent: unknown[] = []
  fakeServer({
    ...everywhere,
    'GET /xero2sqlproducts/:connectorId/database-credentials': () => stored,
    'POST /xero2sqlproducts/:connectorId/database-credentials': ({ body }) => {
      sent.push(body)
      return stored
    },
  })
  signedInAs()
  renderApp(synchronise)
  await userEvent.click(within(await row(/Harbour/)).getByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Update Credentials' }))
  for (const label of ['Host', 'Database', 'Schema', 'User', 'Password', 'Confirm Password'])
    expect(dialog.getByLabelText(label)).toBeDefined()
  const apply = dialog.getByRole('button', { name: 'Apply' })
  await userEvent.click(dialog.getByRole('button', { name: 'Replace Password' }))
  await userEvent.type(dialog.getByLabelText('Password'), 'harbour-7')
  await userEvent.type(dialog.getByLabelText('Confirm Password'), 'harbour-8')
  await userEvent.tab()
  expect(await dialog.findByText('Does not match Password')).toBeDefined()
  expect(apply.hasAttribute('disabled')).toBe(true)
  await userEvent.keyboard('{Enter}')
  expect(sent).toEqual([])

  await userEvent.clear(dialog.getByLabelText('Confirm Password'))
  await userEvent.type(dialog.getByLabelText('Confirm Password'), 'harbour-7')
  await userEvent.click(apply)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { savedBy: _, savedAtUtc: __, ...asked } = creds
  expect(sent).toEqual([
    { tenantId: stored.tenantId, tenantName: stored.tenantName, creds: { ...asked, password: 'harbour-7' } },
  ])
})

test('[ASG-4] the page has the breadcrumb, at most four company names and then three dots, and two panes with Assign', async () => {
  const sent: unknown[] = []
  const ana = {
    Id: '00000000-0000-4000-8000-000000000e01',
    FirstName: 'Ana',
    LastName: 'Berg',
    EmailAddress: 'ana@harbour.example',
    Status: { Name: 'active' },
  }
  fakeServer({
    ...everywhere,
    'GET /me/xero2sqlproducts': () => products,
    'GET /users/xero2sqlproduct': () => [
      { ...ana, Xero2SqlProducts: products.map(({ Id, CompanyName }) => ({ Id, CompanyName })) },
      {
        ...ana,
        Id: '00000000-0000-4000-8000-000000000e02',
        FirstName: 'Bo',
        Status: { Name: 'locked' },
        Xero2SqlProducts: [],
      },
    ],
    'PUT /users/:userId/xero2sqlproducts': ({ body }) => {
      sent.push(body)
      return { Ids: [] }
    },
  })
  signedInAs()
  renderApp('/connectors/xero/v2/assign-users')
  expect((await screen.findByRole('navigation', { name: 'Breadcrumb' })).textContent).toBe('Assign Users V2')
  const assigned = await row(/Ana Berg/)
  expect(assigned.textContent).toContain('Alpha, Beta, Delta, Epsilon...')
  await userEvent.click(within(assigned).getByRole('button', { name: 'and 1 more' }))
  expect(assigned.textContent).toContain('Epsilon, Gamma')

  await userEvent.click(screen.getByRole('button', { name: 'Create new assignment' }))
  // Users who cannot sign in are labelled wherever users are selected.
  await userEvent.click(await screen.findByRole('radio', { name: 'Bo Berg Locked · ana@harbour.example' }))
  expect(screen.getByRole('radio', { name: 'Ana Berg ana@harbour.example' })).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Gamma' }))
  await userEvent.click(screen.getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(sent).toEqual([{ ids: [products[2]?.Id], before: { ids: [] } }]))
})
