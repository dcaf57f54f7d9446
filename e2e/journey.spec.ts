import pg from 'pg'
import { expect, test } from './portal.ts'

test('from the first page to a completed run in three clicks', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Use demo account' }).click()
  await page.getByRole('region', { name: 'Your connectors' }).getByRole('link', { name: 'PostgreSQL' }).click()
  const card = page.getByRole('article', { name: 'Web shop' })
  await card.getByRole('button', { name: /Refresh|Incremental/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Completed')
})

test('[ENG-1] a connector that was just added runs by itself, on screen, until its rows are there', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/manage')
  await page.getByRole('button', { name: 'Add connector' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Fill with demo source' }).click()
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Added on the journey')
  await form.getByRole('button', { name: 'Save' }).click()
  const run = page.getByRole('dialog')
  await expect(run).toContainText('Completed')
  await expect(run.getByRole('row', { name: /customer/i }).first()).toBeVisible()
})

test('[ENG-3] the rows of a blank target are in the warehouse, for any SQL client that has the details shown', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/refresh')
  await page.getByRole('button', { name: 'Read the data' }).click()
  const drawer = page.getByRole('dialog')
  const answer = page.waitForResponse((response) => response.url().endsWith('/warehouse/password'))
  await drawer
    .getByRole('button', { name: /password/i })
    .first()
    .click()
  const warehouse = (await (await answer).json()) as { Host: string; Port: number; Database: string; User: string; Password: string }
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
    const { rows } = await client.query<{ table_schema: string; table_name: string }>(
      `SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_name NOT LIKE 'tributary\\_%'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    const { table_schema: schema, table_name: table } = rows[0] ?? { table_schema: '', table_name: '' }
    const count = await client.query<{ n: string }>(`SELECT count(*) AS n FROM "${schema}"."${table}"`)
    expect(Number(count.rows[0]?.n)).toBeGreaterThan(0)
    await client.query('SET default_transaction_read_only = off')
    await expect(client.query(`DELETE FROM "${schema}"."${table}"`)).rejects.toThrow(/permission denied/)
  } finally {
    await client.end()
  }
})

test('the file for Power BI downloads', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/refresh')
  await page.getByRole('button', { name: 'Read the data' }).click()
  const download = page.waitForEvent('download')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Power BI|pbids/i })
    .click()
  expect((await download).suggestedFilename()).toMatch(/\.pbids$/)
})
