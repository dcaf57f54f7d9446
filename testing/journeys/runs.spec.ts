import { createServer } from 'node:http'
import { makeConnector } from './journey-connector.ts'
import { findConnector, findRun } from './find-runs.ts'
import { expect, expectEnd, test } from './portal.ts'
import { tabTo } from './tab-to.ts'

test.describe.configure({ timeout: 180_000 })

test('[ENG-1] a run is followed by its events: the figures grow on screen without polling', async ({
  page,
  portal,
  request,
}) => {
  const { name } = await makeConnector(request, 'cin7')
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/cin7/refresh')
  const requested: string[] = []
  page.on('request', (each) => /\/runs\/[\w-]+(\/events)?$/.test(each.url()) && requested.push(each.url()))
  await page.getByRole('article', { name }).getByRole('button', { name: 'Refresh', exact: true }).click()
  const run = page.getByRole('dialog', { name })
  await expect(run.getByRole('row', { name: /^account/ })).toContainText('Done', { timeout: 60_000 })
  await expectEnd(run, 'Completed')
  await expect(run.getByRole('region', { name: 'Timeline' })).toContainText(/Tables ?\d+ of \d+ done/)
  expect(requested.filter((url) => url.endsWith('/events'))).toHaveLength(1)
  // Once at the beginning, and once after the end.
  expect(requested.filter((url) => !url.endsWith('/events')).length).toBeLessThanOrEqual(2)
})

test('a run whose events do not arrive is polled every ten seconds, and shows it', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const { name } = await makeConnector(request, 'cin7')
  await page.route('**/events', (route) => route.abort())
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/cin7/refresh')
  await page.getByRole('article', { name }).getByRole('button', { name: 'Refresh', exact: true }).click()
  await expectEnd(page.getByRole('dialog', { name }), 'Completed')
})

