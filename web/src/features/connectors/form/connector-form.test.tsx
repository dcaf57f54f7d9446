import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorInput, ConnectorPatch } from '@tributary/contract/connector-input'
import type { OfferedTable } from '@tributary/contract/streams'
import { afterEach, expect, test } from 'vitest'
import { closed, openManage, press, source, webShop } from '@tributary/testing/web/manage-page.ts'
import { leave, session, signedInAs, summit } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const table = (Name: string, ...columns: string[]): OfferedTable => ({
  Name,
  Key: ['id'],
  Columns: ['id', ...columns].map((column) => ({ Name: column, Type: 'text' })),
  RowsEstimate: 12,
  Notice: null,
  Remedy: null,
})
const started = { statusCode: 202, message: 'Started', RunId: '00000000-0000-4000-8000-000000000401' }

async function pasteInto(field: HTMLElement, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}

test('a disconnected connector is reconnected with its credentials, and runs at once', async () => {
  signedInAs()
  let patch: ConnectorPatch = {}
  const { address } = openManage([closed], {
    'PATCH /tributary/clients/:clientId/connectors/:connectorId': ({ body }) => {
      patch = body as ConnectorPatch
      return webShop
    },
    'POST /tributary/clients/:clientId/connectors/:connectorId/process': () => started,
  })
  await press('Reconnect')
  const dialog = await screen.findByRole('dialog', { name: 'Reconnect Old shop' })
  await press('Paste a connection string', dialog)
  await pasteInto(
    within(dialog).getByRole('textbox', { name: /^Connection string/ }),
    'postgres://reader:secret@db/shop',
  )
  await press('Save', dialog)
  await waitFor(() => expect(address()).toContain(`run=${started.RunId}`))
  expect(patch.status).toBe('CONNECTED')
  expect(patch.properties).toContainEqual({
    name: 'source.connectionString',
    value: { host: 'db', database: 'shop', user: 'reader', password: 'secret' },
  })
})

test('[ENG-1] [MAN-7] tables and columns are selected from what the source offers, and saved as settings', async () => {
  signedInAs()
  let sent: ConnectorInput['properties'] = []
  openManage([webShop], {
    'POST /tributary/clients/:clientId/connectors/discover': () => [
      table('shop.orders', 'total', 'note'),
      table('shop.people', 'email'),
    ],
    'PATCH /tributary/clients/:clientId/connectors/:connectorId': ({ body }) => {
      sent = (body as ConnectorPatch).properties ?? []
      return webShop
    },
  })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  await press('Show the tables', dialog)
  const orders = await within(dialog).findByRole('treeitem', { name: /shop.orders/ })
  expect(orders.getAttribute('aria-checked')).toBe('true')
  await userEvent.click(within(dialog).getByRole('treeitem', { name: /shop.people/ }))
  orders.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}{ArrowDown}{ArrowDown} ')
  expect(orders.getAttribute('aria-checked')).toBe('mixed')
  expect(within(dialog).getByText('1 of 2 tables, 1 column left out')).toBeDefined()
  await press('Save', dialog)
  await waitFor(() =>
    expect(sent).toEqual([
      { name: 'source.connectionString', value: { ...source, tables: ['shop.orders'], leftOut: ['shop.orders.note'] } },
    ]),
  )
})

test('a table that the credentials cannot read is listed with the statement that grants access, and cannot be selected', async () => {
  signedInAs()
  const remedy = 'GRANT SELECT ON shop.salaries TO reader;'
  const hidden = {
    ...table('shop.salaries'),
    Columns: [],
    Notice: 'These credentials may not read this table.',
    Remedy: remedy,
  }
  openManage([webShop], {
    'POST /tributary/clients/:clientId/connectors/discover': () => [table('shop.orders'), hidden],
  })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  await press('Show the tables', dialog)
  expect(await within(dialog).findByText('1 table cannot be moved')).toBeDefined()
  expect(within(dialog).getByText(/shop\.salaries: These credentials may not read this table\./)).toBeDefined()
  expect(within(dialog).getByText(remedy)).toBeDefined()
  expect(within(dialog).getAllByRole('treeitem')).toHaveLength(1)
})

