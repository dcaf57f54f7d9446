/** The tie-out of a connector whose companies share one set of tables. */
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { TieOut, TieOutLine } from '@tributary/contract/tie-out'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'
import { figuresCsv } from './figures-csv.ts'

afterEach(leave)

const period = '2026-10-01'
const tieOut: TieOut = {
  RunId: '00000000-0000-4000-8000-000000000401',
  State: 'red',
  CheckedAtUtc: '2026-11-20T07:00:00Z',
  Notice: '‘South’: One account differs. ‘West’: It could not be read.',
  Company: 'North, South, West',
  Currency: null,
  Basis: 'documents',
  Mended: [],
  Companies: [
    { Id: 'n', Name: 'North', State: 'green', Notice: null, Currency: 'NZD', Compared: true },
    { Id: 's', Name: 'South', State: 'red', Notice: 'One account differs.', Currency: 'AUD', Compared: true },
    { Id: 'w', Name: 'West', State: 'amber', Notice: 'It could not be read.', Currency: null, Compared: false },
  ],
  Periods: [{ Period: period, State: 'red', Accounts: 2, Differing: 1, Difference: null }],
}
const line = (Company: string, Computed: string, Difference: string): TieOutLine => ({
  Company,
  Period: period,
  AccountId: '200',
  Code: '200',
  Name: 'Sales',
  Computed,
  Reported: '10.00',
  Difference,
  State: Difference === '0.00' ? 'green' : 'red',
  Notice: null,
  Documents: Difference === '0.00' ? 0 : 1,
})
const lines = [line('s', '12.50', '2.50'), line('n', '10.00', '0.00')]

const path = '/tributary/clients/:clientId/connectors/:connectorId/tie-out' as const
function open(address: string) {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [
      { ...books, TieOut: 'red', Log: log({ CompletedAtUtc: tieOut.CheckedAtUtc }) },
    ],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => authorisation(),
    [`GET ${path}`]: () => tieOut,
    [`GET ${path}/lines`]: () => lines,
    [`GET ${path}/documents`]: () => [],
    [`GET ${path}/history`]: () => [],
    'GET /tributary/clients/:clientId/certificates': () => [],
  })
  renderApp(address)
}
const view = `/connectors/xero/refresh?connector=${books.Id}&view=tieOut`

test('[SRC-12] the certificate has a table of figures for each company, with its currency, its state and its own totals', async () => {
  open(`/connectors/xero/certificate?of=${books.Id}&period=${period}`)
  const sheet = await screen.findByRole('article', { name: 'Tie-out of 3 companies' })
  const south = within(await within(sheet).findByRole('region', { name: 'South' }))
  expect(south.getByText('Does not tie out')).toBeDefined()
  const table = south.getByRole('table', { name: /^Movements of the month of South in AUD/u })
  expect(within(table).getByRole('row', { name: /^Debits/u }).textContent).toBe('Debits12.5010.002.50')
  const north = within(within(sheet).getByRole('region', { name: 'North' }))
  expect(north.getByRole('row', { name: /^Debits/u }).textContent).toBe('Debits10.0010.000.00')
  const west = within(sheet).getByRole('region', { name: 'West' }).textContent
  expect(west).toContain('Not compared')
  expect(west).toContain('It could not be read.')
})

test('[SRC-12] months add no amounts of several currencies, and an account names its company', async () => {
  open(view)
  const part = within(await screen.findByRole('dialog', { name: 'Harbour books' }))
  const months = await part.findByRole('table', { name: 'Months, latest first' })
  expect(within(months).getByRole('row', { name: /October 2026/u }).textContent).toMatch(/–$/u)
  await userEvent.click(part.getByRole('link', { name: 'October 2026' }))
  const totals = within(await part.findByRole('table', { name: 'Debits of October 2026 by company' }))
  expect(totals.getByRole('row', { name: /^North, NZD/u }).textContent).toMatch(/^North, NZD10\.0010\.00Ties out/u)
  expect(totals.getByRole('row', { name: /^West/u }).textContent).toMatch(/^West––Not compared/u)
  await userEvent.click(part.getByRole('link', { name: '200 Sales' }))
  expect(await part.findByText('South, AUD')).toBeDefined()
})

test('[SRC-12] an export has the company and the currency of each figure', () => {
  expect(figuresCsv(lines, tieOut.Companies).split('\r\n').slice(0, 2)).toEqual([
    expect.stringMatching(
      /Company id,Company,Currency,Period,Code,Account,Computed,Reported,Difference,State,Notice$/u,
    ),
    's,South,AUD,2026-10-01,200,Sales,12.50,10.00,2.50,red,',
  ])
})
