/** Loads a sheet into the table of a version within the user's rights, with a receipt that can be undone. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { SheetData } from 'write-excel-file/node'
import writeWorkbook from 'write-excel-file/node'
import { expectAccessible } from './accessible.ts'
import { apiAs } from './people.ts'
import { makePlan, type Plan } from './plan.ts'
import { expect, test } from './portal.ts'

const path = '/excel/loads'
const headings = ['Entity', 'Area', 'Subarea', 'Milestone', 'Month', 'Amount']

async function workbook(rows: readonly (readonly (string | number | Date)[])[]): Promise<Buffer> {
  const cell = (value: string | number | Date) =>
    value instanceof Date ? { value, type: Date, format: 'yyyy-mm-dd' } : { value }
  const data: SheetData = [
    [{ value: 'Planned by Finance' }],
    headings.map((value) => ({ value })),
    ...rows.map((row) => row.map(cell)),
  ]
  return await writeWorkbook(data, { sheet: 'Plan' }).toBuffer()
}

/** Checks the sheet without loading it. */
async function check(page: Page, { version }: Plan, rows: Parameters<typeof workbook>[0]): Promise<void> {
  await page.goto(path)
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await page.getByLabel('File to load').setInputFiles({ name: 'plan.xlsx', mimeType, buffer: await workbook(rows) })
  await expect(page.getByLabel('Row of the headings')).toHaveValue('2')
  await page.getByLabel('Table', { exact: true }).selectOption({ label: version })
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByText(/can be loaded\.$|errors? prevents? loading\.$/u)).toBeVisible()
}

async function load(page: Page, plan: Plan, rows: Parameters<typeof workbook>[0]): Promise<void> {
  await check(page, plan, rows)
  await page.getByRole('button', { name: /^Load \d+ rows?$/u }).click()
  await expect(page.getByRole('region', { name: `Receipt for ${plan.version}` })).toBeVisible()
}

test('[VER-3] [ENG-5] a user loads a sheet, loads it again with one changed figure, sees the change by its cell, and undoes it', async ({
  page,
  portal,
  request,
}) => {
  const plan = await makePlan(request)
  await portal.signIn('user', path)
  await expect(page.getByRole('link', { name: 'Load', exact: true })).toHaveAttribute('aria-current', 'page')
  await load(page, plan, [plan.row(0.1), plan.row(0.2)])
  await load(page, plan, [plan.row(0.1), plan.row(-7.25)])
  await expect(page.getByRole('table', { name: 'Totals' })).toContainText('−7.15')
  const changes = page.getByRole('table', { name: 'List of changes' })
  await expect(changes.getByRole('row', { name: /^F4 changed Amount 0\.2\d* -7\.25/u })).toBeVisible()
  const receipt = page.url()
  const requested: string[] = []
  page.on('request', (one) => requested.push(new URL(one.url()).pathname))
  await page.reload()
  await expect(changes.getByRole('row', { name: /^F4 changed/u })).toBeVisible()
  // Requested before the page's code had loaded, which then takes the response.
  const ofItsOwn = new URL(receipt).pathname.replace('/excel', '/api')
  expect(requested.filter((one) => one === ofItsOwn)).toHaveLength(1)
  expect(requested.filter((one) => one === `${ofItsOwn}/changes`)).toHaveLength(1)
  await expect.poll(() => page.evaluate('Object.keys(window.preloadedRequests)')).toEqual([])
  const downloading = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Change log' }).getByRole('button', { name: 'Export CSV' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/u)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('button', { name: 'Undo the load' }).click()
  await expect(page.getByText('This load restored the rows that another load had replaced.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Totals' })).toContainText('0.3')
  await page.goto(receipt)
  await expect(page.getByText('This load was undone.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0)
})

test('[ENG-5] [ISSUE 20 C14] [ISSUE 20 C16] one bad cell is shown before the check, and its column can still be text; the template can be loaded', async ({
  page,
  portal,
  request,
}) => {
  const plan = await makePlan(request)
  await portal.signIn('user', path)
  const lines = [
    'Entity,Area,Subarea,Milestone,Amount',
    `${plan.row(1).slice(0, 4).join(',')},1.5`,
    `${plan.row(1).slice(0, 4).join(',')},2`,
  ]
  const buffer = Buffer.from(`${[...lines, `${plan.row(1).slice(0, 4).join(',')},n/a`].join('\n')}\n`)
  await page.getByLabel('File to load').setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Table', { exact: true }).selectOption({ label: plan.version })
  const panel = page.getByRole('region', { name: 'New columns' })
  await expect(panel.getByText('2 numbers, 1 text')).toBeVisible()
  await expect(panel.getByText('E4 does not fit: n/a. Correct it, or choose another type.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectAccessible(page)
  await panel.getByLabel('Type of Amount').selectOption({ label: 'Text' })
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('button', { name: 'Load 3 rows' }).click()
  await expect(page.getByRole('region', { name: `Receipt for ${plan.version}` })).toBeVisible()
  await page.goto(path)
  await page.getByLabel('File to load').setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Table', { exact: true }).selectOption({ label: plan.version })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download template' }).click()
  const template = await downloading
  expect(template.suggestedFilename()).toBe(`${plan.version} template.xlsx`)
  await page.getByRole('button', { name: 'Choose another file' }).click()
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const name = template.suggestedFilename()
  await page.getByLabel('File to load').setInputFiles({ name, mimeType, buffer: await readFile(await template.path()) })
  await expect(
    page.getByText('There is nothing below row 1. Choose the row of the headings, or a sheet that holds rows.'),
  ).toBeVisible()
})

test('[VER-3] a locked milestone and a forbidden area are refused with their cells, and nothing can be loaded', async ({
  page,
  portal,
  request,
}) => {
  const plan = await makePlan(request)
  await portal.signIn('user', path)
  await check(page, plan, [plan.row(1), plan.row(2, { milestone: 'Final' }), plan.row(3, { area: 'Attic' })])
  const cells = page.getByRole('table', { name: 'List of cells to fix' })
  await expect(cells.getByRole('row', { name: /^D4 The milestone ‘Final .*’ is locked/u })).toBeVisible()
  await expect(cells.getByRole('row', { name: /^B5 There is no area ‘Attic /u })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Load \d/u })).toHaveCount(0)
  await expectAccessible(page)
})

