import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Certificate } from '@tributary/contract/certificates'
import type { TieOut, TieOutDocument, TieOutLine } from '@tributary/contract/tie-out'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'
import { figuresCsv } from './figures-csv.ts'

afterEach(leave)

const runId = '00000000-0000-4000-8000-000000000401'
const sales = '00000000-0000-4000-8000-000000000901'
const tieOut: TieOut = {
  RunId: runId,
  State: 'red',
  CheckedAtUtc: '2026-11-20T07:00:00Z',
  Notice: 'One account of October 2026 differs.',
  Company: 'Harbour Trading Ltd',
  Currency: 'NZD',
  Basis: 'documents',
  Mended: ['2026-09-01'],
  Companies: [],
  Periods: [
    { Period: '2026-10-01', State: 'red', Accounts: 3, Differing: 1, Difference: '12.50' },
    { Period: '2026-09-01', State: 'green', Accounts: 3, Differing: 0, Difference: '0.00' },
  ],
}
const line = (
  AccountId: string,
  Code: string,
  Name: string,
  [Computed, Reported, Difference]: [string, string, string],
): TieOutLine => ({
  Company: '',
  Period: '2026-10-01',
  AccountId,
  Code,
  Name,
  Computed,
  Reported,
  Difference,
  State: Difference === '0.00' ? 'green' : 'red',
  Notice: null,
  Documents: Difference === '0.00' ? 0 : 2,
})
const lines = [
  line(sales, '200', 'Sales', ['-1987.50', '-2000.00', '12.50']),
  line('00000000-0000-4000-8000-000000000902', '090', 'Bank', ['1200.00', '1200.00', '0.00']),
  line('00000000-0000-4000-8000-000000000903', '610', 'Debtors', ['800.00', '800.00', '0.00']),
]
const document = (changes: Partial<TieOutDocument>): TieOutDocument => ({
  Kind: 'Invoice',
  Id: '00000000-0000-4000-8000-000000000911',
  Number: 'INV-7',
  Date: '2026-10-05',
  Contact: 'Kea Cafe',
  Amount: '-1500.00',
  WasQuiet: false,
  Address: 'https://go.xero.com/AccountsReceivable/View.aspx?InvoiceID=911',
  ...changes,
})

const path = '/tributary/clients/:clientId/connectors/:connectorId/tie-out' as const
function open(address: string, more: PortalHandlers = {}) {
  const received = fakeServer({
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
    [`GET ${path}/documents`]: () => [
      document({}),
      document({
        Id: '00000000-0000-4000-8000-000000000912',
        Number: null,
        Amount: '-487.50',
        WasQuiet: true,
        Address: null,
      }),
    ],
    [`GET ${path}/history`]: () => [
      { RunId: runId, State: 'red', CheckedAtUtc: tieOut.CheckedAtUtc, Differing: 1, Notice: null },
      {
        RunId: runId.replace('401', '402'),
        State: 'green',
        CheckedAtUtc: '2026-11-19T07:00:00Z',
        Differing: 0,
        Notice: null,
      },
    ],
    'GET /tributary/clients/:clientId/certificates': () => [],
    ...more,
  })
  return { received, ...renderApp(address) }
}
const view = `/connectors/xero/refresh?connector=${books.Id}&view=tieOut`
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Harbour books' }))
const textsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent))

test('the view shows whether the books tie out, when that was checked, and each month, latest first', async () => {
  signedInAs()
  open(view)
  const part = await dialog()
  expect((await part.findAllByText('Does not tie out')).length).toBeGreaterThan(0)
  expect(part.getByText('One account of October 2026 differs.')).toBeDefined()
  expect(part.getByText(/^September 2026 differed at first/)).toBeDefined()
  const months = textsOf(part.getByRole('table', { name: 'Months, latest first' }))
  expect(months.map(([month, , accounts, differing, difference]) => [month, accounts, differing, difference])).toEqual([
    ['October 2026', '3', '1', '12.50'],
    ['September 2026', '3', '0', '0.00'],
  ])
})

