import type { Locator, Page } from '@playwright/test'
import pg from 'pg'
import { expect, expectEnd, test } from './portal.ts'
import { tabTo } from './tab-to.ts'

test('from the first page to a completed run in three clicks', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Use demo account' }).click()
  await page.getByRole('region', { name: 'Your connectors' }).getByRole('link', { name: 'PostgreSQL' }).click()
  const card = page.getByRole('article', { name: 'Web shop' })
  await card.getByRole('button', { name: /Refresh|Incremental/ }).click()
  await expectEnd(page.getByRole('dialog'))
})

test('[ENG-1] a new connector runs automatically, on screen, until its rows have arrived', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/manage')
  await page.getByRole('button', { name: 'Add connector' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Fill with demo source' }).click()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Added on the journey')
  await form.getByRole('button', { name: 'Save' }).click()
  const run = page.getByRole('dialog')
  await expectEnd(run)
  await expect(run.getByRole('row', { name: /customer/i }).first()).toBeVisible()
})

test('[ENG-3] rows without a target are in the warehouse, readable by any SQL client with the displayed details', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await queryWarehouse(page, async (client) => {
    const { rows } = await client.query<{ table_schema: string; table_name: string }>(
      `SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_name NOT LIKE 'tributary\\_%'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    const { table_schema: schema, table_name: table } = rows[0] ?? { table_schema: '', table_name: '' }
    const count = await client.query<{ n: string }>(`SELECT count(*) AS n FROM "${schema}"."${table}"`)
    expect(Number(count.rows[0]?.n)).toBeGreaterThan(0)
    await client.query('SET default_transaction_read_only = off')
    await expect(client.query(`DELETE FROM "${schema}"."${table}"`)).rejects.toThrow(/permission denied/)
  })
})

test('[ENG-1] a column that is unticked in the tree is not copied to the target, and can be ticked again', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/manage?new=true')
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Fill with demo source' }).click()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Without addresses')
  await form.getByRole('button', { name: 'Show the tables' }).click()
  await form.getByRole('treeitem', { name: /shop.customers/ }).focus()
  await page.keyboard.press('ArrowRight')
  const email = form.getByRole('treeitem', { name: /^email/ })
  await email.click()
  await expect(email).toHaveAttribute('aria-checked', 'false')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/[?&]run=/)
  await expectEnd(page.getByRole('dialog'))

  const columns = await queryWarehouse(page, async (client) => {
    const found = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema LIKE 'without_addresses%' AND table_name = 'shop_customers'`,
    )
    return found.rows.map(({ name }) => name)
  })
  expect(columns).toContain('name')
  expect(columns).not.toContain('email')

  await page.goto('/connectors/postgres/manage')
  await page.getByRole('article', { name: 'Without addresses' }).getByRole('button', { name: 'Edit' }).click()
  await form.getByRole('button', { name: 'Show the tables' }).click()
  await expect(form.getByRole('treeitem', { name: /shop.customers/ })).toHaveAttribute('aria-checked', 'mixed')
  await expect(form.getByText(/, 1 column left out$/)).toBeVisible()
})

/** Connects like an SQL client, with the details and a new password from ‘Connect your reports’. */
async function queryWarehouse<T>(page: Page, work: (client: pg.Client) => Promise<T>): Promise<T> {
  await page.goto('/connectors/postgres/refresh')
  await page.getByRole('button', { name: 'Connect your reports' }).click()
  const drawer = page.getByRole('dialog')
  const answer = page.waitForResponse((response) => response.url().endsWith('/warehouse/password'))
  await drawer.getByRole('button', { name: 'New password' }).click()
  // Replacing an existing password needs a confirmation.
  const confirm = drawer.getByRole('button', { name: 'Create a new password' })
  await expect(confirm.or(drawer.getByText('Copy the password now.'))).toBeVisible()
  if (await confirm.isVisible()) await confirm.click()
  const warehouse = (await (await answer).json()) as {
    Host: string
    Port: number
    Database: string
    User: string
    Password: string
  }
  await expect(drawer).toContainText(warehouse.User)
  const client = new pg.Client({
    host: warehouse.Host,
    port: warehouse.Port,
    database: warehouse.Database,
    user: warehouse.User,
    password: warehouse.Password,
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('the file for Power BI downloads', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/refresh')
  await page.getByRole('button', { name: 'Connect your reports' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Download file' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.pbids$/)
})

test('a connector is added, its tables are chosen and it is saved, with the keyboard alone', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/manage')
  await expect(page.getByRole('article').first()).toBeVisible()
  const form = page.getByRole('dialog')
  await pressOn(page, page.getByRole('button', { name: 'Add connector' }))
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await pressOn(page, form.getByRole('button', { name: 'Fill with demo source' }), 'Shift+Tab')
  await tabTo(page, form.getByRole('textbox', { name: 'Name', exact: true }))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Added by keys')
  await pressOn(page, form.getByRole('button', { name: 'Show the tables' }))
  const tree = form.getByRole('tree', { name: 'Tables' })
  await expect(tree).toBeVisible()
  await tabTo(page, tree.getByRole('treeitem').first())
  const lines = tree.getByRole('treeitem', { name: /shop.order_lines/ })
  await page.keyboard.press('ArrowDown')
  await expect(lines).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(lines).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Space')
  await expect(lines).toHaveAttribute('aria-checked', 'false')
  await pressOn(page, form.getByRole('button', { name: 'Save' }))
  await page.waitForURL(/[?&]run=/)
  const run = page.getByRole('dialog')
  await expectEnd(run)
  await expect(run).toContainText('shop_orders')
  await expect(run).not.toContainText('shop_order_lines')
})

async function pressOn(page: Page, button: Locator, way: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, button, way)
  await page.keyboard.press('Enter')
}
