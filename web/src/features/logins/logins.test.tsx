import { screen, waitFor, within } from '@testing-library/react'
import type { OrganisationLogins, OwnLogin } from '@tributary/contract/logins'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { press } from '@tributary/testing/web/manage-page.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./connect-page.tsx'))
afterEach(leave)

const seen = { AtUtc: new Date(Date.now() - 7 * 60_000).toISOString(), Address: '192.0.2.7', Program: 'psql' }
const none: OwnLogin = {
  MayRead: true,
  Host: 'db.example',
  Port: 6432,
  Database: 'w_1',
  User: null,
  Password: null,
  PasswordSetAtUtc: null,
  LastSeen: null,
  Tables: [
    { Schema: 'shop', Name: 'orders', Kind: 'connector', OwnerId: 'c', Owner: 'Web shop', IsLimitedByRows: false },
    { Schema: 'plans', Name: 'budget', Kind: 'version', OwnerId: 'v', Owner: 'Budget', IsLimitedByRows: true },
  ],
  HasOwnDatabase: false,
}
const mine: OwnLogin = { ...none, User: 'w_1_p_1', PasswordSetAtUtc: seen.AtUtc, LastSeen: seen }
const userId = '00000000-0000-4000-8000-000000000501'
const everyone: OrganisationLogins = {
  Logins: [
    {
      UserId: userId,
      Name: 'Ulla User',
      EmailAddress: 'ulla@demo.example',
      User: 'w_1_p_2',
      PasswordSetAtUtc: seen.AtUtc,
      LastSeen: seen,
    },
  ],
  IsSharedReaderOn: true,
}

/** The server's state follows the calls that change it. */
function openPage(first: OwnLogin, role: Parameters<typeof signedInAs>[0] = { role: 'admin', roleLevel: 2 }) {
  signedInAs(role)
  let login = first
  let all = everyone
  const sent: unknown[] = []
  const received = fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/logins/me': () => login,
    'POST /tributary/clients/:clientId/logins/me/password': () => {
      login = { ...mine, LastSeen: null }
      return { ...login, Password: 'shown-only-once' }
    },
    'DELETE /tributary/clients/:clientId/logins/me': () => {
      login = none
      return new Response(null, { status: 204 })
    },
    'GET /tributary/clients/:clientId/logins': () => all,
    'PUT /tributary/clients/:clientId/logins/shared': ({ body }) => {
      sent.push(body)
      all = { ...all, IsSharedReaderOn: !all.IsSharedReaderOn }
      return new Response(null, { status: 204 })
    },
    'DELETE /tributary/clients/:clientId/logins/:userId': ({ url }) => {
      sent.push(url.pathname.split('/').at(-1))
      all = { ...all, Logins: [] }
      return new Response(null, { status: 204 })
    },
    'GET /tributary/clients/:clientId/reports/connection': () => ({
      Host: 'db.example',
      Port: 6432,
      Database: 'w_1',
      User: login.User,
      SslMode: 'require' as const,
      FeedUrl: 'https://portal.example/odata/1/',
      Ranges: ['203.0.113.0/28'],
    }),
  })
  renderApp('/data/connect')
  return { received, sent }
}

const region = (name: string | RegExp) => screen.findByRole('region', { name })

test('[SEE-1] a login is created at a click, its password is shown, and every line names it', async () => {
  openPage(none)
  await press('Create my login', await region('Your database login'))
  expect(await screen.findByText('shown-only-once')).toBeDefined()
  expect(
    await screen.findByText('Copy the password now. It is not stored in a form that could be shown again.'),
  ).toBeDefined()
  expect(
    await screen.findByText('psql "host=db.example port=6432 dbname=w_1 user=w_1_p_1 sslmode=require"'),
  ).toBeDefined()
})

test('[SEE-1] a new password for one’s login needs a confirmation, and the last use is shown', async () => {
  const { received } = openPage(mine)
  const panel = await region('Your database login')
  expect(panel.textContent).toContain('Last seen 7 minutes ago, from 192.0.2.7, by psql.')
  await press('New password', panel)
  const dialog = await screen.findByRole('dialog', { name: 'Create a new password?' })
  expect(received).not.toContain('POST /tributary/clients/:clientId/logins/me/password')
  await press('Create a new password', dialog)
  expect(await screen.findByText('shown-only-once')).toBeDefined()
})

