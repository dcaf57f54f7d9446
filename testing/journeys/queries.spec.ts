/** SQL queries: the editor, its results, saved queries and history. */
import type { Page } from '@playwright/test'
import type { QueryTable } from '@tributary/contract/queries'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

/** Replaces the text of the editor. */
async function write(page: Page, statement: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SQL' })
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(statement)
  await page.keyboard.press('Escape')
}

const run = (page: Page) => page.keyboard.press('ControlOrMeta+Enter')
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })

test('[GATE-1] [SEE-5] at /data/queries a query runs by keyboard and its result is saved as CSV and drawn', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/data/queries')
  await write(
    page,
    `SELECT 'Q' || n AS quarter, n * 12345678901234567890.01 AS total FROM generate_series(1, 4) AS n ORDER BY 1`,
  )
  await run(page)
  await expect(result(page).getByText(/^4 rows in/u)).toBeVisible()
  await expect(result(page).getByRole('cell', { name: '49382715604938271560.04' })).toBeVisible()
  const downloading = page.waitForEvent('download')
  await result(page).getByRole('button', { name: 'Export CSV' }).click()
  expect((await downloading).suggestedFilename()).toBe('query.csv')
  await result(page).getByText('Chart', { exact: true }).click()
  await expect(result(page).getByRole('img', { name: /^Sum of total by quarter/u })).toBeVisible()
  await result(page).getByText('Number', { exact: true }).click()
  await expect(result(page).getByText('123,456,789,012,345,678,900.1')).toBeVisible()
})

test('[SEE-5] an error is marked in the editor, a limit says how to narrow the query, and Cancel stops it', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/data/queries')
  await write(page, 'SELECT 1 AS one,\n  nothing')
  await run(page)
  await expect(page.getByRole('alert')).toContainText('Line 2, column 3: column "nothing" does not exist')
  await expect(page.locator('.cm-error')).toHaveText('nothing')
  await write(page, 'SELECT * FROM generate_series(1, 6000)')
  await run(page)
  await expect(page.getByText('More than 5,000 rows. These are the first ones.')).toBeVisible()
  await write(page, 'DROP TABLE x')
  await run(page)
  await expect(page.getByRole('alert')).toContainText('Only statements that read can run here')
  await write(page, 'SELECT pg_sleep(300)')
  await run(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Cancelled. The database has stopped the query.')).toBeVisible()
})

test('[GATE-1] [SEE-5] a query is shared, opened by its link /data/queries/{queryId}?run=true, found in the history, and deleted', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/data/queries')
  await write(page, 'SELECT 42 AS answer')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save the query' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The answer')
  await dialog.getByRole('switch', { name: 'Share with the organisation' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'The answer' })).toBeVisible()
  await page.goto(`${page.url()}?run=true`)
  await expect(result(page).getByRole('rowheader', { name: '42' })).toBeVisible()
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await expect(history.getByText('SELECT 42 AS answer').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await page.getByRole('dialog', { name: 'Saved queries' }).getByRole('button', { name: 'Delete The answer' }).click()
  await expect(page).toHaveURL(/\/data\/queries$/u)
})

test('/data/queries with a result, its chart and an error have no accessibility violation, in light and dark, at 1280, 768 and 360', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/data/queries')
  await write(
    page,
    `SELECT 'North' AS region, n AS month, n * 1.5 AS total FROM generate_series(1, 12) AS n -- by month`,
  )
  await run(page)
  await expect(result(page)).toBeVisible()
  await expectAccessible(page)
  await result(page).getByText('Chart', { exact: true }).click()
  await expect(result(page).getByRole('img', { name: /^Sum/u })).toBeVisible()
  await expectAccessible(page)
  await result(page).getByText('Pivot', { exact: true }).click()
  await expectAccessible(page)
  await write(page, 'SELECT nothing')
  await run(page)
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
})

test('[SEE-5] a name typed before the names of the tables have come is completed once they come', async ({
  page,
  portal,
}) => {
  const loaded = Promise.withResolvers<string>()
  const typed = Promise.withResolvers<void>()
  await page.route(/\/queries\/tables\?/u, async (route) => {
    const response = await route.fetch()
    const [table] = (await response.json()) as readonly QueryTable[]
    loaded.resolve(table?.Schema ?? '')
    await typed.promise
    await route.fulfill({ response })
  })
  await portal.signIn('admin', '/data/queries')
  const schema = await loaded.promise
  await page.getByRole('textbox', { name: 'SQL' }).pressSequentially(`SELECT * FROM ${schema.slice(0, -1)}`)
  await expect(page.getByRole('option')).toHaveCount(0)
  typed.resolve()
  await expect(page.getByRole('option', { name: schema }).first()).toBeVisible()
})
