import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorHistory } from '@tributary/contract/history'
import type { ErasurePreview, HistoryErasure } from '@tributary/contract/history-erasures'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'

afterEach(leave)

const since = '2026-06-01T06:00:00.000001Z'
const state: ConnectorHistory = {
  Tables: 'all',
  Chosen: [],
  Streams: [
    {
      Stream: 'Contacts',
      Table: 'contact',
      Reasons: ['setting'],
      IsKept: true,
      RetentionDays: 90,
      Rows: 10,
      Bytes: 8_192,
      Histories: [{ Table: 'contact', Name: 'contact__history', SinceUtc: since, Rows: 12, Bytes: 16_384 }],
      Marks: [{ Name: 'June 2026, board pack', MomentUtc: '2026-06-30T06:00:00.000001Z' }],
    },
  ],
}
const preview: ErasurePreview = {
  Tables: [
    {
      Table: 'contact',
      Name: 'contact__history',
      Versions: 3,
      Columns: [
        { Name: 'name', Type: 'text', IsProposed: true },
        { Name: 'contact_status', Type: 'text', IsProposed: false },
      ],
    },
  ],
  Current: 1,
  Marks: [{ Id: '00000000-0000-4000-8000-000000000801', Name: 'June 2026, board pack', Versions: 2 }],
}
const erasure: HistoryErasure = {
  Id: '00000000-0000-4000-8000-000000000901',
  RunId: '00000000-0000-4000-8000-000000000902',
  Table: 'contact',
  Column: 'contact_id',
  State: 'completed',
  Notice: null,
  RequestedBy: 'Amara Okafor',
  RequestedAtUtc: '2026-11-20T07:00:00.000Z',
  CompletedAtUtc: '2026-11-20T07:00:01.000Z',
  Tables: [{ Table: 'contact', Name: 'contact__history', Versions: 3, Columns: ['name'] }],
}

const path = '/tributary/clients/:clientId/connectors/:connectorId/history-erasures' as const
async function open(more: PortalHandlers = {}) {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [books],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => authorisation(),
    'GET /tributary/clients/:clientId/connectors/:connectorId/table-history': () => state,
    [`GET ${path}`]: () => [erasure],
    [`POST ${path}/preview`]: () => preview,
    ...more,
  })
  renderApp(`/connectors/xero/refresh?connector=${books.Id}&view=history`)
  return within(await screen.findByRole('dialog', { name: 'Harbour books' }))
}

test('[TRUST-9] the page of history says which mark keeps row versions despite retention', async () => {
  signedInAs()
  const part = await open()
  expect(
    await part.findByText('Retention leaves what was valid on 30 Jun 2026 for the mark June 2026, board pack.'),
  ).toBeDefined()
})

test('[TRUST-6] a person is found, the columns are chosen and confirmed, and the value is sent once more', async () => {
  const user = userEvent.setup()
  signedInAs()
  const erased: unknown[] = []
  const part = await open({
    [`POST ${path}`]: ({ body }: { readonly body: unknown }) => {
      erased.push(body)
      return { ...erasure, State: 'underWay' }
    },
  })
  await user.click(await part.findByText('Erase a person'))
  await user.type(part.getByRole('textbox', { name: 'Column that identifies the person' }), 'contact_id')
  await user.type(part.getByRole('textbox', { name: 'Value' }), 'c-1')
  await user.click(part.getByRole('button', { name: 'Find row versions' }))
  const found = within(await part.findByRole('group', { name: 'contact__history: 3 row versions' }))
  expect(found.getByRole('checkbox', { name: 'name' })).toHaveProperty('checked', true)
  expect(found.getByRole('checkbox', { name: 'contact_status' })).toHaveProperty('checked', false)
  expect(part.getByText(/The source still had 1 row of the person/)).toBeDefined()
  expect(part.getByText(/June 2026, board pack \(2 row versions\)/)).toBeDefined()
  await user.click(part.getByRole('button', { name: 'Erase the chosen columns' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase a person in history' }))
  await user.click(dialog.getByRole('button', { name: 'Erase' }))
  expect(erased).toEqual([{ stream: 'Contacts', column: 'contact_id', value: 'c-1', columns: { contact: ['name'] } }])
})

test('[TRUST-6] earlier erasures are listed without whom', async () => {
  signedInAs()
  const part = await open()
  const list = within(await part.findByRole('list', { name: 'Erasures, latest first', hidden: true }))
  expect(list.getByText(/Amara Okafor, found by contact.contact_id: 3 in contact__history \(name\)/)).toBeDefined()
})
