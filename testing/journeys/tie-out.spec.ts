/** The tie-out on screen and on paper, of the books of 'Harbour Trading' in the trial. These tests change nothing but issue a certificate. */
import type { Page } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import type { TieOut, TieOutDocument, TieOutLine, TieOutPeriod } from '@tributary/contract/tie-out'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expectAccessible } from './accessible.ts'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

const books = 'Harbour Trading'
let connector: Connector
let tieOut: TieOut

/** Waits for the first run of the trial, which reads a year of books and ties them out. */
test.beforeAll(async ({ request }) => {
  test.setTimeout(240_000)
  const admin = await apiAs(request, 'admin@demo.example')
  const organisations = await admin.get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === books)?.Id}`
  await expect(async () => {
    const all = await admin.get<Connector[]>(`${client}/connectors?type=xero`)
    connector = all.find(({ Name }) => Name === books) ?? connector
    tieOut = await admin.get<TieOut>(`${client}/connectors/${connector.Id}/tie-out`)
    expect(tieOut.Periods.length).toBeGreaterThan(12)
  }).toPass({ timeout: 220_000, intervals: [2_000] })
})

test('the card shows that the books tie out, and leads over the months to the figures of the accounts', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.goto('/connectors/xero/refresh')
  const card = page.getByRole('article', { name: books, exact: true })
  await expect(card.getByText(/^Ties out/)).toBeVisible()
  await card.getByRole('link', { name: 'See the figures' }).click()
  const dialog = page.getByRole('dialog', { name: books, exact: true })
  await expect(dialog.getByRole('table', { name: 'Months, latest first' }).getByRole('row')).toHaveCount(
    tieOut.Periods.length + 1,
  )
  await dialog.getByRole('link', { name: monthName(fullMonth()) }).click()
  const accounts = dialog.getByRole('table', { name: /^Accounts of/ })
  await expect(accounts.getByRole('row')).toHaveCount(fullMonth().Accounts + 1)
  const figures = await accounts
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)))
  for (const [, computed, reported, difference] of figures) expect([computed, difference]).toEqual([reported, '0.00'])
})

test('the months and the accounts of a tie-out have no accessibility violation', async ({ page, portal }) => {
  test.slow()
  await portal.signIn('admin')
  for (const depth of ['', `&period=${fullMonth().Period}`]) {
    await page.goto(`${view()}${depth}`)
    await expect(page.getByRole('dialog').getByRole('table').first()).toBeVisible()
    await expectAccessible(page)
  }
})

test('the figures are exported in a form that a spreadsheet can add up', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto(`${view()}&period=${fullMonth().Period}`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(fullMonth().Accounts + 1)
  expect(lines[1]).toMatch(/^\d{4}-\d\d-01,.*,-?\d+\.\d\d,-?\d+\.\d\d,-?\d+(?:\.\d+)?,green,$/)
})

test('an account with a difference leads to its documents, to unannounced changes, and to the source', async ({
  page,
  portal,
}) => {
  await portal.signIn('user')
  await showDifference(page)
  await page.goto(`${view()}&period=${fullMonth().Period}`)
  const dialog = page.getByRole('dialog', { name: books, exact: true })
  await dialog.getByRole('link', { name: '200 Sales' }).click()
  const documents = dialog.getByRole('table', { name: 'Documents, latest first' })
  await expect(documents).toContainText('changed without notice')
  await expect(documents.getByRole('link', { name: /^Invoice INV-0071/ })).toHaveAttribute(
    'href',
    /^https:\/\/go\.xero\.com\//,
  )
  await expectAccessible(page)
})

test('[GATE-1] /connectors/{type}/certificate: the certificate of a month prints only the figures and what they prove; it has no accessibility violation', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.goto(`${view()}&period=${fullMonth().Period}`)
  await page.getByRole('link', { name: 'Certificate' }).click()
  const sheet = page.getByRole('article', { name: `Tie-out of ${books}` })
  await expect(sheet).toContainText(
    `Every one of the ${fullMonth().Accounts} accounts of ${monthName(fullMonth())} is equal`,
  )
  await expect(sheet).toContainText(tieOut.RunId)
  await page.getByRole('button', { name: 'Issue certificate' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(sheet).toContainText(/SHA-256 of its JSON file:[0-9a-f]{64}/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JSON' }).click()
  const file = await readFile(await (await download).path())
  await expect(sheet).toContainText(createHash('sha256').update(file).digest('hex'))
  await expectAccessible(page)

  // Both are requested before the page's own code has loaded, which then takes their responses.
  const preloaded = Promise.all([/\/tie-out$/u, /\/tie-out\/lines\?/u].map((one) => page.waitForRequest(one)))
  await page.route('**/assets/index-*.js', (route) => preloaded.then(() => route.continue()))
  await page.reload()
  await expect(sheet).toContainText(tieOut.RunId)
  await expect.poll(() => page.evaluate('Object.keys(window.preloadedRequests)')).toEqual([])

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(sheet).toBeVisible()
  for (const around of [
    page.getByRole('navigation'),
    page.getByRole('banner'),
    page.getByRole('button', { name: 'Print' }),
  ])
    await expect(around.filter({ visible: true })).toHaveCount(0)
  await expect.poll(async () => (await sheet.boundingBox())?.y, 'the sheet begins at the top').toBe(0)
  await expect(sheet, 'dark on white').toHaveCSS('color', 'rgb(19, 32, 40)')
})

const view = () => `/connectors/xero/refresh?connector=${connector.Id}&view=tieOut`

/** A complete month with every kind of document. */
function fullMonth(): TieOutPeriod {
  const month = tieOut.Periods[1]
  if (month === undefined) throw new Error('No month was compared.')
  return month
}

function monthName({ Period }: TieOutPeriod): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(Period),
  )
}

/** Changes the reply so that the first account differs, because the books of the trial tie out. */
async function showDifference(page: Page): Promise<void> {
  await page.route('**/tie-out/lines?**', async (route) => {
    const response = await route.fetch()
    const [first, ...rest] = (await response.json()) as TieOutLine[]
    const line = { ...first, Code: '200', Name: 'Sales', Difference: '12.50', State: 'red', Documents: 1 }
    await route.fulfill({ response, json: [line, ...rest] })
  })
  const document: TieOutDocument = {
    Kind: 'Invoice',
    Id: '1',
    Number: 'INV-0071',
    Date: fullMonth().Period,
    Contact: 'Kea Cafe',
    Amount: '-1500.00',
    WasQuiet: true,
    Address: 'https://go.xero.com/AccountsReceivable/View.aspx?InvoiceID=1',
  }
  await page.route('**/tie-out/documents?**', (route) => route.fulfill({ json: [document] }))
}