test('[VER-3] a milestone that is locked after the check accepts no load', async ({ page, portal, request }) => {
  const plan = await makePlan(request)
  await portal.signIn('admin', path)
  await check(page, plan, [plan.row(1)])
  await plan.lockDraft()
  portal.expectFailedCalls()
  await page.getByRole('button', { name: 'Load 1 row' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'is locked' })).toBeVisible()
})

test('a load whose response is lost still shows its receipt', async ({ page, portal, request }) => {
  const plan = await makePlan(request)
  await portal.signIn('admin', path)
  await check(page, plan, [plan.row(1)])
  portal.expectFailedCalls()
  await page.route(
    '**/api/loads/*/commit',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Load 1 row' }).click()
  await expect(page.getByRole('region', { name: `Receipt for ${plan.version}` })).toBeVisible()
})

test('of two concurrent loads one shows who was faster; undoing the earlier load names the later one', async ({
  page,
  portal,
  browser,
  request,
}) => {
  const plan = await makePlan(request)
  await portal.signIn('admin', path)
  await check(page, plan, [plan.row(1)])
  const other = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await other.goto(path)
  await other.getByRole('textbox', { name: 'Username' }).fill('user@demo.example')
  await other.getByLabel('Password', { exact: true }).fill('tributary-demo-1')
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await load(other, plan, [plan.row(2), plan.row(3)])
  const loser = other.url()
  portal.expectFailedCalls()
  await page.getByRole('button', { name: 'Load 1 row' }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'meanwhile. Nothing of yours was loaded.' })
  await banner.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('It replaces 2 rows, and that can be undone.')).toBeVisible()
  await page.getByRole('button', { name: 'Load 1 row' }).click()
  await expect(page.getByRole('region', { name: `Receipt for ${plan.version}` })).toBeVisible()
  await other.goto(loser)
  await other.reload()
  await other.getByRole('button', { name: 'Undo', exact: true }).click()
  await other.getByRole('button', { name: 'Undo the load' }).click()
  await expect(other.getByRole('dialog')).toContainText('Amara Okafor has loaded')
  await other.context().close()
})

test('[GATE-1] /excel/loads/{loadId}: the choices, the receipt and the list of loads have no accessibility violation, on a desk and on a phone', async ({
  page,
  portal,
  request,
}) => {
  test.slow()
  const plan = await makePlan(request)
  await portal.signIn('admin', path)
  await page
    .getByLabel('File to load')
    .setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from('Amount\n1.5\n') })
  await page.getByLabel('Table', { exact: true }).selectOption({ label: plan.version })
  await expect(page.getByLabel('Milestone')).toBeVisible()
  await expectAccessible(page)
  await load(page, plan, [plan.row(1), plan.row(2)])
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Load another file' }).click()
  await expect(page.getByRole('table', { name: 'Loads' })).toContainText(plan.version)
  await expectAccessible(page)
})

test('[GATE-8] [ROLE-1] a guest has no Excel, and another organisation sees none of the loads', async ({
  page,
  portal,
  request,
}) => {
  await portal.signIn('guest', '/home')
  await page.goto(path)
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
  const { versionId } = await makePlan(request)
  const begin = { versionId, source: 'portal', workbook: 'plan.xlsx', sheet: 'Plan', columns: headings }
  const ours = await apiAs(request, 'admin@demo.example')
  const { Id } = await ours.post<{ Id: string }>('/loads', begin)
  const statusFor = async (headers: Record<string, string>) =>
    (await request.get(`/api/loads/${Id}`, { headers })).status()
  expect(await statusFor(ours.headers)).toBe(200)
  expect(await statusFor((await apiAs(request, 'admin@other.example')).headers)).toBe(404)
})

test('[ROLE-1] a user without grants, also the superadmin, sees it before choosing a file', async ({
  page,
  portal,
  request,
}) => {
  const plan = await makePlan(request)
  await portal.signIn('superadmin', path)
  await expect(page.getByText('There is no table that you may load into.')).toBeVisible()
  await expect(page.getByLabel('File to load')).toHaveCount(0)
  await expect(page.getByText(plan.version)).toHaveCount(0)
})
