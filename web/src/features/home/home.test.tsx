import { screen, within } from '@testing-library/react'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const type = (Type: string, changes: Partial<ConnectorType> = {}): ConnectorType => ({
  Id: `00000000-0000-4000-8000-0000000000${String(Type.length).padStart(2, '0')}`,
  Type,
  Title: Type.toUpperCase(),
  Description: `What comes out of ${Type}.`,
  Needs: '',
  Guide: [],
  Licences: [],
  Kind: 'accounting',
  IsEarlyStages: false,
  RequiresAuthorisation: false,
  DefaultSchedule: '0 6 * * *',
  Sections: [],
  Targets: [],
  Demo: null,
  ...changes,
})
const postgres = type('postgres')
const uniconta = type('uniconta_', { IsEarlyStages: true })
const xero = type('xero', { RequiresAuthorisation: true })

function openHome(connectors: readonly ReturnType<typeof connector>[] = [connector()]) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [postgres, uniconta, xero],
    'GET /tributary/clients/:clientId/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connectors': () => [...connectors],
  })
  renderApp('/home')
}
const regionOf = async (name: string) => within(await screen.findByRole('region', { name }))
const addressOf = (link: HTMLElement) => link.getAttribute('href')

test('[HOME-3] a type that uses OAuth starts at the source, others on the management page, ready to add one', async () => {
  signedInAs()
  openHome()
  const available = await regionOf('Available connectors')
  expect(addressOf(available.getByRole('link', { name: 'XERO' }))).toBe(`/api/authorise/xero?state=${harbour.Id}`)
  expect(addressOf(available.getByRole('link', { name: 'UNICONTA_' }))).toBe('/connectors/uniconta_/manage?new=true')
  expect(available.queryByText('POSTGRES')).toBeNull()
})

test('[HOME-1] a card describes the data of a connector, and whether it is at an early stage', async () => {
  signedInAs()
  openHome()
  const available = await regionOf('Available connectors')
  expect(available.getByText('What comes out of xero.')).toBeDefined()
  expect(available.getAllByText('early stage')).toHaveLength(1)
})

test('a card of several connectors shows the state of one of them, by name, with the time of the same one', async () => {
  signedInAs()
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const ran = (Name: string, changes: Parameters<typeof log>[0]) =>
    connector({ Id: crypto.randomUUID(), Name, Log: log(changes) })
  const fine = ran('Fine shop', { AutomaticallyTriggeredAtUtc: ago(8), CompletedAtUtc: ago(7) })
  const failed = ran('Failed shop', { AutomaticallyTriggeredAtUtc: ago(190), CompletedAtUtc: ago(185), HasError: true })
  const running = ran('Running shop', { ManuallyTriggeredAtUtc: ago(2) })
  const never = connector({ Id: crypto.randomUUID(), Name: 'New shop' })
  async function footOf(connectors: readonly ReturnType<typeof connector>[]) {
    openHome(connectors)
    const [card] = (await regionOf('Your connectors'))
      .getAllByRole('listitem')
      .filter((item) => item.textContent.includes('POSTGRES'))
    const text = card?.querySelector('p:last-of-type')?.textContent
    leave()
    signedInAs()
    return text
  }
  expect(await footOf([fine, failed, running])).toBe('Failed shop: Needs you3 hours ago')
  expect(await footOf([fine, running])).toBe('Running shop: Running2 minutes ago')
  expect(await footOf([fine, never])).toBe('New shop: Never started')
  expect(await footOf([fine])).toBe('Up to date7 minutes ago')
  expect(await footOf([failed])).toBe('Needs you3 hours ago')
})

test('books that do not tie out are listed as needing attention, with a link to the figures', async () => {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [
      connector({ Name: 'Harbour books', Type: 'xero', TieOut: 'red' }),
    ],
  })
  renderApp('/home')
  expect(await screen.findByText('1 connector needs you')).toBeDefined()
  const [first] = screen.getAllByRole('link', { name: 'Harbour books' })
  expect(first?.getAttribute('href')).toMatch(/^\/connectors\/xero\/refresh\?connector=.*&view=tieOut$/)
})

test('[HOME-2] [ROLE-1] the Excel card links to Areas for level 3 or lower, and is hidden from others', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  openHome()
  const own = await regionOf('Your connectors')
  expect(addressOf(own.getByRole('link', { name: 'Excel' }))).toBe('/excel/areas')
  leave()
  signedInAs({ role: 'guest', roleLevel: 4 })
  openHome()
  const guests = await regionOf('Your connectors')
  expect(guests.getByRole('link', { name: 'POSTGRES' })).toBeDefined()
  expect(guests.queryByText('Excel')).toBeNull()
  expect((await regionOf('Available connectors')).queryByRole('link')).toBeNull()
})