test('a month leads to its accounts, and one that differs to its documents and to the source', async () => {
  signedInAs()
  const { address } = open(view)
  const part = await dialog()
  await userEvent.click(await part.findByRole('link', { name: 'October 2026' }))
  const accounts = textsOf(await part.findByRole('table', { name: /^Accounts of October 2026/ }))
  expect(accounts[0]?.slice(0, 4)).toEqual(['200 Sales', '−1,987.50', '−2,000.00', '12.50'])
  expect(window.document.activeElement?.textContent, 'the focus is at the top').toMatch(/^All months/)
  expect(part.queryByRole('link', { name: '090 Bank' })).toBeNull()
  await userEvent.click(part.getByRole('link', { name: '200 Sales' }))
  const documents = await part.findByRole('table', { name: 'Documents, latest first' })
  expect(textsOf(documents).map((row) => row.at(-1))).toEqual(['−1,500.00', '−487.50'])
  expect(within(documents).getAllByText('changed without notice')).toHaveLength(1)
  expect(
    within(documents)
      .getByRole('link', { name: /Invoice INV-7/ })
      .getAttribute('href'),
  ).toMatch(/^https:\/\/go\.xero\.com\//)
  await userEvent.click(part.getByRole('link', { name: 'October 2026' }))
  await userEvent.click(await part.findByRole('link', { name: 'All months' }))
  expect(address()).toBe(view)
})

test('the tie-out of an earlier run links to that run', async () => {
  signedInAs()
  const { address } = open(view)
  const history = await (await dialog()).findByRole('table', { name: 'Tie-outs of runs, latest first' })
  await userEvent.click(within(history).getAllByRole('button')[1] ?? history)
  expect(address()).toContain(`run=${runId.replace('401', '402')}`)
})

test('before the first comparison the view says what will appear, and a failure is shown as such', async () => {
  signedInAs()
  open(view, { [`GET ${path}`]: () => null })
  expect(await (await dialog()).findByText('Not compared yet.')).toBeDefined()
  leave()
  signedInAs()
  open(view, { [`GET ${path}`]: () => fault(500, 'broken', 'Something seems to have gone wrong, please try again.') })
  expect((await (await dialog()).findByRole('alert')).textContent).toContain('Something seems to have gone wrong')
})

test('only accounting connectors have the view', async () => {
  signedInAs()
  open(`/connectors/xero/refresh?connector=${books.Id}`, {
    'GET /tributary/clients/connector-types': () => [{ ...xero, Kind: 'erp' }],
    'GET /tributary/clients/:clientId/connectors/:connectorId/runs': () => [],
  })
  const links = within(await (await dialog()).findByRole('navigation', { name: 'Views of the connector' }))
  expect(links.getByRole('link', { name: 'Incidents' })).toBeDefined()
  expect(links.queryByRole('link', { name: 'Tie-out' })).toBeNull()
})

test('an export has figures that spreadsheets parse as numbers, and no name that they would evaluate as a formula', () => {
  const [, first = ''] = figuresCsv(lines.slice(0, 1).map((each) => ({ ...each, Name: '=HYPERLINK("x")' }))).split(
    '\r\n',
  )
  expect(first).toBe(`2026-10-01,200,"'=HYPERLINK(""x"")",-1987.50,-2000.00,12.50,red,`)
})

test('the certificate has the company, the month, the run, and both figures of every account with their totals', async () => {
  signedInAs()
  open(`/connectors/xero/certificate?of=${books.Id}&period=2026-10-01`)
  const sheet = await screen.findByRole('article', { name: 'Tie-out of Harbour Trading Ltd' })
  for (const text of ['October 2026', 'Harbour Trading Ltd in Xero', 'Harbour Trading', 'Harbour books', 'NZD', runId])
    expect(sheet.textContent).toContain(text)
  expect(sheet.textContent).toContain(
    'Of the 3 accounts of October 2026, 1 account differs from the trial balance of Xero.',
  )
  const rows = textsOf(within(sheet).getByRole('table'))
  expect(rows).toEqual([
    ['200 Sales', '−1,987.50', '−2,000.00', '12.50'],
    ['090 Bank', '1,200.00', '1,200.00', '0.00'],
    ['610 Debtors', '800.00', '800.00', '0.00'],
    ['Debits', '2,000.00', '2,000.00', '0.00'],
    ['Credits', '−1,987.50', '−2,000.00', '12.50'],
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('[TRUST-14] a certificate is issued before it is printed, and then carries its hash and the address to check it', async () => {
  signedInAs()
  const issued: Certificate[] = []
  const certificate: Certificate = {
    Id: '00000000-0000-4000-8000-000000000501',
    Subject: 'tieOut',
    SubjectKey: `${runId}/2026-10-01`,
    Title: 'Tie-out of Harbour Trading Ltd, 2026-10',
    Period: '2026-10-01',
    Verdict: 'red',
    ConnectorId: books.Id,
    Hash: 'ab'.repeat(32),
    CheckAddress: `https://tributary.example/api/certificates/${'ab'.repeat(32)}`,
    IssuedAtUtc: '2026-11-20T08:00:00Z',
    IssuedById: '00000000-0000-4000-8000-000000000301',
    IssuedBy: 'Amara Okafor',
  }
  let sent: unknown
  open(`/connectors/xero/certificate?of=${books.Id}&period=2026-10-01`, {
    'GET /tributary/clients/:clientId/certificates': () => issued,
    [`POST ${path}/certificate`]: ({ body }: { readonly body: unknown }) => {
      sent = body
      issued.push(certificate)
      return certificate
    },
  })
  const sheet = await screen.findByRole('article', { name: 'Tie-out of Harbour Trading Ltd' })
  expect(sheet.textContent).toContain('Not issued: this page has no hash that others can check.')
  const issue = await screen.findByRole('button', { name: 'Issue certificate' })
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
  await userEvent.click(issue)
  expect(await screen.findByRole('button', { name: 'Print' })).toBeDefined()
  expect(sent).toEqual({ runId, period: '2026-10-01' })
  expect(sheet.textContent).toContain(certificate.Hash)
  expect(sheet.textContent).toContain('by Amara Okafor')
  expect(within(sheet).getByRole('link').getAttribute('href')).toBe(certificate.CheckAddress)
  expect(screen.getByRole('button', { name: 'Download JSON' })).toBeDefined()
})

test('[TRUST-14] an issued certificate of a verification is printed with its tables, its verdict in words, and its hash', async () => {
  signedInAs()
  const id = '00000000-0000-4000-8000-000000000502'
  const table = { table: 'invoice', state: 'identical', method: 'checksums', checkedAt: '2026-11-20T07:12:00.000Z' }
  const document = {
    organisation: 'Harbour Trading',
    connector: 'Books',
    tables: [{ ...table, rows: 50_271, differences: 0 }],
  }
  open(`/connectors/xero/certificate?of=${books.Id}&certificate=${id}`, {
    'GET /tributary/clients/:clientId/certificates/:certificateId': () => ({
      Id: id,
      Subject: 'verification',
      SubjectKey: `${books.Id}/2026-11-20T07:12:00.000Z/proven`,
      Title: 'Verification of Books, 2026-11-20',
      Period: null,
      Verdict: 'proven',
      ConnectorId: books.Id,
      Hash: 'cd'.repeat(32),
      CheckAddress: `https://tributary.example/api/certificates/${'cd'.repeat(32)}`,
      IssuedAtUtc: '2026-11-20T08:00:00Z',
      IssuedById: '00000000-0000-4000-8000-000000000301',
      IssuedBy: 'Amara Okafor',
      Document: JSON.stringify(document),
    }),
  })
  const sheet = await screen.findByRole('article', { name: 'Verification of Books, 2026-11-20' })
  expect(sheet.textContent).toContain('Every value of every table was equal in the source and in its copy')
  expect(within(sheet).getByRole('row', { name: /^invoice identical, .* 50,271 0$/u })).toBeDefined()
  expect(sheet.textContent).toContain('cd'.repeat(32))
  expect(screen.getByRole('button', { name: 'Print' })).toBeDefined()
})

test('the certificate of a month that was not compared says so, and another month can be chosen', async () => {
  signedInAs()
  const { address } = open(`/connectors/xero/certificate?of=${books.Id}`)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Month' }), 'September 2026')
  expect(address()).toBe(`/connectors/xero/certificate?of=${books.Id}&period=2026-09-01`)
  expect(await screen.findByText(/^Every one of the 3 accounts of September 2026 is equal/)).toBeDefined()
  leave()
  signedInAs()
  open(`/connectors/xero/certificate?of=${books.Id}&period=2020-01-01`)
  expect(await screen.findByText('Nothing was compared for this month.')).toBeDefined()
})
