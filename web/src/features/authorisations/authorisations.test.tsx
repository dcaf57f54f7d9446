import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Authorisation, OauthApp, OfferedTenant } from '@tributary/contract/authorisations'
import type { Connector } from '@tributary/contract/connectors'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'

afterEach(leave)

const apps = 'GET /tributary/clients/:clientId/oauth-apps'
const redirect = 'https://tributary.example/api/authorise/xero/callback'
const ownApp: OauthApp = {
  Id: '00000000-0000-4000-8000-000000000701',
  Type: 'xero',
  Kind: 'app',
  ClientId: 'ours-1',
  CreatedAtUtc: '2026-11-01T08:00:00Z',
  Connectors: 0,
}
const tenant = (number: number, Name: string, changes: Partial<OfferedTenant> = {}): OfferedTenant => ({
  TenantId: `00000000-0000-4000-8000-00000000080${number}`,
  Name,
  Country: 'NZ',
  Currency: 'NZD',
  Taken: null,
  IsFormer: false,
  ...changes,
})
const trip: Authorisation = {
  Id: '00000000-0000-4000-8000-000000000601',
  Type: 'xero',
  Reconnects: null,
  Tenants: [
    tenant(1, 'Harbour Trading Ltd'),
    tenant(2, 'Harbour Boats Ltd', { Country: 'GB', Currency: 'GBP' }),
    tenant(3, 'Summit Foods Ltd', { Taken: 'elsewhere' }),
  ],
}

function openManage(query: string, more: PortalHandlers = {}, connectors: readonly Connector[] = [books]) {
  const received = fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [...connectors],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => authorisation(),
    [apps]: () => ({ Provider: ['xero'], CustomConnections: ['xero'], Own: [], RedirectAddresses: { xero: redirect } }),
    'GET /tributary/clients/:clientId/authorisations/:authorisationId': () => trip,
    ...more,
  })
  return { received, ...renderApp(`/connectors/xero/manage${query}`) }
}
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))
const hrefOf = (link: HTMLElement) => link.getAttribute('href')

test('[ACC-7] the methods start with the provider’s app, for this organisation', async () => {
  signedInAs()
  openManage('')
  await userEvent.click(await screen.findByRole('button', { name: 'Add connector' }))
  const dialog = await dialogOf('Add Xero')
  expect(dialog.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
    expect.stringContaining('Sign in at Xero'),
    expect.stringContaining('Sign in with an app of your own'),
    expect.stringContaining('A custom connection'),
  ])
  expect(hrefOf(dialog.getByRole('link', { name: 'Continue to Xero' }))).toBe(`/api/authorise/xero?state=${harbour.Id}`)
})

test('[ACC-7] a source without custom connections offers none', async () => {
  signedInAs()
  openManage('?new=true', {
    [apps]: () => ({ Provider: ['xero'], CustomConnections: [], Own: [], RedirectAddresses: { xero: redirect } }),
  })
  const dialog = await dialogOf('Add Xero')
  expect(dialog.getAllByRole('radio')).toHaveLength(2)
  expect(dialog.queryByRole('radio', { name: /^A custom connection/ })).toBeNull()
})

test('[ACC-7] without an app of the provider the own app is first, with its redirect address', async () => {
  signedInAs()
  openManage('?new=true', {
    [apps]: () => ({ Provider: [], CustomConnections: ['xero'], Own: [], RedirectAddresses: { xero: redirect } }),
  })
  const dialog = await dialogOf('Add Xero')
  expect(dialog.queryByRole('radio', { name: /^Sign in at Xero/ })).toBeNull()
  expect(dialog.getByText(redirect)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Save and continue to Xero' }))
  expect(dialog.getAllByText('required')).toHaveLength(2)
})

test('a known own app signs in directly, and can be deleted only while no connector uses it', async () => {
  signedInAs()
  const own = [
    ownApp,
    { ...ownApp, Id: ownApp.Id.replace('701', '702'), Kind: 'machine' as const, ClientId: 'ours-2', Connectors: 1 },
  ]
  const { received } = openManage('?new=true', {
    [apps]: () => ({
      Provider: ['xero'],
      CustomConnections: ['xero'],
      Own: own,
      RedirectAddresses: { xero: redirect },
    }),
    'DELETE /tributary/clients/:clientId/oauth-apps/:appId': () => void own.shift(),
  })
  const dialog = await dialogOf('Add Xero')
  await userEvent.click(dialog.getByRole('radio', { name: /^Sign in with an app of your own/ }))
  expect(hrefOf(dialog.getByRole('link', { name: 'Continue to Xero' }))).toBe(
    `/api/authorise/xero?state=${harbour.Id}&app=own`,
  )
  expect(dialog.getByRole('button', { name: 'Delete ours-2' }).hasAttribute('disabled')).toBe(true)
  await userEvent.click(dialog.getByRole('button', { name: 'Delete ours-1' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(dialog.queryByText('ours-1')).toBeNull())
  expect(received).toContain('DELETE /tributary/clients/:clientId/oauth-apps/:appId')
})

test('[ACC-7] a custom connection creates its connector and opens its first run; a refusal of the source is shown', async () => {
  signedInAs()
  const sent: unknown[] = []
  const firstRun = log({ ManuallyTriggeredAtUtc: '2026-11-20T07:00:00Z' })
  const added = connector({ ...books, Id: books.Id.replace('201', '209'), Name: 'Harbour Boats', Log: firstRun })
  const { address } = openManage(
    '?new=true',
    {
      'POST /tributary/clients/:clientId/oauth-apps': ({ body }) => {
        sent.push(body)
        if (sent.length === 1) return fault(422, 'sourceRefused', 'Xero does not know this client id with this secret.')
        return { App: { ...ownApp, Kind: 'machine' }, ConnectorIds: [added.Id] }
      },
    },
    [books, added],
  )
  const dialog = await dialogOf('Add Xero')
  await userEvent.click(dialog.getByRole('radio', { name: /^A custom connection/ }))
  await userEvent.type(dialog.getByLabelText(/^Client id/), 'machine-1')
  await userEvent.type(dialog.getByLabelText(/^Client secret/), 'secret-1')
  await userEvent.click(dialog.getByRole('button', { name: 'Connect' }))
  expect((await dialog.findByRole('alert')).textContent).toContain(
    'Xero does not know this client id with this secret.',
  )
  await userEvent.click(dialog.getByRole('button', { name: 'Connect' }))
  await screen.findByText('Harbour Boats is connected. Its first run starts automatically.')
  expect(sent[1]).toEqual({ type: 'xero', kind: 'machine', clientId: 'machine-1', clientSecret: 'secret-1' })
  await waitFor(() => expect(address()).toBe(`/connectors/xero/refresh?connector=${added.Id}&run=${firstRun.RunId}`))
})

test('[ACC-7] the available companies are preselected; a taken one says so and is disabled', async () => {
  signedInAs()
  const sent: unknown[] = []
  const { address } = openManage(`?authorisation=${trip.Id}`, {
    'POST /tributary/clients/:clientId/authorisations/:authorisationId': ({ body }) => {
      sent.push(body)
      return { ConnectorIds: [books.Id] }
    },
  })
  const dialog = await dialogOf('Which companies?')
  expect(
    dialog.getAllByRole<HTMLInputElement>('checkbox').map((box) => [box.checked, box.hasAttribute('disabled')]),
  ).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ])
  expect(dialog.getByText('United Kingdom, GBP')).toBeDefined()
  expect(dialog.getByText('New Zealand, NZD · connected by another organisation')).toBeDefined()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Harbour Boats Ltd' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Connect 1 company' }))
  await waitFor(() => expect(sent).toEqual([{ tenantIds: [trip.Tenants[0]?.TenantId] }]))
  await waitFor(() => expect(address()).toContain(`/connectors/xero/refresh?connector=${books.Id}`))
})

