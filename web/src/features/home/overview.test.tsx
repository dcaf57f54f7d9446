import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Overview } from '@tributary/contract/overview'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { lastRun, overview, overviewConnector, overviewIncident } from '@tributary/testing/web/overview-samples.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { summariseDays } from './day-strip.tsx'

afterEach(leave)

async function openOverview(changes: Partial<Overview>) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/overview': () => overview(changes),
  })
  renderApp('/home')
  return within(await screen.findByRole('region', { name: 'Overview' }))
}

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const id = (n: number) => `00000000-0000-4000-8000-0000000009${String(n).padStart(2, '0')}`

test('[UX-HOME-15] a row shows state, freshness against the schedule, runs, rows and tie-out; its name leads to the tables', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  const region = await openOverview({
    Connectors: [
      overviewConnector({
        State: 'late',
        FreshAtUtc: ago(26),
        LateSinceUtc: ago(2),
        NextRunAtUtc: ago(-1),
        Schedule: '0 6 * * *',
        LastRun: lastRun({ Status: 'FAILED', CompletedAtUtc: ago(2) }),
        RowsToday: 1_234,
        TieOut: 'green',
      }),
      overviewConnector({ Id: id(2), Name: 'By hand', SharedBy: 'Quayside Group' }),
    ],
  })
  const [, late, byHand] = region.getAllByRole('row')
  if (late === undefined || byHand === undefined) throw new Error('There are two rows.')
  for (const text of ['Late', '1 day ago', '1,234', 'Ties out']) expect(within(late).getByText(text)).toBeDefined()
  expect(late.textContent).toContain('due ')
  expect(within(late).getByRole('link', { name: 'Failed 2 hours ago' }).getAttribute('href')).toMatch(/&run=/)
  expect(within(late).getByRole('link', { name: 'Web shop' }).getAttribute('href')).toMatch(/&view=tables$/)
  for (const text of ['Up to date', 'No rows yet', 'Never started', 'By hand', 'Shared by Quayside Group'])
    expect(within(byHand).getAllByText(text).length).toBeGreaterThan(0)
})

test('[UX-HOME-15] a filter by state shows how many connectors are in it', async () => {
  signedInAs()
  const region = await openOverview({
    Connectors: [
      overviewConnector({ Id: id(1), Name: 'Refused', State: 'forbidden' }),
      overviewConnector({ Id: id(2), Name: 'Undecided', State: 'changes', PendingChanges: 2 }),
      overviewConnector({ Id: id(3), Name: 'Late shop', State: 'late' }),
      overviewConnector({ Id: id(4), Name: 'Fine', State: 'fresh' }),
    ],
  })
  const filter = within(region.getByRole('group', { name: 'Filter the overview by state' }))
  expect(filter.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'All 4',
    'Need help 2',
    'Late 1',
    'Up to date 1',
  ])
  await userEvent.click(filter.getByRole('button', { name: /^Late/ }))
  expect(region.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Late shop'])
  await userEvent.click(filter.getByRole('button', { name: /^Late/ }))
  expect(region.getAllByRole('rowheader')).toHaveLength(4)
})

