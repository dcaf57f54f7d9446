import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorType, SettingsField } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput } from '@tributary/contract/connector-input'
import { afterEach, expect, test } from 'vitest'
import type { PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { closed, openManage, postgres, press, source, webShop } from '@tributary/testing/web/manage-page.ts'
import { leave, log, session, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const started = { statusCode: 202, message: 'Started', RunId: '00000000-0000-4000-8000-000000000401' }

/** The form of a new connector, filled in. `sent` contains the calls of saving it. */
async function fillIn(more: PortalHandlers = {}) {
  const sent: { created?: ConnectorInput } = {}
  const page = openManage(
    [],
    {
      'POST /tributary/clients/:clientId/connectors': ({ body }) => {
        sent.created = body as ConnectorInput
        return webShop
      },
      'POST /tributary/clients/:clientId/connectors/:connectorId/process': () => started,
      ...more,
    },
    '?new=true',
  )
  const dialog = await screen.findByRole('dialog', { name: 'Add PostgreSQL' })
  await press('Paste a connection string', dialog)
  await userEvent.click(within(dialog).getByRole('textbox', { name: /^Connection string/ }))
  await userEvent.paste('postgres://reader:secret@db/shop')
  return { ...page, dialog, sent }
}

test('[MAN-8] the form of a new connector describes its schedule, and sends none for an administrator', async () => {
  signedInAs()
  const { dialog, sent } = await fillIn()
  expect(within(dialog).getByText('Every day at 06:00. Ask the provider to change the schedule.')).toBeDefined()
  await press('Save', dialog)
  await waitFor(() => expect(sent.created?.type).toBe('postgres'))
  expect(sent.created).not.toHaveProperty('schedule')
})

test('[MAN-8] a superadmin’s form starts with the default schedule, and sends none if set to by hand only', async () => {
  signedInAs({ ...session(), role: 'superadmin', roleLevel: 0 })
  const { dialog, sent } = await fillIn()
  const runs = within(dialog).getByLabelText<HTMLSelectElement>('Runs')
  expect(runs.value).toBe('daily')
  await userEvent.selectOptions(runs, 'hand')
  await press('Save', dialog)
  await waitFor(() => expect(sent.created?.schedule).toBeNull())
})

const failedCheck = {
  Side: 'source',
  Name: 'The server answers',
  Outcome: 'failed',
  Notice: 'No server answers at db.',
  Remedy: null,
} as const

test('a connector whose test failed is saved only after an administrator confirmed it', async () => {
  signedInAs()
  let outcome: 'failed' | 'passed' = 'failed'
  const { dialog, sent } = await fillIn({
    'POST /tributary/clients/:clientId/connectors/check': () => [{ ...failedCheck, Outcome: outcome }],
  })
  await press('Test connection', dialog)
  await within(dialog).findByText('The connection does not work yet.')
  await press('Save', dialog)
  const question = await within(dialog).findByText(/^The connection test failed\./)
  expect(question.closest('[role="alert"]')).not.toBeNull()
  expect(sent.created).toBeUndefined()
  await press('Keep editing', dialog)
  expect(within(dialog).queryByText(/^The connection test failed\./)).toBeNull()
  await press('Save', dialog)
  await press('Save anyway', dialog)
  await waitFor(() => expect(sent.created?.type).toBe('postgres'))
  leave()

  signedInAs()
  outcome = 'failed'
  const again = await fillIn({
    'POST /tributary/clients/:clientId/connectors/check': () => [{ ...failedCheck, Outcome: outcome }],
  })
  await press('Test connection', again.dialog)
  await within(again.dialog).findByText('The connection does not work yet.')
  outcome = 'passed'
  await press('Test connection', again.dialog)
  await within(again.dialog).findByText('The connection works.')
  await press('Save', again.dialog)
  await waitFor(() => expect(again.sent.created?.type).toBe('postgres'))
})

test('reconnecting after refused credentials starts with the password, and can keep the stored one', async () => {
  signedInAs()
  const refused = {
    ...webShop,
    Log: log({ CompletedAtUtc: '2026-11-20T06:00:00.000Z', HasError: true, Forbidden: true }),
  }
  openManage([refused], {}, `?edit=${refused.Id}`)
  const dialog = await screen.findByRole('dialog', { name: 'Edit Web shop' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText(/^password/)))
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^password/).value).toBe('')
  await press('Keep the stored one', dialog)
  expect(within(dialog).getByRole('button', { name: 'Replace password' })).toBeDefined()
})

test('reconnecting a disconnected connector starts with the first missing setting', async () => {
  signedInAs()
  const { password: _, ...rest } = source
  openManage([
    { ...closed, Properties: [{ Name: 'source.connectionString', Value: rest, ClientConnectorId: closed.Id }] },
  ])
  await press('Reconnect')
  const dialog = await screen.findByRole('dialog', { name: 'Reconnect Old shop' })
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText(/^password/)))
  expect(within(dialog).queryByRole('button', { name: 'Keep the stored one' })).toBeNull()
})

