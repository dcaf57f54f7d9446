/** The dictionary: what tables and columns mean. */
import type { Page } from '@playwright/test'
import { dictionary } from '@tributary/contract/dictionary'
import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { makeConnectorIn, type OwnConnector } from './journey-connector.ts'
import { apiAs, password, signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'

/** Signs in to a new organisation that has a connector whose first run has ended. Another journey disconnects those of the trial. */
async function signInToDescribed(page: Page): Promise<OwnConnector> {
  const { emailAddress } = await signInToNewOrganisation(page, page.request)
  const admin = await apiAs(page.request, emailAddress, password)
  const [organisation] = await admin.get<{ Id: string }[]>('/organisations')
  const connector = await makeConnectorIn(admin, organisation?.Id ?? '', 'postgres')
  const path = `/tributary/clients/${connector.clientId}/connectors/${connector.id}`
  await admin.post(`${path}/process`, {})
  await expect(async () => {
    const found = await admin.get<{ ConnectorId: string }[]>(`/tributary/clients/${connector.clientId}/dictionary`)
    expect(found.filter(({ ConnectorId }) => ConnectorId === connector.id).length).toBeGreaterThan(1)
  }).toPass({ timeout: 90_000 })
  return connector
}

/** The first table of the connector that has a relation. */
async function openRelated(page: Page, { name }: OwnConnector): Promise<void> {
  const table = page.getByRole('table', { name: `Tables of ${name}` })
  await table.getByRole('link', { name: 'shop_orders', exact: true }).click()
  await expect(page.getByRole('group', { name: /^Tables around/ })).toBeVisible()
}

test('[SEE-6] an administrator finds a table, describes a column, follows a relation and exports the dictionary', async ({
  page,
  portal,
}) => {
  test.setTimeout(180_000)
  portal.expectFailedCalls()
  const connector = await signInToDescribed(page)
  await page.goto('/data/dictionary')
  await expect(page.getByRole('heading', { level: 1, name: 'Dictionary' })).toBeVisible()
  await openRelated(page, connector)
  const columns = page.getByRole('table', { name: 'Columns of shop_orders' })
  await expect(columns.getByRole('row').nth(1).getByRole('listitem').first()).toHaveText(/\S/u)
  await page.getByRole('button', { name: 'Describe this table' }).click()
  await page.getByRole('textbox', { name: 'Your words about shop_orders' }).fill('What customers ordered | <b>')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('What customers ordered | <b>')).toBeVisible()
  await page.getByRole('group', { name: 'Tables around shop_orders' }).getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: /^Columns of (?!shop_orders$)/ })).toBeVisible()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Dictionary' }).click()
  const [json] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  ])
  const exported: unknown = JSON.parse(readFileSync(await json.path(), 'utf8'))
  expect(dictionary.export.reply.safeParse(exported).success).toBe(true)
  const [markdown] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as Markdown' }).click(),
  ])
  expect(readFileSync(await markdown.path(), 'utf8')).toContain(String.raw`What customers ordered \| &lt;b&gt;`)
})

test('[GATE-1] the tabs of /data lead to /data/dictionary', async ({ page, portal }) => {
  await portal.signIn('user', '/data')
  await page.getByRole('link', { name: 'Dictionary', exact: true }).click()
  await expect(page).toHaveURL(/\/data\/dictionary$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Dictionary' })).toBeVisible()
})

test('/data/dictionary with its list, a table, its diagram and its form has no accessibility violation', async ({
  page,
  portal,
}) => {
  test.setTimeout(180_000)
  portal.expectFailedCalls()
  const connector = await signInToDescribed(page)
  await page.goto('/data/dictionary')
  const list = page.getByRole('table', { name: `Tables of ${connector.name}` })
  await expectAccessible(page, () => expect(list).toBeVisible())
  await openRelated(page, connector)
  await page.getByRole('button', { name: 'Describe this table' }).click()
  await page.getByText('The same as a list').click()
  await expect(page.getByRole('columnheader', { name: 'Example', exact: true })).toBeVisible()
  await expect(page.getByText('Loading…')).toHaveCount(0)
  await expectAccessible(page, () => expect(page.getByRole('textbox', { name: /^Your words/ })).toBeVisible())
})