test('an expired choice, or another user’s, says how to start again', async () => {
  signedInAs()
  openManage(`?authorisation=${trip.Id}`, {
    'GET /tributary/clients/:clientId/authorisations/:authorisationId': () =>
      fault(404, 'notFound', 'There is nothing here.'),
  })
  expect(await screen.findByText('There is nothing left to choose here.')).toBeDefined()
})

test('reconnecting continues with the same company; another one requires confirmation, with the server’s message', async () => {
  signedInAs()
  const words = 'This connector moved Harbour Trading Ltd so far, and Harbour Boats Ltd is another company.'
  const sent: unknown[] = []
  openManage(`?authorisation=${trip.Id}`, {
    'GET /tributary/clients/:clientId/authorisations/:authorisationId': () => ({
      ...trip,
      Reconnects: { ConnectorId: books.Id, Name: 'Harbour books', TenantName: 'Harbour Trading Ltd', IsShared: false },
      Tenants: [tenant(2, 'Harbour Boats Ltd'), tenant(1, 'Harbour Trading Ltd', { IsFormer: true, Taken: 'here' })],
    }),
    'POST /tributary/clients/:clientId/authorisations/:authorisationId': ({ body }) => {
      sent.push(body)
      return sent.length === 1 ? fault(409, 'otherTenant', words) : { ConnectorIds: [books.Id] }
    },
  })
  const dialog = await dialogOf('Reconnect Harbour books')
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /^Harbour Trading Ltd/ }).checked).toBe(true)
  await userEvent.click(dialog.getByRole('radio', { name: /^Harbour Boats Ltd/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Reconnect' }))
  expect((await dialog.findByRole('alert')).textContent).toContain(words)
  await userEvent.click(dialog.getByRole('button', { name: 'Continue with Harbour Boats Ltd' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map((body) => (body as { confirmOther: boolean }).confirmOther)).toEqual([false, true])
})

test('a disconnected connector is reconnected at the source with its id', async () => {
  signedInAs()
  openManage('', {}, [{ ...books, Status: 'DISCONNECTED' }])
  await userEvent.click(await screen.findByRole('button', { name: 'Reconnect' }))
  const dialog = await dialogOf('Reconnect Harbour books')
  expect(hrefOf(dialog.getByRole('link', { name: 'Continue to Xero' }))).toBe(
    `/api/authorise/xero?state=${harbour.Id}&connector=${books.Id}`,
  )
})

test('[ROLE-1] a user who may not add connectors is offered no method', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  const { received } = openManage(`?authorisation=${trip.Id}&add=`)
  await screen.findByRole('article', { name: 'Harbour books' })
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(received).not.toContain('GET /tributary/clients/:clientId/authorisations/:authorisationId')
})

test('[SRC-12] of several companies a person chooses between tables of their own and one set of tables', async () => {
  signedInAs()
  const sent: unknown[] = []
  openManage(`?authorisation=${trip.Id}`, {
    'GET /tributary/clients/:clientId/authorisations/:authorisationId': () => ({
      ...trip,
      Tenants: [tenant(1, 'Harbour Trading Ltd'), tenant(2, 'Harbour Boats Ltd')],
    }),
    'POST /tributary/clients/:clientId/authorisations/:authorisationId': ({ body }) => {
      sent.push(body)
      return { ConnectorIds: [books.Id] }
    },
  })
  await userEvent.click(await screen.findByRole('radio', { name: /All in one set of tables/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Connect 2 companies' }))
  expect(sent).toMatchObject([{ tables: 'shared' }])
})