test('a connector without selected tables cannot be saved, and shows why', async () => {
  signedInAs()
  const { received } = openManage([webShop], {
    'POST /tributary/clients/:clientId/connectors/discover': () => [table('shop.orders', 'total')],
  })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  await press('Show the tables', dialog)
  await userEvent.click(await within(dialog).findByRole('treeitem', { name: /shop.orders/ }))
  await press('Save', dialog)
  expect((await within(dialog).findByRole('alert')).textContent).toContain('Tick at least one table')
  expect(received.some((name) => name.startsWith('PATCH'))).toBe(false)
})

test('of two thousand tables only the visible ones are rendered, and all matches are selected at once', async () => {
  signedInAs()
  const many = Array.from({ length: 2_000 }, (_, index) => table(`shop.t${String(index).padStart(4, '0')}`, 'name'))
  openManage([webShop], { 'POST /tributary/clients/:clientId/connectors/discover': () => many })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  await press('Show the tables', dialog)
  const first = await within(dialog).findByRole('treeitem', { name: /t0000/ })
  expect(first.getAttribute('aria-setsize')).toBe('2000')
  expect(within(dialog).getAllByRole('treeitem').length).toBeLessThan(50)
  await pasteInto(within(dialog).getByRole('searchbox', { name: 'Search tables and columns' }), 't199')
  await press('Untick all found', dialog)
  expect(await within(dialog).findByText('1,990 of 2,000 tables')).toBeDefined()
})

test('[MAN-8] a superadmin saves licences, alerts and sharing with the settings, and sees a webhook’s secret once', async () => {
  signedInAs({ ...session(), role: 'superadmin', roleLevel: 0 })
  const bodies: Record<string, unknown> = {}
  const licence = { Title: 'Sales', Description: 'Orders and invoices.', Streams: ['sale'] }
  openManage([webShop], {
    'GET /tributary/clients/connectors/:connectorId/licences': () => [
      { ...licence, Id: 'Base', Base: true, Held: true, Title: 'Basics' },
      { ...licence, Id: 'Sales', Base: false, Held: false },
    ],
    'PATCH /tributary/clients/:clientId/connectors/:connectorId': ({ body }) => {
      bodies['settings'] = body
      return webShop
    },
    'POST /tributary/clients/:clientId/connectors/:connectorId/licences': ({ body }) => {
      bodies['licences'] = body
      return []
    },
    'POST /tributary/clients/connectors/:connectorId/assign-organisations': ({ body }) => {
      bodies['organisations'] = body
      return []
    },
    'PUT /tributary/clients/:clientId/connectors/:connectorId/alerts': ({ body }) => {
      bodies['alerts'] = body
      return { Users: null, Webhook: { Url: 'https://hooks.example.com/t', Secret: 'shown-only-once' } }
    },
  })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('web-shop')).toBeDefined()
  expect((await within(dialog).findByLabelText('Basics')).hasAttribute('disabled')).toBe(true)
  await userEvent.click(within(dialog).getByLabelText('Sales'))
  await pasteInto(await within(dialog).findByLabelText('Webhook'), 'https://hooks.example.com/t')
  await userEvent.click(await within(dialog).findByLabelText('Summit Foods'))
  await userEvent.selectOptions(within(dialog).getByLabelText('Runs'), 'weekly')
  await userEvent.click(within(dialog).getByRole('radio', { name: /^Ask first/ }))
  await press('Save', dialog)
  expect(await screen.findByText('shown-only-once')).toBeDefined()
  expect(bodies).toMatchObject({
    settings: { schedule: '0 6 * * 1-5', schemaPolicy: 'ask' },
    licences: { licences: ['Sales'] },
    organisations: { organisations: [summit.Id] },
    alerts: { users: null, webhook: { url: 'https://hooks.example.com/t' } },
  })
  await press('I have copied it')
  await waitFor(() => expect(screen.queryByText('shown-only-once')).toBeNull())
})

