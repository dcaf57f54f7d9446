import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { SettingsField } from '@tributary/contract/connector-catalogue'
import type { CheckedWorkbenchDescription, StreamProof, TriedStream } from '@tributary/contract/workbench'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { indentJson } from './indent-json.ts'

afterEach(leave)

const orchard = {
  Id: '00000000-0000-4000-8000-000000000701',
  Name: 'Orchard',
  Revision: 1,
  ChangedAtUtc: '2026-11-02T09:00:00.000Z',
  ChangedBy: 'Ada Provider',
}
const field: SettingsField = {
  Key: 'key',
  Label: 'API key',
  Kind: 'secret',
  Required: true,
  Help: null,
  Placeholder: null,
  Choices: [],
  Initial: null,
  Hidden: false,
}
const fitting: CheckedWorkbenchDescription = {
  Problems: [],
  Settings: { Property: 'orchard', Shape: 'plain', Title: 'Orchard', Help: null, Fields: [field] },
  Streams: ['order', 'customer'],
  Hosts: ['api.orchard.example'],
}
const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /admin/workbench/descriptions': () => [orchard],
  'GET /admin/workbench/descriptions/:descriptionId': () => ({ ...orchard, Text: 'engine: rest\n# check: pages\n' }),
  'POST /admin/workbench/check': () => fitting,
}

function open(handlers: PortalHandlers = {}, draft = `?draft=${orchard.Id}`) {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  const received = fakeServer({ ...everywhere, ...handlers })
  return { received, ...renderApp(`/admin/workbench${draft}`) }
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('[SRC-10] without drafts the workbench says what it is for; a sample needs the address that it was read from', async () => {
  const received: unknown[] = []
  const { address } = open(
    {
      'GET /admin/workbench/descriptions': () => [],
      'POST /admin/workbench/draft': ({ body }) => {
        received.push(body)
        return { Text: 'engine: rest\n', Notes: ['Two lists were left out.'], Problems: [] }
      },
      'POST /admin/workbench/descriptions': ({ body }) => {
        received.push(body)
        return { ...orchard, Text: 'engine: rest\n' }
      },
    },
    '',
  )
  expect(await screen.findByText(/proves that no row is lost/u)).toBeDefined()
  await press('New draft')
  const dialog = await screen.findByRole('dialog', { name: 'New draft' })
  await userEvent.type(within(dialog).getByLabelText('Name'), 'Orchard')
  await userEvent.selectOptions(within(dialog).getByLabelText('Begin with'), 'sample')
  const file = new File(['{"orders":[]}'], 'orders.json')
  await userEvent.upload(within(dialog).getByLabelText('File with the document'), file)
  await press('Write the draft')
  expect(within(dialog).getByText('required')).toBeDefined()
  expect(received).toEqual([])
  await userEvent.type(within(dialog).getByLabelText('Address'), 'https://api.example.com/v1/orders')
  await press('Write the draft')
  expect(await screen.findByText('Two lists were left out.')).toBeDefined()
  expect(address()).toContain(`draft=${orchard.Id}`)
  expect(received).toEqual([
    { kind: 'sample', text: '{"orders":[]}', address: 'https://api.example.com/v1/orders' },
    { name: 'Orchard', text: 'engine: rest\n' },
  ])
})

test('[SRC-10] problems lead to line and column; a changed text is checked again before it is tried', async () => {
  let problems = [{ Line: 2, Column: 3, Message: 'There is no engine soap.' }]
  open({
    'POST /admin/workbench/check': () =>
      problems.length === 0 ? fitting : { ...fitting, Settings: null, Problems: problems },
  })
  await press('Line 2, column 3')
  const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })
  expect(text.selectionStart).toBe('engine: rest\n'.length + 2)
  expect(screen.queryByRole('button', { name: 'Try' })).toBeNull()
  problems = []
  await press('Check')
  expect(await screen.findByText('It calls api.orchard.example, and reads order and customer.')).toBeDefined()
  await userEvent.type(text, 'title: Orchard')
  expect(screen.getByText(/The text has changed since it was checked/u)).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Try' }).disabled).toBe(true)
})

test('[SRC-10] saving over the change of another person is refused with what to do, and loses nothing', async () => {
  const sent: unknown[] = []
  open({
    'PUT /admin/workbench/descriptions/:descriptionId': ({ body }) => {
      sent.push(body)
      return sent.length === 1
        ? fault(409, 'changedMeanwhile', 'Another person saved this in the meantime.')
        : { ...orchard, Revision: 3, Text: '' }
    },
  })
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' })
  await userEvent.type(text, 'x')
  await press('Save')
  expect(await screen.findByText(/Another person saved this/u)).toBeDefined()
  expect(text.value).toMatch(/x$/u)
  await press('Save over it')
  expect(await screen.findByRole('button', { name: 'Saved' })).toBeDefined()
  expect(sent).toHaveLength(2)
})

const tried: TriedStream = {
  Stream: 'order',
  Streams: ['order'],
  Exchanges: [
    {
      Method: 'GET',
      Address: 'https://api.orchard.example/v1/orders?limit=100',
      Headers: { authorization: '•••' },
      Status: 200,
      ReplyHeaders: { 'content-type': 'application/json' },
      Body: '{"orders":[{"id":1,"amount":12.50}]}',
      Bytes: 36,
    },
  ],
  Tables: [
    {
      Name: 'order',
      Columns: [
        { Name: 'id', Type: 'bigint', Pointer: '/id', IsSeen: true },
        { Name: 'note', Type: 'text', Pointer: '/note', IsSeen: false },
      ],
      Rows: [['1', null]],
      RowsRead: 1,
    },
  ],
  Misfits: [
    { Table: 'order', Column: 'id', Pointer: '/id', Row: 1, Value: '1.5', Wanted: 'a whole number of 8 bytes' },
  ],
  Log: [],
  Problem: null,
  HasMore: true,
}

