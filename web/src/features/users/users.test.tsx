import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ana, everywhere, role } from '@tributary/testing/web/admin-samples.ts'
import { fakeServer, fault, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const id = (number: number) => `00000000-0000-4000-8000-00000000030${number}`
const ben = { ...ana, Id: id(2), FirstName: 'Ben', LastName: 'Cole', EmailAddress: 'ben@demo.example' }
const cleo = {
  ...ana,
  Id: id(3),
  FirstName: 'Cleo',
  LastName: 'Dahl',
  EmailAddress: 'cleo@demo.example',
  SecondFactor: true,
  LastSignInAtUtc: '2026-11-20T08:00:00Z',
}
const above = { ...ana, Id: id(4), FirstName: 'Sofia', Role: { ...role, Name: 'superadmin' } }
const statuses = [
  { Id: id(5), Name: 'active' },
  { Id: id(6), Name: 'locked' },
  { Id: id(7), Name: 'archived' },
]
const group = {
  Id: id(8),
  Name: 'Finance',
  Status: { Name: 'active' },
  Members: 0,
} as never

const withUsers: PortalHandlers = {
  ...everywhere,
  'GET /users': () => [ana, ben, cleo, above],
  'GET /statuses': () => statuses,
  'GET /permission-groups': () => [group],
}

const tablePage = '/admin/security/users?layout=table'
const openTable = () => screen.findByRole('table', { name: 'Users' })
const select = (name: string) => userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }))

test('[UX-USERS-1] the users are cards or a table; the address holds the choice', async () => {
  signedInAs()
  fakeServer(withUsers)
  const { address } = renderApp('/admin/security/users')
  expect(await screen.findAllByRole('article')).toHaveLength(4)
  await userEvent.click(screen.getByRole('button', { name: 'Table' }))
  const table = await openTable()
  expect(address()).toBe(tablePage)
  const row = within(table).getByRole('row', { name: /Cleo Dahl/ })
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['', 'User', 'ACTIVE', 'on', expect.stringMatching(/ago|2026/u), expect.stringContaining('Edit')])
  await userEvent.click(screen.getByRole('button', { name: 'Cards' }))
  expect(address()).toBe('/admin/security/users')
})

test('[UX-USERS-1] the server filters by role, status, second factor and those who never signed in', async () => {
  signedInAs()
  const queries: string[] = []
  fakeServer({
    ...withUsers,
    'GET /users': ({ url }) => {
      if (url.searchParams.has('pageSize')) queries.push(url.search)
      return url.searchParams.has('status') ? [] : [ana]
    },
  })
  const { address } = renderApp(tablePage)
  await openTable()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Filter by role' }), 'Admin')
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Filter by second factor' }),
    'Without second factor',
  )
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Filter by sign-in' }), 'Never signed in')
  await waitFor(() =>
    expect(queries.at(-1)).toBe(
      `?orgId=${harbour.Id}&withProvider=true&role=admin&secondFactor=false&neverSignedIn=true&page=1&pageSize=50`,
    ),
  )
  expect(address()).toBe(`${tablePage}&role=admin&factor=off&signedIn=never`)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Locked')
  await screen.findByText('No user matches these filters.')
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await openTable()
  expect(address()).toBe(tablePage)
})

test('[UX-USERS-2] several users are locked after one confirmation that lists them', async () => {
  signedInAs()
  const changed: unknown[] = []
  fakeServer({
    ...withUsers,
    'POST /users/:userId': ({ body, url }) => {
      changed.push([url.pathname.slice(-1), body])
      return ana
    },
  })
  renderApp(tablePage)
  await openTable()
  await select('Ana Ruiz')
  await select('Cleo Dahl')
  const bar = screen.getByRole('group', { name: 'Selected users' })
  expect(bar.textContent).toContain('2 selected')
  await userEvent.click(within(bar).getByRole('button', { name: 'Lock' }))
  const dialog = await screen.findByRole('dialog', { name: 'Lock 2 users?' })
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Ana Ruizana@demo.example', 'Cleo Dahlcleo@demo.example'])
  expect(changed).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Lock' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changed).toEqual([
    ['1', { statusId: id(6) }],
    ['3', { statusId: id(6) }],
  ])
  expect(screen.queryByRole('group', { name: 'Selected users' })).toBeNull()
})

test('[UX-USERS-2] users who were not changed stay in the dialog with the reason, and can be tried again', async () => {
  signedInAs()
  let refusals = 1
  const changed: string[] = []
  fakeServer({
    ...withUsers,
    'POST /users/:userId': ({ url }) => {
      changed.push(url.pathname.slice(-1))
      if (!url.pathname.endsWith(ben.Id) || refusals === 0) return ana
      refusals -= 1
      return fault(409, 'lastAdmin', 'This is the last administrator.')
    },
  })
  renderApp(tablePage)
  await openTable()
  const user = userEvent.setup()
  await user.click(screen.getByRole('checkbox', { name: 'Select Ana Ruiz' }))
  await user.keyboard('{Shift>}')
  await user.click(screen.getByRole('checkbox', { name: 'Select Cleo Dahl' }))
  await user.keyboard('{/Shift}')
  await user.click(screen.getByRole('button', { name: 'Archive' }))
  const dialog = await screen.findByRole('dialog', { name: 'Archive 3 users?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Archive' }))
  const retry = await within(dialog).findByRole('button', { name: 'Try again' })
  expect(within(dialog).getByRole('alert').textContent).toBe('This one was not changed.')
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Ben Coleben@demo.exampleThis is the last administrator.'])
  await userEvent.click(retry)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changed).toEqual(['1', '2', '3', '2'])
})

test('[UX-USERS-2] a list that exceeds the calls of a minute continues when the server says so', async () => {
  signedInAs()
  let calls = 0
  fakeServer({
    ...withUsers,
    'POST /users/:userId': () => {
      calls += 1
      if (calls > 1) return ana
      const refusal = fault(429, 'tooMany', 'Too many calls.')
      refusal.headers.set('retry-after', '0')
      return refusal
    },
  })
  renderApp(tablePage)
  await openTable()
  await select('Ana Ruiz')
  await userEvent.click(screen.getByRole('button', { name: 'Activate' }))
  const dialog = await screen.findByRole('dialog', { name: 'Activate 1 user?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Activate' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls).toBe(2)
})

test('[UX-USERS-2] several users are added to a security group', async () => {
  signedInAs()
  const added: unknown[] = []
  fakeServer({
    ...withUsers,
    'POST /users/:userId/link-to-group': ({ body }) => {
      added.push(body)
      return {}
    },
  })
  renderApp(tablePage)
  await openTable()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add to group' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add 3 users to a group?' })
  expect((await within(dialog).findByRole('combobox', { name: 'Security group' })).textContent).toBe('Finance')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(added).toEqual([1, 2, 3].map(() => ({ comOrganisationId: harbour.Id, groupId: id(8) })))
})

test('[UX-USERS-2] a user with more rights cannot be selected and has no actions', async () => {
  signedInAs()
  fakeServer(withUsers)
  renderApp(tablePage)
  const table = await openTable()
  expect(screen.queryByRole('checkbox', { name: 'Select Sofia Ruiz' })).toBeNull()
  expect(within(within(table).getByRole('row', { name: /Sofia Ruiz/ })).queryAllByRole('button')).toEqual([])
})
