import type { DictionarySummary, DictionaryTable } from '@tributary/contract/dictionary'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { findNeighbours, placeNeighbours } from './diagram-layout.ts'
import { toMarkdown } from './dictionary-markdown.ts'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./dictionary-page.tsx'))
afterEach(leave)

const connectorId = '00000000-0000-4000-8000-000000000301'
const hostile = 'a | b <img src=x> [link](x) `code` \u202Ertl\nnext'

const invoice: DictionaryTable = {
  ConnectorId: connectorId,
  ConnectorName: 'Xero books',
  Schema: 'xero',
  Name: 'invoice',
  SourceName: 'Invoices',
  Description: 'Sales invoices and bills',
  AdministratorDescription: null,
  Columns: [
    {
      Name: 'invoice_id',
      Type: 'uuid',
      IsKey: true,
      IsNullable: false,
      SourceField: 'InvoiceID',
      Description: 'Identifies the row',
      AdministratorDescription: null,
    },
    {
      Name: 'contact_id',
      Type: 'uuid',
      IsKey: false,
      IsNullable: true,
      SourceField: 'Contact.ContactID',
      Description: null,
      AdministratorDescription: hostile,
    },
  ],
  Relations: [{ Columns: ['contact_id'], Table: 'contact', To: ['contact_id'], IsParent: false }],
}

function summaryOf(name: string, relations: DictionarySummary['Relations'] = []): DictionarySummary {
  const { Columns: _, ...rest } = invoice
  return { ...rest, Name: name, ColumnCount: 2, FoundColumns: [], Relations: relations }
}
const line = summaryOf('invoice_line', [
  { Columns: ['invoice_id'], Table: 'invoice', To: ['invoice_id'], IsParent: true },
])
const tables = [summaryOf('contact'), summaryOf('invoice', invoice.Relations), line]

const portal: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /tributary/clients/:clientId/dictionary': ({ url }) =>
    url.searchParams.get('search') === null ? tables : [{ ...line, FoundColumns: ['quantity'] }],
  'GET /tributary/clients/:clientId/connectors/:connectorId/dictionary': () => invoice,
  'GET /tributary/clients/:clientId/data/tables/:schema/:table/examples': () => [
    { Name: 'invoice_id', Examples: ['4f1c', '9a0e'], Gap: null },
    { Name: 'contact_id', Examples: [], Gap: 'empty' },
  ],
}

const address = `/data/dictionary?of=${connectorId}&table=invoice`

test('[SEE-6] the dictionary lists the tables by connector, and a search shows where it was found', async () => {
  fakeServer(portal)
  signedInAs()
  renderApp('/data/dictionary')
  const table = await screen.findByRole('table', { name: 'Tables of Xero books' })
  expect(
    within(table)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['contact', 'invoice', 'invoice_line'])
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search the dictionary' }), 'quantity')
  expect(await screen.findByText('quantity')).toBeTruthy()
})

test('[SEE-6] a table shows its columns, and texts of people as plain text', async () => {
  fakeServer(portal)
  signedInAs({ role: 'user', roleLevel: 3 })
  renderApp(address)
  const table = await screen.findByRole('table', { name: 'Columns of invoice' })
  expect(within(table).getByText('Contact.ContactID')).toBeTruthy()
  expect(
    within(table)
      .getByText(/<img src=x>/)
      .querySelector('img'),
  ).toBeNull()
  expect(screen.queryByRole('button', { name: /^Describe/ })).toBeNull()
})

test('[SEE-6] a column has examples of this connector’s rows, or says why not', async () => {
  let asked: URL | undefined
  const examples = portal['GET /tributary/clients/:clientId/data/tables/:schema/:table/examples']
  fakeServer({
    ...portal,
    'GET /tributary/clients/:clientId/data/tables/:schema/:table/examples': (request) => {
      asked = request.url
      return examples?.(request) ?? []
    },
  })
  signedInAs({ role: 'guest', roleLevel: 4 })
  renderApp(address)
  const table = await screen.findByRole('table', { name: 'Columns of invoice' })
  expect(await within(table).findByText('9a0e')).toBeTruthy()
  expect(within(table).getByText('Empty in the first rows')).toBeTruthy()
  expect(asked?.pathname).toMatch(/\/data\/tables\/xero\/invoice\/examples$/u)
  expect(asked?.searchParams.get('connector')).toBe(connectorId)
})

