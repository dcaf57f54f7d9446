/** The explorer on the books of Harbour Trading, whose first run the trial makes. These tests are read-only. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { DataSource, DataTableSummary } from '@tributary/contract/data'
import { expectAccessible } from './accessible.ts'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

let table: DataTableSummary
let source: DataSource

/** The lines of invoices: their rows do not fit into one page. */
test.beforeAll(async ({ request }) => {
  test.setTimeout(240_000)
  const admin = await apiAs(request, 'admin@demo.example')
  const organisations = await admin.get<{ Id: string; CompanyName: string }[]>('/organisations')
  const clientId = organisations.find(({ CompanyName }) => CompanyName === 'Harbour Trading')?.Id
  await expect(async () => {
    const sources = await admin.get<DataSource[]>(`/tributary/clients/${clientId}/data/tables`)
    const books = sources.find(({ Type, State }) => Type === 'xero' && State === 'fresh')
    const lines = books?.Tables.find(({ Name }) => Name === 'invoice_line')
    expect(lines?.Rows).toBeGreaterThan(500)
    if (books === undefined || lines === undefined) throw new Error('There are no books.')
    ;[source, table] = [books, lines]
  }).toPass({ timeout: 220_000, intervals: [2_000] })
})

const tablePath = (query = '') => `/data/tables/${table.Schema}/${table.Name}${query}`
const grid = (page: Page) => page.getByRole('grid', { name: `Rows of ${table.Name}` })
const openRow = (page: Page, number: number) => page.getByRole('button', { name: `Open row ${number}`, exact: true })
const all = () => new RegExp(`^All ${table.Rows?.toLocaleString('en-GB')} rows$`)

test('[SEE-3] [GATE-1] /data lists tables by source, finds one by a column, and leads to its rows', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  const section = page.getByRole('region', { name: source.Name, exact: true })
  await expect(section.getByText('Up to date')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search tables and columns' }).fill('tax_type invoice')
  await expect(section.getByText(/^Columns: .*tax_type/).first()).toBeVisible()
  await section.getByRole('link', { name: table.Name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: table.Name })).toBeVisible()
  await expect(openRow(page, 1)).toBeVisible()
})

test('[SEE-4] [GATE-1] /data/tables/{schema}/{table} reads rows as a person scrolls, and the keyboard moves between cells', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', tablePath())
  await expect(openRow(page, 1)).toBeVisible()
  const cells = grid(page).getByRole('gridcell')
  await cells.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(cells.filter({ hasText: /./ }).and(page.locator('[data-cell="1 1"]'))).toBeFocused()
  await expect(async () => {
    await page.keyboard.press('Control+End')
    await expect(page.getByText(all())).toBeVisible({ timeout: 1_000 })
  }).toPass({ intervals: [100] })
  await page.keyboard.press('Control+End')
  await expect(openRow(page, table.Rows ?? 0)).toBeInViewport()
  await page.keyboard.press('Control+Home')
  await expect(openRow(page, 1)).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: `A row of ${table.Name}` })).toBeVisible()
})

test('[SEE-4] filters and order are in the address, become SQL, and decide what is downloaded', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', tablePath())
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a filter' })
  await dialog.getByRole('combobox', { name: 'Column' }).selectOption('line_amount')
  await dialog.getByRole('textbox', { name: 'From' }).fill('400')
  await dialog.getByRole('textbox', { name: 'To' }).fill('500')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await grid(page).getByRole('button', { name: 'line_amount', exact: true }).click()
  await expect(grid(page).getByRole('columnheader', { name: 'line_amount' })).toHaveAttribute('aria-sort', 'ascending')
  const address = page.url()
  await page.goto('/data')
  await page.goto(address)
  await expect(page.getByRole('button', { name: 'line_amount is from 400 to 500', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'SQL', exact: true }).click()
  await expect(page.getByRole('dialog').getByText(/ORDER BY t\."line_amount"/)).toContainText('>= 400')
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const [heading = '', ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  const at = heading.split(',').indexOf('line_amount')
  const amounts = lines.map((line) => Number(line.split(',').at(at - heading.split(',').length)))
  expect(amounts.length).toBeGreaterThan(3)
  expect(amounts.every((amount) => amount >= 400 && amount <= 500)).toBe(true)
  expect(amounts).toEqual(amounts.toSorted((one, other) => one - other))
})

test('[SEE-4] columns are described, hidden and pinned, and the browser remembers them', async ({ page, portal }) => {
  await portal.signIn('admin', tablePath())
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('checkbox', { name: 'line_item_id' }).click()
  await page.getByRole('button', { name: 'Pin description' }).click()
  await page.getByText('Close', { exact: true }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Columns (1 hidden)' })).toBeVisible()
  const heads = grid(page).getByRole('columnheader')
  await expect(heads.nth(1)).toContainText('description')
  await expect(heads.filter({ hasText: 'line_item_id' })).toHaveCount(0)
  await heads.nth(1).hover()
  await heads.nth(1).getByRole('button', { name: 'Actions of description' }).click()
  await page.getByRole('menuitem', { name: 'Describe' }).click()
  await expect(page.getByRole('dialog', { name: 'Column description' })).toContainText('Distinct values')
})

test('[SEE-4] after a logout the browser keeps nothing about tables and their rows', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin', tablePath())
  await expect(openRow(page, 1)).toBeVisible()
  const value = (await grid(page).getByRole('gridcell').filter({ hasText: /.{20}/ }).first().textContent()) ?? ''
  expect(value).not.toBe('')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('button', { name: 'Pin description' }).click()
  await page.getByText('Close', { exact: true }).click()
  const stored = () =>
    page.evaluate(async () => {
      const databases = await indexedDB.databases()
      return JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        databases,
        await caches.keys(),
      ])
    })
  expect(await stored()).toContain(table.Name)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  const kept = await stored()
  for (const word of [table.Name, table.Schema, 'description', 'admin@demo.example', value])
    expect(kept).not.toContain(word)
  await page.goBack()
  await expect(page.getByText(value, { exact: true })).toHaveCount(0)
})

test('[SEE-4] a query that takes long is cancelled, and a table that is gone leads back', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await page.route('**/rows?**', () => undefined)
  await page.goto(tablePath('?sort=description'))
  await expect(page.getByText(/A query may take 60 seconds/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('The query was cancelled.')).toBeVisible()
  await page.unroute('**/rows?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(openRow(page, 1)).toBeVisible()
  await page.goto(`/data/tables/${table.Schema}/gone`)
  await page.getByRole('link', { name: 'Back to the tables' }).click()
  await expect(page.getByRole('region', { name: source.Name, exact: true })).toBeVisible()
})

test('/data has no accessibility violation', async ({ page, portal }) => {
  test.slow()
  await portal.signIn('admin', '/data')
  await expect(page.getByRole('table').first()).toBeVisible()
  await expectAccessible(page)
})

test('/data/tables/{schema}/{table} and its dialogs have no accessibility violation', async ({ page, portal }) => {
  test.slow()
  const filter = JSON.stringify([{ column: 'line_amount', operator: 'between', values: ['1', ''] }])
  await portal.signIn('admin', tablePath(`?filters=${encodeURIComponent(filter)}`))
  await expect(openRow(page, 1)).toBeVisible()
  await expectAccessible(page)
  for (const [button, dialog] of [
    ['Filter', 'Add a filter'],
    ['SQL', 'SQL of these rows'],
    ['Columns', 'Columns'],
    ['Open row 1', `A row of ${table.Name}`],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