test('[LAKE-5] in a trial one click creates a connector that moves the demo source into Iceberg tables in a folder', async () => {
  signedInAs()
  const sent: { created?: ConnectorInput } = {}
  const open = (target: string | null) =>
    openOffered(target, {
      'POST /tributary/clients/:clientId/connectors': ({ body }) => {
        sent.created = body as ConnectorInput
        return webShop
      },
      'POST /tributary/clients/:clientId/connectors/:connectorId/process': () => started,
    })
  const { address } = open('folder:')
  await press('Load into Iceberg tables', await screen.findByRole('dialog', { name: 'Add PostgreSQL' }))
  await waitFor(() => expect(address()).toContain(`run=${started.RunId}`))
  expect(sent.created?.name).toBe('PostgreSQL')
  expect(sent.created?.properties).toEqual([
    { name: 'source.connectionString', value: { host: 'demo', database: 'shop', user: 'reader', password: 'demo' } },
    { name: 'target.connectionString', value: { connector: 'iceberg', uri: 'folder:', storage: 's3' } },
    { name: 'target.schema', value: 'postgresql' },
  ])
  leave()

  signedInAs()
  open(null)
  const dialog = await screen.findByRole('dialog', { name: 'Add PostgreSQL' })
  expect(within(dialog).getByRole('button', { name: 'Fill with demo source' })).toBeDefined()
  expect(within(dialog).queryByRole('button', { name: 'Load into Iceberg tables' })).toBeNull()
})

test('[LAKE-1] the form of an Iceberg target shows the fields that the choices need, and asks for a namespace', async () => {
  signedInAs()
  openOffered(null)
  const dialog = await screen.findByRole('dialog', { name: 'Add PostgreSQL' })
  const choose = (name: RegExp, value: string) =>
    userEvent.selectOptions(within(dialog).getByRole('combobox', { name }), value)
  await choose(/^Where the rows go/, 'iceberg')
  expect(within(dialog).getByRole('textbox', { name: /^Namespace/ })).toBeDefined()
  expect(within(dialog).queryByRole('textbox', { name: /^Azure tenant id/ })).toBeNull()
  await choose(/^Access to the files/, 'azure')
  expect(within(dialog).getByRole('textbox', { name: /^Azure tenant id/ })).toBeDefined()
  await choose(/^Access to the files/, 's3')
  expect(within(dialog).queryByRole('textbox', { name: /^Azure tenant id/ })).toBeNull()
  await choose(/^Access to the files/, 'azure')
  await userEvent.type(within(dialog).getByRole('textbox', { name: /^Azure tenant id/ }), 'contoso')
  await choose(/^Access to the files/, 's3')
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: /^Azure tenant id/ }).value).toBe('contoso')
})

test('[LAKE-1] a folder needs no sign-in; a catalog requires what the choices need, and nothing else', async () => {
  signedInAs()
  openOffered('folder:')
  const dialog = await screen.findByRole('dialog', { name: 'Add PostgreSQL' })
  await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: /^Where the rows go/ }), 'iceberg')
  const address = within(dialog).getByRole('textbox', { name: /^Address of the catalog/ })
  expect(within(dialog).queryByRole('combobox', { name: /^Access to the files/ })).toBeNull()
  await userEvent.clear(address)
  await userEvent.type(address, 'https://catalog.example.com')
  await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: /^Access to the files/ }), 'azure')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getByRole('textbox', { name: /^Azure tenant id/, description: /required/ })).toBeDefined()
  await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: /^Access to the files/ }), 's3')
  expect(within(dialog).queryByRole('textbox', { name: /^Azure tenant id/ })).toBeNull()
})

/** Opens the form of a new connector. The address of its Iceberg target has this initial value. */
function openOffered(initial: string | null, handlers: PortalHandlers = {}) {
  const type = offering(initial)
  return openManage(
    [],
    {
      'GET /tributary/clients/connector-types': () => [type],
      'GET /tributary/clients/:clientId/connector-types': () => [type],
      ...handlers,
    },
    '?new=true',
  )
}

/** A type with a demo source and an Iceberg target. */
function offering(address: string | null): ConnectorType {
  const uri = { Key: 'uri', Label: 'Address of the catalog', Kind: 'text', Required: true, Initial: address } as const
  const common = { Help: null, Placeholder: null, Choices: [], Hidden: false }
  const forFolder = { Key: 'uri', Value: 'folder:' }
  const storage: SettingsField = {
    ...common,
    HiddenFor: [forFolder],
    Key: 'storage',
    Label: 'Access to the files',
    Kind: 'choice',
    Required: true,
    Initial: 's3',
    Choices: [
      { Value: 's3', Label: 'S3' },
      { Value: 'azure', Label: 'Azure' },
    ],
  }
  const tenant: SettingsField = {
    ...common,
    Key: 'adls.tenant-id',
    Label: 'Azure tenant id',
    Kind: 'text',
    Required: true,
    Initial: null,
    ShownFor: [{ Key: 'storage', Value: 'azure' }],
    HiddenFor: [forFolder],
  }
  const section = { Property: 'target.connectionString', Shape: 'object', Title: 'Iceberg', Help: null } as const
  return {
    ...postgres,
    Demo: { 'source.connectionString': { host: 'demo', database: 'shop', user: 'reader', password: 'demo' } },
    Targets: [
      {
        Kind: 'iceberg',
        Title: 'Apache Iceberg',
        Section: { ...section, Fields: [{ ...common, ...uri }, storage, tenant] },
      },
    ],
  }
}
