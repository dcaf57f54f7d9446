import { screen, within } from '@testing-library/react'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Overview, OverviewConnector } from '@tributary/contract/overview'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { lastRun, overview, overviewConnector } from '@tributary/testing/web/overview-samples.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

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

function openHome(connectors: readonly OverviewConnector[] = [overviewConnector()], changes: Partial<Overview> = {}) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [postgres, uniconta, xero],
    'GET /tributary/clients/:clientId/connector-types': () =>
      [postgres, xero].filter(({ Type }) => connectors.some((connector) => connector.Type === Type)),
    'GET /tributary/clients/:clientId/overview': () => overview({ Connectors: [...connectors], ...changes }),
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

test('[UX-HOME-20] the card of a type that has connectors adds another one in the same way', async () => {
  signedInAs()
  openHome([overviewConnector(), overviewConnector({ Id: crypto.randomUUID(), Type: 'xero' })])
  const own = await regionOf('Your connectors')
  const addresses = own.getAllByRole('link', { name: 'Add another connector' }).map(addressOf)
  expect(addresses).toEqual(['/connectors/postgres/manage?new=true', `/api/authorise/xero?state=${harbour.Id}`])
  leave()
  signedInAs({ role: 'user', roleLevel: 3 })
  openHome()
  expect((await regionOf('Your connectors')).queryByRole('link', { name: 'Add another connector' })).toBeNull()
})

test('[HOME-1] a card describes the data of a connector, and whether it is at an early stage', async () => {
  signedInAs()
  openHome()
  const available = await regionOf('Available connectors')
  expect(available.getByText('What comes out of xero.')).toBeDefined()
  expect(available.getAllByText('early stage')).toHaveLength(1)
})

test('a card of several connectors shows the state of one of them, by name, with the time of the same one', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const ran = (Name: string, State: OverviewConnector['State'], minutes: number) =>
    overviewConnector({
      Id: crypto.randomUUID(),
      Name,
      State,
      LastRun: lastRun({ QueuedAtUtc: ago(minutes + 1), CompletedAtUtc: State === 'running' ? null : ago(minutes) }),
    })
  const failed = ran('Failed shop', 'failed', 185)
  const running = ran('Running shop', 'running', 2)
  const never = overviewConnector({ Id: crypto.randomUUID(), Name: 'New shop', State: 'never' })
  const fine = ran('Fine shop', 'fresh', 7)
  const other = ran('Other shop', 'fresh', 70)
  async function footOf(connectors: readonly OverviewConnector[]) {
    signedInAs()
    openHome(connectors)
    const [card] = (await regionOf('Your connectors'))
      .getAllByRole('listitem')
      .filter((item) => item.textContent.includes('POSTGRES'))
    const text = card?.querySelector('p:last-of-type')?.textContent
    leave()
    return text
  }
  expect(await footOf([failed, running, fine])).toBe('Failed shop: Needs you3 hours ago')
  expect(await footOf([running, fine])).toBe('Running shop: Running3 minutes ago')
  expect(await footOf([never, fine])).toBe('New shop: Never started')
  expect(await footOf([fine, other])).toBe('Up to date7 minutes ago')
  expect(await footOf([never])).toBe('Never started')
  expect(await footOf([overviewConnector({ State: 'disconnected' })])).toBe('Disconnected')
})

test('books that do not tie out are listed as needing attention, with a link to the figures', async () => {
  signedInAs()
  openHome([overviewConnector({ Name: 'Harbour books', Type: 'xero', State: 'tieOut', TieOut: 'red' })])
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

test('[UX-HOME-14] who sees no connector and may not add one sees whom to ask', async () => {
  signedInAs({ role: 'guest', roleLevel: 4 })
  openHome([], {
    Administrators: [
      { FirstName: 'Ana', LastName: 'One', EmailAddress: 'ana@harbour.example' },
      { FirstName: 'Ben', LastName: 'Two', EmailAddress: null },
    ],
  })
  expect(await screen.findByText('Please ask your administrator for permission to see connectors.')).toBeDefined()
  expect(screen.getByText('Your administrator: Ana One (ana@harbour.example) or Ben Two.')).toBeDefined()
  expect(screen.queryByRole('region', { name: 'Overview' })).toBeNull()
})
