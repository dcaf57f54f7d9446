import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ana, everywhere, lesser } from '@tributary/testing/web/admin-samples.ts'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

test('[ADMIN-4] a missing status displays as ACTIVE', async () => {
  signedInAs()
  fakeServer(everywhere)
  renderApp('/admin/security/users')
  expect(await screen.findByText('ACTIVE')).toBeDefined()
})

test('[ADMIN-5] the role is one of the assignable ones, the first by default; adding requires a password', async () => {
  signedInAs()
  fakeServer(everywhere)
  renderApp('/admin/security/users')
  await userEvent.click(await screen.findByRole('button', { name: 'Add user' }))
  const roles = await screen.findByRole('combobox', { name: 'Role' })
  const dialog = screen.getByRole('dialog', { name: 'Add user' })
  expect(
    within(roles)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['User', 'Admin'])
  expect((roles as HTMLSelectElement).value).toBe(lesser.Id)
  expect(within(dialog).queryByLabelText('Microsoft Id')).toBeNull()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getAllByText('required')).toHaveLength(5)
})

test('[ADMIN-5] editing sends only changed fields, and the password only if one was entered', async () => {
  signedInAs()
  let sent: unknown
  fakeServer({
    ...everywhere,
    'POST /users/:userId': ({ body }) => {
      sent = body
      return { ...ana, FirstName: 'Anna' }
    },
  })
  renderApp('/admin/security/users')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit Ana Ruiz' })
  const name = await within(dialog).findByLabelText(/First name/)
  await userEvent.clear(name)
  await userEvent.type(name, 'Anna')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent).toEqual({ firstName: 'Anna' }))
})

test('[ADMIN-5] a user with more rights is shown, but cannot be changed', async () => {
  signedInAs()
  const above = {
    ...ana,
    Id: '00000000-0000-4000-8000-000000000302',
    FirstName: 'Sofia',
    Role: { ...lesser, Name: 'superadmin' },
  }
  fakeServer({ ...everywhere, 'GET /users': () => [ana, above] })
  renderApp('/admin/security/users')
  const card = await screen.findByRole('article', { name: 'Sofia Ruiz' })
  await within(card).findByText('Superadmin')
  expect(within(card).queryAllByRole('button')).toEqual([])
  expect(within(screen.getByRole('article', { name: 'Ana Ruiz' })).getAllByRole('button')).toHaveLength(3)
})

test('[ADMIN-5] [REG-3] an address that is taken is shown at its field', async () => {
  signedInAs()
  const taken = 'This email address is already in use'
  fakeServer({ ...everywhere, 'POST /users/:userId': () => fault(409, 'addressTaken', taken) })
  renderApp('/admin/security/users')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit Ana Ruiz' })
  const field = await within(dialog).findByLabelText(/Email/)
  await userEvent.clear(field)
  await userEvent.type(field, 'nonsense')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getByText('Invalid email address')).toBeDefined()
  await userEvent.clear(field)
  await userEvent.type(field, 'bob@demo.example')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(within(dialog).getAllByText(taken).length).toBeGreaterThan(0))
})

test.each([
  { what: 'a user', page: '/admin/security/users', name: 'Edit Ana Ruiz', field: /First name/ },
  { what: 'an organisation', page: '/admin/organisations', name: 'Edit Harbour Trading', field: /^Name/ },
])(
  'while $what is being saved the form stays open for every key, and shows a refusal',
  async ({ page, name, field }) => {
    signedInAs({ role: 'superadmin', roleLevel: 0 })
    const answer = Promise.withResolvers<Response>()
    fakeServer({
      ...everywhere,
      'POST /users/:userId': () => answer.promise,
      'POST /organisations/:clientId': () => answer.promise,
    })
    renderApp(page)
    const card = await screen.findByRole('article', { name: name.replace('Edit ', '') })
    await userEvent.click(within(card).getByRole('button', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name })
    await userEvent.type(await within(dialog).findByLabelText(field), ' II')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    answer.resolve(fault(403, 'forbidden', 'You may not do this.'))
    expect((await within(dialog).findByRole('alert')).textContent).toContain('You may not do this.')
  },
)

test('[FORM-2] failed lines of a bulk invitation stay in the box with their reasons, and the dialog stays open', async () => {
  signedInAs()
  fakeServer({
    ...everywhere,
    'POST /invitations': ({ body }) =>
      (body as { emailAddress: string }).emailAddress.startsWith('ben')
        ? fault(409, 'alreadyMember', 'A user with this address is already a member or invited.')
        : {
            Id: ana.Id,
            FirstName: 'A',
            LastName: 'B',
            EmailAddress: 'a@b.example',
            Role: ana.Role,
            SentAtUtc: '',
            ExpiresAtUtc: '',
          },
  })
  renderApp('/admin/security/users')
  await userEvent.click(await screen.findByRole('button', { name: 'Invite by email' }))
  const dialog = await screen.findByRole('dialog', { name: 'Invite by email' })
  const box = within(dialog).getByLabelText('People')
  await userEvent.type(box, 'ana@demo.example{Enter}ben@demo.example{Enter}nonsense')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Invite' }))
  await waitFor(() => expect((box as HTMLTextAreaElement).value).toBe('ben@demo.example\nnonsense'))
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'ben@demo.example: A user with this address is already a member or invited.',
    'nonsense: Invalid email address',
  ])
})

test('[ADMIN-3] keys are split at capitals, and saving writes JSON boolean text', async () => {
  signedInAs({ role: 'provideradmin', roleLevel: 1 })
  let sent: unknown
  const setting = {
    Key: 'RequireMultiFactorAuthentication',
    Value: 'false',
    Description: '',
    Default: 'false',
    ChangedAtUtc: null,
    ChangedBy: null,
  }
  fakeServer({
    ...everywhere,
    'GET /admin/globalconfiguration': () => [setting],
    'POST /admin/globalconfiguration': ({ body }) => {
      sent = body
      return { ...setting, Value: 'true' }
    },
  })
  renderApp('/admin/configuration')
  const toggle = await screen.findByRole('switch', { name: /Require Multi Factor Authentication/ })
  await userEvent.click(toggle)
  await waitFor(() => expect(sent).toEqual({ key: 'RequireMultiFactorAuthentication', value: 'true' }))
  await waitFor(() => expect((toggle as HTMLInputElement).checked).toBe(true))
})

test('[GATE-8] a page that the role may not open is shown as refused', async () => {
  signedInAs({ role: 'user', roleLevel: 3 })
  fakeServer(everywhere)
  for (const path of ['/admin/approvals', '/admin/audit-log', '/admin/configuration', '/admin/organisations']) {
    renderApp(path)
    expect(await screen.findByText('You do not have permission to see this.')).toBeDefined()
    leave()
    signedInAs({ role: 'user', roleLevel: 3 })
  }
})