test('[SRC-10] a try needs the settings, and shows requests, replies, rows, types and misfits', async () => {
  let sent: unknown
  open({
    'POST /admin/workbench/try': ({ body }) => {
      sent = body
      return tried
    },
  })
  await press('Try')
  expect(screen.getByText('required')).toBeDefined()
  expect(sent).toBeUndefined()
  await userEvent.type(screen.getByLabelText('API key'), 'ork_1')
  await press('Try')
  expect(await screen.findByText('Some values do not fit their type')).toBeDefined()
  expect(sent).toMatchObject({ values: { key: 'ork_1' }, stream: 'order', pages: 2 })
  const misfits = screen.getByRole('table', { name: 'Values that do not fit' })
  expect(within(misfits).getByText('a whole number of 8 bytes')).toBeDefined()
  expect(screen.getByRole('region', { name: 'Reply 1' }).textContent).toContain('"amount": 12.50')
  expect(screen.getByRole('region', { name: 'Request 1' }).textContent).toContain('authorization: •••')
  expect(screen.getByText(/No row has a value of note \(\/note\)/u)).toBeDefined()
  expect(screen.getByRole('columnheader', { name: /^id\s*bigint, \/id$/u })).toBeDefined()
})

const proof = (Stream: string, Check: StreamProof['Check'], Verdict: StreamProof['Verdict']): StreamProof => ({
  Stream,
  Check,
  Verdict,
  Why: `Because of ${Check}.`,
})

test('[SRC-10] proving goes stream by stream with progress; stopped, it keeps what was found and calls nothing more', async () => {
  const asked: unknown[] = []
  const waiting = Promise.withResolvers<StreamProof[]>()
  open({
    'POST /admin/workbench/prove': ({ body }) => {
      asked.push(body)
      return asked.length === 1 ? [proof('order', 'paging', 'provenLive')] : waiting.promise
    },
  })
  await userEvent.type(await screen.findByLabelText('API key'), 'ork_1')
  await press('Prove')
  expect(await screen.findByText('2 of 4: order, on the simulated API')).toBeDefined()
  const table = screen.getByRole('table', { name: 'What is proven' })
  expect(within(table).getByText('Proven live')).toBeDefined()
  await press('Stop')
  waiting.resolve([])
  expect(await screen.findByText('You stopped it.')).toBeDefined()
  expect(asked).toHaveLength(2)
  expect(asked[0]).toMatchObject({ stream: 'order', kind: 'live', values: { key: 'ork_1' } })
  expect(asked[1]).not.toHaveProperty('values')
})

test('[SRC-10] without the live account nothing is sent to it, and each verdict has its reason', async () => {
  const asked: unknown[] = []
  open({
    'POST /admin/workbench/prove': ({ body }) => {
      asked.push(body)
      const { stream, kind } = body as { stream: string; kind: string }
      return kind === 'live' ? [proof(stream, 'order', 'notProven')] : [proof(stream, 'ties', 'provenSimulated')]
    },
  })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Call the live account' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'customer' }))
  await press('Prove')
  const result = await screen.findByLabelText('Result')
  expect(result.textContent).toBe('Proven live0Proven simulated1Not proven1')
  expect(screen.getByText('Because of ties.')).toBeDefined()
  expect(asked).toHaveLength(2)
  expect(asked.every((body) => !Object.hasOwn(body as object, 'values'))).toBe(true)
})

test('[SRC-10] a failed proof names the stream, shows the field in error, and says what to do', async () => {
  open({
    'POST /admin/workbench/prove': () =>
      fault(422, 'settingsWrong', 'The key was refused.', { key: 'The key was refused.' }),
  })
  await userEvent.type(await screen.findByLabelText('API key'), 'ork_1')
  await press('Prove')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Ended at order, on the live account')
  expect(alert.textContent).toContain('choose Prove again')
  await waitFor(() => expect(screen.getAllByText('The key was refused.').length).toBe(2))
})

test('[SRC-10] deleting asks first, and leads back to the list', async () => {
  let isDeleted = false
  const { address } = open({
    'GET /admin/workbench/descriptions': () => (isDeleted ? [] : [orchard]),
    'DELETE /admin/workbench/descriptions/:descriptionId': () => {
      isDeleted = true
      return undefined
    },
  })
  await press('Delete')
  const dialog = await screen.findByRole('dialog', { name: 'Delete Orchard?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Describe a new source.')).toBeDefined()
  expect(address()).not.toContain('draft=')
})

test.each(['provideradmin', 'admin', 'user'] as const)('[SRC-10] the workbench is refused to %s', async (role) => {
  signedInAs({ role, roleLevel: { provideradmin: 1, admin: 2, user: 3 }[role] })
  const received = fakeServer(everywhere)
  renderApp('/admin/workbench')
  expect(await screen.findByText('You do not have permission to see this.')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Workbench' })).toBeNull()
  expect(received.filter((name) => name.includes('workbench'))).toEqual([])
})

test('[SRC-10] replies are indented without a change of their values, also when they are cut', () => {
  expect(indentJson('{"a":12.50,"b":[1,{}],"c":"x, {\\"y\\": 1}"}')).toBe(
    '{\n  "a": 12.50,\n  "b": [\n    1,\n    {}\n  ],\n  "c": "x, {\\"y\\": 1}"\n}',
  )
  expect(indentJson('{"id":90071992547409931,"id":2,"te')).toBe('{\n  "id": 90071992547409931,\n  "id": 2,\n  "te')
  expect(indentJson('<html>')).toBe('<html>')
})
