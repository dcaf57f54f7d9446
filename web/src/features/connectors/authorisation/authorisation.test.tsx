import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorAuthorisation, SharedCompany } from '@tributary/contract/authorisations'
import type { Connector } from '@tributary/contract/connectors'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'
import { authorisationProblem } from './authorisation-status.ts'

afterEach(leave)

const day = 86_400_000
const sharedCompany = (Name: string, Status: SharedCompany['Status']): SharedCompany => ({
  TenantId: Name,
  Name,
  Country: null,
  Currency: null,
  Status,
})
const inDays = (days: number) => new Date(Date.now() + days * day + 60_000).toISOString()

function open(path: string, stored: ConnectorAuthorisation, changes: Partial<Connector> = {}) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [{ ...books, ...changes }],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => stored,
    'GET /tributary/clients/:clientId/connectors/:connectorId/alerts': () => ({ Users: null, Webhook: null }),
  })
  return renderApp(path)
}
const card = async () => within(await screen.findByRole('article', { name: 'Harbour books' }))
const hrefOf = (link: HTMLElement) => link.getAttribute('href')

test('a card shows the company, the authorising user and the app', async () => {
  signedInAs()
  open('/connectors/xero/manage', authorisation())
  const part = await card()
  expect(await part.findByText('Harbour Trading Ltd · New Zealand, NZD')).toBeDefined()
  expect(part.getByText('anna@demo.example, by Tributary’s app')).toBeDefined()
  expect(part.queryByRole('link', { name: 'Reconnect' })).toBeNull()
})

test('an authorisation shows days before its expiry that it is about to end, with a link to renew it', async () => {
  signedInAs()
  open('/connectors/xero/manage', authorisation({ DiesAtUtc: inDays(9) }))
  const part = await card()
  expect(await part.findByText('Expires in 9 days.')).toBeDefined()
  expect(hrefOf(part.getByRole('link', { name: 'Reconnect' }))).toBe(`/connectors/xero/manage?reconnect=${books.Id}`)
})

test.each([
  [authorisation({ Status: 'DEAD' }), 'error', 'The authorisation has ended.'],
  [
    authorisation({ Companies: [sharedCompany('North', 'ACTIVE'), sharedCompany('South', 'DEAD')] }),
    'error',
    'The sign-in has ended for South.',
  ],
  [authorisation({ Status: 'NONE', DiesAtUtc: null }), 'error', 'No user has authorised this connector.'],
  [authorisation({ DiesAtUtc: '2026-11-19T00:00:00Z' }), 'error', 'The authorisation has expired.'],
  [authorisation({ DiesAtUtc: '2026-11-20T09:00:00Z' }), 'warn', 'Expires within a day.'],
  [authorisation({ DiesAtUtc: '2026-11-21T09:00:00Z' }), 'warn', 'Expires in 1 day.'],
] as const)('describes the end of an authorisation: %#', (stored, tone, text) => {
  expect(authorisationProblem(stored, Date.parse('2026-11-20T08:00:00Z'))).toEqual({ text, tone })
})

test('an expiry in the distant future, or none, shows no warning', () => {
  const at = Date.parse('2026-11-20T08:00:00Z')
  expect(authorisationProblem(authorisation(), at)).toBeNull()
  expect(authorisationProblem(authorisation({ App: 'machine', DiesAtUtc: null }), at)).toBeNull()
})

test('[SRC-12] a card counts the companies and names a few of those that are read', async () => {
  signedInAs()
  const names = ['East', 'North', 'South', 'West']
  const Companies = [...names.map((name) => sharedCompany(name, 'ACTIVE')), sharedCompany('Old', 'KEPT')]
  open('/connectors/xero/manage', authorisation({ Companies }))
  expect(await (await card()).findByText('4 companies: East, North and 2 more')).toBeDefined()
})

test('its form has no credentials: it shows how the connector signs in, and keeps the other sections', async () => {
  signedInAs()
  open('/connectors/xero/manage', authorisation())
  await userEvent.click((await card()).getByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Harbour books' }))
  const part = within(await dialog.findByRole('region', { name: 'Authorisation' }))
  expect(await part.findByText('New Zealand, NZD')).toBeDefined()
  expect(hrefOf(part.getByRole('link', { name: 'Reconnect' }))).toBe(`/connectors/xero/manage?reconnect=${books.Id}`)
  expect(dialog.getByRole('region', { name: 'Connection' })).toBeDefined()
  expect(dialog.queryByLabelText(/password|secret/i)).toBeNull()
  expect(dialog.queryByText('Where do I find this?')).toBeNull()
})

test('disconnecting says that reconnecting requires signing in again', async () => {
  signedInAs()
  open('/connectors/xero/manage', authorisation())
  await userEvent.click((await card()).getByRole('button', { name: 'Disconnect' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Harbour books?' }))
  expect(dialog.getByText(/reconnecting means signing in again\.$/)).toBeDefined()
})

test('a connector with earlier runs is announced as connected, without mentioning a first run', async () => {
  signedInAs()
  const RecentRuns = [{ Id: books.Id, Status: 'COMPLETED', QueuedAtUtc: '2026-11-20T07:00:00Z' } as const]
  open(`/connectors/xero/manage?connected=${books.Id}`, authorisation(), { RecentRuns })
  expect(await screen.findByText('Harbour books is connected.')).toBeDefined()
})

test('[DASH-6] if the source refuses the credentials, Retry leads to signing in again', async () => {
  signedInAs()
  open('/connectors/xero/refresh', authorisation(), {
    Log: log({ CompletedAtUtc: '2026-11-20T07:00:00Z', HasError: true, Forbidden: true }),
  })
  const retry = await (await card()).findByRole('link', { name: 'Retry' })
  expect(hrefOf(retry)).toBe(`/connectors/xero/manage?reconnect=${books.Id}`)
})

test('a card shows whether the books tie out, and links to the figures', async () => {
  signedInAs()
  open('/connectors/xero/refresh', authorisation(), { TieOut: 'red' })
  const part = await card()
  expect(part.getByText('Does not tie out')).toBeDefined()
  expect(hrefOf(part.getByRole('link', { name: 'See the figures' }))).toBe(
    `/connectors/xero/refresh?connector=${books.Id}&view=tieOut`,
  )
})