test('[UX-HOME-15] of many connectors the first ten are shown, then all in pages, found by name', async () => {
  signedInAs()
  const Connectors = Array.from({ length: 60 }, (_, index) =>
    overviewConnector({ Id: crypto.randomUUID(), Name: `Shop ${index + 1}` }),
  )
  const region = await openOverview({ Connectors })
  expect(region.getAllByRole('rowheader')).toHaveLength(10)
  await userEvent.click(region.getByRole('button', { name: 'Show all 60' }))
  expect(region.getAllByRole('rowheader')).toHaveLength(50)
  await userEvent.click(region.getByRole('button', { name: 'Next' }))
  expect(region.getAllByRole('rowheader')).toHaveLength(10)
  await userEvent.type(region.getByRole('searchbox', { name: 'Search the overview' }), 'shop 59')
  expect(region.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Shop 59'])
  await userEvent.type(region.getByRole('searchbox'), '9')
  expect(region.getByText("No connector matches 'shop 599'.")).toBeDefined()
})

test.each([
  ['admin', 2, ['Needs you', 'Needs the provider', 'Needs the organisation that shares it', 'Resolves by itself']],
  [
    'user',
    3,
    ['Needs an administrator', 'Needs the provider', 'Needs the organisation that shares it', 'Resolves by itself'],
  ],
  ['superadmin', 0, ['Needs you', 'Needs you', 'Needs the organisation that shares it', 'Resolves by itself']],
] as const)('[UX-HOME-16] incidents say who must act, as %s sees it', async (role, roleLevel, expected) => {
  signedInAs({ role, roleLevel })
  const region = await openOverview({
    Connectors: [overviewConnector({ State: 'failed' })],
    Incidents: (['administrator', 'provider', 'owner', 'nobody'] as const).map((Who, index) =>
      overviewIncident({ Id: id(index), Who }),
    ),
  })
  const items = within(region.getByRole('list', { name: 'Incidents' })).getAllByRole('listitem')
  expect(items.map((item) => item.querySelector('strong')?.textContent)).toEqual(expected)
  expect(items[0]?.textContent).toContain('Web shop: The server refused the table.')
  expect(items[0]?.querySelector('a')?.getAttribute('href')).toMatch(/&run=/)
})

test('[TRUST-13] an action that fails after publishing is listed with the incidents and leads to its log, also without connectors', async () => {
  signedInAs()
  const Action = { Id: id(1), Name: 'Nightly models', Kind: 'dbt' as const }
  const region = await openOverview({
    Incidents: [
      overviewIncident({ ConnectorId: null, RunId: null, Kind: 'afterPublishing', Notice: 'It failed.', Action }),
    ],
  })
  const item = within(region.getByRole('list', { name: 'Incidents' })).getByRole('listitem')
  expect(item.textContent).toMatch(/^Nightly models: It failed\.Needs you, for /u)
  expect(within(item).getByRole('link').getAttribute('href')).toBe('/data/after-publishing')
})

test('[UX-HOME-16] undecided schema changes are listed with the incidents', async () => {
  signedInAs()
  const region = await openOverview({ Connectors: [overviewConnector({ State: 'changes', PendingChanges: 2 })] })
  const list = within(region.getByRole('list', { name: 'Incidents' }))
  expect(list.getByText(': 2 schema changes wait for a decision.')).toBeDefined()
  expect(list.getByRole('link').getAttribute('href')).toMatch(/&view=changes$/)
})

test('[UX-CHART-2] the strip of 30 days has a legend, a text and a table of the same figures', async () => {
  signedInAs()
  const endings: Readonly<Record<number, 'failed' | 'partly'>> = { 25: 'partly', 28: 'failed' }
  const Days = Array.from({ length: 30 }, (_, index) => endings[index] ?? ('completed' as const))
  const region = await openOverview({ Connectors: [overviewConnector({ Days })] })
  expect(region.getByText('28 days all runs completed, 1 day some failed, 1 day all failed')).toBeDefined()
  const legend = within(region.getByRole('list', { name: 'Bars of the last 30 days' }))
  expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'all runs completed',
    'some failed',
    'all failed',
    'no run',
  ])
  await userEvent.click(region.getByRole('button', { name: 'Table of days' }))
  const [, row] = region.getAllByRole('row')
  expect(
    within(row ?? document.body)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['28', '1', '1', '0', 'Yesterday'])
})

test('[UX-CHART-2] the bars of a strip differ in height as well as in colour', async () => {
  signedInAs()
  const region = await openOverview({ Connectors: [overviewConnector()] })
  const bars = [...region.getByRole('list', { name: 'Bars of the last 30 days' }).querySelectorAll('path')]
  const heights = bars.map((bar) => /v(\d+)/.exec(bar.getAttribute('d') ?? '')?.[1])
  expect(new Set(heights).size).toBe(4)
  expect(summariseDays(['none', 'none'])).toBe('2 days no run')
})

test('[SCALE-3] Home says how many promises were kept, once one has come due', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  const region = await openOverview({ Connectors: [overviewConnector()], Promises: { Kept: 19, Missed: 1 } })
  expect(region.getByText('Ready by: on time for 19 of 20 promises in 30 days.')).toBeDefined()
})
