import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { DataServer } from '@tributary/contract/data-servers'
import { afterEach, expect, test } from 'vitest'
import { everywhere } from '@tributary/testing/web/admin-samples.ts'
import { dataServer, defaultServer } from '@tributary/testing/web/data-server-samples.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

/** Returns the entry of the list with this name. */
async function openServers(list: readonly DataServer[], handlers: PortalHandlers = {}) {
  signedInAs({ role: 'superadmin', roleLevel: 0 })
  fakeServer({
    ...everywhere,
    'GET /admin/globalconfiguration': () => [],
    'GET /admin/data-servers': () => [...list],
    ...handlers,
  })
  renderApp('/admin/configuration')
  const items = within(await screen.findByRole('list', { name: 'Data servers' })).getAllByRole('listitem')
  return (name: string) => {
    const found = items.find((item) => within(item).queryByText(name) !== null)
    if (found === undefined) throw new Error(`There is no entry ${name}.`)
    return found
  }
}

const button = (name: string, inside: HTMLElement = document.body) => within(inside).getByRole('button', { name })
const write = async (dialog: HTMLElement, label: RegExp, text: string) => {
  const field = within(dialog).getByLabelText(label)
  await userEvent.clear(field)
  await userEvent.paste(text)
}

test('[SCALE-1] the list says of each server where it is, how full it is, and whether it answers', async () => {
  const west = dataServer({ Databases: 3, DatabasesMax: 10, SizeBytes: 3 * 2 ** 30, SizeMaxBytes: 100 * 2 ** 30 })
  const east = dataServer({
    Id: '00000000-0000-4000-8000-000000000602',
    Name: 'East',
    Region: 'Riga',
    AcceptsNew: false,
    CheckedAtUtc: new Date().toISOString(),
    UnreachableSinceUtc: new Date(Date.now() - 3_600_000).toISOString(),
  })
  const entry = await openServers([defaultServer, west, east])
  expect(entry('Default').textContent).toContain('home.example:5432 · 3 warehouses')
  expect(entry('West').textContent).toContain('Dublin · west.example:5432 · 3 of 10 warehouses, 3 GiB of 100 GiB')
  expect(entry('West').textContent).toContain('Not checked yet.')
  expect(entry('East').textContent).toContain('accepts no new ones')
  expect(entry('East').textContent).toMatch(/Does not answer since .*: reports and runs of its organisations wait/u)
  const removable = ['Default', 'West', 'East'].filter((name) => within(entry(name)).queryByText('Remove') !== null)
  expect(removable).toEqual(['East'])
})

test('[SCALE-1] a server is added with its address and region; a refusal says what is wrong, and keeps the input', async () => {
  const sent: unknown[] = []
  await openServers([defaultServer], {
    'POST /admin/data-servers': ({ body }) => {
      sent.push(body)
      return sent.length === 1
        ? fault(422, 'settingsWrong', 'The role lacks rights: ALTER ROLE "warehouses" CREATEDB CREATEROLE')
        : Response.json(dataServer(), { status: 201 })
    },
  })
  await userEvent.click(button('Add server'))
  const dialog = await screen.findByRole('dialog', { name: 'Add server' })
  await userEvent.click(button('Save', dialog))
  expect(within(dialog).getAllByText('required')).toHaveLength(4)
  await write(dialog, /^Name/u, 'West')
  await write(dialog, /^Region/u, 'Dublin')
  await write(dialog, /^Host(?! for)/u, 'west.example')
  await write(dialog, /^Role/u, 'warehouses')
  await write(dialog, /^Password/u, 'canary')
  await write(dialog, /^Most gigabytes/u, '100')
  await userEvent.click(button('Save', dialog))
  expect(await within(dialog).findByText(/CREATEDB CREATEROLE/u)).toBeDefined()
  await userEvent.click(button('Save', dialog))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent[1]).toEqual({
    name: 'West',
    region: 'Dublin',
    readerHost: null,
    readerPort: null,
    acceptsNew: true,
    databasesMax: null,
    sizeMaxBytes: 100 * 2 ** 30,
    address: {
      host: 'west.example',
      port: 5432,
      database: 'postgres',
      user: 'warehouses',
      tls: 'verified',
      caCertificate: null,
      password: 'canary',
    },
  })
})

test('[SCALE-1] a server is drained by an edit that keeps its password; a missing one is asked for at its field', async () => {
  const sent: { acceptsNew?: boolean; address?: Record<string, unknown> }[] = []
  const entry = await openServers([defaultServer, dataServer({ Databases: 1 })], {
    'PUT /admin/data-servers/:serverId': ({ body }) => {
      sent.push(body as (typeof sent)[number])
      return sent.length === 1
        ? fault(400, 'badInput', 'Check the fields.', {
            password: 'is missing: the stored one belongs to the former address',
          })
        : dataServer({ AcceptsNew: false })
    },
  })
  await userEvent.click(button('Edit', entry('West')))
  const dialog = await screen.findByRole('dialog', { name: 'Edit West' })
  await userEvent.click(within(dialog).getByRole('switch', { name: 'Accepts new warehouses' }))
  await userEvent.click(button('Save', dialog))
  expect(await within(dialog).findAllByText(/the stored one belongs to the former address/u)).not.toEqual([])
  await write(dialog, /^Password/u, 'next')
  await userEvent.click(button('Save', dialog))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(({ acceptsNew, address }) => [acceptsNew, address?.['password']])).toEqual([
    [false, undefined],
    [false, 'next'],
  ])
})

test('[SCALE-1] the address of the server of the settings cannot be edited', async () => {
  let sent: unknown
  const entry = await openServers([defaultServer], {
    'PUT /admin/data-servers/:serverId': ({ body }) => {
      sent = body
      return defaultServer
    },
  })
  await userEvent.click(button('Edit', entry('Default')))
  const dialog = await screen.findByRole('dialog', { name: 'Edit Default' })
  expect(within(dialog).queryByLabelText(/^Role/u)).toBeNull()
  await write(dialog, /^Region/u, 'Oslo')
  await userEvent.click(button('Save', dialog))
  await waitFor(() => expect(sent).toMatchObject({ name: 'Default', region: 'Oslo' }))
  expect(sent).not.toHaveProperty('address')
})

test('[SCALE-1] a test says whether the server is ready, or what is wrong; an empty server is removed', async () => {
  let isReady = true
  let removed = 0
  const entry = await openServers([defaultServer, dataServer()], {
    'POST /admin/data-servers/:serverId/check': () => ({
      IsReady: isReady,
      Version: '18.4',
      Problems: isReady ? [] : ['The role may not create databases.'],
    }),
    'DELETE /admin/data-servers/:serverId': () => {
      removed += 1
      return new Response(null, { status: 204 })
    },
  })
  await userEvent.click(button('Test', entry('West')))
  expect(await within(entry('West')).findByText('West is ready: PostgreSQL 18.4.')).toBeDefined()
  isReady = false
  await userEvent.click(button('Test', entry('West')))
  expect(await within(entry('West')).findByText('The role may not create databases.')).toBeDefined()
  await userEvent.click(button('Remove', entry('West')))
  await waitFor(() => expect(removed).toBe(1))
})
