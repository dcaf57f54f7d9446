import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorRules } from '@tributary/contract/table-rules'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { authorisation, books, xero } from '@tributary/testing/web/xero-samples.ts'

afterEach(leave)

const text = { Kind: 'text', Operators: ['is' as const, 'isOneOf' as const, 'isEmpty' as const] }
const state: ConnectorRules = {
  Streams: [
    {
      Stream: 'Contacts',
      Table: 'contact',
      Sentence: 'status is ‘ACTIVE’',
      Conditions: [{ Column: 'status', Operator: 'is', Values: ['ACTIVE'] }],
      Masks: [{ Table: 'contact_address', Column: 'city', Method: 'keepEnd', Characters: 3 }],
      Tables: [
        {
          Name: 'contact',
          Columns: [
            { Name: 'contact_id', Kind: 'guid', Operators: ['is', 'isEmpty'], MayBeMasked: false },
            { Name: 'name', ...text, MayBeMasked: true },
            { Name: 'status', ...text, MayBeMasked: true },
          ],
        },
        { Name: 'contact_address', Columns: [{ Name: 'city', ...text, MayBeMasked: true }] },
      ],
      ChangedAtUtc: '2026-11-20T07:00:00.000Z',
    },
  ],
}

const path = '/tributary/clients/:clientId/connectors/:connectorId/table-rules' as const
async function open(rules: ConnectorRules = state) {
  const saved: unknown[] = []
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connectors': () => [books],
    'GET /users': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/authorisation': () => authorisation(),
    [`GET ${path}`]: () => rules,
    [`PUT ${path}`]: ({ body }: { readonly body: unknown }) => {
      saved.push(body)
      return rules
    },
  })
  signedInAs()
  renderApp(`/connectors/xero/refresh?connector=${books.Id}&view=rules`)
  return { user: userEvent.setup(), saved, part: within(await screen.findByRole('dialog', { name: 'Harbour books' })) }
}

test('[SRC-11] the list says in words which rows of a table are moved and which columns are masked', async () => {
  const { part } = await open()
  expect(await part.findByText('Only where status is ‘ACTIVE’')).toBeDefined()
  expect(part.getByText('contact_address.city (last 3 characters)')).toBeDefined()
})

test('[SRC-11] conditions and masks are changed with a sentence that follows, and saved', async () => {
  const { user, saved, part } = await open()
  await user.click(await part.findByRole('button', { name: 'Change the filter and masks of contact' }))
  expect(part.getByText(/^Only rows where status is ‘ACTIVE’\./u)).toBeDefined()
  await user.selectOptions(part.getByRole('combobox', { name: 'Comparison of condition 1' }), 'is one of')
  const values = part.getByRole('textbox', { name: 'Value of condition 1' })
  await user.clear(values)
  await user.type(values, 'ACTIVE{Enter}ARCHIVED')
  expect(part.getByText(/^Only rows where status is one of ‘ACTIVE’, ‘ARCHIVED’\./u)).toBeDefined()
  await user.click(part.getByRole('button', { name: 'Add a column' }))
  const column = part.getByRole('combobox', { name: 'Column of masked column 2' })
  expect(within(column).queryByRole('option', { name: 'contact_id' })).toBeNull()
  await user.selectOptions(column, 'name')
  await user.click(part.getByRole('button', { name: 'Save' }))
  expect(saved).toEqual([
    {
      stream: 'Contacts',
      conditions: [{ column: 'status', operator: 'isOneOf', values: ['ACTIVE', 'ARCHIVED'] }],
      masks: [
        { table: 'contact_address', column: 'city', method: 'keepEnd', characters: 3 },
        { table: 'contact', column: 'name', method: 'hash' },
      ],
    },
  ])
  expect(await part.findByRole('button', { name: 'Change the filter and masks of contact' })).toBeDefined()
})

test('[SRC-11] a condition without a value cannot be saved, and one that needs none can', async () => {
  const { user, part } = await open()
  await user.click(await part.findByRole('button', { name: 'Change the filter and masks of contact' }))
  await user.clear(part.getByRole('textbox', { name: 'Value of condition 1' }))
  expect(part.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await user.selectOptions(part.getByRole('combobox', { name: 'Comparison of condition 1' }), 'is empty')
  expect(part.queryByRole('textbox', { name: 'Value of condition 1' })).toBeNull()
  expect(part.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false)
})

test('[SRC-11] before the first run the rules of a table are set by its name', async () => {
  const { user, saved, part } = await open({ Streams: [] })
  await user.type(await part.findByRole('textbox', { name: 'Table of the source' }), 'Contacts')
  await user.click(part.getByRole('button', { name: 'Set filter and masks' }))
  await user.click(part.getByRole('button', { name: 'Add a column' }))
  await user.type(part.getByRole('textbox', { name: 'Column of masked column 1' }), 'name')
  await user.click(part.getByRole('button', { name: 'Save' }))
  expect(saved).toEqual([
    { stream: 'Contacts', conditions: [], masks: [{ table: 'Contacts', column: 'name', method: 'hash' }] },
  ])
})
