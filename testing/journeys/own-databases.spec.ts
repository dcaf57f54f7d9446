/** Queries on an organisation's own database, under a second login that only reads. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { expectAccessible } from './accessible.ts'
import { runInBuiltIn } from './built-in-database.ts'
import { makeConnectorIn, type OwnConnector } from './journey-connector.ts'
import { apiAs, password, signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'

const secret = 'harbour-own-target'

interface OwnDatabase {
  readonly connector: OwnConnector
  readonly reader: string
  readonly writer: string
}

/** Signs in to a new organisation whose connector loads a database, in which one login only reads and another writes. */
async function signInWithOwnDatabase(page: Page): Promise<OwnDatabase> {
  const { emailAddress } = await signInToNewOrganisation(page, page.request)
  const suffix = randomUUID().slice(0, 8)
  const database = `own_${suffix}`
  const [owner, reader, writer] = ['owner', 'reader', 'writer'].map((name) => `${name}_${suffix}`) as [
    string,
    string,
    string,
  ]
  await runInBuiltIn(`CREATE DATABASE ${database}`)
  // The trial's server accepts connections over TCP only from members of this role.
  for (const role of [owner, reader, writer])
    await runInBuiltIn(`CREATE ROLE ${role} LOGIN PASSWORD '${secret}' IN ROLE tributary_warehouse_reader`)
  await runInBuiltIn(
    `CREATE SCHEMA sales AUTHORIZATION ${owner}; CREATE TABLE sales.orders (id int, amount numeric(20, 4));
     COMMENT ON COLUMN sales.orders.amount IS 'Without tax'; INSERT INTO sales.orders VALUES (1, 1234567890123456.7891);
     GRANT USAGE ON SCHEMA sales TO ${reader}, ${writer}; GRANT SELECT ON sales.orders TO ${reader}, ${writer};
     GRANT UPDATE ON sales.orders TO ${writer}`,
    database,
  )
  const admin = await apiAs(page.request, emailAddress, password)
  const [organisation] = await admin.get<{ Id: string }[]>('/organisations')
  const types = await admin.get<ConnectorType[]>('/tributary/clients/connector-types')
  const source = types.find(({ Type }) => Type === 'postgres')?.Demo?.['source.connectionString'] as {
    host: string
    port: number
  }
  const { host, port } = source
  const connector = await makeConnectorIn(admin, organisation?.Id ?? '', 'postgres', {
    'target.connectionString': {
      connector: 'postgres',
      host,
      port,
      database,
      user: owner,
      password: secret,
      sslmode: 'disable',
    },
    'target.schema': 'sales',
  })
  return { connector, reader, writer }
}

/** Enters a login in the drawer and submits it. */
async function enterLogin(page: Page, user: string): Promise<void> {
  const drawer = page.getByRole('dialog', { name: /^Login for reading/u })
  await drawer.getByRole('textbox', { name: 'User' }).fill(user)
  await drawer.getByLabel('Password', { exact: true }).fill(secret)
  await drawer.getByRole('button', { name: 'Test and save' }).click()
}

test('[SEE-5] an administrator stores a second login of an own database, which must only read; then a query runs through it, with completion', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  const { connector, reader, writer } = await signInWithOwnDatabase(page)
  await page.goto('/data/queries')
  await page.getByRole('button', { name: 'Own databases' }).click()
  const targets = page.getByRole('dialog', { name: 'Own databases' })
  await expect(targets.getByRole('listitem')).toContainText('Off: there is no login for reading')
  await targets.getByRole('button', { name: 'Add a login' }).click()
  const drawer = page.getByRole('dialog', { name: `Login for reading: ${connector.name}` })
  await expect(drawer).toContainText('GRANT SELECT ON ALL TABLES IN SCHEMA "sales" TO tributary_reader')

  await enterLogin(page, writer)
  await expect(drawer.getByRole('alert')).toContainText('Failed: It has no right to write')
  await expect(drawer.getByRole('alert')).toContainText('may write sales.orders')
  await expectAccessible(page)
  await enterLogin(page, reader)
  await expect(drawer).toHaveCount(0)
  await expect(targets.getByRole('listitem')).toContainText(`Open under ${reader}`)
  await targets.getByRole('button', { name: `Test ${connector.name}` }).click()
  await expect(targets.getByText('The login cannot write.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const listed = page.waitForResponse((response) => response.url().includes('/queries/tables?'))
  await page.getByRole('combobox', { name: 'Database' }).selectOption(`Target of ${connector.name}`)
  expect((await listed).status()).toBe(200)
  const editor = page.getByRole('textbox', { name: 'SQL' })
  await editor.focus()
  await page.keyboard.type('SELECT am')
  await page.keyboard.press('Escape')
  await page.keyboard.insertText(' FROM sales.orders')
  for (let letter = 0; letter < ' FROM sales.orders'.length; letter += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Control+Space')
  await page.getByRole('option', { name: /amount/u }).click()
  await expect(editor).toContainText('SELECT amount FROM sales.orders')
  await page.keyboard.press('ControlOrMeta+Enter')
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await expect(result.getByText('1234567890123456.7891')).toBeVisible()
})