test.each([
  [503, 'warehouseUnreachable', 'The warehouse is away; try again in a moment.', 'The warehouse is away'],
  [404, 'notFound', 'Not found.', 'which has no table of this connector'],
])(
  '[SEE-6] if the examples fail with %i, their reason is shown with the description',
  async (status, code, message, shown) => {
    fakeServer({
      ...portal,
      'GET /tributary/clients/:clientId/data/tables/:schema/:table/examples': () => fault(status, code, message),
    })
    signedInAs()
    renderApp(address)
    expect(await screen.findByText(new RegExp(shown, 'u'), undefined, { timeout: 15_000 })).toBeTruthy()
    const table = screen.getByRole('table', { name: 'Columns of invoice' })
    expect(within(table).queryByRole('columnheader', { name: 'Example' })).toBeNull()
    expect(within(table).getByText('Identifies the row')).toBeTruthy()
  },
)

test('[SEE-6] a table in a database without schemas has no examples, and no call asks for them', async () => {
  const calls = fakeServer({
    ...portal,
    'GET /tributary/clients/:clientId/connectors/:connectorId/dictionary': () => ({ ...invoice, Schema: '' }),
  })
  signedInAs()
  renderApp(address)
  expect(await screen.findByText(/they are read from the warehouse/u)).toBeTruthy()
  expect(JSON.stringify(calls)).not.toContain('examples')
})

test('[SEE-6] an administrator describes a column in place', async () => {
  const bodies: unknown[] = []
  fakeServer({
    ...portal,
    'PUT /tributary/clients/:clientId/connectors/:connectorId/dictionary': ({ body, url }) => {
      bodies.push([url.searchParams.get('table'), body])
      return invoice
    },
  })
  signedInAs()
  renderApp(address)
  const row = (await screen.findByText('Contact.ContactID')).closest('tr')
  await userEvent.click(within(row as HTMLElement).getByRole('button', { name: 'Describe' }))
  const field = screen.getByRole('textbox', { name: 'Your words about contact_id' })
  await userEvent.clear(field)
  await userEvent.type(field, 'Who buys')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /Your words/ })).toBeNull())
  expect(bodies).toEqual([['invoice', { column: 'contact_id', words: 'Who buys' }]])
})

test('[SEE-6] the diagram links the table with what it refers to and what refers to it, and a list says the same', async () => {
  fakeServer(portal)
  signedInAs()
  renderApp(address)
  const diagram = await screen.findByRole('group', { name: 'Tables around invoice' })
  expect(
    within(diagram)
      .getAllByRole('link')
      .map((link) => link.getAttribute('aria-label')),
  ).toEqual(['invoice_line by invoice_id', 'contact by contact_id'])
  expect(screen.getByRole('list', { name: 'This table refers to', hidden: true }).textContent).toContain('contact')
})

test.each([5, 50])('[SEE-6] no two of %i boxes of a diagram overlap', (count) => {
  const around = Array.from({ length: count }, (_, at) =>
    summaryOf(`t${at}`, [{ Columns: ['invoice_id'], Table: 'invoice', To: ['invoice_id'], IsParent: at % 2 === 0 }]),
  )
  const { center, sources, targets } = placeNeighbours(findNeighbours([...tables, ...around], 'invoice'))
  const boxes = [center, ...sources, ...targets]
  expect(sources).toHaveLength(count + 1)
  const overlapping = boxes.filter((one, at) =>
    boxes.some((other, index) => index > at && Math.abs(one.x - other.x) < 200 && Math.abs(one.y - other.y) < 40),
  )
  expect(overlapping).toEqual([])
})

test('[SEE-6] the Markdown of a table is one table, whatever the names and texts are', () => {
  const odd = { ...invoice, Name: 'a|b', Columns: [...invoice.Columns, { ...invoice.Columns[1], Name: 'x | <b>' }] }
  const text = toMarkdown('Harbour', [odd as DictionaryTable])
  const rows = text.split('\n').filter((row) => row.startsWith('|'))
  const cellsOf = (row: string) => row.split(/(?<!\\)\|/u).length - 2
  expect(rows).toHaveLength(5)
  expect(new Set(rows.map(cellsOf))).toEqual(new Set([6]))
  expect(text).not.toMatch(/<|\u202E/u)
  expect(text).toContain(String.raw`## a\|b`)
})