test('[SEE-1] one’s login is revoked after a confirmation', async () => {
  openPage(mine)
  await press('Revoke', await region('Your database login'))
  await press('Revoke', await screen.findByRole('dialog', { name: 'Revoke your database login?' }))
  expect(await screen.findByRole('button', { name: 'Create my login' })).toBeDefined()
  await waitFor(() => expect(screen.queryByText('w_1_p_1')).toBeNull())
})

test('[SEE-1] administrators see who used which login when, from where and by what, and revoke it', async () => {
  const { sent } = openPage(mine)
  const panel = await region('All database logins of Harbour Trading')
  const entry = (await within(panel).findByText('Ulla User')).closest('li')
  expect(entry?.textContent).toContain('w_1_p_2. Last seen 7 minutes ago, from 192.0.2.7, by psql.')
  await press('Revoke the login of Ulla User', panel)
  await press('Revoke', await screen.findByRole('dialog', { name: 'Revoke the database login of Ulla User?' }))
  expect(await within(panel).findByText('Nobody has a database login.')).toBeDefined()
  expect(sent).toEqual([userId])
})

test('[SEE-1] administrators switch the shared login off after a confirmation, and on again at once', async () => {
  const { sent } = openPage(mine)
  const shared = await screen.findByRole('switch', { name: /^Shared login for reports/u })
  shared.click()
  await press('Switch off', await screen.findByRole('dialog', { name: 'Switch the shared login off?' }))
  await waitFor(() => expect(sent).toEqual([{ on: false }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByRole('switch', { name: /^Shared login for reports/u }).click()
  await waitFor(() => expect(sent).toEqual([{ on: false }, { on: true }]))
})

test('[SEE-2] other people see their own login only, and which tables return only their rows', async () => {
  const { received } = openPage(mine, { role: 'user', roleLevel: 3 })
  const panel = await region('What you may read')
  expect(panel.textContent).toContain('Connector Web shop: 1 table')
  expect(panel.textContent).toContain('Version Budget: 1 table, your rows only')
  expect(panel.textContent).not.toContain('own database')
  expect(screen.queryByRole('region', { name: /^All database logins/u })).toBeNull()
  expect(received).not.toContain('GET /tributary/clients/:clientId/logins')
})

test('[SEE-2] the page says that tables in the organisation’s own database are not covered', async () => {
  openPage({ ...mine, HasOwnDatabase: true })
  expect((await region('What you may read')).textContent).toContain('This login does not apply there')
})

test('[SEE-2] a person who may read nothing sees why and whom to ask, and tools are not loaded', async () => {
  const { received } = openPage(
    { ...none, MayRead: false, Database: null, Tables: [] },
    { role: 'guest', roleLevel: 4 },
  )
  expect(await screen.findByText('There is nothing here that you may read yet.')).toBeDefined()
  expect(screen.getByText(/Ask an administrator of your organisation/u)).toBeDefined()
  expect(received).not.toContain('GET /tributary/clients/:clientId/reports/connection')
})

test('[SEE-10] the server is shown with TLS and the addresses to allow', async () => {
  openPage(mine)
  const panel = await region('Server')
  expect(await within(panel).findByText(/^Required\./u)).toBeDefined()
  expect(
    within(panel).getByText(/connects to db.example on TCP port 6432.* answers at 203\.0\.113\.0\/28\./u),
  ).toBeDefined()
  expect(within(panel).getByRole('button', { name: /copy host/iu })).toBeDefined()
})

test('[SEE-2] the sidebar has the section Data for people who may read only, without a further request', async () => {
  const user = { role: 'user', roleLevel: 3 }
  const { received } = openPage({ ...none, MayRead: false, Tables: [] }, { ...user, mayReadData: false })
  await screen.findByText('There is nothing here that you may read yet.')
  const bar = await screen.findByRole('navigation', { name: 'Main' })
  expect(within(bar).queryByRole('link', { name: 'Data' })).toBeNull()
  const calls = [...received].toSorted()
  leave()
  const other = openPage({ ...none, MayRead: false, Tables: [] }, { ...user, mayReadData: true })
  await screen.findByText('There is nothing here that you may read yet.')
  expect(
    within(await screen.findByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Data' }),
  ).toBeDefined()
  expect([...other.received].toSorted()).toEqual(calls)
})
