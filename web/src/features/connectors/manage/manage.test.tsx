import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { leave, signedInAs } from '@tributary/testing/web/render-app.tsx'
import {
  buttonsOf,
  cardOf,
  closed,
  openManage,
  postgres,
  press,
  shared,
  webShop,
} from '@tributary/testing/web/manage-page.ts'

afterEach(leave)

test('[MAN-2] [MAN-3] a card offers the permitted actions; a disconnected or shared connector offers none', async () => {
  signedInAs()
  openManage([webShop, closed, shared])
  expect(buttonsOf(await cardOf('Web shop'))).toEqual(['Manage users', 'Edit', 'Delete'])
  expect(buttonsOf(await cardOf('Old shop'))).toEqual([])
  const theirs = await cardOf('Their shop')
  expect(buttonsOf(theirs)).toEqual([])
  expect(theirs.textContent).toContain('Shared by Summit Foods')
})

test('[MAN-2] [ROLE-1] a user without administrator rights sees the users of a connector, and no other action', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  openManage([webShop], {}, '?new=true')
  expect(buttonsOf(await cardOf('Web shop'))).toEqual(['Manage users'])
  expect(screen.queryByRole('button', { name: 'Add connector' })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByText('You cannot add a connector.')).toBeDefined()
})

test('[MAN-1] [MAN-4] Disconnect all is one call for the own connectors of this type, and is disabled once all are disconnected', async () => {
  signedInAs()
  const asked: (string | null)[] = []
  const list = [webShop, shared]
  const { received } = openManage(list, {
    'DELETE /tributary/clients/:clientId/connectors': ({ url }) => {
      asked.push(url.searchParams.get('type'))
      list[0] = { ...webShop, Status: 'DISCONNECTED' }
      return [webShop]
    },
  })
  await press('Disconnect all')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('list', { name: 'What will stop' }).textContent).toBe('Web shop By hand only')
  await userEvent.type(within(dialog).getByRole('textbox'), '1')
  await press('Disconnect all', dialog)
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Disconnect all' }).hasAttribute('disabled')).toBe(true),
  )
  expect(asked).toEqual(['postgres'])
  expect(received.filter((name) => name.startsWith('DELETE'))).toHaveLength(1)
})

test('[MAN-2] [MAN-4] an accounting connector is disconnected by typing its name, and its card then shows it', async () => {
  signedInAs()
  const list = [webShop]
  const { received } = openManage(list, {
    'GET /tributary/clients/connector-types': () => [{ ...postgres, Kind: 'accounting' }],
    'DELETE /clients/:clientKey/:connectorKey': () => {
      list[0] = { ...webShop, Status: 'DISCONNECTED' }
      return undefined
    },
  })
  const article = await cardOf('Web shop')
  await waitFor(() => expect(buttonsOf(article)).toEqual(['Manage users', 'Edit', 'Disconnect', 'Delete']))
  await press('Disconnect', article)
  const dialog = await screen.findByRole('dialog', { name: 'Disconnect Web shop?' })
  await userEvent.type(within(dialog).getByRole('textbox'), 'Web shop')
  await press('Disconnect', dialog)
  await waitFor(() => expect(buttonsOf(article)).toEqual([]))
  expect(article.textContent).toContain('disconnected')
  expect(article.textContent).not.toContain('By hand only')
  expect(received).toContain('DELETE /clients/:clientKey/:connectorKey')
})

const user = (id: number, FirstName: string) => ({
  Id: `00000000-0000-4000-8000-00000000050${id}`,
  FirstName,
  LastName: 'Tester',
  EmailAddress: `${FirstName.toLowerCase()}@demo.example`,
  Role: { Id: '00000000-0000-4000-8000-000000000012', Name: 'user' },
  Status: { Name: 'active' },
  StatusId: '00000000-0000-4000-8000-000000000020',
  RequireMultiFactorAuthentication: false,
  LastSignInAtUtc: null,
  MS_Oid: null,
  Groups: [],
  HelperTables: [],
  B2SEntities: [],
  Xero2SqlProducts: [],
})

test('[MAN-4] all users that match a search are selected at once, and the changes are counted', async () => {
  signedInAs()
  let assigned: unknown
  openManage([webShop], {
    'GET /users': () => [user(1, 'Ana'), user(2, 'Anders'), user(3, 'Bo')],
    'POST /tributary/clients/connectors/:connectorId/assign-users': ({ body }) => {
      assigned = body
      return webShop
    },
  })
  await press('Manage users')
  const dialog = await screen.findByRole('dialog', { name: 'Manage users' })
  const save = within(dialog).getByRole('button', { name: 'Save' })
  await userEvent.type(await within(dialog).findByRole('searchbox', { name: 'Search users' }), 'an')
  expect(save.hasAttribute('disabled')).toBe(true)
  await press('Select all 2 found', dialog)
  expect(within(dialog).getByText('2 changes')).toBeDefined()
  await userEvent.click(save)
  await waitFor(() => expect(assigned).toEqual({ users: [user(1, 'Ana').Id, user(2, 'Anders').Id] }))
})

test('Cancel asks before discarding a changed selection of users, and closes an unchanged one at once', async () => {
  signedInAs()
  openManage([webShop], { 'GET /users': () => [user(1, 'Ana'), user(2, 'Anders')] })
  await press('Manage users')
  const dialog = await screen.findByRole('dialog', { name: 'Manage users' })
  await userEvent.type(await within(dialog).findByRole('searchbox', { name: 'Search users' }), 'an')
  await press('Select all 2 found', dialog)
  await press('Cancel', dialog)
  await press('Keep editing', dialog)
  expect(within(dialog).getByText('2 changes')).toBeDefined()
  await press('Cancel', dialog)
  await press('Discard changes', dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Manage users')
  await press('Cancel', await screen.findByRole('dialog', { name: 'Manage users' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