test('[MAN-8] a webhook’s secret is shown even if Escape was pressed during the save', async () => {
  signedInAs()
  const answer = Promise.withResolvers<typeof webShop>()
  openManage([webShop], {
    'PATCH /tributary/clients/:clientId/connectors/:connectorId': () => answer.promise,
    'PUT /tributary/clients/:clientId/connectors/:connectorId/alerts': () => ({
      Users: null,
      Webhook: { Url: 'https://hooks.example.com/t', Secret: 'shown-only-once' },
    }),
  })
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  await pasteInto(await within(dialog).findByLabelText('Webhook'), 'https://hooks.example.com/t')
  await press('Save', dialog)
  await userEvent.keyboard('{Escape}')
  answer.resolve(webShop)
  expect(await screen.findByText('shown-only-once')).toBeDefined()
})

test('a user who navigated away during a save stays there', async () => {
  signedInAs()
  const answer = Promise.withResolvers<typeof webShop>()
  const { received, address, goTo } = openManage([closed], {
    'PATCH /tributary/clients/:clientId/connectors/:connectorId': () => answer.promise,
    'POST /tributary/clients/:clientId/connectors/:connectorId/process': () => started,
  })
  await press('Reconnect')
  const dialog = await screen.findByRole('dialog', { name: 'Reconnect Old shop' })
  await press('Paste a connection string', dialog)
  await pasteInto(
    within(dialog).getByRole('textbox', { name: /^Connection string/ }),
    'postgres://reader:secret@db/shop',
  )
  await press('Save', dialog)
  await goTo('/connectors/postgres/refresh')
  // They are refetched once everything is saved.
  const lists = () => received.filter((name) => name.endsWith('/connectors')).length
  const before = lists()
  answer.resolve(webShop)
  await waitFor(() => expect(lists()).toBeGreaterThan(before))
  expect(address()).toBe('/connectors/postgres/refresh')
})

test('[MAN-8] [ROLE-1] an organisation’s administrator cannot change key, schedule, licences and sharing', async () => {
  signedInAs()
  const { received } = openManage([{ ...webShop, Schedule: '0 6 * * *' }])
  await press('Edit')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).queryByText('web-shop')).toBeNull()
  expect(within(dialog).queryByLabelText('Runs')).toBeNull()
  expect(within(dialog).getByText(/^Every day at 06:00\./)).toBeDefined()
  expect(within(dialog).queryByText('Licences')).toBeNull()
  expect(within(dialog).queryByText('Sharing')).toBeNull()
  expect(within(dialog).getByText('Alerts')).toBeDefined()
  expect(received.some((name) => name.includes('licences'))).toBe(false)
})

test('the guide is shown next to the form, with the statement for the owner of the source to copy', async () => {
  signedInAs()
  openManage([webShop], {}, '?new=true')
  const guide = await screen.findByRole('complementary', { name: 'Where do I find this?' })
  expect(within(guide).getByText('GRANT SELECT ON shop.orders TO reader')).toBeDefined()
  expect(within(guide).getByRole('button', { name: 'Copy statement' })).toBeDefined()
})

test('Cancel asks before discarding an edited form, and closes an unchanged one at once', async () => {
  signedInAs()
  openManage([webShop])
  await press('Edit')
  const dialog = await screen.findByRole('dialog', { name: 'Edit Web shop' })
  const name = await within(dialog).findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
  await userEvent.type(name, ' 2')
  await press('Cancel', dialog)
  await press('Keep editing', dialog)
  expect(name.value).toBe('Web shop 2')
  await press('Cancel', dialog)
  await press('Discard changes', dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Edit')
  await press('Cancel', await screen.findByRole('dialog', { name: 'Edit Web shop' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
