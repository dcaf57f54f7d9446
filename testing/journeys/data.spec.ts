/** The explorer on the books of Harbour Trading, whose first run the trial makes. These tests are read-only. */
import type { DataSource, DataTableSummary } from '@tributary/contract/data'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

let table: DataTableSummary
let source: DataSource

/** The largest table of the books: its rows do not fit into one page. */
test.beforeAll(async ({ request }) => {
  test.setTimeout(240_000)
  const admin = await apiAs(request, 'admin@demo.example')
  const organisations = await admin.get<{ Id: string; CompanyName: string }[]>('/organisations')
  const path = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === 'Harbour Trading')?.Id}/data/tables`
  await expect(async () => {
    const sources = await admin.get<DataSource[]>(path)
    const books = sources.find(({ Type, State }) => Type === 'xero' && State === 'fresh')
    const largest = books?.Tables.toSorted((one, other) => (other.Rows ?? 0) - (one.Rows ?? 0))[0]
    expect(largest?.Rows).toBeGreaterThan(500)
    if (books === undefined || largest === undefined) throw new Error('There are no books.')
    ;[source, table] = [books, largest]
  }).toPass({ timeout: 220_000, intervals: [2_000] })
})

const tablePath = () => `/data/tables/${table.Schema}/${table.Name}`
const grid = (page: Page) => page.getByRole('grid', { name: `Rows of ${table.Name}` })

test('[SEE-3] [GATE-1] /data lists tables by source, finds one by a column, and leads to its rows', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  const section = page.getByRole('region', { name: source.Name, exact: true })
  await expect(section.getByText('Up to date')).toBeVisible()
  const column = table.Columns.at(-1)?.Name ?? ''
  await page.getByRole('searchbox', { name: 'Search tables and columns' }).fill(`${table.Name} ${column}`)
  await expect(section.getByText('Columns:').first()).toBeVisible()
  await section.getByRole('link', { name: table.Name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: table.Name })).toBeVisible()
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
})

test('[SEE-4] [GATE-1] /data/tables/{schema}/{table} shows rows that are read as a person scrolls, down and up again', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', tablePath())
  const first = page.getByRole('button', { name: 'Open row 1', exact: true })
  await expect(first).toBeVisible()
  await grid(page).getByRole('gridcell').first().focus()
  for (let presses = 0; presses < 40; presses++) await page.keyboard.press('PageDown')
  await expect(page.getByRole('button', { name: 'Open row 300', exact: true })).toBeAttached()
  await page.keyboard.press('Control+Home')
  await expect(first).toBeInViewport()
})

test('look', async ({ page, portal }) => {
  await portal.signIn('admin', '/data')
  await expect(page.getByRole('table').first()).toBeVisible()
  await page.screenshot({ path: '/tmp/shots/data.png' })
  await page.goto(tablePath())
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
  await page.screenshot({ path: '/tmp/shots/table.png' })
  await page.setViewportSize({ width: 360, height: 800 })
  await page.screenshot({ path: '/tmp/shots/table-360.png' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.waitForTimeout(500)
  await page.screenshot({ path: '/tmp/shots/filter.png' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.waitForTimeout(500)
  await page.screenshot({ path: '/tmp/shots/row.png' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.waitForTimeout(500)
  await page.screenshot({ path: '/tmp/shots/columns.png' })
  await page
    .getByRole('button', { name: /^Describe/ })
    .nth(3)
    .click()
  await expect(page.getByText('Distinct values')).toBeVisible()
  await page.waitForTimeout(500)
  await page.screenshot({ path: '/tmp/shots/describe.png' })
})
