/** A person's own database login: created, used by a SQL client, and revoked. */
import type { OwnLogin } from '@tributary/contract/logins'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const own = (page: Page) => panel(page, 'Your database login')

/** Revokes the login that an earlier attempt left. */
async function startWithoutLogin(page: Page): Promise<void> {
  const create = own(page).getByRole('button', { name: 'Create my login' })
  await expect(create.or(own(page).getByRole('button', { name: 'Revoke' }))).toBeVisible()
  if (await create.isVisible()) return
  await revoke(page)
}

async function revoke(page: Page): Promise<void> {
  await own(page).getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(own(page).getByRole('button', { name: 'Create my login' })).toBeVisible()
}

async function create(page: Page): Promise<OwnLogin> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/logins/me/password'))
  await own(page).getByRole('button', { name: 'Create my login' }).click()
  const login = (await (await answer).json()) as OwnLogin
  await expect(own(page).getByText(login.Password ?? 'no password', { exact: true })).toBeVisible()
  return login
}

const connect = async ({ Host, Port, Database, User, Password }: OwnLogin): Promise<pg.Client> => {
  const client = new pg.Client({
    host: Host,
    port: Port,
    database: Database ?? '',
    user: User ?? '',
    password: Password ?? '',
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

test('[GATE-1] [SEE-1] at /data/connect a person creates a login, reads with it, and cannot connect once it is revoked', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/data/connect')
  await startWithoutLogin(page)
  const login = await create(page)
  const client = await connect(login)
  const { rows } = await client.query<{ user: string }>('SELECT current_user AS user')
  expect(rows).toEqual([{ user: login.User }])
  for (const { Schema, Name } of login.Tables.slice(0, 3))
    await client.query(`SELECT * FROM ${client.escapeIdentifier(Schema)}.${client.escapeIdentifier(Name)} LIMIT 1`)
  await expect(client.query('CREATE TABLE mine (id int)')).rejects.toThrow(/permission denied|read-only/u)
  const lines = panel(page, 'Open in another program')
  await expect(lines.getByText(new RegExp(`^psql .*user=${login.User}`, 'u'))).toBeVisible()
  await lines.getByRole('button', { name: 'Test psql' }).click()
  await expect(lines.getByText('The connection works.')).toBeVisible()
  const all = panel(page, /^All database logins of/u)
  await expect(all.getByText(login.User ?? 'no user')).toBeVisible()
  await page.reload()
  await expect(own(page).getByText(login.User ?? 'no user')).toBeVisible()
  await expect(page.getByText(login.Password ?? 'no password', { exact: true })).toHaveCount(0)
  await revoke(page)
  await expect(client.query('SELECT 1')).rejects.toThrow()
  await expect(connect(login)).rejects.toThrow(
    /rejects connection|authentication failed|does not exist|not permitted to log in/u,
  )
})

test('[SEE-10] at /data/connect the address of the feed asks programs to sign in with Basic, and its test asks for a token', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/data/connect')
  const feed = page.getByRole('listitem', { name: 'OData feed' })
  const address = await feed.getByRole('code').textContent()
  const reply = await page.request.get(address ?? '', { headers: { 'odata-maxversion': '4.0' } })
  expect([reply.status(), reply.headers()['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')])
  await feed.getByRole('button', { name: 'Test OData feed' }).click()
  await expect(feed.getByText(/You have no access token that may read data|expires at/u)).toBeVisible()
})

test('[SEE-2] at /data/connect a person who may read nothing sees whom to ask', async ({ page, portal }) => {
  await portal.signIn('guest', '/data/connect')
  await expect(page.getByRole('heading', { level: 1, name: 'Connect' })).toBeVisible()
  await expect(page.getByText('There is nothing here that you may read yet.').or(own(page))).toBeVisible()
  await expect(panel(page, /^All database logins of/u)).toHaveCount(0)
})

test('/data/connect with a login, its tables and the steps has no accessibility violation', async ({
  page,
  portal,
}) => {
  test.setTimeout(180_000)
  await portal.signIn('otherAdmin', '/data/connect')
  await startWithoutLogin(page)
  await create(page)
  await page.getByText('Steps in DBeaver').click()
  await expectAccessible(page, () => expect(panel(page, /^All database logins of/u)).toBeVisible())
  await page.getByRole('button', { name: 'Choose tables' }).click()
  const workbook = page.getByRole('dialog', { name: 'Excel workbook' })
  await expect(workbook.getByRole('radio', { name: 'the OData feed' })).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await revoke(page)
})