test('by keyboard alone: open a connector, run it, watch it, cancel it', async ({ page, portal, request }) => {
  // A source that never responds, so that the run lasts until it is cancelled.
  const silent = createServer(() => undefined)
  const port = Number(process.env['TRIBUTARY_E2E_SILENT_PORT'])
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve))
  const { name } = await makeConnector(request, 'cin7', { 'cin7.address': `http://127.0.0.1:${port}/ExternalApi/v2/` })
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/cin7/refresh')
  const card = page.getByRole('article', { name })
  await tabTo(page, card.getByRole('link', { name, exact: true }))
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name })
  await expect(drawer).toContainText('Never started')
  await tabTo(page, drawer.getByRole('link', { name: 'Tables' }))
  await page.keyboard.press('Enter')
  await expect(drawer).toContainText('No tables are known yet.')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)

  await tabTo(page, card.getByRole('button', { name: 'Refresh', exact: true }))
  await page.keyboard.press('Enter')
  await tabTo(page, drawer.getByRole('button', { name: 'Cancel run' }))
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('alert')).toContainText('Written rows stay')
  await expect(drawer.getByRole('button', { name: 'Keep running' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectEnd(drawer, 'Cancelled')
  await expect(drawer.getByRole('button', { name: 'Cancel run' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  silent.closeAllConnections()
  silent.close()
})

test('one table alone is copied, and the others stay unchanged', async ({ page, portal, request }) => {
  const { name } = await makeConnector(request, 'postgres')
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/postgres/refresh')
  const card = page.getByRole('article', { name })
  await card.getByRole('button', { name: 'Refresh', exact: true }).click()
  const run = page.getByRole('dialog')
  await expectEnd(run, 'Completed')
  await page.keyboard.press('Escape')

  await card.getByRole('button', { name: 'Only some tables, or from a date' }).click()
  await page.getByRole('menuitem', { name: 'One table alone' }).click()
  const reload = page.getByRole('dialog', { name: `Reload ${name}` })
  await reload.getByRole('checkbox', { name: 'shop_products' }).check()
  await reload.getByRole('button', { name: 'Start' }).click()
  await expect(run).toContainText('Full run of shop.products')
  await expectEnd(run, 'Completed')
  const rows = run.getByRole('table', { name: 'Tables of this run' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('shop_products')
})

test('a run from a date reads all changes since then again', async ({ page, portal, request }) => {
  const { name } = await makeConnector(request, 'postgres')
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/postgres/refresh')
  const card = page.getByRole('article', { name })
  await card.getByRole('button', { name: 'Refresh', exact: true }).click()
  const run = page.getByRole('dialog')
  await expectEnd(run, 'Completed')
  await page.keyboard.press('Escape')

  await card.getByRole('button', { name: 'Only some tables, or from a date' }).click()
  await page.getByRole('menuitem', { name: 'From a date' }).click()
  const reload = page.getByRole('dialog', { name: `Reload ${name}` })
  await reload.getByRole('button', { name: 'Start' }).click()
  await expect(reload.getByRole('alert')).toHaveText('Choose the day to begin with.')
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  await reload.getByLabel('From', { exact: true }).fill(day)
  await reload.getByRole('button', { name: 'Start' }).click()
  await expect(run).toContainText(/Incremental run from \d+ \w+ 20\d\d/)
  await expectEnd(run, 'Completed')
})

test('refused credentials: the card shows what happened, that the data is still correct, and leads to the settings', async ({
  page,
  portal,
  request,
}) => {
  await portal.signIn('admin', await findRun(request, 'Old shop archive', ({ FaultKind }) => FaultKind === 'signIn'))
  const card = page.getByRole('dialog').getByRole('region', { name: 'PostgreSQL refused the credentials' })
  await expect(card).toContainText('refused the user name or password')
  await expect(card).toContainText('Right as of')
  await expect(card).toContainText('An administrator')
  await card.getByRole('link', { name: 'Reconnect' }).click()
  await page.waitForURL('**/connectors/postgres/manage?*')
})

test('a rate-limited source: the card counts down, and no action is needed', async ({ page, portal, request }) => {
  await portal.signIn('user', await findRun(request, 'Branch stock', ({ FaultKind }) => FaultKind === 'busy'))
  const card = page.getByRole('dialog').getByRole('region', { name: /^Waiting for Cin7 Core until/ })
  await expect(card).toContainText('No one')
  await expect(card).toContainText(/in \d+ h \d+ min/)
})

test('an unreachable source: the card offers to try again', async ({ page, portal, request }) => {
  await portal.signIn(
    'admin',
    await findRun(request, 'Web shop', ({ FaultCode }) => FaultCode === 'network.unreachable'),
  )
  const dialog = page.getByRole('dialog', { name: 'Web shop' })
  await expect(dialog).toContainText('The source does not answer.')
  await expect(dialog.getByText('The data', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Who acts', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Refresh again' })).toBeVisible()
  await dialog.getByRole('link', { name: 'See the latest run' }).click()
  await expect(dialog.getByRole('button', { name: 'Refresh again' })).toHaveCount(0)
})

test('a missing privilege: the card has the statement that grants it, to copy', async ({ page, portal, request }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await portal.signIn(
    'user',
    await findRun(request, 'Web shop', ({ FaultCode }) => FaultCode === 'postgres.not_allowed'),
  )
  const card = page.getByRole('dialog').getByRole('region', { name: 'A right is missing in the database' })
  await expect(card).toContainText('GRANT')
  await card.getByRole('button', { name: 'Copy the statement' }).click()
  await expect(card.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^GRANT .*;$/)
})

test('an internal error: the user cannot fix it, and the details for the provider are ready to be sent', async ({
  page,
  portal,
  request,
}) => {
  await portal.signIn('admin', await findRun(request, 'Web shop', ({ FaultKind }) => FaultKind === 'bug'))
  const card = page.getByRole('dialog').getByRole('region', { name: 'Something went wrong inside Tributary' })
  await expect(card).toContainText(/Run [0-9a-f-]{36}/)
  await expect(card.getByRole('button', { name: 'Report to the provider' })).toBeVisible()
})

test('rejected rows are shown with the reason, and downloaded as a file', async ({ page, portal, request }) => {
  await portal.signIn('admin', await findRun(request, 'Web shop', ({ RowsRejected }) => RowsRejected > 0))
  const part = page.getByRole('dialog').getByRole('region', { name: '1 rejected row' })
  await part.getByRole('button', { name: 'Show' }).click()
  await expect(part.getByRole('table', { name: 'Rejected rows' }).getByRole('row')).toHaveCount(2)
  const download = page.waitForEvent('download')
  await part.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^rejected-.*\.csv$/)
})

test('a pending schema change is shown before and after, and accepted by a click', async ({
  page,
  portal,
  request,
}) => {
  const { Id } = await findConnector(request, 'Old shop archive')
  await portal.signIn('admin', `/connectors/postgres/refresh?connector=${Id}&view=changes`)
  const drawer = page.getByRole('dialog', { name: 'Old shop archive' })
  const change = drawer.getByRole('row', { name: /shop_customers\.loyalty_tier/ })
  await expect(change).toContainText('New column text')
  await change.getByRole('button', { name: 'Accept shop_customers.loyalty_tier' }).click()
  await expect(change).toContainText('Accepted')
  await expect(drawer.getByRole('link', { name: 'Changes', exact: true })).toBeVisible()
})

test('the history has pages, and the charts have keyboard navigation by day and a table view', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/connectors/postgres/refresh')
  await page.getByRole('article', { name: 'Web shop' }).getByRole('link', { name: 'Web shop', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Web shop' })
  const first = await drawer.getByRole('row').nth(1).innerText()
  await drawer.getByRole('button', { name: 'Older' }).click()
  await expect(drawer).toContainText('Page 2 of')
  await expect.poll(() => drawer.getByRole('row').nth(1).innerText()).not.toBe(first)

  await drawer.getByRole('link', { name: 'Charts' }).click()
  const days = drawer.getByRole('slider', { name: 'Rows written, by day' })
  const day = /^\w{3},? \d+ \w+: [\d,]+ written/
  await expect(days).toHaveAttribute('aria-valuetext', day)
  const last = (await days.getAttribute('aria-valuetext')) ?? ''
  await days.press('ArrowLeft')
  await expect(days).not.toHaveAttribute('aria-valuetext', last)
  await expect(days).toHaveAttribute('aria-valuetext', day)
  await drawer.getByRole('button', { name: 'Rows written as table' }).click()
  await expect(drawer.getByRole('table', { name: 'Rows written, rows a day' }).getByRole('row')).toHaveCount(31)
})
