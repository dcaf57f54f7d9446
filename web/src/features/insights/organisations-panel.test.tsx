import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { OrganisationInsight } from '@tributary/contract/insights'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const insight = (CompanyName: string, changes: Partial<OrganisationInsight> = {}): OrganisationInsight => ({
  Id: crypto.randomUUID(),
  CompanyName,
  CreatedAtUtc: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  Connectors: 2,
  Running: 0,
  Failing: 0,
  Late: 0,
  NeverConnected: false,
  Rows: 0,
  Calls: [],
  Licences: [],
  ...changes,
})

const asked: string[] = []

/** Searches and pages as the server does. */
function answer(organisations: OrganisationInsight[], query: URLSearchParams) {
  asked.push(query.toString())
  const [search, page] = [query.get('search') ?? '', Number(query.get('page'))]
  const found = organisations.filter(({ CompanyName }) => CompanyName.toLowerCase().includes(search))
  return Response.json(found.slice((page - 1) * 50, page * 50), { headers: { 'x-total-count': String(found.length) } })
}

async function openDashboard(organisations: OrganisationInsight[]) {
  signedInAs({ role: 'provideradmin', roleLevel: 1 })
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /approvals': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'GET /tributary/connectors/insights': () => [],
    'GET /tributary/insights/organisations': ({ url }) => answer(organisations, url.searchParams),
  })
  renderApp('/admin/dashboard')
  const region = within(await screen.findByRole('region', { name: 'All organisations' }))
  await region.findByRole('table')
  return region
}

test('[UX-DASH-2] each organisation shows what it needs, its size, its calls and its licences; a click enters it', async () => {
  const busy = insight('Busy Ltd', {
    Failing: 2,
    Late: 1,
    Running: 1,
    Rows: 12_345,
    Calls: [
      { Type: 'xero', ConnectorName: 'Books', Used: 4_100, Limit: 5_000, Per: 'day' },
      { Type: 'cin7', ConnectorName: 'Stock', Used: 900, Limit: 60, Per: 'minute' },
    ],
    Licences: [{ Type: 'xero', Title: 'Budgets', Connectors: 3 }],
  })
  const region = await openDashboard([
    busy,
    insight('New Ltd', { NeverConnected: true, Connectors: 0 }),
    insight('Fine'),
  ])
  const [, first, second, third] = region.getAllByRole('row')
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three rows.')
  for (const text of ['2 failing', '1 late', '1 running', '12,345', '3 licences', 'Budgets × 3'])
    expect(within(first).getByText(text)).toBeDefined()
  expect(first.textContent).toContain('Books: 4,100 of 5,000')
  expect(first.textContent).toContain('Stock: 900 (at most 60 a minute)')
  expect(within(first).getAllByRole('meter')[0]?.getAttribute('value')).toBe('0.82')
  expect(within(first).getByRole('link', { name: 'Busy Ltd' }).getAttribute('href')).toBe(
    `/home?organisation=${busy.Id}`,
  )
  expect(within(second).getByText('Never connected')).toBeDefined()
  for (const text of ['Nothing', 'Base only', '–']) expect(within(third).getByText(text)).toBeDefined()
})

test('[UX-DASH-2] [SCALE-4] the server orders, searches and pages the organisations; a new order or search begins at page 1', async () => {
  const region = await openDashboard(Array.from({ length: 60 }, (_, index) => insight(`Company ${index}`)))
  expect(asked.at(-1)).toBe('order=need&page=1&pageSize=50')
  expect(region.getByText('60 organisations')).toBeDefined()
  await userEvent.click(region.getByRole('button', { name: 'Next' }))
  expect(await region.findByText('Company 50')).toBeDefined()
  await userEvent.selectOptions(region.getByRole('combobox', { name: 'Sort by' }), 'Largest first')
  expect(await region.findByText('Company 0')).toBeDefined()
  expect(asked.at(-1)).toBe('order=size&page=1&pageSize=50')
  await userEvent.click(region.getByRole('searchbox', { name: 'Search organisations' }))
  await userEvent.paste('company 5')
  expect(await region.findByText('11 organisations')).toBeDefined()
  expect(asked.at(-1)).toBe('search=company+5&order=size&page=1&pageSize=50')
})
